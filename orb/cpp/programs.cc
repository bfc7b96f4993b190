// The interpreter of marshal programs.
#include <corbel/base/copy.h>
#include <corbel/cpp/programs.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <new>

#include "orb/cpp/programs_file.h"
#include "orb/cpp/string_memory.h"

namespace corbel::cpp::programs {
namespace {

// Any sequence, however its elements are treated.
struct [[gnu::may_alias]] Sequence {
  CORBA::ULong maximum, length;
  char* buffer;
  bool release, taken;
};
static_assert(sizeof(Sequence) == sizeof(UnboundedSequence<CORBA::Octet>));

template <typename T>
T& at(void* memory) {
  return *static_cast<T*>(memory);
}

// ---- structures of fixed layout

// A view of a Flat's program: what is not asked for costs nothing.
class Layout {
 public:
  explicit Layout(Place program) : p_(program) {}
  std::uint32_t size() const { return w(p_ + 2); }
  bool is_aligned(std::uintptr_t place) const { return (place & p_[4]) == 0; }
  bool reads_whole() const { return (p_[5] & Read) != 0; }
  std::uint32_t least() const { return w(p_ + 6); }
  std::uint32_t booleans() const { return p_[8]; }
  Place mask() const { return has_gaps() ? list() + 2 * booleans() : nullptr; }
  Place steps() const { return list() + 2 * booleans() + (has_gaps() ? size() + 16 : 0); }
  // Shifted: it begins behind a multiple of 4 that is none of 8, which its alignment is.
  bool shifts(std::size_t offset) const { return p_[4] == 7 && (offset & 7) == 4; }
  std::uint32_t split() const { return w(p_ + 9) / 2; }
  std::int32_t moved() const { return w(p_ + 9) % 2 != 0 ? 4 : -4; }
  // Whether a structure in a message has nothing but 0 and 1 where it has booleans.
  bool is_valid(const char* octets, bool shifted = false) const {
    const Place end = list() + 2 * booleans();
    for (Place i = list(); i != end; i += 2) {
      const std::uint32_t at = w(i);
      if (static_cast<unsigned char>(octets[shifted && at >= split() ? at + moved() : at]) > 1) return false;
    }
    return true;
  }

 private:
  bool has_gaps() const { return (p_[5] & Gaps) != 0; }
  Place list() const { return p_ + 11; }
  Place p_;
};

// Copies one structure, or a part of one, its gaps zeroed. Those with gaps are small, and memcpy would take
// longer; their last octets may be copied twice.
[[gnu::noinline]] void copy_small(char* to, const char* from, std::uint32_t size, Place mask) {
  const auto part = [&](auto octets, std::size_t at) {
    decltype(octets) kept;
    std::memcpy(&octets, from + at, sizeof octets);
    std::memcpy(&kept, mask + at, sizeof kept);
    octets &= kept;
    std::memcpy(to + at, &octets, sizeof octets);
  };
  typedef unsigned char Vector [[gnu::vector_size(16)]];
  if (size >= sizeof(Vector)) {
    const std::uint32_t last = size - sizeof(Vector);
    part(Vector{}, 0);
    for (std::uint32_t at = sizeof(Vector); at < last; at += sizeof(Vector)) part(Vector{}, at);
    part(Vector{}, last);
  } else if (size >= 8) {
    part(std::uint64_t{}, 0), part(std::uint64_t{}, size - 8);
  } else {
    for (std::uint32_t at = 0; at < size; at += 2) part(std::uint16_t{}, at);
  }
}

// A shifted structure; `out` and `in` say by how much its second part stands elsewhere. Both parts are whole
// words.
inline void copy_shifted(char* to, const char* from, Layout layout, std::int32_t out, std::int32_t in) {
  const std::uint32_t head = layout.split(), size = layout.size();
  const Place mask = layout.mask();
  if (out > 0) std::memset(to + head, 0, 4);
  if (!mask) {
    std::memcpy(to, from, head);
    std::memcpy(to + head + out, from + head + in, size - head);
    return;
  }
  for (std::uint32_t at = 0; at != size; at += 8) {
    if (at == head) to += out, from += in;
    std::uint64_t octets, kept;
    std::memcpy(&octets, from + at, sizeof octets);
    std::memcpy(&kept, mask + at, sizeof kept);
    octets &= kept;
    std::memcpy(to + at, &octets, sizeof octets);
  }
}

// By the number of vectors after which a mask repeats; structures that need more are copied one by one.
constexpr std::uint32_t kFewest = 3, kMost = 5;
constexpr void (*kCopyMasked[])(char*, const char*, std::size_t, const char*, std::size_t) = {
    copy_masked<kFewest>, copy_masked<4>, copy_masked<kMost>};

// Copies whole structures, their gaps zeroed; many of them through a mask, see store_structs().
void copy_whole(char* to, const char* from, std::size_t count, Layout layout) {
  const std::uint32_t size = layout.size();
  const Place zeros = layout.mask();
  if (!zeros) {
    base::copy(to, from, count * size);
    return;
  }
  const std::uint32_t least = size >> std::min(std::countr_zero(size), 4),
                      vectors = least < kFewest ? 4 : least;
  if (vectors > kMost || count * size < 192) {
    for (; count != 0; --count, to += size, from += size) copy_small(to, from, size, zeros);
    return;
  }
  const char* const mask = reinterpret_cast<const char*>(zeros);
  kCopyMasked[vectors - kFewest](to, from, count * size, mask, size);
}

// ---- unions

struct Choice {
  explicit Choice(Place program)
      : type(w(program + 2)),
        octets(program[4]),
        count(w(program + 5)),
        otherwise(w(program + 7)),
        labels(program + 9),
        discriminator(labels + (octets + 2) * count) {}
  // The steps of the member that a label stands for, null if there is none.
  Place member(const char* label, Around around) const {
    const std::uint64_t wanted = number(label, false);
    std::uint32_t first = 0, end = count;
    while (first != end) {
      const std::uint32_t middle = (first + end) / 2;
      const std::uint64_t here =
          number(reinterpret_cast<const char*>(labels + octets * middle), !cdr::kHostIsLittleEndian);
      if (here == wanted) return around.program(w(labels + octets * count + 2 * middle)) + 2;
      if (here < wanted) first = middle + 1;
      else end = middle;
    }
    return otherwise == kNoMember ? nullptr : around.program(otherwise) + 2;
  }
  std::uint64_t number(const char* label, bool swap) const {
    switch (octets) {
      case 1:
        return cdr::load<std::uint8_t>(label, swap);
      case 2:
        return cdr::load<std::uint16_t>(label, swap);
      case 4:
        return cdr::load<std::uint32_t>(label, swap);
      default:
        return cdr::load<std::uint64_t>(label, swap);
    }
  }
  std::uint32_t type, octets, count, otherwise;
  Place labels, discriminator;
};

// ---- writing

// Passed by value, in registers.
class Writer {
 public:
  Writer(cdr::Encoder& out, Around around) : out_(out), around_(around) {}

