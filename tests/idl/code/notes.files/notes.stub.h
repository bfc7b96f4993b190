// Made by corbel-idl from notes.idl; do not edit.
#pragma once

#include <corbel/corba.h>

#include <cmath>
// options: --no-any --no-skeleton
// Annotations that the classic mapping gives an effect, and those that it gives none.
namespace Notes {

constexpr CORBA::Long kMost = 7;

constexpr const char* kName = "nobody";

enum Color : CORBA::ULong { red, green };
typedef Color& Color_out;

struct Ship {
    double speed_in_knots() const { return speed * 1.944; }
  CORBA::Long masts = 5;
  CORBA::Double draught = -3.5;
  CORBA::Boolean afloat = true;
  corbel::cpp::StringMember name = "te\"xt";
  corbel::cpp::StringMember owner = "nobody";
  CORBA::Char mark = 'c';
  CORBA::Short crew = 7;
  ::Notes::Color paint = ::Notes::green;
  CORBA::Octet flags = 16;
  // Over ground.
  // Unit: m/s
  CORBA::Double speed;
  CORBA::Long expression = 14;
  corbel::cpp::StringMember nickname;
  CORBA::Long rank;
  CORBA::Long least;
  CORBA::Long far;
};
typedef corbel::cpp::VariableVar<Ship> Ship_var;
typedef corbel::cpp::VariableOut<Ship, Ship_var> Ship_out;

class Sunk : public CORBA::UserException {
 public:
  static constexpr const char* _corbel_id = "IDL:Notes/Sunk:1.0";
  CORBA::Long depth = 12;
  Sunk() = default;
  explicit Sunk(CORBA::Long depth_) : depth(depth_) {}
  static const Sunk* _downcast(const CORBA::Exception* exception);
  static Sunk* _downcast(CORBA::Exception* exception) {
    return const_cast<Sunk*>(_downcast(static_cast<const CORBA::Exception*>(exception)));
  }
  static Sunk* _narrow(CORBA::Exception* exception) { return _downcast(exception); }
  [[noreturn]] void _raise() const override { throw *this; }
  const char* _name() const override { return "Sunk"; }
  const char* _rep_id() const override { return _corbel_id; }
  CORBA::Exception* _corbel_duplicate() const override { return new Sunk(*this); }
  void _marshal_members(corbel::cdr::Encoder& out) const override;
};

class Cargo {
 public:
  Cargo() { _corbel_empty(), _corbel_activate(2147483647); }
  Cargo(const Cargo& other);
  Cargo& operator=(const Cargo& other);
  ~Cargo() { _corbel_clear(); }

  CORBA::Long _d() const { return _corbel_label; }
  // Only between labels of one member, else BAD_PARAM.
  void _d(CORBA::Long value);
  void _default() { _corbel_activate(2147483647); }
  void crates(CORBA::Long value) { _corbel_select(1), _corbel_u.crates = value; }
  CORBA::Long crates() const { return _corbel_u.crates; }

  // For decoders: frees the member, selects another one and makes its first value.
  void _corbel_activate(CORBA::Long value);
  // Where members stand, or the pointers to them.
  static constexpr std::size_t _corbel_at() { return offsetof(Cargo, _corbel_u); }

 private:
  static int _corbel_member(CORBA::Long value);
  void _corbel_empty() { std::memset(static_cast<void*>(&_corbel_u), 0, sizeof _corbel_u); }
  void _corbel_clear();
  void _corbel_select(CORBA::Long value) { _corbel_clear(), _corbel_empty(), _corbel_label = value; }
  CORBA::Long _corbel_label{};
  union {
    CORBA::Long crates;
  } _corbel_u;
};
typedef corbel::cpp::FixedVar<Cargo> Cargo_var;
typedef Cargo& Cargo_out;

class Harbour;
typedef Harbour* Harbour_ptr;
typedef corbel::cpp::ObjectVar<Harbour> Harbour_var;
typedef corbel::cpp::ObjectOut<Harbour> Harbour_out;
class Harbour : public virtual CORBA::Object {
 public:
  typedef Harbour_ptr _ptr_type;
  typedef Harbour_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Notes/Harbour:1.0";
  static Harbour_ptr _duplicate(Harbour_ptr object) { return corbel::cpp::duplicate(object); }
  static Harbour_ptr _narrow(CORBA::Object_ptr object);
  static Harbour_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Harbour_ptr _nil() { return nullptr; }

  CORBA::Long berths();
  void berths(CORBA::Long _value);

  explicit Harbour(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Harbour() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};
inline double knots(const Ship& s) { return s.speed; }

struct Last {
  CORBA::Long n;
};
typedef corbel::cpp::FixedVar<Last> Last_var;
typedef Last& Last_out;

}  // namespace Notes

namespace corbel::cdr {

void marshal(Encoder& out, const ::Notes::Ship& value);
bool unmarshal(Decoder& in, ::Notes::Ship& value);
void marshal(Encoder& out, const ::Notes::Sunk& value);
bool unmarshal(Decoder& in, ::Notes::Sunk& value);
void marshal(Encoder& out, const ::Notes::Cargo& value);
bool unmarshal(Decoder& in, ::Notes::Cargo& value);
void marshal(Encoder& out, const ::Notes::Last& value);
bool unmarshal(Decoder& in, ::Notes::Last& value);
inline void store_struct([[maybe_unused]] const Encoder& out, char* to, const ::Notes::Last& value) {
  std::memcpy(to, &value, 4);
}

}  // namespace corbel::cdr
// the last word
