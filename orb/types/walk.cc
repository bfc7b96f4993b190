// One value of a type that only a TypeCode describes, as its program says: checked and stepped over, or
// copied into another byte order and alignment on the way.
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "orb/cdr/values.h"
#include "orb/cdr/wide_forms.h"
#include "orb/types/exception_id.h"
#include "orb/types/flat.h"
#include "orb/types/program.h"
#include "orb/types/walk.h"

namespace corbel::types {
namespace {

// Values without octets that one may hold: stops arrays of empty structs, which cost time alone.
constexpr std::size_t kMostForNothing = 10'000;
constexpr std::size_t kLongestChain =
    256;  // of valuetypes that derive from each other: some may do so in circles
constexpr std::uint32_t kOmgMinor = 0x4f4d0000;
constexpr std::int32_t kCustom = 1, kAbstract = 2;  // modifiers of valuetypes

class Walk {
 public:
  Walk(cdr::Decoder& in, cdr::Encoder* out, MetValues* met)
      : in_(in), out_(out), met_(met), begin_(in.position()) {}

  bool value(const TypeCode& t) { return value(Program::of(t)); }
  bool value(const Program& program) { return run(program.main()); }

 private:
  using Op = Program::Op;
  using State = Program::State;

  bool run(const Program::Routine& r) {
    for (std::uint32_t i = 0; i < r.count; ++i)
      if (!step(r.steps[i])) return false;
    return true;
  }

  bool step(const Program::Step& s) {
    switch (s.op) {
      case Op::Flat:
        return flat_value(in_, out_, *s.flat);
      case Op::String:
        return text(s.a);
      case Op::WChar:
        return wide_character();
      case Op::WString:
        return wide_text(s.a);
      case Op::Sequence:
        return sequence(s);
      case Op::Array:
        return elements(*s.routine, s.a);
      case Op::Choice:
        return choice(*s.choice);
      case Op::Call:
        return called(*s.routine);
      case Op::ExceptionId:
        return exception_id(*s.type);
      case Op::Reference:
        return reference();
      case Op::TypeCode:
        return type_code();
      case Op::Any:
        return any();
      case Op::Abstract:
        return abstract();
      case Op::Value:
        return value_type(s.state);
      case Op::Refuse:
        break;
    }
    return in_.fail();
  }

  template <typename T>
  bool number(T* seen = nullptr) {
    T v;
    if (!in_.get(v)) return false;
    if (out_) out_->put(v);
    if (seen) *seen = v;
    return true;
  }
  bool octets(std::uint32_t size) {
    const char* const p = in_.chunk<1>(size);
    if (!p) return false;
    if (out_) out_->run<1>(p, size);
    return true;
  }
  bool text(std::uint32_t bound) {
    const char* view;
    std::uint32_t length;
    if (!in_.get_string_view(view, length, bound)) return false;
    if (!out_) return true;
    // One that is converted is not in the message, where it could stay until it is sent.
    if (in_.converts() || out_->converts()) return out_->put_string(view), true;
    out_->put(length + 1);
    out_->run<1>(view, length);
    out_->put<std::uint8_t>(0);
    return true;
  }