  // `count` times, for elements of `size` octets, the first of which is `own`.
  void steps(Place p, const char* own, std::size_t count = 1, std::size_t size = 0) const {
    loop(*this, p, own, count, size);
  }

  // ---- single steps; `p` stands behind them
  void numbers(const char* value, std::size_t size) const {
    const auto& s = *reinterpret_cast<const Sequence*>(value);
    out_.put_run(s.buffer, s.length, size);
  }
  void texts(const Sequence& s, std::uint32_t bound) const {
    out_.put<std::uint32_t>(s.length);
    const auto* const end = reinterpret_cast<const char* const*>(s.buffer) + s.length;
    for (const char* const* each = end - s.length; each != end; ++each)
      if (bound == 0) out_.put_string(*each);
      else out_.put_string(*each, bound);
  }
  void many(const char* value, Place p) const {
    const auto& s = *reinterpret_cast<const Sequence*>(value);
    out_.put<std::uint32_t>(s.length);
    each(s.buffer, s.length, w(p + 6), w(p + 8));
  }
  static void one_flat(cdr::Encoder& out, Around around, const char* value, Layout layout) {
    if (!layout.is_aligned(out.offset()) || out.converts_chars()) [[unlikely]]
      return unaligned(Writer(out, around), value, layout);
    const std::uint32_t size = layout.size();
    char* const to = out.chunk<1>(size);
    if (const Place mask = layout.mask()) copy_small(to, value, size, mask);
    else std::memcpy(to, value, size);
  }
  void flats(const char* value, Layout layout) const {
    const auto& s = *reinterpret_cast<const Sequence*>(value);
    out_.put<std::uint32_t>(s.length);
    flat(s.buffer, s.length, layout);
  }

