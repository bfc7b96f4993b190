// TypeCodes made at run time.
#include <corbel/cpp/any_members.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "orb/base/ascii.h"
#include "orb/ior/assigned.h"

namespace CORBA {
namespace {

using corbel::types::Kind;
using corbel::types::Member;
typedef corbel::types::TypeCode Data;

[[noreturn]] void refuse(corbel::SystemErrorId id, ULong minor, const char* detail) {
  corbel::cpp::raise({id, corbel::Completion::No, corbel::assigned::kOmgMinor | minor, detail});
}
[[noreturn]] void refuse(ULong minor, const char* detail) {
  refuse(corbel::SystemErrorId::BAD_PARAM, minor, detail);
}

bool is_identifier(const char* name) {
  if (!corbel::base::is_letter(*name)) return false;
  while (*++name)
    if (!corbel::base::is_letter(*name) && !corbel::base::is_digit(*name) && *name != '_') return false;
  return true;
}

// Names may be empty: those of compact TypeCodes are.
void check_name(const char* name) {
  if (!name || (*name && !is_identifier(name))) refuse(15, "the name is no IDL identifier");
}
void check_id(const char* id, bool required) {
  if (!id || (*id ? !std::strchr(id, ':') : required))
    refuse(16, "the repository id is not of the form FORMAT:TEXT");
}
void check_type(TypeCode_ptr type) {
  const Kind kind = type ? static_cast<const Data&>(*type).kind : Kind::Null;
  if (kind == Kind::Null || kind == Kind::Void || kind == Kind::Except)
    refuse(corbel::SystemErrorId::BAD_TYPECODE, 2, "no member or element can be of this type");
}

// Identifiers that differ in case only are the same.
class Names {
 public:
  // Whether it is new.
  bool add(const char* name) {
    if (!name || (*name && !is_identifier(name))) refuse(17, "a member's name is no IDL identifier");
    if (!*name) return true;
    std::string folded;
    for (; *name; ++name) folded += corbel::base::lower(*name);
    return names_.insert(folded).second;
  }
  void add_new(const char* name) {
    if (!add(name)) refuse(17, "two members have the same name");
  }

