#include "orb/types/compare.h"

#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "orb/cdr/wide_forms.h"
#include "orb/types/exception_id.h"
#include "orb/types/program.h"

namespace corbel::types {
namespace {

constexpr std::uint32_t kMostForNothing = 10'000;  // values without octets, which cost time alone

// Functions go on while all has been equal.
class Compare {
 public:
  Compare(cdr::Decoder& a, cdr::Decoder& b) : a_(a), b_(b) {}

  bool value(const TypeCode& t) {
    const Program& program = Program::of(t);
    const bool outer = std::exchange(has_floats_, program.has_floats());
    const bool equal = run(program.main());
    has_floats_ = outer;
    return equal;
  }
  Comparison result() const { return result_; }

 private:
  using Op = Program::Op;
  using Owned = std::unique_ptr<TypeCode, void (*)(const TypeCode*)>;

  bool differ(bool surely = true) {
    result_ = surely ? Comparison::Different : Comparison::Unknown;
    return false;
  }
  bool unknown() { return differ(false); }
  bool enter() { return (a_.enter() && b_.enter()) || unknown(); }
  void leave() { a_.leave(), b_.leave(); }

  bool run(const Program::Routine& r) {
    for (std::uint32_t i = 0; i < r.count; ++i)
      if (!step(r.steps[i])) return false;
    return true;
  }
  bool called(const Program::Routine& routine) {
    if (routine.count == 0) return ++for_nothing_ <= kMostForNothing || unknown();
    if (!enter() || !run(routine)) return false;
    leave();
    return true;
  }
  bool step(const Program::Step& s) {
    switch (s.op) {
      case Op::Flat:
        for (std::uint32_t i = 0; i < s.flat->count; ++i)
          if (!numbers(s.flat->items[i], 1)) return false;
        return true;
      case Op::String:
        return text();
      case Op::WChar:
        return wide<std::uint8_t>();
      case Op::WString:
        return wide<std::uint32_t>();
      case Op::Sequence: {
        std::uint32_t n, m;
        const std::uint32_t least = s.routine->least;
        if (!a_.get_count(n, least, s.a) || !b_.get_count(m, least, s.a)) return unknown();
        return n == m ? elements(*s.routine, n) : differ();
      }
      case Op::Array:
        return elements(*s.routine, s.a);
      case Op::Choice:
        return choice(*s.choice);
      case Op::Call:
        return called(*s.routine);
      case Op::ExceptionId:
        return (a_ids_.step_over(a_, *s.type) && b_ids_.step_over(b_, *s.type)) || unknown();
      case Op::Reference:
        return reference() || unknown();
      case Op::TypeCode: {
        const Owned t(unmarshal(a_), release), u(unmarshal(b_), release);
        return !t || !u ? unknown() : equal(*t, *u) || differ();
      }
      case Op::Any: {
        if (!enter()) return false;
        const Owned t(unmarshal(a_), release), u(unmarshal(b_), release);
        if (!t || !u) return unknown();
        // Types of one id may have several layouts.
        if (!equal(*t, *u)) return differ(!equivalent(*t, *u));
        if (!value(*t)) return false;
        leave();
        return true;
      }
      case Op::Abstract:
      case Op::Value:
      case Op::Refuse:
        break;
    }
    return unknown();
  }

