// The abstract object interface (AOI): the network contract of one translation unit, free of any target
// language and of any encoding. Front ends make it; MINT and the presentations read it.
//
// Ownership: a Contract owns every node; all other pointers are borrowed and live as long as the Contract.
// After the front end returns, a Contract is immutable and may be read by several threads.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "compiler/source/location.h"

namespace corbel::idl::aoi {

enum class Basic : std::uint8_t {
  Void,
  Boolean,
  Octet,
  Char,
  Short,
  UShort,
  Long,
  ULong,
  LongLong,
  ULongLong,
  Float,
  Double,
  LongDouble,
  WChar,
  Int8,  // IDL 4; a number, unlike octet
  UInt8
};

struct Decl;
struct Constant;
struct Struct;
struct Union;
struct Enum;
struct Typedef;
struct Exception;
struct Interface;
struct Value;
struct Module;

// A use of a type. Anonymous sequences, strings and arrays are nodes of their own; everything that has a name
// is reached through `decl`.
struct Type {
  enum class Kind : std::uint8_t {
    Basic,
    String,
    Sequence,
    Array,
    Named,
    Object,
    WString,
    Fixed,
    Any,
    TypeCode,   // CORBA::TypeCode
    ValueBase,  // CORBA::ValueBase
    Map         // IDL 4
  };
  Kind kind = Kind::Basic;
  Basic basic = Basic::Void;        // Basic
  std::uint32_t bound = 0;          // String, WString, Sequence, Map: 0 = unbounded
  std::uint16_t digits = 0;         // Fixed: 1 to 31; 0 in the type of a constant, which takes its value's
  std::int16_t scale = 0;           // Fixed
  const Type* key = nullptr;        // Map
  const Type* element = nullptr;    // Sequence, Array (type of all dimensions), Map
  std::vector<std::uint32_t> dims;  // Array: dimensions, outermost first
  const Decl* decl = nullptr;       // Named: a declaration of a type
  Span span;
};

// The value of a fixed-point constant: [-]digits[.digits], without leading or trailing zeros that say
// nothing.
struct FixedValue {
  std::string text;
};

// The value of a constant expression, already converted to the constant's declared type.
// Integers, boolean, octet, char and wchar are integers here; enum constants name the enumerator. Wide
// strings are code points.
using ConstantValue = std::variant<std::monostate, std::int64_t, std::uint64_t, double, std::string, bool,
                                   std::u32string, FixedValue, long double>;

// An annotation as it was used. Of one that is declared, or standard, all members are arguments, in the order
// of their declaration; of another one the arguments are as they were written.
struct Annotation {
  struct Argument {
    std::string name;     // empty where an undeclared annotation's argument had none
    std::string text;     // the value as a literal or a name
    ConstantValue value;  // of the member's type; of the annotated one's for @default, @min, @max and @range
  };
  std::string name;
  bool is_standard = false;  // as IDL 4.2, the types of DDS or Corbel declare it
  std::vector<Argument> arguments;
  Span span;
};

// The standard annotation of this name among them, null if it is not there.
const Annotation* find_standard(const std::vector<Annotation>& all, std::string_view name);

// What every declaration has.
struct Decl {
  enum class Kind : std::uint8_t {
    Module,
    Interface,
    Constant,
    Struct,
    Union,
    Enum,
    Typedef,
    Exception,
    Native,
    Value,
    ValueBox,
    Bitmask,
    Bitset,
    Component,
    Connector,
    PortType,
    Home
  };
  explicit Decl(Kind k) : kind(k) {}
  virtual ~Decl() = default;
  Kind kind;
  std::string name;             // identifier as the contract means it, the escape underscore removed
  std::string scoped_name;      // "::A::B::name"
  std::string repository_id;    // "IDL:prefix/A/B/name:1.0", after all pragmas
  const Decl* scope = nullptr;  // enclosing Module, Interface, Struct, Union, Exception; null = file scope
  Span span;                    // the name where it is declared
  std::vector<std::string> comments;  // documentation comment lines before it, markers removed
  std::vector<Annotation> annotations;
  bool in_main_file = true;  // false: came from an #include; no code is generated for it
};

struct Field {  // member of a struct, exception
  std::string name;
  const Type* type = nullptr;
  Span span;
  std::vector<std::string> comments;
  std::vector<Annotation> annotations;
};

struct Struct : Decl {
  Struct() : Decl(Kind::Struct) {}
  const Struct* base = nullptr;  // IDL 4: its fields, and those of its base, come first
  std::vector<Field> fields;
  std::vector<const Decl*> nested;  // types declared inside the member list
  bool complete = false;            // false: only forward-declared
  // A forward declaration and the definition are one node, which stands in the lists of declarations at both
  // places; so the first of the two is the forward declaration.
  bool forward_declared = false;
  bool recursive = false;  // reaches itself through a sequence
};

struct Exception : Decl {
  Exception() : Decl(Kind::Exception) {}
  std::vector<Field> fields;
  std::vector<const Decl*> nested;
};

struct Enum : Decl {
  Enum() : Decl(Kind::Enum) {}
  struct Enumerator {
    std::string name;
    std::uint32_t value;      // what travels: the ordinal
    std::int64_t number = 0;  // what @value says, counted on from there; without it the ordinal
    Span span;
    std::vector<std::string> comments;
    std::vector<Annotation> annotations;
  };
  std::vector<Enumerator> enumerators;
};

struct Union : Decl {
  Union() : Decl(Kind::Union) {}
  // Labels are values of the discriminator: integers, char, boolean as integers, enumerators by ordinal.
  struct Case {
    std::vector<std::int64_t> labels;  // empty only for a pure `default:`; unsigned long long labels bit-cast
    std::vector<std::string>
        label_names;  // for an enum discriminator the enumerator of each label, else empty
    bool is_default = false;
    Field field;
  };
  const Type* discriminator = nullptr;
  std::vector<Annotation> discriminator_annotations;
  std::vector<Case> cases;
  std::vector<const Decl*> nested;
  bool complete = false;
  bool forward_declared = false;  // see Struct
  bool recursive = false;
  bool has_default = false;        // an explicit default case
  bool implicit_default = false;   // no default case, and the labels do not cover the discriminator
  std::int64_t default_label = 0;  // a discriminator value no label uses; valid with either kind of default
};

struct Typedef : Decl {
  Typedef() : Decl(Kind::Typedef) {}
  const Type* type = nullptr;
};

struct Constant : Decl {
  Constant() : Decl(Kind::Constant) {}
  const Type* type = nullptr;
  ConstantValue value;
  const Enum* enum_type = nullptr;  // enum constants: value holds the ordinal as int64
  std::string source;               // the expression as written, for comments
};

// A type of the programming language; it never travels.
struct Native : Decl {
  Native() : Decl(Kind::Native) {}
};

// IDL 4: flags of an unsigned integer.
struct Bitmask : Decl {
  Bitmask() : Decl(Kind::Bitmask) {}
  struct Flag {
    std::string name;
    std::uint32_t position;
    Span span;
    std::vector<std::string> comments;
    std::vector<Annotation> annotations;
  };
  std::uint32_t bits = 32;  // annotation @bit_bound; the integer has 8, 16, 32 or 64
  std::vector<Flag> flags;
};

// IDL 4: unsigned or signed fields inside an integer.
struct Bitset : Decl {
  Bitset() : Decl(Kind::Bitset) {}
  struct Bits {
    std::string name;  // empty: only room
    std::uint32_t width;
    const Type* type = nullptr;  // null: the smallest unsigned type that holds it, boolean for one bit
    Span span;
    std::vector<std::string> comments;
    std::vector<Annotation> annotations;
  };
  const Bitset* base = nullptr;
  std::vector<Bits> fields;
};

struct Parameter {
  enum class Mode : std::uint8_t { In, Out, InOut };
  Mode mode = Mode::In;
  std::string name;
  const Type* type = nullptr;
  Span span;
  std::vector<Annotation> annotations;
};

struct Operation {
  std::string name;  // as on the wire
  bool oneway = false;
  const Type* result = nullptr;
  std::vector<Parameter> parameters;
  std::vector<const Exception*> raises;
  std::vector<std::string> contexts;  // of the context clause
  Span span;
  std::vector<std::string> comments;
  std::vector<Annotation> annotations;
};

struct Attribute {  // on the wire: operations _get_NAME and _set_NAME
  std::string name;
  const Type* type = nullptr;
  bool readonly = false;
  std::vector<const Exception*> get_raises;  // raises of a readonly attribute
  std::vector<const Exception*> set_raises;
  Span span;
  std::vector<std::string> comments;
  std::vector<Annotation> annotations;
};

// An interface may stay without a definition: references to it can be passed on all the same.
struct Interface : Decl {
  Interface() : Decl(Kind::Interface) {}
  std::vector<const Interface*> bases;  // direct, in order of declaration
  // The body in source order.
  using Member = std::variant<const Operation*, const Attribute*, const Decl*>;
  std::vector<Member> members;
  bool is_abstract = false;       // passed as a reference or as a value
  bool is_local = false;          // never passed
  bool complete = false;          // false: only forward-declared
  bool forward_declared = false;  // see Struct
  // What a TypeCode calls its references; those of components and homes are called so (equivalents.h).
  enum class TypeCode : std::uint8_t { Object, Component, Home };
  TypeCode type_code = TypeCode::Object;
};

// A valuetype or eventtype.
struct Value : Decl {
  Value() : Decl(Kind::Value) {}
  struct State {
    Field field;
    bool is_public = false;
  };
  struct Factory {
    std::string name;
    std::vector<Parameter> parameters;  // all in
    std::vector<const Exception*> raises;
    Span span;
    std::vector<std::string> comments;
    std::vector<Annotation> annotations;
  };
  std::vector<const Value*> bases;  // at most the first one is not abstract
  std::vector<const Interface*> supports;
  // The body in source order.
  using Member = std::variant<const State*, const Factory*, const Operation*, const Attribute*, const Decl*>;
  std::vector<Member> members;
  bool is_abstract = false;
  bool is_custom = false;
  bool is_truncatable = false;
  bool is_event = false;
  bool complete = false;
  bool forward_declared = false;  // see Struct
};

// valuetype NAME type;
struct ValueBox : Decl {
  ValueBox() : Decl(Kind::ValueBox) {}
  const Type* type = nullptr;
};

// What a component offers, needs, sends or gets.
struct Port {
  enum class Kind : std::uint8_t {
    Provides,
    Uses,
    UsesMultiple,
    Emits,
    Publishes,
    Consumes,
    Port,
    MirrorPort
  };
  Kind kind = Kind::Provides;
  std::string name;
  const Decl* type = nullptr;  // Interface, Value (event) or PortType; null = Object
  Span span;
  std::vector<std::string> comments;
  std::vector<Annotation> annotations;
};

// A component, a connector or a port type.
struct Component : Decl {
  explicit Component(Kind k) : Decl(k) {}
  const Component* base = nullptr;
  std::vector<const Interface*> supports;
  std::vector<Port> ports;
  std::vector<const Attribute*> attributes;
  bool complete = false;
  bool forward_declared = false;  // see Struct
};

struct Home : Decl {
  Home() : Decl(Kind::Home) {}
  struct Maker {
    std::string name;
    bool is_finder = false;             // else a factory
    std::vector<Parameter> parameters;  // all in
    std::vector<const Exception*> raises;
    Span span;
    std::vector<std::string> comments;
    std::vector<Annotation> annotations;
  };
  const Home* base = nullptr;
  std::vector<const Interface*> supports;
  const Component* manages = nullptr;
  const Value* primary_key = nullptr;
  std::vector<Interface::Member> members;
  std::vector<Maker> makers;
  bool complete = false;
};

// One opening of a module. A module that is reopened appears once per opening, with the same scoped_name.
struct Module : Decl {
  Module() : Decl(Kind::Module) {}
  std::vector<const Decl*> declarations;
};

// Everything that one IDL file and its includes declare.
struct Contract {
  std::vector<const Decl*> declarations;     // file scope, source order; includes are kept, see in_main_file
  std::string main_file;                     // path as given
  std::vector<std::string> direct_includes;  // files the main file includes itself, as written
  bool inline_includes = false;              // these count as parts of the main file
  // Those of them that come with the compiler, and what they are called there.
  std::map<std::string, std::string> standard_includes;

  // Storage; make() hands out nodes that live as long as the contract.
  template <typename T, typename... Args>
  T* make(Args&&... args) {
    auto node = std::make_shared<T>(std::forward<Args>(args)...);
    T* raw = node.get();
    storage.push_back(std::move(node));
    return raw;
  }
  std::vector<std::shared_ptr<void>> storage;
};

// The type behind any chain of typedefs that are not arrays, sequences... themselves: follows Named typedefs
// until a type that is not a typedef's name.
const Type* resolve(const Type* type);

// Every type that the declaration itself names: of members, parameters, results, labels, and what those are
// sequences, arrays and maps of. Declarations inside it count as their own.
void for_each_type(const Decl& decl, const std::function<void(const Type&)>& use);

// All interfaces `interface` derives from, itself excluded, each once, bases before derived.
std::vector<const Interface*> ancestors(const Interface& interface);

}  // namespace corbel::idl::aoi