 private:
  [[gnu::noinline]] static void loop(Writer self, Place p, const char* own, std::size_t count,
                                     std::size_t size) {
    const Place first = p;
    const char* base = own;
    cdr::Encoder& out = self.out_;
    for (;;) {
      const Step step = static_cast<Step>(*p++);
      // Beside the switch, whose jump is foreseen the better the fewer steps an element has there.
      if (step == End) {
        if (--count == 0) return;
        p = first;
        base = own += size;
        continue;
      }
      const char* value = base + w(p);
      base = own;
      switch (step) {
        case Base:
          base = led(value);
          p += 2;
          continue;
        case Led1:
          value = led(value);
          [[fallthrough]];
        case Number1:
          out.put(cdr::load<std::uint8_t>(value, false));
          p += 2;
          continue;
        case Led2:
          value = led(value);
          [[fallthrough]];
        case Number2:
          out.put(cdr::load<std::uint16_t>(value, false));
          p += 2;
          continue;
        case Led4:
          value = led(value);
          [[fallthrough]];
        case Number4:
          out.put(cdr::load<std::uint32_t>(value, false));
          p += 2;
          continue;
        case Led8:
          value = led(value);
          [[fallthrough]];
        case Number8:
          out.put(cdr::load<std::uint64_t>(value, false));
          p += 2;
          continue;
        case Char:
          out.put_char(*value);
          p += 2;
          continue;
        case Boolean:
          out.put_boolean(*reinterpret_cast<const bool*>(value));
          p += 2;
          continue;
        case Enum:
          out.put(cdr::load<std::uint32_t>(value, false));
          break;
        case Run1:
        case RunBoolean:
          out.run<1>(value, l(p + 2));
          break;
        case Run2:
          out.run<2>(value, std::size_t{2} * l(p + 2));
          break;
        case Run4:
          out.run<4>(value, std::size_t{4} * l(p + 2));
          break;
        case Run8:
          out.run<8>(value, std::size_t{8} * l(p + 2));
          break;
        case RunChar:
          out.run_chars(value, l(p + 2));
          break;
        case Result:
          if (!*reinterpret_cast<const char* const*>(value)) [[unlikely]]
            null_result();
          [[fallthrough]];
        case Text:
        case Pointer:
        case View:
          self.text(*reinterpret_cast<const char* const*>(value), l(p + 2));
          break;
        case Text4:
          self.text(*reinterpret_cast<const char* const*>(value), l(p + 2));
          out.put(cdr::load<std::uint32_t>(own + w(p + 6), false));
          p += 8;
          continue;
        case Text8:
          self.text(*reinterpret_cast<const char* const*>(value), l(p + 2));
          out.put(cdr::load<std::uint64_t>(own + w(p + 6), false));
          p += 8;
          continue;
        case Numbers1:
        case Booleans:
        case Views1:
          self.numbers(value, 1);
          break;
        case Numbers2:
        case Views2:
          self.numbers(value, 2);
          break;
        case Numbers4:
        case Views4:
          self.numbers(value, 4);
          break;
        case Numbers8:
        case Views8:
          self.numbers(value, 8);
          break;
        case Chars:
        case ViewsChar: {
          const auto& s = *reinterpret_cast<const Sequence*>(value);
          out.put_chars(s.buffer, s.length);
          break;
        }
        case Texts:
          self.texts(*reinterpret_cast<const Sequence*>(value), l(p + 6));
          p += 10;
          continue;
        case LedFlat:
          value = led(value);
          [[fallthrough]];
        case Flat:
          one_flat(out, self.around_, value, Layout(self.around_.program(w(p + 2))));
          p += 4;
          continue;
        case Flats:
        case FlatViews:
          self.flats(value, Layout(self.around_.program(w(p + 6))));
          p += 8;
          continue;
        case Many:
          self.many(value, p);
          p += 14;
          continue;
        case Array:
          self.each(value, l(p + 2), w(p + 6), w(p + 8));
          p += 10;
          continue;
        case FlatArray:
          self.flat(value, l(p + 2), Layout(self.around_.program(w(p + 6))));
          p += 8;
          continue;
        case Branch: {
          const char* const s = *reinterpret_cast<const char* const*>(value);
          self.text(s ? s : "", l(p + 2));
          break;
        }
        case Union:
          self.choose(value, self.around_.program(w(p + 2)));
          p += 4;
          continue;
        case Inside:
        case Again:
          self.steps(self.around_.program(w(p + 2)) + 2, value);
          p += 4;
          continue;
        case Typed:
          self.around_.type(w(p + 2)).put(out, value);
          p += 4;
          continue;
        case Scope:
          return scope(self, p, own);
        default:
          __builtin_unreachable();
      }
      p += 6;
    }
  }

  [[gnu::noinline]] static void scope(Writer self, Place p, const char* own) {
    const Rest rest{&self, p + 2, const_cast<char*>(own)};
    self.around_.type(w(p)).put(self.out_, &rest);
  }

  static const char* led(const char* value) {
    const char* const result = *reinterpret_cast<const char* const*>(value);
    if (!result) [[unlikely]]
      null_result();
    return result;
  }

  void text(const char* s, std::uint32_t bound) const {
    if (!s || bound != 0 || out_.converts()) [[unlikely]]
      return out_.put_string(s, bound);
    if (!out_.put_plain_string(s, std::strlen(s))) [[unlikely]]
      out_.put_string(s);
  }

  void each(const char* elements, std::size_t count, std::uint32_t program, std::size_t size) const {
    if (count != 0) steps(around_.program(program) + 2, elements, count, size);
  }

  void choose(const char* value, Place program) const {
    const Choice choice(program);
    steps(choice.discriminator, value);
    if (const Place member = choice.member(value, around_)) steps(member, value);
  }

