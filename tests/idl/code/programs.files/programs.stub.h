// Made by corbel-idl from programs.idl; do not edit.
#pragma once

#include <corbel/corba.h>

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

  explicit Calls(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Calls() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
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

}  // namespace corbel::cdr
