// Values of the mapping's classes in messages; see orb/cdr/values.h for what they look like there.
#pragma once

#include <corbel/cpp/value.h>

#include <atomic>
#include <exception>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "orb/cdr/values.h"

namespace corbel::cpp {

// A value that stands in several Anys, or in one and elsewhere, of one message: who extracts it gets the same
// object from each. Counted.
struct SharedValue {
  std::atomic<std::uint32_t> count{1};
  std::atomic<CORBA::ValueBase*> value{nullptr};  // counted; null until it is decoded

  void add_ref() { count.fetch_add(1, std::memory_order_relaxed); }
  void remove_ref();
  // What has been published before wins.
  void publish(CORBA::ValueBase* fresh);
};

// Those in one Any. Filled while the message is read, then constant. Counted.
class ValueLinks {
 public:
  ValueLinks() = default;
  ValueLinks(const ValueLinks&) = delete;
  ValueLinks& operator=(const ValueLinks&) = delete;
  void add_ref() { count_.fetch_add(1, std::memory_order_relaxed); }
  void remove_ref() {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
  }
  void add(std::size_t offset, SharedValue* counted) { all_.emplace(offset, counted); }
  bool empty() const { return all_.empty(); }
  // By the offset of their tags.
  const std::map<std::size_t, SharedValue*>& all() const { return all_; }

 private:
  ~ValueLinks() {
    for (auto& [offset, shared] : all_) shared->remove_ref();
  }
  std::atomic<std::uint32_t> count_{1};
  std::map<std::size_t, SharedValue*> all_;
};

class ValueReader;

class ValueWriter final : public cdr::ValueOutput {
 public:
  using cdr::ValueOutput::ValueOutput;
  ~ValueWriter();
  // Tells where its tag stands, 0 for null.
  std::size_t write(CORBA::ValueBase* value, const char* declared = nullptr);
  // The same of one that has been read: who has read it, and where tags stand, by their place there, in what
  // is written.
  void write_read(CORBA::ValueBase* value, ValueReader& from, std::map<const char*, std::size_t>& tags);
  // The reader of the value that is being written, if it has been read for that.
  const ValueReader* source() const { return from_; }
  // The account of readers of what is written: see ValueReader::may_copy().
  std::size_t copied = 0;
  // An Any is about to be written, part of such a value: some of its values may have been written.
  void look_up(const ValueLinks& links);
  // Those written, by the offset of their tags.
  std::map<std::size_t, const CORBA::ValueBase*> written() const;
  // The values of an Any.
  bool has_written_any_of(const ValueLinks& links) const;
  // Its octets are written as they are at `offset`.
  void remember_all(const ValueLinks& links, std::size_t offset);
  // What names values must not change its meaning.
  void keep(ValueLinks& links) {
    links.add_ref();
    kept_links_.push_back(&links);
  }
  void keep(SharedValue& shared) {
    shared.add_ref();
    kept_shared_.push_back(&shared);
  }

 private:
  const std::size_t* written_before(CORBA::ValueBase* value);
  void keep(CORBA::ValueBase* value, std::size_t tag);
  ValueReader* from_ = nullptr;  // during write_read(), as what follows
  std::map<const char*, std::size_t>* tags_ = nullptr;
  std::vector<CORBA::ValueBase*> kept_;  // another value at the address of one that is gone is not the same
  std::vector<ValueLinks*> kept_links_;
  std::vector<SharedValue*> kept_shared_;
};

class ValueReader final : public cdr::ValueInput {
 public:
  using cdr::ValueInput::ValueInput;
  ~ValueReader();
  // The caller owns the value.
  bool read(CORBA::ValueBase*& value, const ValueType* expected, CORBA::ValueBase* (*make)());

  bool decode(const cdr::ValueHeader& header, std::vector<const char*>& tags) override;
  bool can_decode(const cdr::ValueHeader& header, bool whole) override;
  bool encode(cdr::Encoder& out, const char* tag, bool whole,
              std::map<const char*, std::size_t>& tags) override;
  const void* identity(const char* tag) override;