  // ---- wide characters: UTF-16. In 1.2 octets behind their count, big endian or with a byte order mark;
  // in 1.1 two octets each in the byte order of the message, strings with a terminator.
  // GIOP 1.0 has none: OMG's minor codes for requests and replies.
  bool no_wide() {
    if (out_ && (out_->form() & cdr::form::kNoWide) != 0)
      return out_->fail({SystemErrorId::CODESET_INCOMPATIBLE, Completion::No, kOmgMinor + 1,
                         "an Any holds wide characters, and the server's set of them is not Unicode"}),
             in_.fail(), true;
    if (in_.older() < 2 && (!out_ || out_->older() < 2)) return false;
    if (out_ && out_->older() > 1)
      out_->fail({SystemErrorId::MARSHAL, Completion::No, kOmgMinor + (out_->older() == 2 ? 5 : 6),
                  "wide characters in an Any need GIOP 1.1: the reference, or -ORBmaxGIOPVersion, says 1.0"});
    in_.fail();
    return true;
  }
  // Of a set other than UTF-16 on either side.
  bool rare_form() const {
    return cdr::has_wide_form(in_.form()) || (out_ && cdr::has_wide_form(out_->form()));
  }
  bool rare_wide(bool single, std::uint32_t bound) {
    std::wstring points;
    if (!cdr::read_wide(in_, single, points)) return false;
    if (bound != 0 && points.size() > bound) return in_.fail();
    if (out_) cdr::write_wide(*out_, single, points.data(), points.size());
    return true;
  }
  bool wide_character() {
    if (no_wide()) return false;
    if (rare_form()) [[unlikely]]
      return rare_wide(true, 0);
    if (in_.older() == 1) {
      std::uint16_t unit;
      if (!in_.get(unit)) return false;
      if (!out_) return true;
      if (out_->older() == 1) return out_->put(unit), true;
      out_->put<std::uint8_t>(2);
      return put_big_endian(unit), true;
    }
    std::uint8_t size;
    if (!in_.get(size) || size == 0 || size > 6 || size % 2 != 0) return in_.fail();
    const char* const p = in_.chunk<1>(size);
    if (!p) return false;
    if (!out_) return true;
    if (out_->older() == 1) {
      const bool marked = size > 2 && (unit_at(p, false) == 0xfeff || unit_at(p, false) == 0xfffe);
      if (size != (marked ? 4 : 2)) return in_.fail();
      out_->put(unit_at(p + (marked ? 2 : 0), marked && unit_at(p, false) == 0xfffe));
      return true;
    }
    out_->put(size);
    out_->run<1>(p, size);
    return true;
  }
  bool wide_text(std::uint32_t bound) {
    if (no_wide()) return false;
    if (rare_form()) [[unlikely]]
      return rare_wide(false, bound);
    std::uint32_t size;
    if (in_.older() == 1) {
      if (!in_.get_count(size, 2)) return false;
      if (size == 0 || (bound != 0 && size - 1 > bound * std::uint64_t{2})) return in_.fail();
      for (std::uint32_t i = 0; i < size; ++i) {
        std::uint16_t unit;
        if (!in_.get(unit)) return false;
        if (i + 1 == size && unit != 0) return in_.fail();
        if (!out_) continue;
        if (i == 0) {
          const bool marked = out_->older() != 1 && (unit == 0xfeff || unit == 0xfffe);
          out_->put(out_->older() == 1 ? size : (size - 1 + marked) * 2);
          if (marked) put_big_endian(0xfeff);
        }
        if (out_->older() == 1) out_->put(unit);
        else if (i + 1 < size) put_big_endian(unit);
      }
      return true;
    }
    if (!in_.get_count(size, 1)) return false;
    if (size % 2 != 0) return in_.fail();
    const char* p = in_.chunk<1>(size);
    if (!p) return false;
    bool little = false;
    if (size >= 2 && (unit_at(p, false) == 0xfeff || unit_at(p, false) == 0xfffe)) {
      little = unit_at(p, false) == 0xfffe;
      p += 2, size -= 2;
    }
    if (bound != 0 && size / 2 > bound * std::uint64_t{2}) return in_.fail();
    if (!out_) return true;
    // Text that begins with what looks like a mark keeps a real one before it.
    const std::uint16_t first = size == 0 ? 0 : unit_at(p, little);
    const bool marked = out_->older() != 1 && (first == 0xfeff || first == 0xfffe);
    out_->put(out_->older() == 1 ? size / 2 + 1 : size + (marked ? 2 : 0));
    if (marked) put_big_endian(0xfeff);
    for (std::uint32_t i = 0; i < size; i += 2) {
      if (out_->older() == 1) out_->put(unit_at(p + i, little));
      else put_big_endian(unit_at(p + i, little));
    }
    if (out_->older() == 1) out_->put<std::uint16_t>(0);
    return true;
  }
  static std::uint16_t unit_at(const char* p, bool little) {
    const auto a = static_cast<unsigned char>(p[0]), b = static_cast<unsigned char>(p[1]);
    return static_cast<std::uint16_t>(little ? b << 8 | a : a << 8 | b);
  }
  void put_big_endian(std::uint16_t unit) {
    char* const to = out_->chunk<1>(2);
    to[0] = static_cast<char>(unit >> 8);
    to[1] = static_cast<char>(unit & 0xff);
  }

  bool exception_id(const TypeCode& t) {
    bool stands_next;
    if (!ids_.look(in_, t, stands_next)) return false;
    if (stands_next) return text(0);
    return ++for_nothing_ <= kMostForNothing || in_.fail();
  }

