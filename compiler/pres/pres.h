// PRES: the target language's side of a contract. Every declaration that is printed, in order and with its comments,
// and for every use of a type a node that ties what is said (MINT) to the target type that holds it: the conversion
// between the two and who owns the memory.
//
// A presentation makes it and prints the declarations from it; back ends read it to know how values are reached.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/mint/mint.h"

namespace corbel::idl::pres {

using Id = std::uint32_t;

// How a MINT node and its target type are converted into each other.
enum class Form : std::uint8_t { Void, Value, Boolean, Enum, String, Reference, Sequence, Array, Struct, Union };

struct Member {
  std::string name;      // as written in the target language
  std::string idl_name;  // for names that derive from it
  Id type = 0;
  std::vector<std::string> comments;
  // Unions: the target's labels; empty for a pure default.
  std::vector<std::string> labels;
  bool is_default = false;
};

struct Node {
  Form form = Form::Void;
  mint::Id message = 0;
  std::string type;        // what is stored as a member or element
  std::string class_name;  // Reference: the interface's class; Sequence: its template or class
  std::string var;         // type that owns a heap value; empty where there is none
  bool declared = false;   // has a name of its own in the contract, so functions can be overloaded for it
  bool variable = false;   // owns memory beyond its own bytes
  bool trivial = true;     // copied and destroyed without code
  bool recursive = false;  // can contain itself
  std::uint32_t bound = 0;            // String, Sequence: 0 = none; Enum: number of enumerators
  Id element = 0;                     // Sequence, Array; Union: discriminator
  std::vector<std::uint32_t> dims;    // Array
  std::vector<Member> members;        // Struct, Union
  std::string default_label;          // Union: a label that no other member has
  bool implicit_default = false;      // Union: there are labels without a member
};

enum class Mode : std::uint8_t { In, Out, InOut };

// Who allocates and frees what passes through a parameter or result.
enum class Ownership : std::uint8_t {
  Borrowed,  // the caller's; the callee looks at it
  InPlace,   // the caller's; the callee changes it
  Given,     // allocated by the callee, freed by the caller
  Replaced   // allocated by the caller, may be replaced by the callee
};

struct Parameter {
  Mode mode = Mode::In;
  std::string name;
  Id type = 0;
  std::string passed;  // the parameter's type
  Ownership ownership = Ownership::Borrowed;
};

struct Operation {
  std::string wire_name;
  std::string name;
  bool oneway = false;
  Id result = 0;
  std::string returned;  // the result's type
  std::vector<Parameter> parameters;
  std::vector<std::string> raises;  // classes
  std::vector<std::string> comments;
  mint::Id request = 0, reply = 0;  // parameters, result first in the reply
};

struct Declaration {
  enum class Kind : std::uint8_t {
    Namespace,
    Forward,
    Interface,
    Constant,
    Struct,
    Union,
    Enum,
    Sequence,
    Array,
    Alias,
    Exception
  };
  Kind kind = Kind::Namespace;
  bool printed = true;  // false: another file's, known for its names
  std::string name;
  std::string qualified;  // "::M::name"
  std::string repository_id;
  std::vector<std::string> comments;
  Id type = 0;
  std::vector<Declaration> nested;         // Namespace, Interface; types declared inside others
  std::string value;                       // Constant: its text
  std::vector<Member> enumerators;         // Enum
  std::string of;                          // Alias: what it is another name of
  bool class_like = false;                 // Forward: of an interface
  std::vector<std::string> bases;          // Interface: direct ones
  std::vector<Operation> operations;       // Interface: own
  std::vector<Operation> inherited;        // Interface
  std::vector<std::string> origins;        // Interface: the class each inherited operation comes from
  std::vector<std::string> ancestors;      // Interface: all, bases before derived
};

struct Presentation {
  std::vector<Node> nodes;
  std::vector<Declaration> declarations;
  const Node& operator[](Id id) const { return nodes[id]; }
};

std::string dump(const Presentation& presentation);

}  // namespace corbel::idl::pres
