// Feeds arbitrary bytes to the reader of Anys, at any alignment, in either byte order and as of any version
// of GIOP. What was taken must survive being passed on, and whatever may be asked of it.
#include <corbel/any_text.h>
#include <corbel/corba.h>
#include <corbel/cpp/any_value.h>
#include <corbel/cpp/fixed.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include "orb/core/orb.h"

namespace {

using namespace corbel;

void require(bool condition) {
  if (!condition) std::abort();
}

// Every question that its kind allows, down to some depth.
void ask(CORBA::TypeCode_ptr type, int depth) {
  if (!type || depth == 0) return;
  const auto part = [depth](CORBA::TypeCode_ptr counted) {
    CORBA::TypeCode_var owned = counted;
    ask(owned.in(), depth - 1);
  };
  const auto every = [](auto question) {
    try {
      question();
    } catch (const CORBA::TypeCode::BadKind&) {
    }
  };
  every([&] { require(type->id() && type->name()); });
  every([&] { (void)type->length(); });
  every([&] { (void)type->fixed_digits(), (void)type->fixed_scale(); });
  every([&] { part(type->content_type()); });
  every([&] { part(type->discriminator_type()); });
  every([&] { part(type->concrete_base_type()); });
  CORBA::ULong members = 0;
  every([&] { members = type->member_count(); });
  for (CORBA::ULong i = 0; i < members && i < 8; ++i) {
    require(type->member_name(i));
    every([&] { part(type->member_type(i)); });
    every([&] { (void)type->member_visibility(i); });
    every([&] {
      CORBA::Any_var label = type->member_label(i);
      CORBA::TypeCode_var of = label->type();
      require(of->kind() != CORBA::tk_null);
    });
  }
}

void extract(const CORBA::Any& any) {
  CORBA::Boolean b;
  CORBA::Octet o;
  CORBA::Char c;
  CORBA::WChar w;
  CORBA::Short s;
  CORBA::LongLong l;
  CORBA::Double d;
  CORBA::LongDouble x;
  CORBA::Fixed f;
  const char* text;
  const CORBA::WChar* wide;
  const CORBA::Any* inner;
  CORBA::TypeCode_ptr type;
  CORBA::Object_var object;
  const CORBA::SystemException* exception;
  (void)(any >>= CORBA::Any::to_boolean(b));
  (void)(any >>= CORBA::Any::to_octet(o));
  (void)(any >>= CORBA::Any::to_char(c));
  (void)(any >>= CORBA::Any::to_wchar(w));
  (void)(any >>= s);
  (void)(any >>= l);
  (void)(any >>= d);
  (void)(any >>= x);
  (void)(any >>= CORBA::Any::to_fixed(f, 5, 2));
  if (any >>= text) (void)std::strlen(text);
  if (any >>= wide) (void)*wide;
  if (any >>= inner) extract(*inner);
  if (any >>= type) ask(type, 4);
  (void)(any >>= CORBA::Any::to_object(object));
  (void)(any >>= exception);
  CORBA::ValueBase_var value;
  try {
    (void)(any >>= CORBA::Any::to_value(value.out()));
  } catch (const CORBA::MARSHAL&) {
  }
}

// Whether values may be inside, which not every place takes: octets that no TypeCode describes stay as they
// are.
bool may_hold_values(CORBA::TypeCode_ptr type, int depth) {
  switch (type->kind()) {
    case CORBA::tk_any:
    case CORBA::tk_value:
    case CORBA::tk_value_box:
    case CORBA::tk_event:
    case CORBA::tk_abstract_interface:
      return true;
    case CORBA::tk_alias:
    case CORBA::tk_sequence:
    case CORBA::tk_array: {
      CORBA::TypeCode_var content = type->content_type();
      return depth == 0 || may_hold_values(content.in(), depth - 1);
    }
    case CORBA::tk_struct:
    case CORBA::tk_union:
    case CORBA::tk_except:
      for (CORBA::ULong i = 0; i < type->member_count(); ++i) {
        CORBA::TypeCode_var member = type->member_type(i);
        if (depth == 0 || may_hold_values(member.in(), depth - 1)) return true;
      }
      return false;
    default:
      return false;
  }
}

// Passed on at a distance of `phase` from a multiple of 8; false if this version of GIOP has no form of it.
bool pass_on(const CORBA::Any& any, std::size_t phase, std::uint32_t older, std::string& bytes) {
  cdr::Encoder out;
  out.reset();
  out.set_older(older);
  for (std::size_t i = 0; i < phase; ++i) out.put<std::uint8_t>(0);
  try {
    cdr::marshal(out, any);
  } catch (const CORBA::MARSHAL&) {
    return false;
  }
  if (out.error()) return false;
  bytes.assign(out.data(), out.size());
  return true;
}

}  // namespace

// The first octet: alignment, byte order, age of GIOP.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto orb = base::make_ref<core::Orb>(core::Options{});
  if (size < 1) return 0;
  const std::size_t phase = data[0] & 7;
  const std::uint32_t older = (data[0] >> 4) % 3;
  // A block of exactly the size, so that the sanitizer sees every over-read.
  char* const memory = static_cast<char*>(std::malloc(phase + size));
  std::memcpy(memory + phase, data + 1, size - 1);
  const auto take = [older](const char* origin, const char* begin, const char* end, bool swap,
                            CORBA::Any& any) {
    cdr::Decoder in(origin, begin, end, swap);
    in.set_older(static_cast<std::uint8_t>(older));
    in.set_context(nullptr, false, orb.get());
    bool good = false;
    try {
      good = cdr::unmarshal(in, any);
    } catch (const CORBA::MARSHAL&) {  // of a class that is needed to understand it
      require(in.failed());
    }
    require(good != in.failed());
    return good;
  };
  CORBA::Any any;
  const bool good = take(memory, memory + phase, memory + phase + size - 1, (data[0] & 8) != 0, any);
  std::free(memory);
  CORBA::TypeCode_var type = any.type();
  if (!good) {
    require(type->kind() == CORBA::tk_null);
    return 0;
  }
  ask(type.in(), 6);
  require(type->equal(type.in()) && type->equivalent(type.in()));
  CORBA::TypeCode_var compact = type->get_compact_typecode();
  require(compact->equivalent(type.in()));
  extract(any);
  for (const std::size_t most : {std::size_t{7}, std::size_t{4096}}) {
    const std::string text = text_of(any, most);
    require(text.size() <= most);
    for (const char c : text) require(c >= ' ' && c <= '~');
  }
  std::string once, moved, back;
  if (!pass_on(any, 4, older, once)) {
    require(may_hold_values(type.in(), 8));
    return 0;
  }
  CORBA::Any again, third;
  require(take(once.data(), once.data() + 4, once.data() + once.size(), false, again));
  CORBA::TypeCode_var same = again.type();
  require(same->equal(type.in()));
  if (!pass_on(again, 1, older, moved)) {
    require(may_hold_values(type.in(), 8));
    return 0;
  }
  require(take(moved.data(), moved.data() + 1, moved.data() + moved.size(), false, third));
  require(pass_on(third, 1, older, back) && back == moved);
  // Another version may not have it; if so it says so.
  (void)pass_on(any, 0, (older + 1) % 3, back);
  return 0;
}
