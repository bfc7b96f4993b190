// Made by corbel-idl from programs.idl; do not edit.
#pragma once

#include <corbel/corba.h>
#include <corbel/cpp/abstract.h>
#include <corbel/cpp/any.h>
#include <corbel/cpp/context.h>
#include <corbel/cpp/value.h>
#include <corbel/cpp/value_box.h>

// options: --stubs=interpretive --no-any
// Each kind of step that programs have, in one contract.
namespace Programs {

struct Sample {
  CORBA::Short a;
  CORBA::Long b;
  CORBA::Double c;
};
typedef corbel::cpp::FixedVar<Sample> Sample_var;
typedef Sample& Sample_out;

struct Named {
  corbel::cpp::StringMember name;
  CORBA::Long number;
  typedef corbel::cpp::UnboundedStringSequence _others_seq;
  _others_seq others;
};
typedef corbel::cpp::VariableVar<Named> Named_var;
typedef corbel::cpp::VariableOut<Named, Named_var> Named_out;

class Either {
 public:
  Either() { _corbel_empty(), _corbel_activate(true); }
  Either(const Either& other);
  Either& operator=(const Either& other);
  ~Either() { _corbel_clear(); }

  CORBA::Boolean _d() const { return _corbel_label; }
  // Only between labels of one member, else BAD_PARAM.
  void _d(CORBA::Boolean value);
  void by_name(const ::Programs::Named& value) {
    auto* const copy = new ::Programs::Named(value);
    _corbel_select(true);
    _corbel_u.by_name = copy;
  }
  const ::Programs::Named& by_name() const { return *_corbel_u.by_name; }
  ::Programs::Named& by_name() { return *_corbel_u.by_name; }
  void plain(const ::Programs::Sample& value) {
    auto* const copy = new ::Programs::Sample(value);
    _corbel_select(false);
    _corbel_u.plain = copy;
  }
  const ::Programs::Sample& plain() const { return *_corbel_u.plain; }
  ::Programs::Sample& plain() { return *_corbel_u.plain; }

  // For decoders: frees the member, selects another one and makes its first value.
  void _corbel_activate(CORBA::Boolean value);
  // Where members stand, or the pointers to them.
  static constexpr std::size_t _corbel_at() { return offsetof(Either, _corbel_u); }

 private:
  static int _corbel_member(CORBA::Boolean value);
  void _corbel_empty() { std::memset(static_cast<void*>(&_corbel_u), 0, sizeof _corbel_u); }
  void _corbel_clear();
  void _corbel_select(CORBA::Boolean value) { _corbel_clear(), _corbel_empty(), _corbel_label = value; }
  CORBA::Boolean _corbel_label{};
  union {
    ::Programs::Named* by_name;
    ::Programs::Sample* plain;
  } _corbel_u;
};
typedef corbel::cpp::VariableVar<Either> Either_var;
typedef corbel::cpp::VariableOut<Either, Either_var> Either_out;

struct Tree {
  CORBA::Long label;
  typedef corbel::cpp::UnboundedSequence<::Programs::Tree> _children_seq;
  _children_seq children;
};
typedef corbel::cpp::VariableVar<Tree> Tree_var;
typedef corbel::cpp::VariableOut<Tree, Tree_var> Tree_out;

class Samples : public corbel::cpp::UnboundedSequence<::Programs::Sample> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<Samples> Samples_var;
typedef corbel::cpp::VariableOut<Samples, Samples_var> Samples_out;

class Refused : public CORBA::UserException {
 public:
  static constexpr const char* _corbel_id = "IDL:Programs/Refused:1.0";
  corbel::cpp::StringMember why;
  Refused() = default;
  explicit Refused(const char* why_) : why(why_) {}
  static const Refused* _downcast(const CORBA::Exception* exception);
  static Refused* _downcast(CORBA::Exception* exception) {
    return const_cast<Refused*>(_downcast(static_cast<const CORBA::Exception*>(exception)));
  }
  static Refused* _narrow(CORBA::Exception* exception) { return _downcast(exception); }
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const override { return "Refused"; }
  const char* _rep_id() const override { return _corbel_id; }
  CORBA::Exception* _corbel_duplicate() const override { return new Refused(*this); }
  void _marshal_members(corbel::cdr::Encoder& out) const override;
};

// What is written by functions that know what has been written before.
class Node;
typedef corbel::cpp::ValueVar<Node> Node_var;
typedef corbel::cpp::ValueOut<Node> Node_out;
class Node : public virtual CORBA::ValueBase {
 public:
  typedef Node* _ptr_type;
  typedef Node_var _var_type;
  static constexpr corbel::cpp::ValueType _corbel_value_type{"IDL:Programs/Node:1.0", nullptr, false};
  static const corbel::cpp::ValueType* _corbel_expected() { return &_corbel_value_type; }
  static CORBA::ValueBase* (*_corbel_maker())() { return nullptr; }
  static Node* _downcast(CORBA::ValueBase* value);
  static Node* _duplicate(Node* value);

