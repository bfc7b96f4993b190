#include <corbel/cpp/value.h>

#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "orb/core/orb.h"
#include "orb/cpp/default_orb.h"
#include "orb/ior/assigned.h"

namespace corbel::cpp {
namespace {

// Tags: null, indirection, and from kValue on values, with what they say in the low octet.
constexpr std::uint32_t kNull = 0;
constexpr std::uint32_t kIndirection = 0xffffffff;
constexpr std::uint32_t kValue = 0x7fffff00;
constexpr std::uint32_t kCodebase = 1, kOneId = 2, kIds = 6, kChunked = 8;

constexpr int kDeepest = 2000;  // values in values: stops peers that would exhaust the stack
constexpr std::uint32_t kMostIds = 1000;

// The factories of one ORB.
class Factories final : public core::LocalSlot {
 public:
  static constexpr const char* kName = "corbel:value factories";

  CORBA::ValueFactory set(const char* id, CORBA::ValueFactory factory) {
    const std::lock_guard lock(mutex_);
    CORBA::ValueFactory_var& slot = factories_[id];
    CORBA::ValueFactory const old = slot._retn();
    slot = CORBA::ValueFactoryBase::_duplicate(factory);
    if (!factory) factories_.erase(id);
    return old;
  }
  CORBA::ValueFactory find(const std::string& id) {
    const std::lock_guard lock(mutex_);
    const auto i = factories_.find(id);
    return i == factories_.end() ? nullptr : CORBA::ValueFactoryBase::_duplicate(i->second.in());
  }

 private:
  std::mutex mutex_;
  std::map<std::string, CORBA::ValueFactory_var> factories_;
};

Factories& factories(core::Orb& orb) {
  base::Ref<core::LocalSlot> slot = orb.local_slot(Factories::kName);
  if (!slot) slot = orb.set_local_slot(Factories::kName, base::Ref<core::LocalSlot>::adopt(new Factories));
  return static_cast<Factories&>(*slot);  // the ORB keeps it
}

}  // namespace

// ---- writing

class ValueWriter {
 public:
  explicit ValueWriter(cdr::Encoder& out) : out_(out) {}
  ~ValueWriter() {
    for (auto& [value, at] : values_) value->_remove_ref();
  }
  ValueWriter(const ValueWriter&) = delete;
  ValueWriter& operator=(const ValueWriter&) = delete;

  void write(CORBA::ValueBase* value) {
    if (!value) return out_.put(kNull);
    if (const auto known = values_.find(value); known != values_.end()) return refer(known->second);
    if (++depth_ > kDeepest)
      return out_.fail(
          {SystemErrorId::IMP_LIMIT, Completion::No, 0, "values are nested too deep to be sent"});
    const ValueType& type = value->_corbel_type();
    const bool chunked = level_ > 0 || type.custom || type.truncatable_to;
    if (level_ > 0) close_chunk();
    out_.chunk<4>(0);
    values_.emplace(value, out_.offset());
    value->_add_ref();
    out_.put(kValue | (chunked ? kChunked : 0) | (type.truncatable_to ? kIds : kOneId));
    if (type.truncatable_to) {
      std::uint32_t count = 0;
      for (const ValueType* t = &type; t; t = t->truncatable_to) ++count;
      out_.put(count);
    }
    for (const ValueType* t = &type; t; t = t->truncatable_to) write_id(t->id);
    if (chunked) {
      ++level_;
      open_chunk();
    }
    value->_corbel_put_state(out_);
    if (chunked) {
      close_chunk();
      out_.put(-level_);
      if (--level_ > 0) open_chunk();
    }
    --depth_;
  }

 private:
  void refer(std::size_t to) {
    out_.put(kIndirection);
    out_.put(static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(to) -
                                       static_cast<std::ptrdiff_t>(out_.offset())));
  }
  void write_id(const char* id) {
    const auto [at, fresh] = ids_.emplace(id, 0);
    if (!fresh) return refer(at->second);
    out_.chunk<4>(0);
    at->second = out_.offset();
    out_.put_string(id);
  }
  // The length is filled in when the chunk ends.
  void open_chunk() {
    out_.put(std::int32_t{0});
    length_at_ = out_.size() - 4;
    begin_ = out_.offset();
  }
  void close_chunk() {
    const std::size_t length = out_.offset() - begin_;
    if (out_.error()) return;
    if (length == 0) return out_.drop(4);  // none is empty
    cdr::store(out_.data() + length_at_, static_cast<std::int32_t>(length));
  }

  cdr::Encoder& out_;
  // Where their tags stand. Counted: another value at the address of one that is gone is not the same.
  std::map<CORBA::ValueBase*, std::size_t> values_;
  std::map<std::string, std::size_t> ids_;
  std::int32_t level_ = 0;  // chunked values around
  int depth_ = 0;
  std::size_t length_at_ = 0, begin_ = 0;
};