  // ---- constructed types
  bool elements(const Program::Routine& r, std::uint32_t count) {
    if (r.count == 0) return (for_nothing_ += count) <= kMostForNothing || in_.fail();
    if (r.count == 1 && r.steps->op == Op::Flat) return flat_values(in_, out_, *r.steps->flat, count);
    if (!in_.enter()) return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      const char* const begin = in_.position();
      if (!run(r)) return false;
      if (in_.position() == begin && ++for_nothing_ > kMostForNothing) return in_.fail();
    }
    in_.leave();
    return true;
  }
  bool sequence(const Program::Step& s) {
    std::uint32_t count;
    if (!in_.get_count(count, s.routine->least, s.a)) return false;
    if (out_) out_->put(count);
    return elements(*s.routine, count);
  }
  bool called(const Program::Routine& routine) {
    if (routine.count == 0) return ++for_nothing_ <= kMostForNothing || in_.fail();
    if (!in_.enter() || !run(routine)) return false;
    in_.leave();
    return true;
  }
  template <typename T>
  bool discriminator(std::int64_t& label) {
    T v;
    if (!number(&v)) return false;
    label = static_cast<std::int64_t>(v);
    return true;
  }
  bool character(std::int64_t& label) {
    char c;
    if (!in_.get_char(c)) return false;
    if (out_) out_->put_char(c);
    label = static_cast<unsigned char>(c);
    return true;
  }
  bool choice(const Program::Choice& c) {
    std::int64_t label = 0;
    bool good = false;
    switch (c.discriminator) {
      case Kind::Boolean: {
        bool v = false;
        good = in_.get_boolean(v);
        if (good && out_) out_->put_boolean(v);
        label = v;
        break;
      }
      case Kind::Char:
        good = character(label);
        break;
      case Kind::Octet:
        good = discriminator<std::uint8_t>(label);
        break;
      case Kind::Short:
      case Kind::UShort:
        good = discriminator<std::uint16_t>(label);
        break;
      case Kind::Long:
      case Kind::ULong:
        good = discriminator<std::uint32_t>(label);
        break;
      case Kind::Enum:
        good = discriminator<std::uint32_t>(label) && (label < c.enumerators || in_.fail());
        break;
      case Kind::LongLong:
      case Kind::ULongLong:
        good = discriminator<std::uint64_t>(label);
        break;
      case Kind::WChar:
        good = wide_label(label);
        break;
      default:
        return in_.fail();
    }
    if (!good) return false;
    const Program::Routine* const chosen = c.branch(label);
    return !chosen || chosen->count == 0 || called(*chosen);
  }
  bool wide_label(std::int64_t& label) {
    cdr::Decoder ahead = in_;
    if (cdr::has_wide_form(in_.form())) {
      std::wstring point;
      if (!cdr::read_wide(ahead, true, point)) return in_.fail();
      label = static_cast<std::int64_t>(point[0]);
    } else if (in_.older() == 1) {
      std::uint16_t unit;
      if (!ahead.get(unit)) return in_.fail();
      label = unit;
    } else {
      std::uint8_t size;
      const char* p;
      if (!ahead.get(size) || size < 2 || size > 6 || size % 2 != 0 || !(p = ahead.chunk<1>(size)))
        return in_.fail();
      bool little = false;
      if (size > 2 && (unit_at(p, false) == 0xfeff || unit_at(p, false) == 0xfffe)) {
        little = unit_at(p, false) == 0xfffe;
        p += 2, size = static_cast<std::uint8_t>(size - 2);
      }
      label = unit_at(p, little);
      if (size > 2) {  // a pair
        const std::uint32_t high = unit_at(p, little), low = unit_at(p + 2, little);
        if (size != 4 || (high & 0xfc00) != 0xd800 || (low & 0xfc00) != 0xdc00) return in_.fail();
        label = 0x10000 + ((high & 0x3ff) << 10) + (low & 0x3ff);
      }
    }
    return wide_character();
  }

  // Repository id, and profiles that are octets to us.
  bool reference() {
    std::uint32_t count;
    if (!text(0) || !in_.get_count(count, 8)) return false;
    if (out_) out_->put(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::uint32_t size;
      if (!number<std::uint32_t>() || !number(&size) || !octets(size)) return false;
    }
    return true;
  }
  bool type_code() {
    TypeCode* const t = unmarshal(in_);
    if (!t) return false;
    if (out_) marshal(*out_, *t);
    release(t);
    return true;
  }
  bool any() {
    if (!in_.enter()) return false;
    const std::unique_ptr<TypeCode, void (*)(const TypeCode*)> t(unmarshal(in_), release);
    if (!t) return false;
    if (out_) marshal(*out_, *t);
    if (!value(*t)) return false;
    in_.leave();
    return true;
  }

  // ---- valuetypes
  bool abstract() {
    bool object;
    if (!in_.get_boolean(object)) return false;
    if (out_) out_->put_boolean(object);
    return object ? reference() : value_type(nullptr);
  }