  virtual void id(CORBA::Long value) = 0;
  virtual CORBA::Long id() const = 0;
  virtual void next(::Programs::Node* value) = 0;
  virtual ::Programs::Node* next() const = 0;
  const corbel::cpp::ValueType& _corbel_type() const override { return _corbel_value_type; }

 protected:
  Node() = default;
  ~Node() override = default;
};

class Label;
typedef corbel::cpp::ValueVar<Label> Label_var;
typedef corbel::cpp::ValueOut<Label> Label_out;
class Label : public corbel::cpp::StringBox<Label> {
  typedef corbel::cpp::StringBox<Label> _corbel_box;

 public:
  using _corbel_box::_corbel_box;
  using _corbel_box::operator=;
  static constexpr corbel::cpp::ValueType _corbel_value_type{"IDL:Programs/Label:1.0", nullptr, false};
  void _corbel_put_state(corbel::cdr::Encoder& out) const override;
  bool _corbel_get_state(corbel::cdr::Decoder& in) override;

 protected:
  ~Label() override = default;
};

class Described;
typedef Described* Described_ptr;
typedef corbel::cpp::ObjectVar<Described> Described_var;
typedef corbel::cpp::ObjectOut<Described> Described_out;
class Described : public virtual CORBA::AbstractBase {
 public:
  typedef Described_ptr _ptr_type;
  typedef Described_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Programs/Described:1.0";
  static Described_ptr _duplicate(Described_ptr object) { return corbel::cpp::duplicate(object); }
  static Described_ptr _narrow(CORBA::AbstractBase_ptr object);
  static Described_ptr _unchecked_narrow(CORBA::AbstractBase_ptr object);
  static Described_ptr _nil() { return nullptr; }
  static Described_ptr _corbel_make(corbel::core::Reference* reference);

  char* describe() { return corbel::cpp::not_nil(this)->_corbel_do_describe(); }
  virtual char* _corbel_do_describe();

 protected:
  Described() = default;
};

struct Bits {
  CORBA::UInt8 low : 3;
  CORBA::UInt8 high : 7;
};
typedef corbel::cpp::FixedVar<Bits> Bits_var;
typedef Bits& Bits_out;

struct Holder {
  CORBA::Any content;
  corbel::cpp::ValueMember<::Programs::Node> first;
  corbel::cpp::ObjectMember<::Programs::Described> subject;
  ::Programs::Bits flags;
};
typedef corbel::cpp::VariableVar<Holder> Holder_var;
typedef corbel::cpp::VariableOut<Holder, Holder_var> Holder_out;

class Holders : public corbel::cpp::UnboundedSequence<::Programs::Holder> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<Holders> Holders_var;
typedef corbel::cpp::VariableOut<Holders, Holders_var> Holders_out;

class Content {
 public:
  Content() { _corbel_empty(), _corbel_activate(2147483647); }
  Content(const Content& other);
  Content& operator=(const Content& other);
  ~Content() { _corbel_clear(); }

  CORBA::Long _d() const { return _corbel_label; }
  // Only between labels of one member, else BAD_PARAM.
  void _d(CORBA::Long value);
  void _default() { _corbel_activate(2147483647); }
  void everything(const CORBA::Any& value) {
    auto* const copy = new CORBA::Any(value);
    _corbel_select(1);
    _corbel_u.everything = copy;
  }
  const CORBA::Any& everything() const { return *_corbel_u.everything; }
  CORBA::Any& everything() { return *_corbel_u.everything; }
  void single(::Programs::Node* object) {
    ::Programs::Node* const counted = corbel::cpp::duplicate(object);
    _corbel_select(2), _corbel_u.single = counted;
  }
  ::Programs::Node* single() const { return _corbel_u.single; }

  // For decoders: frees the member, selects another one and makes its first value.
  void _corbel_activate(CORBA::Long value);
  // Where members stand, or the pointers to them.
  static constexpr std::size_t _corbel_at() { return offsetof(Content, _corbel_u); }

 private:
  static int _corbel_member(CORBA::Long value);
  void _corbel_empty() { std::memset(static_cast<void*>(&_corbel_u), 0, sizeof _corbel_u); }
  void _corbel_clear();
  void _corbel_select(CORBA::Long value) { _corbel_clear(), _corbel_empty(), _corbel_label = value; }
  CORBA::Long _corbel_label{};
  union {
    CORBA::Any* everything;
    ::Programs::Node* single;
  } _corbel_u;
};
typedef corbel::cpp::VariableVar<Content> Content_var;
typedef corbel::cpp::VariableOut<Content, Content_var> Content_out;

class Torn : public CORBA::UserException {
 public:
  static constexpr const char* _corbel_id = "IDL:Programs/Torn:1.0";
  CORBA::Any what;
  corbel::cpp::ValueMember<::Programs::Node> one;
  Torn() = default;
  Torn(const CORBA::Any& what_, ::Programs::Node* one_) : what(what_), one(corbel::cpp::duplicate(one_)) {}
  static const Torn* _downcast(const CORBA::Exception* exception);
  static Torn* _downcast(CORBA::Exception* exception) {
    return const_cast<Torn*>(_downcast(static_cast<const CORBA::Exception*>(exception)));
  }
  static Torn* _narrow(CORBA::Exception* exception) { return _downcast(exception); }
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const override { return "Torn"; }
  const char* _rep_id() const override { return _corbel_id; }
  CORBA::Exception* _corbel_duplicate() const override { return new Torn(*this); }
  void _marshal_members(corbel::cdr::Encoder& out) const override;
};

class Calls;
typedef Calls* Calls_ptr;
typedef corbel::cpp::ObjectVar<Calls> Calls_var;
typedef corbel::cpp::ObjectOut<Calls> Calls_out;
class Calls : public virtual CORBA::Object {
 public:
  typedef Calls_ptr _ptr_type;
  typedef Calls_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Programs/Calls:1.0";
  static Calls_ptr _duplicate(Calls_ptr object) { return corbel::cpp::duplicate(object); }
  static Calls_ptr _narrow(CORBA::Object_ptr object);
  static Calls_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Calls_ptr _nil() { return nullptr; }

