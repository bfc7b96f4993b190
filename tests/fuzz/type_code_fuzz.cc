// Feeds arbitrary bytes to the reader of TypeCodes, in both byte orders, at any alignment and as of any
// version of GIOP. All that a program may ask of what was read must have an answer, and it must survive being
// passed on.
#include <corbel/corba.h>
#include <corbel/cpp/any.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace corbel;
using CORBA::TypeCode;

void require(bool condition) {
  if (!condition) std::abort();
}

constexpr std::size_t kMostCopied = 8;  // parts of one type: each may be as large as all of it

// Whether the question has a meaning for types of the kind.
template <typename Question>
bool answers(Question question) {
  try {
    question();
    return true;
  } catch (const TypeCode::BadKind&) {
    return false;
  }
}

template <typename Question>
void out_of_bounds(Question question) {
  try {
    question();
  } catch (const TypeCode::Bounds&) {
    return;
  }
  std::abort();
}

// All types that it consists of, each once.
class Parts {
 public:
  explicit Parts(CORBA::TypeCode_ptr root) {
    add(TypeCode::_duplicate(root));
    for (std::size_t i = 0; i < all_.size(); ++i) ask(all_[i].in());
  }
  const std::vector<CORBA::TypeCode_var>& all() const { return all_; }

 private:
  void add(CORBA::TypeCode_ptr counted) {
    CORBA::TypeCode_var type = counted;
    if (type.in() && met_.insert(type.in()).second) all_.push_back(type);
  }

  // Asks everything, and sees to it that just those questions are answered that the kind allows.
  void ask(CORBA::TypeCode_ptr type) {
    const CORBA::TCKind kind = type->kind();
    require(kind <= CORBA::tk_event);
    const bool is_value = kind == CORBA::tk_value || kind == CORBA::tk_event;
    const bool typed =
        kind == CORBA::tk_struct || kind == CORBA::tk_union || kind == CORBA::tk_except || is_value;
    const bool has_members = typed || kind == CORBA::tk_enum;
    const bool contains = kind == CORBA::tk_sequence || kind == CORBA::tk_array || kind == CORBA::tk_alias ||
                          kind == CORBA::tk_value_box;
    const bool named = has_members || kind == CORBA::tk_alias || kind == CORBA::tk_value_box ||
                       kind == CORBA::tk_objref || (kind >= CORBA::tk_native && kind <= CORBA::tk_home);
    require(answers([&] { length_ += std::strlen(type->id()) + std::strlen(type->name()); }) == named);
    require(answers([&] { (void)type->length(); }) ==
            (kind == CORBA::tk_string || kind == CORBA::tk_wstring || kind == CORBA::tk_sequence ||
             kind == CORBA::tk_array));
    require(answers([&] { require(type->fixed_digits() >= 1 && type->fixed_digits() <= 31); }) ==
            (kind == CORBA::tk_fixed));
    require(answers([&] {
              require(type->fixed_scale() >= 0 && type->fixed_scale() <= type->fixed_digits());
            }) == (kind == CORBA::tk_fixed));
    require(answers([&] { add(type->content_type()); }) == contains);
    require(answers([&] { add(type->discriminator_type()); }) == (kind == CORBA::tk_union));
    require(answers([&] { require(type->type_modifier() <= CORBA::VM_TRUNCATABLE); }) == is_value);
    require(answers([&] { add(type->concrete_base_type()); }) == is_value);
    CORBA::ULong count = 0;
    require(answers([&] { count = type->member_count(); }) == has_members);
    require(answers([&] {
              require(type->default_index() >= -1 && type->default_index() < static_cast<CORBA::Long>(count));
            }) == (kind == CORBA::tk_union));
    for (CORBA::ULong i = 0; i < count; ++i) {
      length_ += std::strlen(type->member_name(i));
      require(answers([&] {
                CORBA::TypeCode_var member = type->member_type(i);
                require(member.in());
                add(member._retn());
              }) == typed);
      require(answers([&] { (void)type->member_visibility(i); }) == is_value);
      require(answers([&] { label(*type, i); }) == (kind == CORBA::tk_union));
    }
    if (has_members) out_of_bounds([&] { (void)type->member_name(count); });
    if (typed) out_of_bounds([&] { CORBA::TypeCode_var none = type->member_type(count); });
    if (is_value) out_of_bounds([&] { (void)type->member_visibility(count); });
    if (kind == CORBA::tk_union) out_of_bounds([&] { CORBA::Any_var none = type->member_label(count); });
  }

