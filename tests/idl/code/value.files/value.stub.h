// Made by corbel-idl from value.idl; do not edit.
#pragma once

#include <corbel/corba.h>
#include <corbel/cpp/array_box.h>
#include <corbel/cpp/value.h>
#include <corbel/cpp/value_box.h>

// A valuetype with all that it can have.
namespace Shop {

class Till;
typedef Till* Till_ptr;
typedef corbel::cpp::ObjectVar<Till> Till_var;
typedef corbel::cpp::ObjectOut<Till> Till_out;

class Item;
typedef corbel::cpp::ValueVar<Item> Item_var;
typedef corbel::cpp::ValueOut<Item> Item_out;
class Item : public virtual CORBA::ValueBase {
 public:
  typedef Item* _ptr_type;
  typedef Item_var _var_type;
  static constexpr corbel::cpp::ValueType _corbel_value_type{"IDL:Shop/Item:1.0", nullptr, false};
  static const corbel::cpp::ValueType* _corbel_expected() { return &_corbel_value_type; }
  static CORBA::ValueBase* (*_corbel_maker())() { return nullptr; }
  static Item* _downcast(CORBA::ValueBase* value);
  static Item* _duplicate(Item* value);

  virtual void name(char* value) = 0;
  virtual void name(const char* value) = 0;
  virtual void name(const CORBA::String_var& value) = 0;
  virtual const char* name() const = 0;
  virtual CORBA::Boolean cheaper_than(::Shop::Item* other) = 0;
  const corbel::cpp::ValueType& _corbel_type() const override { return _corbel_value_type; }

 protected:
  Item() = default;
  ~Item() override = default;
  virtual void cents(CORBA::LongLong value) = 0;
  virtual CORBA::LongLong cents() const = 0;
};

class Offer;
typedef corbel::cpp::ValueVar<Offer> Offer_var;
typedef corbel::cpp::ValueOut<Offer> Offer_out;
class Offer : public virtual ::Shop::Item {
 public:
  typedef Offer* _ptr_type;
  typedef Offer_var _var_type;
  static constexpr corbel::cpp::ValueType _corbel_value_type{"IDL:Shop/Offer:1.0",
      &::Shop::Item::_corbel_value_type, false};
  static const corbel::cpp::ValueType* _corbel_expected() { return &_corbel_value_type; }
  static CORBA::ValueBase* (*_corbel_maker())() { return nullptr; }
  static Offer* _downcast(CORBA::ValueBase* value);
  static Offer* _duplicate(Offer* value);

  virtual void instead_of(::Shop::Item* value) = 0;
  virtual ::Shop::Item* instead_of() const = 0;
  const corbel::cpp::ValueType& _corbel_type() const override { return _corbel_value_type; }

 protected:
  Offer() = default;
  ~Offer() override = default;
};

class Label;
typedef corbel::cpp::ValueVar<Label> Label_var;
typedef corbel::cpp::ValueOut<Label> Label_out;
class Label : public corbel::cpp::StringBox<Label> {
  typedef corbel::cpp::StringBox<Label> _corbel_box;

 public:
  using _corbel_box::_corbel_box;
  using _corbel_box::operator=;
  static constexpr corbel::cpp::ValueType _corbel_value_type{"IDL:Shop/Label:1.0", nullptr, false};
  void _corbel_put_state(corbel::cdr::Encoder& out) const override;
  bool _corbel_get_state(corbel::cdr::Decoder& in) override;

 protected:
  ~Label() override = default;
};

typedef CORBA::LongLong Table[2][3];
typedef CORBA::LongLong Table_slice[3];
inline Table_slice* Table_alloc() { return new Table; }
inline void Table_free(Table_slice* array) { delete[] array; }
inline void Table_copy(Table_slice* to, const Table_slice* from) {
  auto* const t = reinterpret_cast<CORBA::LongLong*>(to);
  auto* const f = reinterpret_cast<const CORBA::LongLong*>(from);
  for (std::size_t i = 0; i < sizeof(Table) / sizeof(CORBA::LongLong); ++i) t[i] = f[i];
}
inline Table_slice* Table_dup(const Table_slice* from) {
  Table_slice* const copy = Table_alloc();
  Table_copy(copy, from);
  return copy;
}
struct Table_traits {
  typedef Table array;
  typedef Table_slice slice;
  static slice* alloc() { return Table_alloc(); }
  static slice* dup(const slice* from) { return Table_dup(from); }
  static void copy(slice* to, const slice* from) { Table_copy(to, from); }
  static void free(slice* a) { Table_free(a); }
};
typedef corbel::cpp::FixedArrayVar<Table_traits> Table_var;
typedef Table_slice* Table_out;
typedef corbel::cpp::ArrayForAny<Table_traits> Table_forany;

class Prices;
typedef corbel::cpp::ValueVar<Prices> Prices_var;
typedef corbel::cpp::ValueOut<Prices> Prices_out;
class Prices : public corbel::cpp::ArrayBox<Prices, ::Shop::Table_traits, false> {
  typedef corbel::cpp::ArrayBox<Prices, ::Shop::Table_traits, false> _corbel_box;