  void ping();
  CORBA::Long add(CORBA::Long a, CORBA::Long& b);
  char* text(const char* a, CORBA::String_out b);
  ::Programs::Samples* all(const ::Programs::Samples& some, const ::Programs::Named& one);
  ::Programs::Either* choose(const ::Programs::Either& one, const ::Programs::Tree& a_tree);
  void note(CORBA::Long number);
  CORBA::Any* pass(const CORBA::Any& a, ::Programs::Node*& b, ::Programs::Described_out c);
  ::Programs::Holders* keep(const ::Programs::Holder& a, const ::Programs::Content& b, ::Programs::Label* c,
      CORBA::TypeCode_ptr d);
  void told(CORBA::Long a, CORBA::Context_ptr _ctx);
  void remark(const CORBA::Any& what);

  explicit Calls(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Calls() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

}  // namespace Programs

namespace OBV_Programs {

class Node : public virtual ::Programs::Node, public virtual CORBA::DefaultValueRefCountBase {
 public:
  void id(CORBA::Long value) override { _corbel_id = value; }
  CORBA::Long id() const override { return _corbel_id; }
  void next(::Programs::Node* value) override { _corbel_next = corbel::cpp::duplicate(value); }
  ::Programs::Node* next() const override { return _corbel_next.in(); }
  void _corbel_put_state(corbel::cdr::Encoder& out) const override;
  bool _corbel_get_state(corbel::cdr::Decoder& in) override;
  void _corbel_clear() override;
  CORBA::ValueBase* _corbel_new() const override;

 public:
  Node() = default;
  Node(CORBA::Long id_, ::Programs::Node* next_) {
    this->id(id_);
    this->next(next_);
  }

 protected:
  ~Node() override = default;

 private:
  CORBA::Long _corbel_id{};
  corbel::cpp::ValueMember<::Programs::Node> _corbel_next{};
};

}  // namespace OBV_Programs

namespace Programs {

class Node_init : public CORBA::ValueFactoryBase {
 public:
  static Node_init* _downcast(CORBA::ValueFactoryBase* factory) { return dynamic_cast<Node_init*>(factory); }

 public:
  Node_init() = default;

 protected:
  CORBA::ValueBase* create_for_unmarshal() override;
};

}  // namespace Programs

namespace corbel::cdr {

void marshal(Encoder& out, const ::Programs::Sample& value);
bool unmarshal(Decoder& in, ::Programs::Sample& value);
inline void store_struct([[maybe_unused]] const Encoder& out, char* to, const ::Programs::Sample& value) {
  std::memcpy(to + 0, &value.a, 2);
  std::memset(to + 2, 0, 2);
  std::memcpy(to + 4, &value.b, 4);
  std::memcpy(to + 8, &value.c, 8);
}
void marshal(Encoder& out, const ::Programs::Named& value);
bool unmarshal(Decoder& in, ::Programs::Named& value);
void marshal(Encoder& out, const ::Programs::Either& value);
bool unmarshal(Decoder& in, ::Programs::Either& value);
void marshal(Encoder& out, const ::Programs::Tree& value);
bool unmarshal(Decoder& in, ::Programs::Tree& value);
void marshal(Encoder& out, const ::Programs::Samples& value);
bool unmarshal(Decoder& in, ::Programs::Samples& value);
void marshal(Encoder& out, const ::Programs::Refused& value);
bool unmarshal(Decoder& in, ::Programs::Refused& value);
void marshal(Encoder& out, const ::Programs::Bits& value);
bool unmarshal(Decoder& in, ::Programs::Bits& value);
void marshal(Encoder& out, const ::Programs::Holder& value);
bool unmarshal(Decoder& in, ::Programs::Holder& value);
void marshal(Encoder& out, const ::Programs::Holders& value);
bool unmarshal(Decoder& in, ::Programs::Holders& value);
void marshal(Encoder& out, const ::Programs::Content& value);
bool unmarshal(Decoder& in, ::Programs::Content& value);
void marshal(Encoder& out, const ::Programs::Torn& value);
bool unmarshal(Decoder& in, ::Programs::Torn& value);

}  // namespace corbel::cdr