 private:
  std::set<std::string> names_;
};

TypeCode_ptr made(const Data& type) {
  auto* const copy = corbel::types::copy(type);
  if (!copy) throw NO_MEMORY();
  TypeCode_var result = static_cast<TypeCode_ptr>(copy);
  if (corbel::types::is_endless(*copy))
    refuse(corbel::SystemErrorId::BAD_TYPECODE, 2, "the type contains itself other than in a sequence");
  return result._retn();
}

// Without parts, just id and name.
TypeCode_ptr named(Kind kind, const char* id, const char* name) {
  check_id(id, true);
  check_name(name);
  return made({kind, id, name, nullptr, nullptr, 0});
}

TypeCode_ptr structure(Kind kind, const char* id, const char* name, const StructMemberSeq& from) {
  check_id(id, kind == Kind::Except);
  check_name(name);
  Names names;
  std::vector<Member> members;
  for (ULong i = 0; i < from.length(); ++i) {
    names.add_new(from[i].name.in());
    check_type(from[i].type.in());
    members.push_back({from[i].name.in(), from[i].type.in(), 0, 0});
  }
  return made({kind, id, name, nullptr, members.data(), from.length()});
}

TypeCode_ptr value(Kind kind, const char* id, const char* name, Short modifier, TypeCode_ptr base,
                   const ValueMemberSeq& from) {
  check_id(id, true);
  check_name(name);
  if (modifier < VM_NONE || modifier > VM_TRUNCATABLE) throw BAD_PARAM();
  const corbel::types::TypeCode* const concrete = corbel::types::resolve(base);
  if (concrete && concrete->kind != Kind::Value && concrete->kind != Kind::Event)
    refuse(corbel::SystemErrorId::BAD_TYPECODE, 2, "the base of a valuetype is a valuetype");
  Names names;
  std::vector<Member> members;
  for (ULong i = 0; i < from.length(); ++i) {
    names.add_new(from[i].name.in());
    check_type(from[i].type.in());
    if (from[i].access != PRIVATE_MEMBER && from[i].access != PUBLIC_MEMBER) throw BAD_PARAM();
    members.push_back({from[i].name.in(), from[i].type.in(), 0, from[i].access});
  }
  return made({kind, id, name, concrete, members.data(), from.length(), 0, modifier});
}

template <typename T>
bool number(const Any& label, TypeCode& type, LongLong& to) {
  T value;
  if (!label._corbel_get(type, &value, sizeof value)) return false;
  to = static_cast<LongLong>(value);
  return true;
}

// False if the label is not of the discriminator's type.
bool read_label(const Any& label, TypeCode& discriminator, LongLong& to) {
  switch (corbel::types::resolve(&discriminator)->kind) {
    case Kind::Boolean:
    case Kind::Char:
    case Kind::Octet:
      return number<Octet>(label, discriminator, to);
    case Kind::Short:
      return number<Short>(label, discriminator, to);
    case Kind::UShort:
      return number<UShort>(label, discriminator, to);
    case Kind::Long:
      return number<Long>(label, discriminator, to);
    case Kind::ULong:
    case Kind::Enum:
      return number<ULong>(label, discriminator, to);
    case Kind::LongLong:
    case Kind::ULongLong:
      return number<LongLong>(label, discriminator, to);
    case Kind::WChar: {
      WChar value;
      if (!(label >>= Any::to_wchar(value))) return false;
      to = value;
      return true;
    }
    default:
      refuse(20, "a union's discriminator is an integer, a character, a boolean or an enum");
  }
}

}  // namespace

TypeCode_ptr ORB::create_struct_tc(const char* id, const char* name, const StructMemberSeq& members) {
  return structure(Kind::Struct, id, name, members);
}

TypeCode_ptr ORB::create_exception_tc(const char* id, const char* name, const StructMemberSeq& members) {
  return structure(Kind::Except, id, name, members);
}

TypeCode_ptr ORB::create_union_tc(const char* id, const char* name, TypeCode_ptr discriminator,
                                  const UnionMemberSeq& from) {
  check_id(id, false);
  check_name(name);
  check_type(discriminator);
  const bool of_octet = corbel::types::resolve(discriminator)->kind == Kind::Octet;
  Names names;
  std::set<LongLong> labels;
  std::vector<Member> members;
  Long default_index = -1;
  LongLong label = 0;
  if (from.length() == 0) read_label(Any(), *discriminator, label);  // checks the discriminator
  for (ULong i = 0; i < from.length(); ++i) {
    const UnionMember& m = from[i];
    check_type(m.type.in());
    // Several labels of a case are members of the same name in a row.
    const bool again = i != 0 && *m.name.in() && std::strcmp(from[i - 1].name.in(), m.name.in()) == 0;
    if (!names.add(m.name.in()) && !(again && from[i - 1].type->equal(m.type.in())))
      refuse(17, "two members have the same name");
    Octet zero;
    if (read_label(m.label, *discriminator, label)) {
      if (!labels.insert(label).second) refuse(18, "two members have the same label");
    } else if (!of_octet && (m.label >>= Any::to_octet(zero)) && zero == 0) {
      if (default_index != -1) refuse(18, "two members are the default");
      default_index = static_cast<Long>(i);
      label = 0;
    } else {
      refuse(19, "a label is not of the discriminator's type");
    }
    members.push_back({m.name.in(), m.type.in(), label, 0});
  }
  return made({Kind::Union, id, name, discriminator, members.data(), from.length(), 0, default_index});
}

TypeCode_ptr ORB::create_enum_tc(const char* id, const char* name, const EnumMemberSeq& from) {
  check_id(id, false);
  check_name(name);
  Names names;
  std::vector<Member> members;
  for (ULong i = 0; i < from.length(); ++i) {
    names.add_new(from[i]);
    members.push_back({from[i], nullptr, 0, 0});
  }
  return made({Kind::Enum, id, name, nullptr, members.data(), from.length()});
}

TypeCode_ptr ORB::create_alias_tc(const char* id, const char* name, TypeCode_ptr original) {
  check_id(id, false);
  check_name(name);
  check_type(original);
  return made({Kind::Alias, id, name, original, nullptr, 0});
}

TypeCode_ptr ORB::create_interface_tc(const char* id, const char* name) {
  return named(Kind::ObjRef, id, name);
}

TypeCode_ptr ORB::create_string_tc(ULong bound) {
  if (bound == 0) return _tc_string;
  return made({Kind::String, "", "", nullptr, nullptr, 0, bound});
}

TypeCode_ptr ORB::create_wstring_tc(ULong bound) {
  if (bound == 0) return _tc_wstring;
  return made({Kind::WString, "", "", nullptr, nullptr, 0, bound});
}

TypeCode_ptr ORB::create_fixed_tc(UShort digits, Short scale) {
  if (digits == 0 || digits > 31 || scale < 0 || scale > digits) throw BAD_PARAM();
  return made({Kind::Fixed, "", "", nullptr, nullptr, 0, digits, scale});
}

TypeCode_ptr ORB::create_sequence_tc(ULong bound, TypeCode_ptr element) {
  check_type(element);
  return made({Kind::Sequence, "", "", element, nullptr, 0, bound});
}

TypeCode_ptr ORB::create_array_tc(ULong length, TypeCode_ptr element) {
  check_type(element);
  if (length == 0) throw BAD_PARAM();
  return made({Kind::Array, "", "", element, nullptr, 0, length});
}

TypeCode_ptr ORB::create_value_tc(const char* id, const char* name, Short modifier, TypeCode_ptr base,
                                  const ValueMemberSeq& members) {
  return value(Kind::Value, id, name, modifier, base, members);
}

TypeCode_ptr ORB::create_event_tc(const char* id, const char* name, Short modifier, TypeCode_ptr base,
                                  const ValueMemberSeq& members) {
  return value(Kind::Event, id, name, modifier, base, members);
}

TypeCode_ptr ORB::create_value_box_tc(const char* id, const char* name, TypeCode_ptr boxed) {
  check_id(id, true);
  check_name(name);
  check_type(boxed);
  return made({Kind::ValueBox, id, name, boxed, nullptr, 0});
}

TypeCode_ptr ORB::create_native_tc(const char* id, const char* name) { return named(Kind::Native, id, name); }

TypeCode_ptr ORB::create_recursive_tc(const char* id) {
  check_id(id, true);
  return made({Kind::Recursive, id, "", nullptr, nullptr, 0});
}

TypeCode_ptr ORB::create_abstract_interface_tc(const char* id, const char* name) {
  return named(Kind::AbstractInterface, id, name);
}

TypeCode_ptr ORB::create_local_interface_tc(const char* id, const char* name) {
  return named(Kind::LocalInterface, id, name);
}

TypeCode_ptr ORB::create_component_tc(const char* id, const char* name) {
  return named(Kind::Component, id, name);
}

TypeCode_ptr ORB::create_home_tc(const char* id, const char* name) { return named(Kind::Home, id, name); }

}  // namespace CORBA