  // Of the type `declared`, if any is.
  bool value_type(const State* declared) {
    if (!in_.values()) return in_.fail();
    cdr::ValueInput& values = cdr::values_of(in_);
    cdr::ValueHeader h;
    if (!values.next(h)) return false;
    if (h.null()) {
      if (out_) cdr::values_of(*out_).null();
      return true;
    }
    if (!h.reference()) return whole_value(declared, values, h);
    const char* tag;
    if (!values.target(tag)) return false;
    if (const auto known = met_->tags.find(tag); known != met_->tags.end()) {
      if (out_) cdr::values_of(*out_).refer(known->second);
      return true;
    }
    // Somebody else may have written it.
    const void* const identity = out_ ? values.identity(tag) : nullptr;
    if (const std::size_t* const at = identity ? cdr::values_of(*out_).find(identity) : nullptr) {
      met_->tags.emplace(tag, *at);
      cdr::values_of(*out_).refer(*at);
      return true;
    }
    cdr::ValueInput::Place back;
    cdr::ValueHeader there;
    if (!values.go_to(tag, back)) return false;
    if (!std::exchange(met_->outside, true)) met_->phase = in_.offset() % 8;
    if (out_ && !copy_outside(declared, values, there)) return in_.fail();
    values.return_to(back);
    return true;
  }

  // As many octets may stand at many places.
  bool copy_outside(const State* declared, cdr::ValueInput& values, cdr::ValueHeader& there) {
    const bool outermost = !std::exchange(outside_, true);
    if (outermost) counted_to_ = out_->offset();
    if (!values.next(there) || there.null() || there.reference() || !whole_value(declared, values, there))
      return false;
    outside_ = !outermost;
    const std::size_t copied = out_->offset() - std::exchange(counted_to_, out_->offset());
    met_->counted += copied;
    return values.may_copy(copied, 0);
  }

  // Behind its tag.
  bool whole_value(const State* declared, cdr::ValueInput& values, cdr::ValueHeader& h) {
    // An id, too, may stand before, and what a class reads may refer to something there.
    const LowestOf here(values);
    if (!described_value(declared, values, h)) return false;
    met_->outside |= here.lowest() && here.lowest() < begin_;
    return true;
  }
  // What is referred to from here on, for itself; then it counts for what is around, too.
  class LowestOf {
   public:
    explicit LowestOf(cdr::ValueInput& values) : values_(values), around_(values.lowest()) {
      values.set_lowest(nullptr);
    }
    ~LowestOf() {
      if (!lowest() || (around_ && around_ < lowest())) values_.set_lowest(around_);
    }
    LowestOf(const LowestOf&) = delete;
    LowestOf& operator=(const LowestOf&) = delete;
    const char* lowest() const { return values_.lowest(); }

   private:
    cdr::ValueInput& values_;
    const char* const around_;
  };
  bool described_value(const State* declared, cdr::ValueInput& values, cdr::ValueHeader& h) {
    if (!values.read_header(h)) return false;
    const TypeCode* t = declared ? declared->type : nullptr;
    if (t && (*t->id == '\0' || t->special == kAbstract)) t = nullptr;
    values.met(h, t ? t->id : "");
    // Where it stands; what refers to it may be declared as another type.
    const std::string_view declared_id = values.declared_at(h);
    if (h.ids.empty()) {
      if (declared_id.empty()) return in_.fail();
      h.ids = {&declared_id, 1};
      if (!t || declared_id != t->id) {  // a copy of it has to tell what is not declared there
        h.spelled = {false};
        met_->outside = true;
      }
    }
    // The first of its types that the TypeCode describes; what is custom nothing does.
    std::size_t first = h.ids.size();
    if (t && t->special != kCustom)
      for (first = 0; first < h.ids.size() && h.ids[first] != t->id;) ++first;
    const bool known = first < h.ids.size();
    return out_ ? copy_value(known ? declared : nullptr, first, values, h)
                : skip_value(known ? declared : nullptr, first, values, h);
  }

  bool skip_value(const State* declared, std::size_t first, cdr::ValueInput& values,
                  const cdr::ValueHeader& h) {
    met_->tags.emplace(h.at, static_cast<std::size_t>(h.at - begin_));
    if (first == 0 || h.chunked()) {
      bool cut = !declared;
      std::vector<const char*> inside;
      if (!values.begin_state(h) || (declared && !state(*declared)) || !values.end_state(h, &cut, &inside))
        return false;
      met_->opaque |= cut;
      for (const char* tag : inside) met_->tags.emplace(tag, static_cast<std::size_t>(tag - begin_));
      return true;
    }
    met_->opaque = true;
    std::vector<const char*> read;
    if (!values.decode(h, read)) return in_.fail();
    for (const char* tag : read)
      if (tag >= begin_) met_->tags.emplace(tag, static_cast<std::size_t>(tag - begin_));
    return true;
  }

