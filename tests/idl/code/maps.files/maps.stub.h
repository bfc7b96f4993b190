// Made by corbel-idl from maps.idl; do not edit.
#pragma once

#include <corbel/corba.h>
#include <map>
#include <string>

// options: --no-skeleton
// Maps live in memory: what holds one has neither an encoding nor a TypeCode.
namespace Maps {

enum Color : CORBA::ULong { red, green };
typedef Color& Color_out;

typedef std::map<std::string, CORBA::Long> Stock;
typedef corbel::cpp::VariableVar<Stock> Stock_var;
typedef corbel::cpp::VariableOut<Stock, Stock_var> Stock_out;

class Stocks : public corbel::cpp::UnboundedSequence<::Maps::Stock> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<Stocks> Stocks_var;
typedef corbel::cpp::VariableOut<Stocks, Stocks_var> Stocks_out;

struct Shelf {
  corbel::cpp::StringMember label;
  std::map<::Maps::Color, corbel::cpp::UnboundedSequence<CORBA::Double>> prices;
  std::map<CORBA::Long, corbel::cpp::StringMember> names;
  ::Maps::Stocks others;
};
typedef corbel::cpp::VariableVar<Shelf> Shelf_var;
typedef corbel::cpp::VariableOut<Shelf, Shelf_var> Shelf_out;

class Find {
 public:
  Find() { _corbel_empty(), _corbel_activate(false); }
  Find(const Find& other);
  Find& operator=(const Find& other);
  ~Find() { _corbel_clear(); }

  CORBA::Boolean _d() const { return _corbel_label; }
  // Only between labels of one member, else BAD_PARAM.
  void _d(CORBA::Boolean value);
  void _default() { _corbel_activate(false); }
  void found(const ::Maps::Shelf& value) {
    auto* const copy = new ::Maps::Shelf(value);
    _corbel_select(true);
    _corbel_u.found = copy;
  }
  const ::Maps::Shelf& found() const { return *_corbel_u.found; }
  ::Maps::Shelf& found() { return *_corbel_u.found; }

  // For decoders: frees the member, selects another one and makes its first value.
  void _corbel_activate(CORBA::Boolean value);
  // Where members stand, or the pointers to them.
  static constexpr std::size_t _corbel_at() { return offsetof(Find, _corbel_u); }

 private:
  static int _corbel_member(CORBA::Boolean value);
  void _corbel_empty() { std::memset(static_cast<void*>(&_corbel_u), 0, sizeof _corbel_u); }
  void _corbel_clear();
  void _corbel_select(CORBA::Boolean value) { _corbel_clear(), _corbel_empty(), _corbel_label = value; }
  CORBA::Boolean _corbel_label{};
  union {
    ::Maps::Shelf* found;
  } _corbel_u;
};
typedef corbel::cpp::VariableVar<Find> Find_var;
typedef corbel::cpp::VariableOut<Find, Find_var> Find_out;

class Keeper;
typedef Keeper* Keeper_ptr;
typedef corbel::cpp::ObjectVar<Keeper> Keeper_var;
typedef corbel::cpp::ObjectOut<Keeper> Keeper_out;
class Keeper : public virtual CORBA::LocalObject {
 public:
  typedef Keeper_ptr _ptr_type;
  typedef Keeper_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Maps/Keeper:1.0";
  static Keeper_ptr _duplicate(Keeper_ptr object) { return corbel::cpp::duplicate(object); }
  static Keeper_ptr _narrow(CORBA::Object_ptr object);
  static Keeper_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Keeper_ptr _nil() { return nullptr; }

  virtual void keep(const ::Maps::Shelf& one, ::Maps::Stock& two, ::Maps::Stocks_out three) = 0;

  void* _corbel_widen(const char* repository_id) override;

 protected:
  Keeper() = default;
};

}  // namespace Maps
