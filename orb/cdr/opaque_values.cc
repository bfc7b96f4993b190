// Values that nobody here understands, copied from one message to another.
#include "orb/cdr/values.h"

namespace corbel::cdr {
namespace {

class Copy {
 public:
  Copy(Decoder& in, Encoder& out, std::map<const char*, std::size_t>& tags)
      : in_(in), out_(out), from_(values_of(in)), to_(values_of(out)), tags_(tags) {}

  // `outermost`: it has an end tag of its own, whatever that of the source ends.
  bool value(const ValueHeader& h, bool outermost) {
    if (!to_.begin_opaque(h, ((in_.offset() + 3) / 4 * 4 + 4) % 8)) return in_.fail();
    tags_.emplace(h.at, to_.tag());
    if (const void* const identity = from_.identity(h.at)) to_.remember(identity, to_.tag());
    if (!from_.begin_state(h)) return false;
    for (;;) {
      ValueHeader inner;
      switch (from_.next_part(inner)) {
        case ValueInput::Part::Malformed:
          return false;
        case ValueInput::Part::Octets:
          if (!chunk()) return in_.fail();
          break;
        case ValueInput::Part::Null:
          to_.null();
          break;
        case ValueInput::Part::Value:
          if (!nested(inner)) return false;
          break;
        case ValueInput::Part::End:
          if (outermost || !from_.ends_several()) to_.end();
          else to_.end_with_outer();
          return from_.end_state(h);
      }
    }
  }

 private:
  bool chunk() {
    const char* const from = in_.position();
    const auto size = static_cast<std::size_t>(in_.chunk_end() - from);
    const std::size_t phase = in_.offset() % 8;
    if (!to_.next_chunk(phase) || !in_.chunk<1>(size)) return false;
    if ((phase + size) % 8 != in_.offset() % 8)
      return false;  // aligned anew inside, behind a fragment's border
    out_.run<1>(from, size);
    return true;
  }
  // As it stands, too, whatever it is known as elsewhere: octets around it may refer to it, and to what
  // stands behind it.
  bool nested(ValueHeader& h) {
    if (!from_.read_header(h) || !from_.may_spell(h)) return false;
    from_.met(h);
    return (h.chunked() && value(h, false)) || in_.fail();
  }

  Decoder& in_;
  Encoder& out_;
  ValueInput& from_;
  ValueOutput& to_;
  std::map<const char*, std::size_t>& tags_;
};

}  // namespace

bool copy_opaque(Decoder& in, Encoder& out, const ValueHeader& header,
                 std::map<const char*, std::size_t>& tags) {
  return Copy(in, out, tags).value(header, true);
}

}  // namespace corbel::cdr