  bool copy_value(const State* declared, std::size_t first, cdr::ValueInput& values,
                  const cdr::ValueHeader& h) {
    cdr::ValueOutput& to = cdr::values_of(*out_);
    const void* const identity = values.identity(h.at);
    // By something that referred to it, or by somebody else.
    const auto copied_before = met_->tags.find(h.at);
    const std::size_t* const written = copied_before != met_->tags.end() ? &copied_before->second
                                       : identity                        ? to.find(identity)
                                                                         : nullptr;
    if (written || values.encode(*out_, h.at, true, met_->tags)) {
      if (written) {
        to.refer(*written);
        met_->tags.emplace(h.at, *written);
      }
      MetValues ignored;
      const char* const begin = in_.position();
      Walk aside(in_, nullptr, &ignored);
      return aside.skip_value(declared, first, values, h) &&
             (values.may_copy(
                  static_cast<std::size_t>(in_.position() - begin) / cdr::ValueInput::kSteppedOver, 0) ||
              in_.fail());
    }
    if (!declared || first != 0) {
      std::vector<const char*> read;
      const bool copied = h.chunked() && !in_.swap() && in_.form() == out_->form();
      if (values.can_decode(h, copied)) {
        if (!values.decode(h, read)) return false;
        if (values.encode(*out_, h.at, copied, met_->tags)) return true;
        // It refers to what is being read.
        cdr::ValueInput::Place back;
        cdr::ValueHeader again;
        if (!copied || !values.go_to(h.at, back) || !values.next(again) || !values.read_header(again))
          return in_.fail();
      }
      if (copied) {
        if (!values.may_spell(h)) return false;
        met_->opaque = true;
        return cdr::copy_opaque(in_, *out_, h, met_->tags) || in_.fail();
      }
      if (!declared || !h.chunked()) return values.decode(h, read) && in_.fail();  // raises what is missing
    }
    std::vector<const char*> ids;
    for (std::size_t i = first; i < h.ids.size(); ++i) ids.push_back(h.ids[i].data());
    bool cut = false;
    if (!values.may_spell(h) || !to.begin(ids, h.chunked())) return false;
    met_->tags.emplace(h.at, to.tag());
    if (identity) to.remember(identity, to.tag());
    if (!values.begin_state(h) || !state(*declared) || !values.end_state(h, &cut)) return false;
    to.end();
    return !cut || first != 0 || in_.fail();
  }

  // Of a value and the types that it derives from, or what is boxed.
  bool state(const State& of) {
    std::vector<const State*> chain;
    for (const State* s = &of; s; s = s->base) {
      if (chain.size() > kLongestChain) return in_.fail();
      chain.push_back(s);
    }
    for (auto s = chain.rbegin(); s != chain.rend(); ++s)
      if (!run(*(*s)->routine)) return false;
    return true;
  }

  cdr::Decoder& in_;
  cdr::Encoder* const out_;
  MetValues* const met_;  // null for programs that refer to nothing
  const char* const begin_;
  std::size_t for_nothing_ = 0;  // values without octets
  bool outside_ = false;         // copies what is referred to, and has counted that up to an offset
  std::size_t counted_to_ = 0;
  ExceptionIds ids_;
};

}  // namespace

bool has_chars(const TypeCode& type) { return Program::of(type).has_chars(); }

bool skip(cdr::Decoder& in, const TypeCode& type, MetValues& met) {
  return Walk(in, nullptr, &met).value(type);
}
bool transcode(cdr::Decoder& in, cdr::Encoder& out, const TypeCode& type, MetValues& met) {
  return Walk(in, &out, &met).value(type);
}
bool skip(cdr::Decoder& in, const Program& program) {
  if (const Program::Flat* const flat = program.plain(); flat && !in.fragmented())
    return in.chunk<1>(flat->sizes[in.offset() % 8]) != nullptr;
  return Walk(in, nullptr, nullptr).value(program);
}
bool skip(cdr::Decoder& in, const TypeCode& type) {
  MetValues met;
  return skip(in, type, met);
}
bool transcode(cdr::Decoder& in, cdr::Encoder& out, const TypeCode& type) {
  MetValues met;
  return transcode(in, out, type, met);
}

}  // namespace corbel::types