  // One that begins anywhere, or with chars that are converted.
  [[gnu::noinline]] static void unaligned(Writer self, const char* value, Layout layout) {
    cdr::Encoder& out = self.out_;
    if (!layout.shifts(out.offset()) || out.converts_chars()) return self.steps(layout.steps(), value);
    copy_shifted(out.chunk<1>(layout.size() + layout.moved()), value, layout, layout.moved(), 0);
  }

  // The first one may begin at any alignment; the others follow as they stand in memory.
  void flat(const char* values, std::size_t count, Layout layout) const {
    flat(*this, values, count, layout);
  }
  [[gnu::noinline]] static void flat(Writer self, const char* values, std::size_t count, Layout layout) {
    cdr::Encoder& out = self.out_;
    const bool whole = !out.converts_chars();
    const std::uint32_t size = layout.size();
    while (count != 0) {
      if (whole && layout.is_aligned(out.offset())) {
        // In pieces, which may leave one by one where the message is large.
        std::size_t now = count;
        if (now * size > kStructsAtOnce) now = kStructsAtOnce / size;
        char* const to = out.chunk<1>(now * size);
        if (out.error()) return;
        copy_whole(to, values, now, layout);
        values += now * size;
        count -= now;
        continue;
      }
      unaligned(self, values, layout);
      values += size;
      --count;
    }
  }

  cdr::Encoder& out_;
  const Around around_;
};

// ---- reading

// What a reply has made so far, which nobody owns yet.
class Made {
 public:
  static constexpr std::uint32_t kMost = 16;
  ~Made() {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const One& one = made_[i];
      if (!one.type) CORBA::string_free(static_cast<char*>(one.value));
      else if (one.value) free_made(*one.type, one.value);
    }
  }
  // Without a type, a string.
  void*& add(Word* word, void* value, const Type* type) {
    made_[count_] = {word, value, type};
    return made_[count_++].value;
  }
  void give(const Word* words) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const One& one = made_[i];
      if (one.word == words) *one.word = reinterpret_cast<Word>(one.value);
      else *reinterpret_cast<void**>(*one.word) = one.value;
    }
    count_ = 0;
  }

 private:
  struct One {
    Word* word;
    void* value;
    const Type* type;
  };
  One made_[kMost];
  std::uint32_t count_ = 0;
};

template <typename T>
[[gnu::noinline]] bool get_numbers(cdr::Decoder& in, void* value, std::uint32_t bound) {
  std::uint32_t n;
  return in.get_length(n, sizeof(T), bound) && get_run(in, at<UnboundedSequence<T>>(value), n);
}

class Reader {
 public:
  Reader(cdr::Decoder& in, Around around, Made* made = nullptr) : in_(in), around_(around), made_(made) {}

