// TypeCodes of a contract's types, as constants that need no initialisation.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "compiler/source/writer.h"

namespace corbel::idl::cpp {

// Whether a TypeCode describes it: every type and exception, whether it is sent or not.
bool has_type_code(const aoi::Decl& decl);
// "::corbel::tc::M::_tc_T"
std::string type_code(const aoi::Decl& decl);
// The namespace of the object: "corbel::tc::M"
std::string type_code_namespace(const aoi::Decl& decl);

inline constexpr const char* kWeak = "[[gnu::weak]] ";

// Prints the object of each declaration; they may refer to each other, as all are declared.
class TypeCodePrinter {
 public:
  explicit TypeCodePrinter(Writer& writer) : w_(writer) {}
  // `weak`: another file may have one, which counts.
  void print(const aoi::Decl& decl, bool weak = false);

 private:
  struct Row {
    std::string name;
    const aoi::Type* type;  // null: none
    std::int64_t label;
    int visibility;
  };
  // An expression; anonymous types are printed before it.
  std::string address(const aoi::Type* type);
  std::string address(const aoi::Decl* decl);
  std::string anonymous(const std::string& fields);
  void describe(const aoi::Decl& decl);
  // One of this file's own.
  std::string copy(const aoi::Decl& decl);
  std::string members_name(const aoi::Decl& decl) const;
  void rows(const std::string& name, const std::vector<Row>& rows);
  void object(const aoi::Decl& decl, const char* kind, const std::string& content, std::size_t rows,
              std::int64_t special = 0);
  void of_union(const aoi::Union& u);
  void of_value(const aoi::Value& v);

  Writer& w_;
  int anonymous_ = 0;
  std::string space_, storage_, prefix_ = "_tc_";
  std::map<const aoi::Decl*, std::string> copies_;
};

}  // namespace corbel::idl::cpp