// ---- reading

class ValueReader {
 public:
  explicit ValueReader(cdr::Decoder& in) : in_(in) {
    chunks_.starts = nullptr;
    chunks_.count = 0;
    chunks_.owner = this;
    chunks_.allocate = [](void* owner, std::size_t size) {
      return static_cast<ValueReader*>(owner)->allocate(size);
    };
  }
  ~ValueReader() {
    // What was read in vain may refer to itself.
    if (in_.failed() || std::uncaught_exceptions() > thrown_before_)
      for (auto& [at, value] : known_) value->_corbel_clear();
    for (auto& [at, value] : known_) value->_remove_ref();
  }

  bool read(CORBA::ValueBase*& value, const ValueType* expected, CORBA::ValueBase* (*make)()) {
    Header h;
    if (!next_tag(h)) return false;
    if (h.tag == kNull) {
      value = nullptr;
      return true;
    }
    if (h.tag == kIndirection) return refer_back(value, expected, make);
    // A value inside of one that is read late may have been read before it.
    if (const auto known = known_.find(h.at); known != known_.end()) {
      value = known->second;
      if (!h.chunked() || level_ == 0 || !skip_value(h.tag)) return in_.fail();
      value->_add_ref();
      return true;
    }
    if (!read_header(h)) return false;
    return read_state(h, value, expected, make);
  }

 private:
  struct Header {
    const char* at = nullptr;  // where the tag stands
    std::uint32_t tag = 0;
    std::vector<std::string> ids;
    bool chunked() const { return (tag & kChunked) != 0; }
  };

  // Values begin outside of chunks; null and indirections may stand inside.
  bool next_tag(Header& h) {
    if (ended_ != 0) return in_.fail();
    if (level_ == 0 || in_.position() < in_.chunk_end()) {
      if (!in_.get(h.tag)) return false;
    } else {
      if (!outside(h.tag)) return false;
      if (h.tag != kNull && h.tag < kValue) {  // the length of a chunk
        if (h.tag > in_.remaining()) return in_.fail();
        in_.set_chunk_end(in_.position() + h.tag);
        if (!in_.get(h.tag)) return false;
      }
    }
    h.at = in_.position() - 4;
    return h.tag == kNull || h.tag == kIndirection || (h.tag >= kValue && h.tag < 0x80000000u) || in_.fail();
  }
  // A number between chunks.
  bool outside(std::uint32_t& number) {
    in_.set_chunk_end(chunks_.end);
    const bool good = in_.get(number);
    if (good) in_.set_chunk_end(in_.position());
    return good;
  }

  bool read_header(Header& h) {
    if (level_ > 0) {
      if (!h.chunked()) return in_.fail();  // inside a value in chunks all are
      in_.set_chunk_end(chunks_.end);
    }
    if (h.tag & kCodebase) {
      std::string url;
      if (!read_text(url)) return false;
    }
    switch (h.tag & kIds) {
      case 0:
        break;
      case kOneId:
        h.ids.resize(1);
        if (!read_text(h.ids[0])) return false;
        break;
      case kIds:
        if (!read_ids(h.ids)) return false;
        break;
      default:
        return in_.fail();
    }
    return true;
  }

  bool read_ids(std::vector<std::string>& ids) {
    std::uint32_t count;
    if (!in_.get(count)) return false;
    const char* const at = in_.position() - 4;
    if (count == kIndirection) {
      const char* to;
      if (!target(to)) return false;
      const auto known = lists_.find(to);
      if (known == lists_.end()) return in_.fail();
      ids = known->second;
      return true;
    }
    if (count == 0 || count > kMostIds) return in_.fail();
    ids.resize(count);
    for (std::string& id : ids)
      if (!read_text(id)) return false;
    lists_.emplace(at, ids);
    return true;
  }

  bool read_text(std::string& text) {
    std::uint32_t length;
    if (!in_.get(length)) return false;
    const char* const at = in_.position() - 4;
    if (length == kIndirection) {
      const char* to;
      if (!target(to)) return false;
      const auto known = texts_.find(to);
      if (known == texts_.end()) return in_.fail();
      text = known->second;
      return true;
    }
    const char* const p = length == 0 ? nullptr : in_.chunk<1>(length);
    if (!p || p[length - 1] != '\0') return in_.fail();
    text.assign(p, length - 1);
    texts_.emplace(at, text);
    return true;
  }

  // Where an indirection leads; it counts from itself.
  bool target(const char*& to) {
    std::int32_t distance;
    if (!in_.get(distance) || distance >= -4) return in_.fail();
    to = in_.position() - 4 + distance;
    return true;
  }

