// DynAnys of fixed, enums, structs, exceptions, unions, sequences and arrays.
#include <corbel/cpp/fixed.h>

#include <algorithm>
#include <cctype>
#include <string>

#include "orb/dynamic_any/members.h"

namespace corbel::dynamic_any {
namespace {

class Fixed final : public Base, public virtual DynamicAny::DynFixed {
 public:
  using Base::Base;

  char* get_value() override {
    const auto [digits, scale] = form();
    cdr::Decoder in = node().octets()->decoder(nullptr);
    const char* const packed = in.chunk<1>(static_cast<std::size_t>(digits) / 2 + 1);
    CORBA::Fixed value;
    if (!packed || !value._corbel_unpack(reinterpret_cast<const unsigned char*>(packed), digits, scale))
      throw CORBA::INTERNAL();
    char text[CORBA::Fixed::kTextSize];
    return CORBA::string_dup(value.to_string(text));
  }

  CORBA::Boolean set_value(const char* val) override {
    const auto [digits, scale] = form();
    if (!val) throw CORBA::BAD_PARAM();
    std::string whole, fraction;
    const bool negative = parse(val, whole, fraction);
    const auto room = static_cast<std::size_t>(digits - scale), behind = static_cast<std::size_t>(scale);
    whole.erase(0, whole.find_first_not_of('0'));
    if (whole.size() > room) raise_invalid_value();
    const bool exact = fraction.find_last_not_of('0') + 1 <= behind;  // none: npos + 1
    fraction.resize(behind, '0');
    whole.insert(0, room - whole.size() + (digits % 2 == 0 ? 1 : 0), '0');
    whole += fraction;
    const bool zero = whole.find_first_not_of('0') == std::string::npos;
    // Two digits an octet, the last with the sign.
    std::string packed(whole.size() / 2 + 1, '\0');
    for (std::size_t i = 0; i < whole.size(); ++i)
      packed[i / 2] = static_cast<char>(packed[i / 2] | (whole[i] - '0') << (i % 2 == 0 ? 4 : 0));
    packed.back() = static_cast<char>(packed.back() | (negative && !zero ? 0x0d : 0x0c));
    node().set(Octets(packed.data(), static_cast<std::uint32_t>(packed.size())));
    return exact;
  }

 private:
  std::pair<int, int> form() const {
    const types::TypeCode& t = node().resolved();
    if (t.length == 0 || t.length > 31 || t.special < 0 || static_cast<std::uint32_t>(t.special) > t.length)
      throw CORBA::BAD_TYPECODE();
    return {static_cast<int>(t.length), t.special};
  }
  // A fixed-point literal, between spaces and with or without its d. Tells whether it is negative.
  static bool parse(const char* p, std::string& whole, std::string& fraction) {
    const auto is_space = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
    const auto take = [&p](std::string& digits) {
      while (*p >= '0' && *p <= '9') digits += *p++;
    };
    while (is_space(*p)) ++p;
    const bool negative = *p == '-';
    if (negative || *p == '+') ++p;
    take(whole);
    if (*p == '.') take((++p, fraction));
    const bool any = !whole.empty() || !fraction.empty();
    if (*p == 'd' || *p == 'D') ++p;
    while (is_space(*p)) ++p;
    if (!any || *p != '\0') raise_type_mismatch();
    return negative;
  }
};

class Enum final : public Base, public virtual DynamicAny::DynEnum {
 public:
  using Base::Base;

  char* get_as_string() override {
    const types::TypeCode& t = node().resolved();
    return CORBA::string_dup(t.members[get_as_ulong()].name);
  }
  void set_as_string(const char* value) override {
    const types::TypeCode& t = node().resolved();
    if (!value) throw CORBA::BAD_PARAM();
    for (std::uint32_t i = 0; i < t.member_count; ++i)
      if (std::strcmp(t.members[i].name, value) == 0) return set_as_ulong(i);
    raise_invalid_value();
  }
  CORBA::ULong get_as_ulong() override { return static_cast<CORBA::ULong>(node().number()); }
  void set_as_ulong(CORBA::ULong value) override {
    const types::TypeCode& t = node().resolved();
    if (value >= t.member_count) raise_invalid_value();
    node().set(Octets(&value, sizeof value));
  }
};

class Struct final : public Base, public virtual DynamicAny::DynStruct {
 public:
  using Base::Base;

  char* current_member_name() override { return CORBA::string_dup(current(node(), members()).name); }
  CORBA::TCKind current_member_kind() override { return kind_of(*current(node(), members()).type); }
  DynamicAny::NameValuePairSeq* get_members() override { return members_of(node(), members()); }
  DynamicAny::NameDynAnyPairSeq* get_members_as_dyn_any() override {
    return dyn_members_of(node(), members());
  }
  void set_members(const DynamicAny::NameValuePairSeq& value) override { set(value); }
  void set_members_as_dyn_any(const DynamicAny::NameDynAnyPairSeq& value) override { set(value); }

 private:
  const types::TypeCode& data() const { return node().resolved(); }
  const types::Member* members() const { return data().members; }
  template <typename Seq>
  void set(const Seq& value) {
    const types::TypeCode& t = data();
    put_members(
        node(), value, t.members, t.member_count,
        [&](cdr::Encoder& out) {
          if (t.kind == Kind::Except) out.put_string(t.id);
        },
        [](cdr::Encoder&) {});
  }
};

class Union final : public Base, public virtual DynamicAny::DynUnion {
 public:
  using Base::Base;