  // As Writer::steps().
  bool steps(Place p, char* own, std::size_t count = 1, std::size_t size = 0) {
    const Place first = p;
    char* base = own;
    for (;;) {
      const Step step = static_cast<Step>(*p++);
      char* value = base + w(p);
      base = own;
      bool ok;
      switch (step) {
        case End:
          if (--count == 0) return true;
          p = first;
          base = own += size;
          continue;
        case Base:
          base = at<char*>(value);
          p += 2;
          continue;
        case Led1:
          value = at<char*>(value);
          [[fallthrough]];
        case Number1:
          if (!number<std::uint8_t>(value)) return false;
          p += 2;
          continue;
        case Led2:
          value = at<char*>(value);
          [[fallthrough]];
        case Number2:
          if (!number<std::uint16_t>(value)) return false;
          p += 2;
          continue;
        case Led4:
          value = at<char*>(value);
          [[fallthrough]];
        case Number4:
          if (!number<std::uint32_t>(value)) return false;
          p += 2;
          continue;
        case Led8:
          value = at<char*>(value);
          [[fallthrough]];
        case Number8:
          if (!number<std::uint64_t>(value)) return false;
          p += 2;
          continue;
        case Char:
          if (!in_.get_char(*value)) return false;
          p += 2;
          continue;
        case Boolean:
          if (!in_.get_boolean(at<bool>(value))) return false;
          p += 2;
          continue;
        case Enum: {
          std::uint32_t ordinal;
          ok = in_.get_enum(ordinal, l(p + 2));
          if (ok) cdr::store(value, ordinal);
          break;
        }
        case Run1:
          ok = in_.get_run(reinterpret_cast<std::uint8_t*>(value), l(p + 2));
          break;
        case Run2:
          ok = in_.get_run(reinterpret_cast<std::uint16_t*>(value), l(p + 2));
          break;
        case Run4:
          ok = in_.get_run(reinterpret_cast<std::uint32_t*>(value), l(p + 2));
          break;
        case Run8:
          ok = in_.get_run(reinterpret_cast<std::uint64_t*>(value), l(p + 2));
          break;
        case RunChar:
          ok = in_.get_chars(value, l(p + 2));
          break;
        case RunBoolean:
          ok = in_.get_boolean_run(reinterpret_cast<bool*>(value), l(p + 2));
          break;
        case Text:
          ok = text(at<StringMember>(value), l(p + 2));
          break;
        case Text4:
        case Text8: {
          char* const number = own + w(p + 6);
          if (!text(at<StringMember>(value), l(p + 2)) ||
              !(step == Text4 ? this->number<std::uint32_t>(number) : this->number<std::uint64_t>(number)))
            return false;
          p += 8;
          continue;
        }
        case Pointer:
        case Branch:
          ok = text(at<char*>(value), l(p + 2));
          break;
        case View: {
          const cdr::Decoder::Text text = in_.get_text(l(p + 2));
          at<const char*>(value) = text.data;
          ok = text.data != nullptr;
          break;
        }
        case Numbers1:
          ok = get_numbers<CORBA::Octet>(in_, value, l(p + 2));
          break;
        case Numbers2:
          ok = get_numbers<CORBA::UShort>(in_, value, l(p + 2));
          break;
        case Numbers4:
          ok = get_numbers<CORBA::ULong>(in_, value, l(p + 2));
          break;
        case Numbers8:
          ok = get_numbers<CORBA::ULongLong>(in_, value, l(p + 2));
          break;
        case Chars:
          ok = chars(value, l(p + 2));
          break;
        case Booleans:
          ok = booleans(value, l(p + 2));
          break;
        case Views1:
          ok = views<std::uint8_t>(value, l(p + 2));
          break;
        case Views2:
          ok = views<std::uint16_t>(value, l(p + 2));
          break;
        case Views4:
          ok = views<std::uint32_t>(value, l(p + 2));
          break;
        case Views8:
          ok = views<std::uint64_t>(value, l(p + 2));
          break;
        case ViewsChar: {
          std::uint32_t n;
          ok = in_.get_length(n, 1, l(p + 2)) && view(value, n, in_.get_flat_chars(n));
          break;
        }
        case Texts:
          if (!texts(value, l(p + 2), l(p + 6))) return false;
          p += 10;
          continue;
        case LedFlat:
          value = at<char*>(value);
          [[fallthrough]];
        case Flat:
          if (!one_flat(in_, around_, value, Layout(around_.program(w(p + 2))))) return false;
          p += 4;
          continue;
        case Flats:
          if (!flats(value, l(p + 2), Layout(around_.program(w(p + 6))))) return false;
          p += 8;
          continue;
        case FlatViews:
          if (!flat_views(value, l(p + 2), Layout(around_.program(w(p + 6))))) return false;
          p += 8;
          continue;
        case Many:
          if (!many(value, p)) return false;
          p += 14;
          continue;
        case Array:
          if (!each(value, l(p + 2), w(p + 6), w(p + 8))) return false;
          p += 10;
          continue;
        case FlatArray:
          if (!flat(value, l(p + 2), Layout(around_.program(w(p + 6))))) return false;
          p += 8;
          continue;
        case Union:
          if (!choose(value, around_.program(w(p + 2)))) return false;
          p += 4;
          continue;
        case Inside:
          if (!steps(around_.program(w(p + 2)) + 2, value)) return false;
          p += 4;
          continue;
        case Again:
          if (!again(value, w(p + 2))) return false;
          p += 4;
          continue;
        case Typed:
          if (!around_.type(w(p + 2)).get(in_, value)) return false;
          p += 4;
          continue;
        case Scope:
          return scope(p, own);
        case MakeText: {
          char* made = nullptr;
          ok = text(made, l(p + 2));
          if (ok) made_->add(word(own, p), made, nullptr);
          break;
        }
        case Make: {
          const Type& type = around_.type(w(p + 2));
          base = static_cast<char*>(type.size != 0 ? type.construct(nullptr) : type.allocate(1));
          made_->add(word(own, p), base, &type);
          p += 4;
          continue;
        }
        case MakeTyped: {
          const Type& type = around_.type(w(p + 2));
          if (!type.get(in_, &made_->add(word(own, p), nullptr, &type))) return false;
          p += 4;
          continue;
        }
        default:
          __builtin_unreachable();
      }
      if (!ok) return false;
      p += 6;
    }
  }