  bool refer_back(CORBA::ValueBase*& value, const ValueType* expected, CORBA::ValueBase* (*make)()) {
    const bool between = level_ > 0 && in_.position() == in_.chunk_end();
    if (between) in_.set_chunk_end(chunks_.end);
    const char* to;
    if (!target(to)) return false;
    if (between) in_.set_chunk_end(in_.position());
    if (const auto known = known_.find(to); known != known_.end()) {
      value = known->second;
      value->_add_ref();
      return true;
    }
    const auto skipped = skipped_.find(to);
    return skipped == skipped_.end() ? in_.fail() : read_skipped(to, skipped->second, value, expected, make);
  }

  // A value inside what was cut off is referred to after all.
  bool read_skipped(const char* at, std::int32_t level, CORBA::ValueBase*& value, const ValueType* expected,
                    CORBA::ValueBase* (*make)()) {
    const bool inside = level_ > 0;
    if (!inside && !in_.enter_chunks(chunks_)) return false;
    const char *const here = in_.position(), *const end = in_.chunk_end();
    const std::int32_t outer = level_;
    level_ = level;  // its end tag may end those around it, too: that has been seen
    in_.skip_to(at);
    in_.set_chunk_end(at);
    const bool good = read(value, expected, make);
    level_ = outer;
    ended_ = 0;
    if (!good) return false;
    in_.skip_to(here);
    in_.set_chunk_end(end);
    if (!inside) in_.leave_chunks();
    return true;
  }

  bool read_state(const Header& h, CORBA::ValueBase*& value, const ValueType* expected,
                  CORBA::ValueBase* (*make)()) {
    CORBA::ValueBase* const fresh = create(h, expected, make);
    known_.emplace(h.at, fresh);
    if (++depth_ > kDeepest) return in_.fail();
    if (h.chunked() && !begin_chunks()) return false;
    if (!fresh->_corbel_get_state(in_)) return in_.fail();
    if (h.chunked() && !end_chunks()) return false;
    --depth_;
    value = fresh;
    fresh->_add_ref();
    return true;
  }

  // Of the first type in the list that is known here.
  CORBA::ValueBase* create(const Header& h, const ValueType* expected, CORBA::ValueBase* (*make)()) {
    std::vector<std::string> ids = h.ids;
    if (ids.empty() && expected) ids.emplace_back(expected->id);
    if (!h.chunked() && ids.size() > 1) ids.resize(1);  // only what stands in chunks can be cut
    core::Orb* const orb = static_cast<core::Orb*>(in_.context());
    for (const std::string& id : ids) {
      if (make && expected && id == expected->id)
        if (CORBA::ValueBase* const made = make()) return made;
      CORBA::ValueFactory_var factory = orb ? factories(*orb).find(id) : nullptr;
      if (!factory.in()) continue;
      if (CORBA::ValueBase* const made = factory->_corbel_create()) return made;
    }
    in_.fail();
    throw CORBA::MARSHAL(assigned::kOmgMinor | 1, CORBA::COMPLETED_MAYBE);  // no factory
  }

  bool begin_chunks() {
    if (level_++ == 0) return in_.enter_chunks(chunks_);
    in_.set_chunk_end(in_.position());
    return true;
  }

  // Steps over what the value's type does not know, to its end tag. One tag may end several values.
  bool end_chunks() {
    for (;;) {
      if (ended_ != 0) {
        if (ended_ > level_) return in_.fail();
      } else {
        in_.skip_to(in_.chunk_end());
        std::uint32_t tag;
        if (!outside(tag)) return false;
        if (tag == kNull) continue;
        if (tag < kValue) {
          if (tag > in_.remaining()) return in_.fail();
          in_.set_chunk_end(in_.position() + tag);
          continue;
        }
        if (tag < 0x80000000u) {
          if (!skip_value(tag)) return false;
          continue;
        }
        const std::uint32_t level = 0u - tag;  // unsigned: the lowest tag has no positive opposite
        if (level > static_cast<std::uint32_t>(level_)) return in_.fail();
        ended_ = static_cast<std::int32_t>(level);
      }
      if (ended_ == level_) ended_ = 0;
      if (--level_ == 0) in_.leave_chunks();
      return true;
    }
  }

  bool skip_value(std::uint32_t tag) {
    Header h;
    h.tag = tag;
    h.at = in_.position() - 4;
    skipped_.emplace(h.at, level_);
    if (++depth_ > kDeepest || !read_header(h)) return in_.fail();
    in_.set_chunk_end(in_.position());
    ++level_;
    const bool good = end_chunks();
    --depth_;
    return good;
  }