  DynamicAny::DynAny_ptr get_discriminator() override { return dyn_any_of(node().part(0)); }
  void set_discriminator(DynamicAny::DynAny_ptr d) override {
    Node& discriminator = node().part(0);
    if (!is_of_type(d, discriminator.type())) raise_type_mismatch();
    Node value(node().tree(), discriminator.type(), 1);
    if (!value.replace(written([&](cdr::Encoder& out) { put(out, d); }))) raise_type_mismatch();
    select(value.number());
    node().set_position(node().active_member() >= 0 ? 1 : 0);
  }
  void set_to_default_member() override {
    std::int64_t label;
    if (data().special < 0 || !node().free_label(label)) raise_type_mismatch();
    if (node().active_member() != data().special) select(label);
    node().set_position(0);
  }
  void set_to_no_active_member() override {
    std::int64_t label;
    if (data().special >= 0 || !node().free_label(label)) raise_type_mismatch();
    if (node().active_member() >= 0) select(label);
    node().set_position(0);
  }
  CORBA::Boolean has_no_active_member() override { return node().active_member() < 0; }
  CORBA::TCKind discriminator_kind() override { return kind_of(*data().content); }
  DynamicAny::DynAny_ptr member() override {
    (void)active();
    return dyn_any_of(node().part(1));
  }
  char* member_name() override { return CORBA::string_dup(active().name); }
  CORBA::TCKind member_kind() override { return kind_of(*active().type); }

 private:
  const types::TypeCode& data() const { return node().resolved(); }
  const types::Member& active() const {
    const std::int32_t i = node().active_member();
    if (i < 0) raise_invalid_value();
    return data().members[i];
  }
  void select(std::int64_t label) { node().set_label(label); }
};

// Elements of both kinds.
DynamicAny::AnySeq* elements_of(Node& node) {
  DynamicAny::AnySeq_var seq = new DynamicAny::AnySeq;
  seq->length(node.count());
  for (CORBA::ULong i = 0; i < seq->length(); ++i) node.part_to_any(i, seq[i]);
  return seq._retn();
}
DynamicAny::DynAnySeq* dyn_elements_of(Node& node) {
  DynamicAny::DynAnySeq_var seq = new DynamicAny::DynAnySeq;
  seq->length(node.count());
  for (CORBA::ULong i = 0; i < seq->length(); ++i) seq[i] = dyn_any_of(node.part(i));
  return seq._retn();
}
template <typename Seq>
void set_elements_of(Node& node, const Seq& seq) {
  const types::TypeCode& t = node.resolved();
  const CORBA::ULong n = seq.length();
  if (t.kind == Kind::Array ? n != t.length : t.length != 0 && n > t.length) raise_invalid_value();
  for (CORBA::ULong i = 0; i < n; ++i) check(seq[i], *t.content);
  put_all(
      node, seq,
      [&](cdr::Encoder& out) {
        if (t.kind == Kind::Sequence) out.put(n);
      },
      [](const auto& value) -> decltype(auto) { return (value); }, [](cdr::Encoder&) {});
}

class Sequence final : public Base, public virtual DynamicAny::DynSequence {
 public:
  using Base::Base;

  CORBA::ULong get_length() override { return node().count(); }
  void set_length(CORBA::ULong len) override {
    const types::TypeCode& t = node().resolved();
    if (t.length != 0 && len > t.length) raise_invalid_value();
    const CORBA::ULong old = node().count();
    const std::int32_t at = node().position();
    node().resize(len);
    node().set_position(at < 0 && len > old ? std::int64_t{old} : at);
  }
  DynamicAny::AnySeq* get_elements() override { return elements_of(node()); }
  void set_elements(const DynamicAny::AnySeq& value) override { set_elements_of(node(), value); }
  DynamicAny::DynAnySeq* get_elements_as_dyn_any() override { return dyn_elements_of(node()); }
  void set_elements_as_dyn_any(const DynamicAny::DynAnySeq& value) override {
    set_elements_of(node(), value);
  }
};

class Array final : public Base, public virtual DynamicAny::DynArray {
 public:
  using Base::Base;

  DynamicAny::AnySeq* get_elements() override { return elements_of(node()); }
  void set_elements(const DynamicAny::AnySeq& value) override { set_elements_of(node(), value); }
  DynamicAny::DynAnySeq* get_elements_as_dyn_any() override { return dyn_elements_of(node()); }
  void set_elements_as_dyn_any(const DynamicAny::DynAnySeq& value) override {
    set_elements_of(node(), value);
  }
};

}  // namespace

Base* make_constructed(Node& node) {
  switch (node.kind()) {
    case Kind::Fixed:
      return new Fixed(node);
    case Kind::Enum:
      return new Enum(node);
    case Kind::Struct:
    case Kind::Except:
      return new Struct(node);
    case Kind::Union:
      return new Union(node);
    case Kind::Sequence:
      return new Sequence(node);
    case Kind::Array:
      return new Array(node);
    default:
      return nullptr;
  }
}

}  // namespace corbel::dynamic_any
