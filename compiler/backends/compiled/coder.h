// Statements that encode or decode values.
#pragma once

#include <functional>
#include <string>

#include "compiler/backends/compiled/compiled.h"
#include "compiler/source/writer.h"

namespace corbel::idl::compiled {

// How the surrounding function calls things.
struct Names {
  std::string out, in;  // encoder and decoder
  std::string own;      // what begins the names of local variables
  std::string cdr;      // qualification of namespace corbel::cdr
  std::string fail;     // the statement for malformed input
};
// Whether results and fields of the type are C++ values, not held by something that frees them.
inline bool by_value(const pres::Type& type) {
  return type.passing == pres::Passing::Value || type.passing == pres::Passing::FixedStruct;
}
// Whether a message of that type can hold values, which are shared among all of its parts.
bool holds_values(const mint::Graph& graph, mint::Id id);
// Whether that of a declared type shares its values by itself: the members of an exception are the whole of
// what is sent, so that no one else sees to it.
bool shares_values(const pres::Declaration& declaration, const Input& input);
// Whether it holds a union, whose class has a destructor even where its size is fixed.
bool holds_unions(const mint::Graph& graph, mint::Id id);
// Whether it can hold characters, which are sent in the set of the server.
bool holds_text(const mint::Graph& graph, mint::Id id);
// Sequences or arrays of primitives, which are copied as they are, anywhere inside.
bool holds_runs(const mint::Graph& graph, const plan::Plan& plan, mint::Id id);

// Inside namespace corbel::cdr.
Names in_functions();
// `fail` throws.
Names in_operations(const std::string& fail);

// The place of member `index`: an expression. Asked for again it gives the same.
using Places = std::function<std::string(std::uint32_t index)>;

class Coder {
 public:
  Coder(Writer& writer, const Input& input, Names names) : w_(writer), in_(input), names_(std::move(names)) {}

  void encode(const std::string& value, const pres::Type& type, int depth = 0);
  // Replaces what `value` holds.
  void decode(const std::string& value, const pres::Type& type, int depth = 0);
  // Behind marshal() and unmarshal() of a sequence's class.
  void encode_sequence(const std::string& value, const pres::Type& type, int depth);
  void decode_sequence(const std::string& value, const pres::Type& type, int depth);

  // The members of a struct or of a message's body, as its plan says. Members that stand alone are decoded by
  // `alone`, if given.
  void encode_members(mint::Id body, const std::vector<pres::Member>& members, const Places& place);
  void decode_members(mint::Id body, const std::vector<pres::Member>& members, const Places& place,
                      const std::function<void(std::uint32_t)>& alone = {});

  const plan::Part& part(const pres::Type& type) const { return in_.plan[type.message]; }
  const mint::Node& node(const pres::Type& type) const { return in_.graph[type.message]; }
  bool primitive(const pres::Type& type) const;
  // A primitive type whose octets may be copied as they are.
  bool character(const pres::Type& type) const { return node(type).kind == mint::Kind::Char; }
  bool copyable(const pres::Type& type) const { return primitive(type) && part(type).same_as_host; }
  // One of up to 8 octets.
  bool number(const pres::Type& type) const {
    const mint::Kind kind = node(type).kind;
    return (kind == mint::Kind::Octet || kind == mint::Kind::Integer || kind == mint::Kind::Float) &&
           copyable(type) && part(type).host_size <= 8;
  }
  // A string without a bound.
  bool plain_string(const pres::Type& type) const {
    return node(type).kind == mint::Kind::String && node(type).bound == 0;
  }
  // A struct that repeats on the wire as in memory from its second element on.
  bool struct_run(const pres::Type& type) const;
  // The same for encoding: booleans and enums inside need no check.
  bool encodes_as_struct_run(const pres::Type& type) const;
  void check(const std::string& condition);

 private:
  void store_leaf(const std::string& at, const std::string& value, const pres::Type& type);
  void load_leaf(const std::string& at, const std::string& value, const pres::Type& type);
  template <typename Each>
  void each_element(std::string value, const pres::Type& array, int depth, const Each& each);
  std::string wire_type(const pres::Type& type) const;
  std::string local(const char* name, int depth) const;

  Writer& w_;
  const Input& in_;
  const Names names_;
};

}  // namespace corbel::idl::compiled