  // ---- numbers
  // `size` octets of numbers of `width` each.
  bool same(const char* x, const char* y, std::size_t size, std::size_t width) const {
    if (width == 1 || a_.swap() == b_.swap()) return std::memcmp(x, y, size) == 0;
    for (std::size_t i = 0; i < size; i += width)
      for (std::size_t k = 0; k < width; ++k)
        if (x[i + k] != y[i + width - 1 - k]) return false;
    return true;
  }
  template <std::size_t Align>
  bool run_of(const Program::Item& item, std::size_t count) {
    const std::size_t each = item.size();
    if (count > a_.remaining() / each || count > b_.remaining() / each) return unknown();
    const char *const x = a_.chunk<Align>(each * count), *const y = b_.chunk<Align>(each * count);
    if (!x || !y) return unknown();
    if (same(x, y, each * count, item.width)) return true;
    const bool may_be_zero = item.check == Program::Check::Decimal ||
                             (item.check == Program::Check::None && item.width > 2 && has_floats_);
    return differ(!may_be_zero);
  }
  bool numbers(const Program::Item& item, std::size_t count) {
    switch (item.alignment()) {
      case 1:
        return run_of<1>(item, count);
      case 2:
        return run_of<2>(item, count);
      case 4:
        return run_of<4>(item, count);
      default:
        return run_of<8>(item, count);
    }
  }
  template <typename T>
  bool number(T& value) {
    T other;
    if (!a_.get(value) || !b_.get(other)) return unknown();
    return value == other || differ();
  }

  // ---- text
  bool text() {
    const char *x, *y;
    std::uint32_t n, m;
    if (a_.converts() || b_.converts()) return unknown();  // they would stand at one place
    if (!a_.get_string_view(x, n) || !b_.get_string_view(y, m)) return unknown();
    return std::string_view(x, n) == std::string_view(y, m) || differ();
  }
  // In the form of GIOP 1.2: octets behind their number.
  template <typename Length>
  bool wide() {
    Length n, m;
    if (a_.older() != 0 || cdr::has_wide_form(a_.form()) || !a_.get(n) || !b_.get(m) || n != m)
      return unknown();
    const char *const x = a_.chunk<1>(n), *const y = b_.chunk<1>(n);
    return (x && y && std::memcmp(x, y, n) == 0) || unknown();
  }

  // ---- constructed types
  bool elements(const Program::Routine& r, std::uint32_t count) {
    if (r.count == 0 || count == 0) return true;
    if (r.count == 1 && r.steps->op == Op::Flat && r.steps->flat->count == 1)
      return numbers(*r.steps->flat->items, count);
    if (!enter()) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const char* const begin = a_.position();
      if (!run(r)) return false;
      if (a_.position() == begin && ++for_nothing_ > kMostForNothing) return unknown();
    }
    leave();
    return true;
  }
  template <typename T>
  bool chosen_by(const Program::Choice& c) {
    T label;
    if (!number(label)) return false;
    const Program::Routine* const chosen = c.branch(static_cast<std::int64_t>(label));
    return !chosen || chosen->count == 0 || called(*chosen);
  }
  bool choice(const Program::Choice& c) {
    switch (c.discriminator) {
      case Kind::Boolean:
      case Kind::Octet:
        return chosen_by<std::uint8_t>(c);
      case Kind::Char:
        return a_.converts_chars() ? unknown() : chosen_by<std::uint8_t>(c);
      case Kind::Short:
      case Kind::UShort:
        return chosen_by<std::uint16_t>(c);
      case Kind::Long:
      case Kind::ULong:
      case Kind::Enum:
        return chosen_by<std::uint32_t>(c);
      case Kind::LongLong:
      case Kind::ULongLong:
        return chosen_by<std::uint64_t>(c);
      default:
        return unknown();
    }
  }
  bool reference() {
    std::uint32_t profiles, tag, size;
    if (!text() || !number(profiles)) return false;
    for (; profiles != 0; --profiles) {
      if (!number(tag) || !number(size)) return false;
      const char *const x = a_.chunk<1>(size), *const y = b_.chunk<1>(size);
      if (!x || !y || std::memcmp(x, y, size) != 0) return false;
    }
    return true;
  }

  cdr::Decoder &a_, &b_;
  bool has_floats_ = false;  // the type around
  std::uint32_t for_nothing_ = 0;
  ExceptionIds a_ids_, b_ids_;
  Comparison result_ = Comparison::Equal;
};

}  // namespace

Comparison compare(cdr::Decoder& a, cdr::Decoder& b, const TypeCode& type) {
  if (a.form() != b.form() || a.fragmented() || b.fragmented()) return Comparison::Unknown;
  Compare compare(a, b);
  compare.value(type);
  return compare.result();
}

}  // namespace corbel::types