  static void label(TypeCode& type, CORBA::ULong i) {
    const CORBA::Any_var label = type.member_label(i);
    CORBA::TypeCode_var of = label->type();
    if (type.default_index() == static_cast<CORBA::Long>(i)) {
      CORBA::Octet zero = 1;
      require((label.in() >>= CORBA::Any::to_octet(zero)) && zero == 0);
    } else {
      CORBA::TypeCode_var discriminator = type.discriminator_type();
      require(of->equal(discriminator.in()));
    }
  }

  std::vector<CORBA::TypeCode_var> all_;
  std::set<CORBA::TypeCode_ptr> met_;
  std::size_t length_ = 0;  // so that all text is looked at
};

// From a block of exactly the size, so that the sanitizer sees every over-read.
CORBA::TypeCode_var taken(std::string_view octets, std::size_t phase, bool swap, std::uint8_t older) {
  const std::unique_ptr<char[]> memory(new char[phase + octets.size()]);
  if (!octets.empty()) std::memcpy(memory.get() + phase, octets.data(), octets.size());
  cdr::Decoder in(memory.get(), memory.get() + phase, memory.get() + phase + octets.size(), swap);
  in.set_older(older);
  CORBA::TypeCode_var type;
  const bool good = cdr::unmarshal(in, type);
  require(good != in.failed() && good == (type.in() != nullptr));
  return type;
}

std::string written(CORBA::TypeCode_ptr type, std::size_t phase, std::uint8_t older) {
  cdr::Encoder out;
  out.reset();
  out.set_older(older);
  for (std::size_t i = 0; i < phase; ++i) out.put<std::uint8_t>(0);
  cdr::marshal(out, type);
  require(!out.error());
  return {out.data() + phase, out.size() - phase};
}

// With something behind its parameters, as later versions may have it: it means the same, but is not found
// among those that were read lately.
void lengthen(std::string& octets, std::size_t phase) {
  static std::uint64_t n = 0;
  const std::size_t at = (phase + 3) / 4 * 4 - phase;
  std::uint32_t kind, size;
  if (octets.size() < at + 9) return;
  std::memcpy(&kind, &octets[at], 4);
  if (kind == CORBA::tk_string || kind == CORBA::tk_wstring || kind == CORBA::tk_fixed) return;
  ++n;
  octets.append(reinterpret_cast<const char*>(&n), sizeof n);
  std::memcpy(&size, &octets[at + 4], 4);
  size += sizeof n;
  std::memcpy(&octets[at + 4], &size, 4);
}

void pass_on(CORBA::TypeCode_ptr type, std::size_t phase, std::uint8_t older, std::size_t most) {
  std::string once = written(type, phase, older);
  require(once.size() <= most);
  const CORBA::TypeCode_var same = taken(once, phase, false, older);
  require(same.in() && same->equal(type) && type->equal(same.in()) && same->equivalent(type));
  lengthen(once, phase);
  const CORBA::TypeCode_var again = taken(once, phase, false, older);
  require(again.in() && again->equal(type) && type->equal(again.in()) && again->equivalent(type));
  require(written(again.in(), phase, older) == written(type, phase, older));
  // Labels of wide characters may be too large for another version; all else is the same.
  const auto other = static_cast<std::uint8_t>((older + 1) % 3);
  const CORBA::TypeCode_var translated = taken(written(type, 0, other), 0, false, other);
  require(translated.in() && translated->kind() == type->kind());
}

}  // namespace

// The first octet: alignment, age of GIOP.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  const std::size_t phase = data[0] & 7;
  const auto older = static_cast<std::uint8_t>((data[0] >> 4) % 3);
  const std::string_view octets(reinterpret_cast<const char*>(data) + 1, size - 1);
  for (const bool swap : {false, true}) {
    const CORBA::TypeCode_var type = taken(octets, phase, swap, older);
    if (!type.in()) continue;
    // A type takes four octets at least: few cannot mean many.
    const Parts parts(type.in());
    require(parts.all().size() <= size / 4);
    std::size_t n = 0;
    for (const CORBA::TypeCode_var& part : parts.all()) {
      require(part->equal(part.in()) && part->equivalent(part.in()));
      if (++n > kMostCopied) continue;
      const CORBA::TypeCode_var compact = part->get_compact_typecode();
      require(compact->equivalent(part.in()) && part->equivalent(compact.in()));
      require(compact->kind() == part->kind());
    }
    const CORBA::TypeCode_var compact = type->get_compact_typecode();
    const CORBA::TypeCode_var twice = compact->get_compact_typecode();
    require(compact->equal(twice.in()));
    pass_on(type.in(), (phase + 1) % 8, older, 2 * size);
    pass_on(compact.in(), phase, older, 2 * size);
  }
  return 0;
}
