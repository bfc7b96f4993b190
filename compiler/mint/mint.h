// MINT: what the messages of a contract say, free of any encoding and of any target language.
//
// Nodes live in one vector and are named by index; equal structure behind one declaration is shared, and the
// graph may be cyclic (types that contain themselves through a sequence).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compiler/aoi/aoi.h"

namespace corbel::idl::mint {

using Id = std::uint32_t;

enum class Kind : std::uint8_t {
  Void,
  Boolean,
  Char,
  Octet,
  Integer,
  Float,
  Enum,
  String,
  Sequence,
  Array,
  Struct,
  Union,
  Reference,
  WChar,
  WString,
  Fixed,  // bits: digits
  Any,
  TypeCode,
  Value,     // by its repository id, shared and null
  Abstract,  // a reference or a value
  Map,
  Bits  // an integer of fields; bits: its width
};

struct Case {
  std::vector<std::int64_t> labels;  // none for the default
  Id type = 0;
};

struct Node {
  Kind kind = Kind::Void;
  std::uint32_t bits = 0;   // Integer, Float
  bool is_signed = false;   // Integer
  std::uint32_t bound = 0;  // String, Sequence (0 = none), Array (all dimensions), Enum (enumerators)
  std::int32_t scale = 0;   // Fixed
  Id key = 0;               // Map
  Id element = 0;           // Sequence, Array, Map; Union: discriminator
  std::vector<Id> members;  // Struct
  std::vector<Case> cases;  // Union
  bool recursive = false;   // Struct, Union: reaches itself
  bool derived = false;     // Struct: the first members are a base's
  std::string name;         // Struct, Union: whose it is, for people; empty for bodies of messages
};

struct Message {
  std::string name;  // "::M::I.op request"
  Id type;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<Message> messages;  // requests and replies of every operation, exceptions

  Id of(const aoi::Type* type);
  Id of(const aoi::Decl* decl);
  const Node& operator[](Id id) const { return nodes[id]; }

 private:
  Id add(Node node);
  std::map<const aoi::Decl*, Id> by_decl_;
  std::map<std::string, Id> by_shape_;  // leaves, sequences and arrays
};

// All messages and types of the contract's main file.
Graph build(const aoi::Contract& contract);
std::string dump(const Graph& graph);

}  // namespace corbel::idl::mint
