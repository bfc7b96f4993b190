// From the compiler's representation of types to TypeCodes.
#pragma once

#include <corbel/cpp/type_code.h>

#include <map>
#include <utility>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "orb/types/block.h"

namespace corbel::json {

// To TypeCodes an int8 is an octet, and so is this one, in messages and to whoever compares types; here it
// keeps the sign.
inline constinit CORBA::TypeCode int8_type(types::Kind::Octet, "", "int8", nullptr, nullptr, 0);
inline bool is_int8(const types::TypeCode& type) { return &type == &int8_type; }

// Makes the TypeCodes of a contract in one block, which lives as long as one of them does. What they say is
// what generated code says. One thread at a time.
class TypeCodes {
 public:
  TypeCodes() : block_(new types::Block) {}
  ~TypeCodes() { block_->remove_ref(); }
  TypeCodes(const TypeCodes&) = delete;
  TypeCodes& operator=(const TypeCodes&) = delete;

  // Counted for the caller. Null for what has no TypeCode: maps.
  CORBA::TypeCode_ptr of(const idl::aoi::Type& type);
  CORBA::TypeCode_ptr of(const idl::aoi::Decl& decl);

 private:
  struct Row {
    std::string name;
    const idl::aoi::Type* type;
    std::int64_t label;
    std::int16_t visibility;
  };
  const types::TypeCode* make(const idl::aoi::Type& type);
  const types::TypeCode* make(const idl::aoi::Decl& decl);
  void describe_all();
  void describe(const idl::aoi::Decl& decl, types::TypeCode& made);
  void members(const std::vector<Row>& rows, types::TypeCode& made);

  types::Block* const block_;
  std::map<const idl::aoi::Decl*, const types::TypeCode*> made_;
  std::vector<std::pair<const idl::aoi::Decl*, types::TypeCode*>> to_describe_;
};

}  // namespace corbel::json
