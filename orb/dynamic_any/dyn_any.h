// DynAnys: each stands for a node, which knows it, so that one component is one object.
#pragma once

#include <corbel/dynamic_any.h>

#include "orb/dynamic_any/tree.h"

namespace corbel::dynamic_any {

class Base : public virtual DynamicAny::DynAny {
 public:
  explicit Base(Node& node) : tree_(base::Ref<Tree>::share(&node.tree())), node_(&node) {
    node.facade = this;
  }
  ~Base() override {
    if (node_) node_->facade = nullptr;
  }
  // The node ends: from now on OBJECT_NOT_EXIST.
  void forget() { node_ = nullptr; }
  Node& node() const {
    tree_->end_states();
    if (!node_)
      cpp::raise({SystemErrorId::OBJECT_NOT_EXIST, Completion::No, 0, "the DynAny has been destroyed"});
    return *node_;
  }

  CORBA::TypeCode_ptr type() override;
  void assign(DynamicAny::DynAny_ptr dyn_any) override;
  void from_any(const CORBA::Any& value) override;
  CORBA::Any* to_any() override;
  CORBA::Boolean equal(DynamicAny::DynAny_ptr dyn_any) override;
  void destroy() override;
  DynamicAny::DynAny_ptr copy() override;

  CORBA::Boolean seek(CORBA::Long index) override;
  void rewind() override;
  CORBA::Boolean next() override;
  CORBA::ULong component_count() override;
  DynamicAny::DynAny_ptr current_component() override;

  void insert_boolean(CORBA::Boolean value) override;
  void insert_octet(CORBA::Octet value) override;
  void insert_char(CORBA::Char value) override;
  void insert_short(CORBA::Short value) override;
  void insert_ushort(CORBA::UShort value) override;
  void insert_long(CORBA::Long value) override;
  void insert_ulong(CORBA::ULong value) override;
  void insert_float(CORBA::Float value) override;
  void insert_double(CORBA::Double value) override;
  void insert_string(const char* value) override;
  void insert_reference(CORBA::Object_ptr value) override;
  void insert_typecode(CORBA::TypeCode_ptr value) override;
  void insert_longlong(CORBA::LongLong value) override;
  void insert_ulonglong(CORBA::ULongLong value) override;
  void insert_longdouble(CORBA::LongDouble value) override;
  void insert_wchar(CORBA::WChar value) override;
  void insert_wstring(const CORBA::WChar* value) override;
  void insert_any(const CORBA::Any& value) override;
  void insert_dyn_any(DynamicAny::DynAny_ptr value) override;
  void insert_val(CORBA::ValueBase* value) override;
  void insert_abstract(CORBA::AbstractBase_ptr value) override;

  CORBA::Boolean get_boolean() override;
  CORBA::Octet get_octet() override;
  CORBA::Char get_char() override;
  CORBA::Short get_short() override;
  CORBA::UShort get_ushort() override;
  CORBA::Long get_long() override;
  CORBA::ULong get_ulong() override;
  CORBA::Float get_float() override;
  CORBA::Double get_double() override;
  char* get_string() override;
  CORBA::Object_ptr get_reference() override;
  CORBA::TypeCode_ptr get_typecode() override;
  CORBA::LongLong get_longlong() override;
  CORBA::ULongLong get_ulonglong() override;
  CORBA::LongDouble get_longdouble() override;
  CORBA::WChar get_wchar() override;
  CORBA::WChar* get_wstring() override;
  CORBA::Any* get_any() override;
  DynamicAny::DynAny_ptr get_dyn_any() override;
  CORBA::ValueBase* get_val() override;
  CORBA::AbstractBase_ptr get_abstract() override;

  void insert_boolean_seq(const CORBA::BooleanSeq& value) override;
  void insert_octet_seq(const CORBA::OctetSeq& value) override;
  void insert_char_seq(const CORBA::CharSeq& value) override;
  void insert_short_seq(const CORBA::ShortSeq& value) override;
  void insert_ushort_seq(const CORBA::UShortSeq& value) override;
  void insert_long_seq(const CORBA::LongSeq& value) override;
  void insert_ulong_seq(const CORBA::ULongSeq& value) override;
  void insert_float_seq(const CORBA::FloatSeq& value) override;
  void insert_double_seq(const CORBA::DoubleSeq& value) override;
  void insert_longlong_seq(const CORBA::LongLongSeq& value) override;
  void insert_ulonglong_seq(const CORBA::ULongLongSeq& value) override;
  void insert_longdouble_seq(const CORBA::LongDoubleSeq& value) override;
  void insert_wchar_seq(const CORBA::WCharSeq& value) override;
  CORBA::BooleanSeq* get_boolean_seq() override;
  CORBA::OctetSeq* get_octet_seq() override;
  CORBA::CharSeq* get_char_seq() override;
  CORBA::ShortSeq* get_short_seq() override;
  CORBA::UShortSeq* get_ushort_seq() override;
  CORBA::LongSeq* get_long_seq() override;
  CORBA::ULongSeq* get_ulong_seq() override;
  CORBA::FloatSeq* get_float_seq() override;
  CORBA::DoubleSeq* get_double_seq() override;
  CORBA::LongLongSeq* get_longlong_seq() override;
  CORBA::ULongLongSeq* get_ulonglong_seq() override;
  CORBA::LongDoubleSeq* get_longdouble_seq() override;
  CORBA::WCharSeq* get_wchar_seq() override;

 private:
  const base::Ref<Tree> tree_;
  Node* node_;
};

// The DynAny that stands for the node, counted for the caller.
DynamicAny::DynAny_ptr dyn_any_of(Node& node);
// Those of numbers, enums, fixed and what has components, by constructed.cc and values.cc.
Base* make_constructed(Node& node);
Base* make_value(Node& node);

// Whoever has made it: its value, in a scope of values. A nil one is BAD_PARAM.
void put(cdr::Encoder& out, DynamicAny::DynAny_ptr dyn_any);
bool is_of_type(DynamicAny::DynAny_ptr dyn_any, const CORBA::TypeCode& type);

// A new DynAny of its own; null if the Any holds no value of its type. `truncated` tells whether values in it
// are not all that the Any holds.
DynamicAny::DynAny_ptr create(core::Orb& orb, const CORBA::Any& any, bool* truncated = nullptr);
// Whether the Any's own octets hold more of its values than its type describes: what they are transcoded to
// may have lost that already.
bool must_truncate(core::Orb& orb, const CORBA::Any& any);

[[noreturn]] void raise_type_mismatch();
[[noreturn]] void raise_invalid_value();

}  // namespace corbel::dynamic_any