  // ---- single steps; `p` stands behind them
  bool texts(char* value, std::uint32_t bound, std::uint32_t bound_of_each) {
    std::uint32_t n;
    if (!in_.get_length(n, 4, bound)) return false;
    char** const each = at<UnboundedStringSequence>(value)._corbel_overwrite(n);
    if (bound_of_each != 0) [[unlikely]] {
      for (std::uint32_t i = 0; i < n; ++i)
        if (!get_string(in_, each[i], bound_of_each)) return false;
      return true;
    }
    for (char **one = each, **const end = each + n; one != end; ++one)
      if (!text(*one, 0)) return false;
    return true;
  }
  bool many(char* value, Place p) {
    std::uint32_t n;
    if (!in_.get_length(n, w(p + 10), l(p + 2))) return false;
    auto& s = at<Sequence>(value);
    if (n != s.length || !s.release || !s.buffer) {  // else they are read over what was there
      const Type& type = around_.type(w(p + 12));
      char* const elements = static_cast<char*>(type.allocate(n));
      type.destruct(value, false);
      s = {n, n, elements, true, false};
    }
    return each(s.buffer, n, w(p + 6), w(p + 8));
  }
  bool chars(char* value, std::uint32_t bound) {
    std::uint32_t n;
    return in_.get_length(n, 1, bound) &&
           in_.get_chars(at<UnboundedSequence<CORBA::Char>>(value)._corbel_overwrite(n), n);
  }
  [[gnu::noinline]] bool flats(char* value, std::uint32_t bound, Layout layout) {
    std::uint32_t n;
    if (!in_.get_length(n, layout.least(), bound)) return false;
    auto& s = at<Sequence>(value);
    if (n > s.maximum || !s.release || !s.buffer) {
      char* const fresh = static_cast<char*>(::operator new[](std::size_t{n} * layout.size()));
      if (s.release) ::operator delete[](s.buffer);
      s = {n, n, fresh, true, false};
    }
    s.length = n;
    return flat(s.buffer, n, layout);
  }
  static bool one_flat(cdr::Decoder& in, Around around, char* value, Layout layout) {
    if (!layout.reads_whole() || !layout.is_aligned(in.offset()) || in.swap() || in.converts_chars() ||
        in.fragmented()) [[unlikely]]
      return Reader(in, around).unaligned(value, layout);
    const std::uint32_t size = layout.size();
    const char* const from = in.chunk<1>(size);
    if (!from) return false;
    if (!layout.is_valid(from)) return in.fail();
    if (const Place mask = layout.mask()) copy_small(value, from, size, mask);
    else std::memcpy(value, from, size);
    return true;
  }

 private:
  static Word* word(char* own, Place p) { return reinterpret_cast<Word*>(own) + w(p); }

  // As get_string(), without calls where the string is a plain one.
  bool text(char*& result, std::uint32_t bound) {
    cdr::Decoder::Text text;
    if (bound != 0 || !in_.get_plain_text(text)) [[unlikely]]
      return get_string(in_, result, bound);
    char* const copy = string_memory::allocate(text.length + std::size_t{1});
    if (!copy) return in_.fail();
    std::memcpy(copy, text.data, text.length + std::size_t{1});
    if (result) string_memory::release(result);
    result = copy;
    return true;
  }
  bool text(StringMember& result, std::uint32_t bound) {
    cdr::Decoder::Text text;
    if (bound != 0 || !in_.get_plain_text(text)) [[unlikely]]
      return get_string(in_, result, bound);
    return result._corbel_assign(text.data, text.length) || in_.fail();
  }
  template <typename T>
  bool number(char* value) {
    T n;
    if (!in_.get(n)) return false;
    cdr::store(value, n);
    return true;
  }

  bool booleans(char* value, std::uint32_t bound) {
    std::uint32_t n;
    return in_.get_length(n, 1, bound) &&
           in_.get_boolean_run(at<UnboundedSequence<CORBA::Boolean>>(value)._corbel_overwrite(n), n);
  }

  // The frame's sequence is empty, and its elements go with the request.
  static bool view(char* value, std::uint32_t count, void* elements) {
    at<Sequence>(value) = {count, count, static_cast<char*>(elements), false, false};
    return elements != nullptr;
  }
  template <typename T>
  bool views(char* value, std::uint32_t bound) {
    std::uint32_t n;
    return in_.get_length(n, sizeof(T), bound) && view(value, n, in_.get_flat<T>(n));
  }

  // The discriminator is read before the member that was there goes.
  bool choose(char* value, Place program) {
    const Choice choice(program);
    alignas(8) char label[8];
    if (!steps(choice.discriminator, label)) return false;
    around_.type(choice.type).choose(value, label);
    const Place member = choice.member(label, around_);
    return !member || steps(member, value);
  }
  [[gnu::noinline]] bool scope(Place p, char* own) {
    Rest rest{this, p + 2, own};
    return around_.type(w(p)).get(in_, &rest);
  }
  bool again(char* value, std::uint32_t program) {
    const Place p = around_.program(program);
    if (!in_.enter()) return false;
    if (!steps(p + 2, value)) return false;
    in_.leave();
    return true;
  }
  bool each(char* elements, std::size_t count, std::uint32_t program, std::size_t size) {
    return count == 0 || steps(around_.program(program) + 2, elements, count, size);
  }

