// The scope within which values are shared: all arguments or all results of a call. Costs nothing where there
// are none. For generated code.
#pragma once

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

namespace CORBA {
class ValueBase;
}

namespace corbel::cpp {

// A box that may be read where any value may stand: it needs no factory.
struct KnownBox {
  const char* id;
  CORBA::ValueBase* (*make)();
};

// For as long as one stands, what is written to or read from the stream shares its values. Without effect
// where another one stands already.
class [[gnu::visibility("default")]] WrittenValues {
 public:
  explicit WrittenValues(cdr::Encoder& out) : out_(out), outermost_(!out.values()) {
    if (outermost_) out.set_values(this);
  }
  ~WrittenValues() {
    if (outermost_) out_.set_values(nullptr);
    if (writer_) finish();
  }
  WrittenValues(const WrittenValues&) = delete;
  WrittenValues& operator=(const WrittenValues&) = delete;
  // Made when it is first asked for.
  class ValueWriter& writer();

 private:
  void finish();
  cdr::Encoder& out_;
  const bool outermost_;
  class ValueWriter* writer_ = nullptr;
};

class [[gnu::visibility("default")]] ReadValues {
 public:
  explicit ReadValues(cdr::Decoder& in) : in_(in), outermost_(!in.values()) {
    void* self = this;
    __asm__("" : "+r"(self));  // GCC 12 does not see that done() takes it back, and warns users of it
    if (outermost_) in.set_values(self);
  }
  // `boxes` must outlive it.
  ReadValues(cdr::Decoder& in, const KnownBox* boxes, std::size_t count) : ReadValues(in) {
    boxes_ = boxes;
    box_count_ = count;
  }
  template <std::size_t N>
  ReadValues(cdr::Decoder& in, const KnownBox (&boxes)[N]) : ReadValues(in, boxes, N) {}
  ~ReadValues() { done(); }
  // Everything has been read. What was read in vain is freed, circles too.
  void done() {
    if (outermost_) in_.set_values(nullptr);
    if (reader_) finish();
  }
  ReadValues(const ReadValues&) = delete;
  ReadValues& operator=(const ReadValues&) = delete;
  class ValueReader& reader();
  const KnownBox* find_box(const char* id) const;

 private:
  void finish();
  cdr::Decoder& in_;
  const bool outermost_;
  const KnownBox* boxes_ = nullptr;
  std::size_t box_count_ = 0;
  class ValueReader* reader_ = nullptr;
};

}  // namespace corbel::cpp