  // What is read has been written by this process, as an encoder's offsets say.
  void copy_of(const char* begin, std::map<std::size_t, const CORBA::ValueBase*> originals) {
    begin_ = begin;
    originals_ = std::move(originals);
  }
  // The octets from `begin` on are those of an Any that has `links`.
  void use(const char* begin, ValueLinks& links);
  // An Any has been read, whose values are met elsewhere, too, perhaps. By the place of their tags here: the
  // offset there. False, and so is the decoder, if Anys in each other repeat too many.
  bool any_read(ValueLinks& links, const std::map<const char*, std::size_t>& tags);
  // What is read is going to be written; if it is a part of what that writer has been given by another
  // reader, it is read once more. False where such parts are inside of each other too deep.
  bool read_for(ValueWriter& writer);
  // The writer goes on knowing by their SharedValues what has been written.
  void leave_to(ValueWriter& writer) const;
  // False if what stands there was cut off when it was read.
  bool whole(const char* place) const;
  // Where what was read stands; null if it is another's.
  const char* place(const CORBA::ValueBase* value) const;
  const char* place(const SharedValue* shared) const;
  std::size_t values_in_anys() const { return in_anys_.size(); }
  // Counts what is copied, or read once more, because something refers to it: one value may be referred to
  // from many places. `values` are those inside of it, each of which is kept account of.
  bool may_copy(std::size_t octets, std::size_t values) override {
    return (*copied_ += octets + values * kAccount) <= kMostCopied + kTimes * from_first_;
  }
  // The same where what is read may be read again for each Any around it; else that is free.
  bool may_read_again(std::size_t octets, std::size_t values) {
    return nesting_ < 2 || may_copy(octets, values);
  }

 private:
  static constexpr std::size_t kMostCopied = 64 << 20, kTimes = 4, kAccount = 128;
  struct Known {
    CORBA::ValueBase* value;  // counted
    bool complete;            // all of it has been read
    bool whole;               // of the class that was sent, not cut off
    int depth;                // values that were being read around it
    bool given = false;       // the program has it, or gets it with another
  };
  static constexpr int kOfOthers = -1;  // a depth: it has been read before, from another stream
  bool read_state(const cdr::ValueHeader& header, CORBA::ValueBase*& value, const ValueType* expected,
                  CORBA::ValueBase* (*make)());
  CORBA::ValueBase* create(const cdr::ValueHeader& header, const ValueType* expected,
                           CORBA::ValueBase* (*make)(), bool& whole);
  // What makes values of a type.
  struct Class {
    const KnownBox* box = nullptr;
    CORBA::ValueFactoryBase* factory = nullptr;  // counted
  };
  bool find(std::string_view id, std::size_t place, std::size_t* without_class, Class& known);

  // The value at the tag goes to who reads: the program, or what it is part of.
  void give(const char* tag, Known& known) {
    if (!decoded_ && !stepping_) known.given = true;
    else if (around_) parts_.emplace_back(around_, tag);
  }
  void give_parts();
  void link();
  const char* begin_ = nullptr;
  const std::size_t from_first_ = in_.remaining();  // octets of the message
  std::map<std::size_t, const CORBA::ValueBase*> originals_;

  std::map<const char*, Known> known_;                   // by where their tag stands
  std::map<const CORBA::ValueBase*, const char*> tags_;  // of those that had been read at the last encode()
  std::vector<const char*> fresh_;                       // of those that have been read since
  std::vector<const char*>* decoded_ = nullptr;          // during decode(): of what is read
  // Of values that nobody has asked for yet: the tag of each, and that of one inside.
  std::vector<std::pair<const char*, const char*>> parts_;
  const char* around_ = nullptr;            // the tag of the value that becomes part of what is being read
  std::vector<CORBA::ValueBase*> scratch_;  // read to step over them; counted
  bool stepping_ = false;                   // over a value that was read before, and those inside of it
  std::size_t own_copied_ = 0, *copied_ = &own_copied_;
  int nesting_ = 0;  // of readers, each of a part of what the one before has read
  int reading_ = 0;  // values around the place that is read
  // Something that has been read refers to a value that is being read: the depth of the outermost such.
  static constexpr int kNone = 0x7fffffff;
  int entangled_ = kNone;
  struct InAny {
    ValueLinks* links;  // counted
    std::size_t offset;
  };
  std::multimap<const char*, InAny> in_anys_;
  // Of the Any that is read, and of Anys inside of what is read to be copied; counted.
  std::map<const char*, SharedValue*> shared_;
  std::map<const SharedValue*, const char*> shared_inside_;  // the latter
  const int thrown_before_ = std::uncaught_exceptions();
};

// Of the scope in which encoder or decoder stands.
inline ValueWriter& writer_of(cdr::Encoder& out) {
  return static_cast<WrittenValues*>(out.values())->writer();
}
inline ValueReader& reader_of(cdr::Decoder& in) { return static_cast<ReadValues*>(in.values())->reader(); }

}  // namespace corbel::cpp
