// Statements that encode or decode one value of any type.
#pragma once

#include <string>

#include "compiler/backends/compiled/compiled.h"
#include "compiler/presentations/cpp/writer.h"

namespace corbel::idl::compiled {

// `fail` is the statement for malformed input: "return false;" or a call that throws.
class Coder {
 public:
  Coder(cpp::Writer& writer, const Input& input, std::string fail = "return false;")
      : w_(writer), in_(input), fail_(std::move(fail)) {}

  void encode(const std::string& value, const aoi::Type* type, int depth = 0);
  // Replaces what `value` holds.
  void decode(const std::string& value, const aoi::Type* type, int depth = 0);
  // Behind marshal() and unmarshal() of a sequence's class.
  void encode_sequence(const std::string& value, const aoi::Type* sequence, int depth);
  void decode_sequence(const std::string& value, const aoi::Type* sequence, int depth);

  const plan::Part& part(const aoi::Type* type) const { return in_.plan[in_.graph.of(type)]; }
  // A basic type whose octets may be copied as they are.
  bool copyable(const aoi::Type* type) const;
  bool encodes_as_run(const aoi::Type* type) const;
  // A struct that repeats on the wire as in memory from its second element on.
  bool struct_run(const aoi::Type* type) const;

 private:
  void check(const std::string& condition);
  cpp::Writer& w_;
  const Input& in_;
  std::string fail_;
};

}  // namespace corbel::idl::compiled
