// How values are laid out (CORBA 3.4 part 2, "Value Types"): tags, repository ids, indirections, chunks, and
// the places of all that may be referred to again, in one message or encapsulation. Whoever understands the
// state of a value, from its class or from its TypeCode, reads and writes it in between. One thread at a
// time.
#pragma once

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace corbel::cdr {

// Tags: null, indirection, and from kValue on values, with what they say in the low octet.
inline constexpr std::uint32_t kNullTag = 0;
inline constexpr std::uint32_t kIndirectionTag = 0xffffffff;
inline constexpr std::uint32_t kValueTag = 0x7fffff00;
inline constexpr std::uint32_t kCodebase = 1, kOneId = 2, kIds = 6, kChunked = 8;

// Values in values: stops peers that would exhaust the stack.
inline constexpr int kDeepestValues = 2000;

class ValueOutput {
 public:
  explicit ValueOutput(Encoder& out) : out_(out) {}
  ValueOutput(const ValueOutput&) = delete;
  ValueOutput& operator=(const ValueOutput&) = delete;

  void null() { out_.put(kNullTag); }
  // To a value whose tag stands at `offset`.
  void refer(std::size_t offset);
  // A value's tag and ids, most derived first; none: the type is the declared one. The state follows, then
  // end(). Inside of values in chunks all are. False, and the encoder has failed, where values nest too deep.
  bool begin(const std::vector<const char*>& ids, bool chunked);
  void end();
  // As begin() for a value in chunks whose state is going to be copied octet by octet: its first chunk begins
  // at `phase` mod 8. Ids that were written out stay so, to keep distances.
  bool begin_opaque(const struct ValueHeader& header, std::size_t phase);
  // Begins another chunk, at `phase` mod 8; false if that cannot be.
  bool next_chunk(std::size_t phase);
  // Ends a value that the end tag of an outer one ends, too.
  void end_with_outer();
  // Where the tag of the latest begin() stands.
  std::size_t tag() const { return tag_; }
  bool in_chunks() const { return level_ > 0; }

  // The tag of the value that `identity` names, if that has been written.
  const std::size_t* find(const void* identity) const;
  void remember(const void* identity, std::size_t tag) { values_.emplace(identity, tag); }

 protected:
  ~ValueOutput() = default;
  Encoder& out_;
  std::map<const void*, std::size_t> values_;

 private:
  bool enter();
  void enter_state(bool chunked);
  void spell_id(const char* id);
  void write_id(const char* id);
  void open_chunk();
  void close_chunk();

  std::map<std::string, std::size_t> ids_;
  std::vector<char> open_;  // the values around: whether each is in chunks
  std::int32_t level_ = 0;  // how many of them are
  std::size_t tag_ = 0, length_at_ = 0, begin_ = 0;
};

struct ValueHeader {
  const char* at = nullptr;  // where the tag stands
  std::uint32_t tag = 0;
  // Most derived first, each ended by a zero; none: the type is the declared one. Those that were read live
  // as long as the ValueInput, for a list may be meant by indirections in every value.
  std::span<const std::string_view> ids;
  std::vector<char> spelled;  // of each id that stands there: whether it is written out
  // Of a list: how many at its beginning have no class here, as far as somebody has looked; null for no list.
  std::size_t* without_class = nullptr;
  bool null() const { return tag == kNullTag; }
  bool reference() const { return tag == kIndirectionTag; }
  bool chunked() const { return (tag & kChunked) != 0; }
};

class ValueInput {
 public:
  explicit ValueInput(Decoder& in);
  ValueInput(const ValueInput&) = delete;
  ValueInput& operator=(const ValueInput&) = delete;

  // The next tag. Behind it follows target() for a reference; for a value read_header(), begin_state(), the
  // state and end_state(). All give false if malformed.
  bool next(ValueHeader& header);
  bool target(const char*& tag);
  bool read_header(ValueHeader& header);
  bool begin_state(const ValueHeader& header);
  // Steps over what is left of the state to the end tag, which may end several values. If given, `cut` tells
  // whether anything was left, `skipped` gets the places of the values therein.
  bool end_state(const ValueHeader& header, bool* cut = nullptr, std::vector<const char*>* skipped = nullptr);
  // What is left of the state, part by part. A value's tag has been read then, octets go up to chunk_end().
  enum class Part { Malformed, Octets, Null, Value, End };
  Part next_part(ValueHeader& inner);
  // At the end: whether the tag there ends values around, too.
  bool ends_several() const { return ended_ < level_; }
  // Steps over a value in chunks whose tag, but nothing of its header, has been read.
  bool skip(const ValueHeader& header, std::vector<const char*>* skipped = nullptr);
  bool in_chunks() const { return level_ > 0; }

  // Goes to the tag of a value that has been met before, and returns from there.
  struct Place {
    const char* position;
    const char* chunk_end;
    std::int32_t level;
  };
  bool go_to(const char* tag, Place& back);
  void return_to(const Place& back);
  // The lowest place of a value or an id that anything has referred to, or null; it may be set back
  // meanwhile.
  const char* lowest() const { return lowest_; }
  void set_lowest(const char* place) { lowest_ = place; }
  // Allows go_to(). The type that is declared where it stands is kept if the value does not tell its own.
  void met(const ValueHeader& header, std::string_view declared = {});
  // That type; empty if the value tells its own.
  std::string_view declared_at(const ValueHeader& header) const;

  // ---- by those who know the classes of values
  // Reads the value of a header that has been read, as an object of the first id that is known here; it can
  // be written from then on. False if malformed; raises MARSHAL where no class is known. `tags` gets those of
  // all values that are read so. `whole`: only the first id will do, nothing may be cut off.
  virtual bool decode(const ValueHeader& header, std::vector<const char*>& tags) = 0;
  virtual bool can_decode(const ValueHeader& header, bool whole) = 0;
  // Writes the object that stands at `tag`, or refers to it where it has been written. False if there is
  // none, or if it is being read. `tags` says where values, by their tags here, stand now, whether or not
  // they were objects when they were written; it gets those of this one and of the objects inside.
  virtual bool encode(Encoder& out, const char* tag, bool whole,
                      std::map<const char*, std::size_t>& tags) = 0;
  // What the value at `tag` is known by in other streams, or null.
  virtual const void* identity(const char* tag) = 0;
  // Counts octets, and values, that are copied or read once more because something refers to them. False if
  // that is too much.
  virtual bool may_copy(std::size_t, std::size_t) { return true; }
  // The same for the ids of a header, which may have been a few octets that refer to them.
  bool may_spell(const ValueHeader& header);
  // To step over what has been read costs less than to copy it.
  static constexpr std::size_t kSteppedOver = 2;

 protected:
  ~ValueInput() = default;
  Decoder& in_;

 private:
  bool outside(std::uint32_t& number);
  bool id_target(const char*& to);
  void refer(const char* to) {
    if (!lowest_ || to < lowest_) lowest_ = to;
  }
  bool read_ids(ValueHeader& header);
  const std::string_view* read_text(bool* spelled = nullptr);
  char* allocate(std::size_t size);

  Chunks chunks_{};
  std::int32_t level_ = 0;  // values in chunks around the place that is read
  std::int32_t ended_ = 0;  // the outermost level that an end tag has ended, while inner ones end
  int depth_ = 0;
  const char* lowest_ = nullptr;
  struct Met {
    std::int32_t level;         // around it
    std::string_view declared;  // of declared_
  };
  std::map<const char*, Met> met_;  // by where their tag stands
  std::set<std::string, std::less<>> declared_;
  // One that was read, and the list that it is alone.
  struct Text {
    Text(const char* begin, std::size_t size) : text(begin, size), view(text) {}
    Text(const Text&) = delete;
    Text& operator=(const Text&) = delete;
    const std::string text;
    const std::string_view view;
  };
  std::map<const char*, Text> texts_;
  struct List {
    std::vector<std::string_view> ids;  // of texts_
    std::size_t without_class = 0;
  };
  std::map<const char*, List> lists_;
  std::vector<std::unique_ptr<char[]>> pieces_;
};

// What belongs to the stream; one of the two must have been made by the mapping, which supplies these.
ValueOutput& values_of(Encoder& out);
ValueInput& values_of(Decoder& in);

// Copies a value in chunks of which nothing is known but its header, which has been read, as it stands: both
// streams must be of one byte order and form. Adds to `tags` where the tags of this value and those inside
// stand in both streams. False if malformed, or if alignment cannot be kept.
bool copy_opaque(Decoder& in, Encoder& out, const ValueHeader& header,
                 std::map<const char*, std::size_t>& tags);

}  // namespace corbel::cdr