  [[gnu::noinline]] bool flat(char* values, std::size_t count, Layout layout) {
    const bool whole = layout.reads_whole() && !in_.fragmented() && !in_.converts_chars();
    const std::uint32_t size = layout.size();
    for (; count != 0; --count, values += size) {
      if (whole && layout.is_aligned(in_.offset()) &&
          (!in_.swap() || (count > cdr::kFewStructs && layout.booleans() == 0))) {
        const char* const from = in_.chunk<1>(count * size);
        if (!from) return false;
        if (in_.swap()) return swap_flat(values, from, count, layout) || in_.fail();
        if (layout.booleans() != 0)
          for (std::size_t i = 0; i < count; ++i)
            if (!layout.is_valid(from + i * size)) return in_.fail();
        base::copy(values, from, count * size);
        return true;
      }
      if (!unaligned(values, layout)) return false;
    }
    return true;
  }
  [[gnu::noinline]] bool unaligned(char* value, Layout layout) {
    if (!layout.reads_whole() || !layout.shifts(in_.offset()) || in_.swap() || in_.converts_chars() ||
        in_.fragmented())
      return steps(layout.steps(), value);
    const char* const from = in_.chunk<1>(layout.size() + layout.moved());
    if (!from) return false;
    if (!layout.is_valid(from, true)) return in_.fail();
    copy_shifted(value, from, layout, 0, layout.moved());
    return true;
  }
  bool swap_flat(char* values, const char* from, std::size_t count, Layout layout) const {
    struct Steps {
      Around around;
      Place place;
    } const one{around_, layout.steps()};
    return cdr::swap_structs(
        values, from, count, layout.size(),
        [](cdr::Decoder& in, void* to, const void* context) {
          const auto& its = *static_cast<const Steps*>(context);
          return Reader(in, its.around).steps(its.place, static_cast<char*>(to));
        },
        &one);
  }
  // See get_struct_view().
  [[gnu::noinline]] bool flat_views(char* value, std::uint32_t bound, Layout layout) {
    const std::uint32_t size = layout.size();
    std::uint32_t n;
    if (!in_.get_length(n, layout.least(), bound)) return false;
    const cdr::Decoder start = in_;
    alignas(16) char first[256];
    if (n != 0 && size <= sizeof first && layout.reads_whole() && !in_.swap() && in_.writable() &&
        !in_.fragmented() && !in_.converts_chars()) {
      const char* const begin = in_.position() - sizeof(std::uint32_t);
      if (!unaligned(first, layout)) return false;
      const char* const second = in_.position();
      if (layout.is_aligned(in_.offset()) && layout.is_aligned(reinterpret_cast<std::uintptr_t>(second)) &&
          static_cast<std::size_t>(second - begin) >= size && in_.chunk<1>((n - std::size_t{1}) * size)) {
        char* const array = const_cast<char*>(second) - size;
        std::memcpy(array, first, size);
        return view(value, n, array);
      }
      in_ = start;
    }
    char* const values = static_cast<char*>(in_.scratch(std::size_t{n} * size));
    if (!values) return in_.fail();
    return flat(values, n, layout) && view(value, n, values);
  }

  cdr::Decoder& in_;
  const Around around_;
  Made* const made_;
};

// ---- stubs

Word run(CORBA::Object* target, Word* words, Place p) {
  if (!target) [[unlikely]]
    raise_nil();
  const Around around = programs::around(p);
  const std::uint32_t length = w(p + 8);
  const bool numbered = (p[2] & Numbered) != 0;
  const Place behind_name = p + 11 + length, request = behind_name + (numbered ? 2 : 0);
  const Operation operation{
      {reinterpret_cast<const char*>(p + 10), length, (p[2] & Oneway) != 0, (p[2] & Streams) != 0,
       numbered ? static_cast<std::uint16_t>(w(behind_name)) : std::uint16_t{0}},
      static_cast<const RaisesEntry*>(around.file().raises) + w(p + 4),
      p[3]};
  Call call(*target, operation);
  if (operation.streams) {
    do {
      Writer(call.arguments(), around).steps(request, reinterpret_cast<const char*>(words));
    } while (!call.sent());
  } else {
    if (*request != End)
      Writer(call.arguments(), around).steps(request, reinterpret_cast<const char*>(words));
    call.invoke();
  }
  const Place reply = around.program(w(p + 6));
  if (*reply == End) return 0;
  Made made;
  if (!Reader(call.results(), around, &made).steps(reply, reinterpret_cast<char*>(words))) [[unlikely]]
    call.bad_results();
  made.give(words);
  return words[0];
}

}  // namespace

void write(cdr::Encoder& out, const void* value, Around around, Place steps) {
  Writer(out, around).steps(steps, static_cast<const char*>(value));
}