  char* allocate(std::size_t size) {
    auto piece = std::unique_ptr<char[]>(new (std::nothrow) char[size]);
    if (!piece) return nullptr;
    pieces_.push_back(std::move(piece));
    return pieces_.back().get();
  }

  cdr::Decoder& in_;
  cdr::Chunks chunks_{};
  std::int32_t level_ = 0;  // values in chunks around the place that is read
  std::int32_t ended_ = 0;  // the outermost level that an end tag has ended, while inner ones end
  int depth_ = 0;
  const int thrown_before_ = std::uncaught_exceptions();
  std::map<const char*, CORBA::ValueBase*> known_;  // counted; by where their tag stands
  std::map<const char*, std::int32_t> skipped_;     // cut off: the level around them
  std::map<const char*, std::string> texts_;
  std::map<const char*, std::vector<std::string>> lists_;
  std::vector<std::unique_ptr<char[]>> pieces_;
};

WrittenValues::WrittenValues(cdr::Encoder& out) : out_(out) {
  if (out.values()) return;
  writer_ = new ValueWriter(out);
  out.set_values(writer_);
}
WrittenValues::~WrittenValues() {
  if (!writer_) return;
  out_.set_values(nullptr);
  delete writer_;
}

ReadValues::ReadValues(cdr::Decoder& in) : in_(in) {
  if (in.values()) return;
  reader_ = new ValueReader(in);
  in.set_values(reader_);
}
void ReadValues::done() {
  if (!reader_) return;
  in_.set_values(nullptr);
  delete reader_;
  reader_ = nullptr;
}

void put_value_base(cdr::Encoder& out, const CORBA::ValueBase* value) {
  const WrittenValues scope(out);
  static_cast<ValueWriter*>(out.values())->write(const_cast<CORBA::ValueBase*>(value));
}

bool get_value_base(cdr::Decoder& in, CORBA::ValueBase*& value, const ValueType* expected,
                    CORBA::ValueBase* (*make)()) {
  const ReadValues scope(in);
  return static_cast<ValueReader*>(in.values())->read(value, expected, make);
}

void put_custom(cdr::Encoder& out, const CORBA::ValueBase* value) {
  auto* const custom = dynamic_cast<CORBA::CustomMarshal*>(const_cast<CORBA::ValueBase*>(value));
  if (!custom)
    return out.fail({SystemErrorId::MARSHAL, Completion::No, 0,
                     "a custom value's class does not derive from CORBA::CustomMarshal"});
  // What it writes may be gone before the message is sent.
  const bool allowed = out.externals_allowed();
  out.allow_externals(false);
  CORBA::DataOutputStream stream(out);
  custom->marshal(stream);
  out.allow_externals(allowed);
}

bool get_custom(cdr::Decoder& in, CORBA::ValueBase* value) {
  auto* const custom = dynamic_cast<CORBA::CustomMarshal*>(value);
  if (!custom) return in.fail();
  CORBA::DataInputStream stream(in);
  custom->unmarshal(stream);
  return true;
}

}  // namespace corbel::cpp

namespace CORBA {

void DataOutputStream::write_Value(ValueBase* v) { corbel::cpp::put_value_base(out_, v); }

void DataInputStream::malformed() { throw MARSHAL(0, COMPLETED_MAYBE); }

Boolean DataInputStream::read_boolean() {
  Boolean v;
  if (!in_.get_boolean(v)) malformed();
  return v;
}

char* DataInputStream::read_string() {
  const char* text;
  std::uint32_t length;
  if (!in_.get_string_view(text, length)) malformed();
  char* const copy = string_alloc(length);
  if (!copy) throw NO_MEMORY();
  std::memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

Object_ptr DataInputStream::read_Object() {
  Object_ptr object = nullptr;
  if (!corbel::cpp::get_reference(in_, object)) malformed();
  return object;
}

ValueBase* DataInputStream::read_Value() {
  ValueBase* value = nullptr;
  if (!corbel::cpp::get_value(in_, value)) malformed();
  return value;
}

ValueFactoryBase* ORB::register_value_factory(const char* id, ValueFactoryBase* factory) {
  if (!id || !factory) throw BAD_PARAM();
  return corbel::cpp::factories(*core_).set(id, factory);
}

void ORB::unregister_value_factory(const char* id) {
  if (!id) throw BAD_PARAM();
  ValueFactory_var old = corbel::cpp::factories(*core_).set(id, nullptr);
}

ValueFactoryBase* ORB::lookup_value_factory(const char* id) {
  ValueFactoryBase* const found = id ? corbel::cpp::factories(*core_).find(id) : nullptr;
  if (!found) throw BAD_PARAM(corbel::assigned::kOmgMinor | 1);
  return found;
}

}  // namespace CORBA