 public:
  using _corbel_box::_corbel_box;
  using _corbel_box::operator=;
  static constexpr corbel::cpp::ValueType _corbel_value_type{"IDL:Shop/Prices:1.0", nullptr, false};
  void _corbel_put_state(corbel::cdr::Encoder& out) const override;
  bool _corbel_get_state(corbel::cdr::Decoder& in) override;

 protected:
  ~Prices() override = default;
};

class Till : public virtual CORBA::Object {
 public:
  typedef Till_ptr _ptr_type;
  typedef Till_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Shop/Till:1.0";
  static Till_ptr _duplicate(Till_ptr object) { return corbel::cpp::duplicate(object); }
  static Till_ptr _narrow(CORBA::Object_ptr object);
  static Till_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Till_ptr _nil() { return nullptr; }

  ::Shop::Item* ring_up(::Shop::Item* what, ::Shop::Offer*& best);

  explicit Till(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Till() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

}  // namespace Shop

namespace OBV_Shop {

class Item : public virtual ::Shop::Item {
 public:
  void name(char* value) override { _corbel_name = value; }
  void name(const char* value) override { _corbel_name = value; }
  void name(const CORBA::String_var& value) override { _corbel_name = value; }
  const char* name() const override { return _corbel_name.in(); }
  void _corbel_put_state(corbel::cdr::Encoder& out) const override;
  bool _corbel_get_state(corbel::cdr::Decoder& in) override;
  void _corbel_clear() override;

 protected:
  Item() = default;
  Item(const char* name_, CORBA::LongLong cents_) {
    this->name(name_);
    this->cents(cents_);
  }

 protected:
  ~Item() override = default;
  void cents(CORBA::LongLong value) override { _corbel_cents = value; }
  CORBA::LongLong cents() const override { return _corbel_cents; }

 private:
  corbel::cpp::StringMember _corbel_name{};
  CORBA::LongLong _corbel_cents{};
};

}  // namespace OBV_Shop

namespace Shop {

class Item_init : public CORBA::ValueFactoryBase {
 public:
  static Item_init* _downcast(CORBA::ValueFactoryBase* factory) { return dynamic_cast<Item_init*>(factory); }
  virtual ::Shop::Item* priced(const char* name, CORBA::LongLong cents) = 0;

 protected:
  Item_init() = default;
};

}  // namespace Shop

namespace OBV_Shop {

class Offer : public virtual ::Shop::Offer, public virtual ::OBV_Shop::Item {
 public:
  void instead_of(::Shop::Item* value) override { _corbel_instead_of = corbel::cpp::duplicate(value); }
  ::Shop::Item* instead_of() const override { return _corbel_instead_of.in(); }
  void _corbel_put_state(corbel::cdr::Encoder& out) const override;
  bool _corbel_get_state(corbel::cdr::Decoder& in) override;
  void _corbel_clear() override;

 protected:
  Offer() = default;
  Offer(const char* name_, CORBA::LongLong cents_, ::Shop::Item* instead_of_) {
    this->name(name_);
    this->cents(cents_);
    this->instead_of(instead_of_);
  }

 protected:
  ~Offer() override = default;

 private:
  corbel::cpp::ValueMember<::Shop::Item> _corbel_instead_of{};
};

}  // namespace OBV_Shop

namespace Shop {

class Offer_init : public CORBA::ValueFactoryBase {
 public:
  static Offer_init* _downcast(CORBA::ValueFactoryBase* factory) { return dynamic_cast<Offer_init*>(factory); }

 public:
  Offer_init() = default;
};

}  // namespace Shop