bool read(cdr::Decoder& in, void* value, Around around, Place steps) {
  return Reader(in, around).steps(steps, static_cast<char*>(value));
}

void write(const Rest& rest) { static_cast<const Writer*>(rest.interpreter)->steps(rest.steps, rest.own); }
bool read(const Rest& rest) { return static_cast<Reader*>(rest.interpreter)->steps(rest.steps, rest.own); }

void encode(cdr::Encoder& out, const void* value, const unsigned char* program) {
  write(out, value, around(program), program + 2);
}
bool decode(cdr::Decoder& in, void* value, const unsigned char* program) {
  return read(in, value, around(program), program + 2);
}

// Behind its place a program of one step has the step, `at` and the other operands.
void encode_numbers(cdr::Encoder& out, const void* value, const unsigned char* program) {
  Writer(out, {}).numbers(static_cast<const char*>(value), std::size_t{1} << (program[2] - Numbers1));
}
bool decode_numbers(cdr::Decoder& in, void* value, const unsigned char* program) {
  static constexpr bool (*kNumbers[])(cdr::Decoder&, void*, std::uint32_t) = {
      get_numbers<CORBA::Octet>, get_numbers<CORBA::UShort>, get_numbers<CORBA::ULong>,
      get_numbers<CORBA::ULongLong>};
  return kNumbers[program[2] - Numbers1](in, value, l(program + 5));
}
void encode_chars(cdr::Encoder& out, const void* value, const unsigned char*) {
  const auto& s = *static_cast<const Sequence*>(value);
  out.put_chars(s.buffer, s.length);
}
bool decode_chars(cdr::Decoder& in, void* value, const unsigned char* program) {
  return Reader(in, {}).chars(static_cast<char*>(value), l(program + 5));
}
void encode_texts(cdr::Encoder& out, const void* value, const unsigned char* program) {
  Writer(out, {}).texts(*static_cast<const Sequence*>(value), l(program + 9));
}
bool decode_texts(cdr::Decoder& in, void* value, const unsigned char* program) {
  return Reader(in, {}).texts(static_cast<char*>(value), l(program + 5), l(program + 9));
}
void encode_flat(cdr::Encoder& out, const void* value, const unsigned char* program) {
  const Around around = programs::around(program);
  Writer::one_flat(out, around, static_cast<const char*>(value), Layout(around.program(w(program + 5))));
}
bool decode_flat(cdr::Decoder& in, void* value, const unsigned char* program) {
  const Around around = programs::around(program);
  return Reader::one_flat(in, around, static_cast<char*>(value), Layout(around.program(w(program + 5))));
}
void encode_flats(cdr::Encoder& out, const void* value, const unsigned char* program) {
  const Around around = programs::around(program);
  Writer(out, around).flats(static_cast<const char*>(value), Layout(around.program(w(program + 9))));
}
bool decode_flats(cdr::Decoder& in, void* value, const unsigned char* program) {
  const Around around = programs::around(program);
  return Reader(in, around)
      .flats(static_cast<char*>(value), l(program + 5), Layout(around.program(w(program + 9))));
}
void encode_many(cdr::Encoder& out, const void* value, const unsigned char* program) {
  Writer(out, around(program)).many(static_cast<const char*>(value), program + 3);
}
bool decode_many(cdr::Decoder& in, void* value, const unsigned char* program) {
  return Reader(in, around(program)).many(static_cast<char*>(value), program + 3);
}

Word call(CORBA::Object* target, const unsigned char* operation) {
  Word words[1];
  return run(target, words, operation);
}
Word call(CORBA::Object* target, Word a, const unsigned char* operation) {
  Word words[2] = {0, a};
  return run(target, words, operation);
}
Word call(CORBA::Object* target, Word a, Word b, const unsigned char* operation) {
  Word words[3] = {0, a, b};
  return run(target, words, operation);
}
Word call(CORBA::Object* target, Word a, Word b, Word c, const unsigned char* operation) {
  Word words[4] = {0, a, b, c};
  return run(target, words, operation);
}
void call_into(void* result, CORBA::Object* target, const unsigned char* operation) {
  Word words[1] = {word(result)};
  run(target, words, operation);
}
void call_into(void* result, CORBA::Object* target, Word a, const unsigned char* operation) {
  Word words[2] = {word(result), a};
  run(target, words, operation);
}
void call_into(void* result, CORBA::Object* target, Word a, Word b, const unsigned char* operation) {
  Word words[3] = {word(result), a, b};
  run(target, words, operation);
}
void call_into(void* result, CORBA::Object* target, Word a, Word b, Word c, const unsigned char* operation) {
  Word words[4] = {word(result), a, b, c};
  run(target, words, operation);
}
Word call(CORBA::Object* target, Word* words, const unsigned char* operation) {
  return run(target, words, operation);
}

}  // namespace corbel::cpp::programs
