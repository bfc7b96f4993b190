// PRES: ties each message of the contract to the target declarations that hold it.
//
// A presentation makes it; back ends read from it how the target spells types, members and parameters, which
// MINT node each stands for, how the two are converted, and who owns the memory. Pointers live as long as the
// Presentation, which is not changed once it is made.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "compiler/aoi/aoi.h"
#include "compiler/mint/mint.h"

namespace corbel::idl::pres {

// How a value is passed; decided by the type behind all typedefs.
enum class Passing : std::uint8_t {
  Value,
  Reference,
  FixedStruct,
  VariableStruct,
  String,
  Sequence,
  FixedArray,
  VariableArray,
  WString,
  ValueType  // a pointer, counted
};

// What lies between the value in a message and the one in memory.
enum class Conversion : std::uint8_t {
  None,       // there is no value: void
  Copy,       // the same bits
  Check,      // the same number, but not every one is a value: boolean, enum
  Text,       // octets with a length and a terminator: C string
  Reference,  // profiles: a counted object reference
  Elements,   // element by element: sequence, array
  Members,    // member by member: struct, union, exception
  Functions   // what marshal() and unmarshal() of the run time make of it
};

// Who provides the memory of a parameter, result or member, and who frees it.
enum class Ownership : std::uint8_t {
  Held,      // inside its holder, and goes with it
  Lent,      // the caller's, for the time of the call
  Filled,    // the caller's; the callee stores into it
  Replaced,  // the caller's; the callee may free it and put its own there
  Given      // the callee allocates it, the caller frees it
};

struct Declaration;

struct Type {
  mint::Id message = 0;
  Conversion conversion = Conversion::None;
  Passing passing = Passing::Value;
  std::string target;             // as stored in a struct, sequence or array; an anonymous array: its element
  std::string holder;             // what owns a result or out parameter in a local variable
  std::string interface;          // Reference: the class it points to
  bool undefined = false;         // Reference, value: its class is only declared
  bool functions = false;         // marshal() and unmarshal() take it
  const Type* element = nullptr;  // Sequence, Array
  std::vector<std::uint32_t> dimensions;
  const Declaration* declaration = nullptr;  // Struct, Union
};

struct Member {
  std::string name;
  const Type* type = nullptr;
};

// A union's branch: read by NAME(), set by NAME(value).
struct Case {
  std::vector<std::string> labels;
  bool is_default = false;
  Member member;
  std::string local;  // declared to decode into; empty: NAME() gives the place
  std::string given;  // what hands it over: "", "._retn()"
};

// A field of an integer, from its lowest bit on.
struct BitField {
  std::string name;  // empty: only room
  std::string type;
  std::uint32_t offset, width;
};

struct Interface;

struct Declaration {
  const aoi::Decl* decl = nullptr;      // its place in the contract; comments
  std::string target;                   // "::M::S"
  const Type* type = nullptr;           // none of interfaces' own
  std::vector<Member> members;          // struct, exception
  const Type* discriminator = nullptr;  // union
  std::vector<Case> cases;
  std::vector<BitField> bits;  // bitset, its bases' first
  std::string integer;         // bitset: the integer that holds them
  const Interface* interface = nullptr;
  mint::Id state = 0;  // value: the body of its own state
  bool local = false;  // never travels
};

struct Parameter {
  aoi::Parameter::Mode mode = aoi::Parameter::Mode::In;
  std::string name;   // in the target
  std::string local;  // what names made up for it are built on
  const Type* type = nullptr;
  Ownership ownership = Ownership::Lent;
};

struct Operation {
  std::string name;        // on the wire
  std::string method;      // in the target
  std::string parameters;  // the list between parentheses
  std::string result;      // spelling of the result
  const Type* result_type = nullptr;
  std::vector<Parameter> arguments;
  std::vector<const Declaration*> raises;
  std::vector<std::string> contexts;  // patterns of properties that go behind the arguments
  bool oneway = false;
  mint::Id request = 0, reply = 0;
  std::vector<std::string> comments;
};

// The virtual function behind a method of an abstract interface.
inline std::string virtual_name(const std::string& method) { return "_corbel_do_" + method; }

struct Interface {
  std::string target;     // "::M::I"
  std::string skeleton;   // "::POA_M::I"
  bool local = false;     // called directly, implemented by derived classes
  bool abstract = false;  // of objects and of values
  std::vector<Operation> operations;
  std::vector<const Interface*> ancestors;  // each once, bases first
};

struct Presentation {
  // Of the main file in order, inner ones before outer ones; a forward declaration is none.
  std::vector<const Declaration*> declarations;

  // Interfaces that are used and only declared: their classes are nowhere to be seen.
  std::vector<const aoi::Decl*> undefined;

  std::deque<Type> types;
  std::deque<Declaration> all;  // those of included files that are used are here, too
  std::deque<Interface> interfaces;
};

// The member of a valuetype's class that holds its state of this name. It stands among functions of the same
// prefix.
std::string state_name(const std::string& member);
Passing passing(const aoi::Type* type);
Ownership ownership(Passing passing, aoi::Parameter::Mode mode);
Ownership result_ownership(Passing passing);
// Holds memory beyond its own bytes.
bool is_variable(const aoi::Type* type);
// Never travels: natives, maps, local interfaces and what holds one of them.
bool is_local(const aoi::Decl& decl);
// Holds a map, for which there is neither an encoding nor a TypeCode.
bool holds_map(const aoi::Decl& decl);
bool holds_map(const aoi::Type* type);

std::string dump(const Presentation& presentation);

}  // namespace corbel::idl::pres
