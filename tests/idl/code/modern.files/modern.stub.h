// Made by corbel-idl from modern.idl; do not edit.
#pragma once

#include <corbel/corba.h>
#include <corbel/cpp/any.h>
#include <corbel/cpp/context.h>

namespace Plant {
class Elsewhere;
typedef Elsewhere* Elsewhere_ptr;
typedef corbel::cpp::ObjectVar<Elsewhere> Elsewhere_var;
typedef corbel::cpp::ObjectOut<Elsewhere> Elsewhere_out;
}  // namespace Plant
extern template struct corbel::cpp::ObjectTraits<::Plant::Elsewhere>;

// options: --tie --no-any
// Beyond CORBA 2: local interfaces, ties, attributes that raise, contexts, any, derived structs, bits.
namespace Plant {

class Broken : public CORBA::UserException {
 public:
  static constexpr const char* _corbel_id = "IDL:Plant/Broken:1.0";
  corbel::cpp::StringMember part;
  Broken() = default;
  explicit Broken(const char* part_) : part(part_) {}
  static const Broken* _downcast(const CORBA::Exception* exception);
  static Broken* _downcast(CORBA::Exception* exception) {
    return const_cast<Broken*>(_downcast(static_cast<const CORBA::Exception*>(exception)));
  }
  static Broken* _narrow(CORBA::Exception* exception) { return _downcast(exception); }
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const override { return "Broken"; }
  const char* _rep_id() const override { return _corbel_id; }
  CORBA::Exception* _corbel_duplicate() const override { return new Broken(*this); }
  void _marshal_members(corbel::cdr::Encoder& out) const override;
};

struct Place {
  CORBA::Long x;
  CORBA::Long y;
};
typedef corbel::cpp::FixedVar<Place> Place_var;
typedef Place& Place_out;

// Under the ground.
struct Shaft : public ::Plant::Place {
  CORBA::Octet depth;
};
typedef corbel::cpp::FixedVar<Shaft> Shaft_var;
typedef Shaft& Shaft_out;

// What somebody may do.
typedef CORBA::UShort Rights;
typedef Rights& Rights_out;
constexpr Rights look = 1u << 0;
constexpr Rights touch = 1u << 1;
constexpr Rights own = 1u << 8;

struct Switches {
  CORBA::UInt8 level : 3;
  CORBA::Boolean on : 1;
  CORBA::UInt8 : 4;
  CORBA::Short drift : 6;
};
typedef corbel::cpp::FixedVar<Switches> Switches_var;
typedef Switches& Switches_out;

// native Handle: to be declared before this header is included

class Pump;
typedef Pump* Pump_ptr;
typedef corbel::cpp::ObjectVar<Pump> Pump_var;
typedef corbel::cpp::ObjectOut<Pump> Pump_out;
class Pump : public virtual CORBA::Object {
 public:
  typedef Pump_ptr _ptr_type;
  typedef Pump_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Plant/Pump:1.0";
  static Pump_ptr _duplicate(Pump_ptr object) { return corbel::cpp::duplicate(object); }
  static Pump_ptr _narrow(CORBA::Object_ptr object);
  static Pump_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Pump_ptr _nil() { return nullptr; }

  CORBA::Any* setting();
  void setting(const CORBA::Any& _value);
  ::Plant::Rights allow(const char* who, ::Plant::Switches& all, CORBA::Context_ptr _ctx);
  CORBA::TypeCode_ptr kind();

  explicit Pump(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Pump() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

// Called in this process only.
class Watcher;
typedef Watcher* Watcher_ptr;
typedef corbel::cpp::ObjectVar<Watcher> Watcher_var;
typedef corbel::cpp::ObjectOut<Watcher> Watcher_out;
class Watcher : public virtual CORBA::LocalObject {
 public:
  typedef Watcher_ptr _ptr_type;
  typedef Watcher_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Plant/Watcher:1.0";
  static Watcher_ptr _duplicate(Watcher_ptr object) { return corbel::cpp::duplicate(object); }
  static Watcher_ptr _narrow(CORBA::Object_ptr object);
  static Watcher_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Watcher_ptr _nil() { return nullptr; }

  virtual CORBA::Boolean seen(::Plant::Pump_ptr which, ::Plant::Handle by) = 0;

  void* _corbel_widen(const char* repository_id) override;

 protected:
  Watcher() = default;
};

class Elsewhere;
typedef Elsewhere* Elsewhere_ptr;
typedef corbel::cpp::ObjectVar<Elsewhere> Elsewhere_var;
typedef corbel::cpp::ObjectOut<Elsewhere> Elsewhere_out;

class Others : public corbel::cpp::UnboundedObjectSequence<::Plant::Elsewhere> {
 public:
  using UnboundedObjectSequence::UnboundedObjectSequence;
};
typedef corbel::cpp::SequenceVar<Others> Others_var;
typedef corbel::cpp::VariableOut<Others, Others_var> Others_out;

}  // namespace Plant

namespace corbel::cdr {

void marshal(Encoder& out, const ::Plant::Broken& value);
bool unmarshal(Decoder& in, ::Plant::Broken& value);
void marshal(Encoder& out, const ::Plant::Place& value);
bool unmarshal(Decoder& in, ::Plant::Place& value);
inline void store_struct([[maybe_unused]] const Encoder& out, char* to, const ::Plant::Place& value) {
  std::memcpy(to, &value, 8);
}
void marshal(Encoder& out, const ::Plant::Shaft& value);
bool unmarshal(Decoder& in, ::Plant::Shaft& value);
void marshal(Encoder& out, const ::Plant::Switches& value);
bool unmarshal(Decoder& in, ::Plant::Switches& value);
void marshal(Encoder& out, const ::Plant::Others& value);
bool unmarshal(Decoder& in, ::Plant::Others& value);

}  // namespace corbel::cdr
