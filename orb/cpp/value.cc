#include <corbel/cpp/value.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orb/base/mutex.h"
#include "orb/core/orb.h"
#include "orb/cpp/default_orb.h"
#include "orb/cpp/value_streams.h"
#include "orb/ior/assigned.h"

namespace corbel::cpp {
namespace {

// Parts that are read again to be written, inside of each other: each takes a dozen calls on the stack.
constexpr int kDeepestReaders = 200;

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
  CORBA::ValueFactory find(std::string_view id) {
    const std::lock_guard lock(mutex_);
    const auto i = factories_.find(id);
    return i == factories_.end() ? nullptr : CORBA::ValueFactoryBase::_duplicate(i->second.in());
  }

 private:
  corbel::base::Mutex mutex_;
  std::map<std::string, CORBA::ValueFactory_var, std::less<>> factories_;
};

// Gives a variable another value for a while.
template <typename T>
class Meanwhile {
 public:
  Meanwhile(T*& variable, T* value) : variable_(variable), before_(std::exchange(variable, value)) {}
  ~Meanwhile() { variable_ = before_; }
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;

 private:
  T*& variable_;
  T* const before_;
};

// Counted: an ORB that another thread destroys lets go of its own.
[[gnu::noinline]] base::Ref<Factories> factories(core::Orb& orb) {
  base::Ref<core::LocalSlot> slot = orb.local_slot(Factories::kName);
  if (!slot) slot = orb.set_local_slot(Factories::kName, base::Ref<core::LocalSlot>::adopt(new Factories));
  return base::Ref<Factories>::adopt(static_cast<Factories*>(slot.release()));
}

}  // namespace

void SharedValue::remove_ref() {
  if (count.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  if (CORBA::ValueBase* const v = value.load(std::memory_order_relaxed)) v->_remove_ref();
  delete this;
}

void SharedValue::publish(CORBA::ValueBase* fresh) {
  CORBA::ValueBase* none = nullptr;
  fresh->_add_ref();
  if (!value.compare_exchange_strong(none, fresh, std::memory_order_acq_rel)) fresh->_remove_ref();
}

ValueWriter::~ValueWriter() {
  for (CORBA::ValueBase* value : kept_) value->_remove_ref();
  for (ValueLinks* links : kept_links_) links->remove_ref();
  for (SharedValue* shared : kept_shared_) shared->remove_ref();
}

std::size_t ValueWriter::write(CORBA::ValueBase* value, const char* declared) {
  if (!value) return null(), 0;
  if (const std::size_t* const known = written_before(value)) {
    refer(*known);
    return *known;
  }
  const ValueType& type = value->_corbel_type();
  std::vector<const char*> ids;
  for (const ValueType* t = &type; t; t = t->truncatable_to) ids.push_back(t->id);
  const bool unexpected = declared && std::strcmp(declared, type.id) != 0;
  if (!begin(ids, type.custom || type.truncatable_to || unexpected)) return 0;
  const std::size_t at = tag();
  keep(value, at);
  if (const char* const place = from_ ? from_->place(value) : nullptr) {
    tags_->emplace(place, at);
    // What was cut off is another value to those who have the whole.
    const void* const identity = from_->whole(place) ? from_->identity(place) : nullptr;
    if (identity) remember(identity, at);
  }
  value->_corbel_put_state(out_);
  end();
  return at;
}

void ValueWriter::write_read(CORBA::ValueBase* value, ValueReader& from,
                             std::map<const char*, std::size_t>& tags) {
  const Meanwhile reader(from_, &from);
  const Meanwhile places(tags_, &tags);
  write(value);
}

// Also by who did not know the object.
const std::size_t* ValueWriter::written_before(CORBA::ValueBase* value) {
  if (const std::size_t* const known = find(value)) return known;
  const char* const place = from_ ? from_->place(value) : nullptr;
  if (!place) return nullptr;
  const auto at = tags_->find(place);
  const void* const identity = from_->whole(place) ? from_->identity(place) : nullptr;
  const std::size_t* const written = at != tags_->end() ? &at->second : identity ? find(identity) : nullptr;
  if (written) keep(value, *written);
  return written;
}

void ValueWriter::look_up(const ValueLinks& links) {
  if (!from_) return;
  for (auto& [offset, shared] : links.all()) {
    const char* const place = from_->place(shared);
    if (!place || !from_->whole(place)) continue;
    if (const auto at = tags_->find(place); at != tags_->end()) remember(shared, at->second);
  }
}

void ValueWriter::keep(CORBA::ValueBase* value, std::size_t tag) {
  remember(value, tag);
  kept_.push_back(value);
  value->_add_ref();
}

bool ValueWriter::has_written_any_of(const ValueLinks& links) const {
  for (auto& [offset, shared] : links.all()) {
    if (find(shared)) return true;
    CORBA::ValueBase* const value = shared->value.load(std::memory_order_acquire);
    if (value && find(value)) return true;
  }
  return false;
}

void ValueWriter::remember_all(const ValueLinks& links, std::size_t offset) {
  for (auto& [at, shared] : links.all()) {
    remember(shared, offset + at);
    if (CORBA::ValueBase* const value = shared->value.load(std::memory_order_acquire))
      remember(value, offset + at);
  }
}

ValueReader::~ValueReader() {
  // What was read in vain may refer to itself.
  const bool in_vain = in_.failed() || std::uncaught_exceptions() > thrown_before_;
  if (in_vain)
    for (auto& [at, known] : known_) {
      if (known.depth != kOfOthers) known.value->_corbel_clear();
    }
  else {
    give_parts();
    link();
    // The program never sees what was only read to be copied, and cannot take its circles apart.
    for (auto& [at, known] : known_)
      if (!known.given && known.depth != kOfOthers) known.value->_corbel_clear();
  }
  for (auto& [tag, in_any] : in_anys_) in_any.links->remove_ref();
  for (auto& [tag, shared] : shared_) shared->remove_ref();
  for (CORBA::ValueBase* value : scratch_) value->_corbel_clear();
  for (CORBA::ValueBase* value : scratch_) value->_remove_ref();
  for (auto& [at, known] : known_) known.value->_remove_ref();
}

bool ValueReader::read(CORBA::ValueBase*& value, const ValueType* expected, CORBA::ValueBase* (*make)()) {
  cdr::ValueHeader h;
  if (!next(h)) return false;
  if (h.null()) {
    value = nullptr;
    return true;
  }
  if (h.reference()) {
    const char* tag;
    if (!target(tag)) return false;
    if (const auto known = known_.find(tag); known != known_.end()) {
      value = known->second.value;
      if (!known->second.complete) entangled_ = std::min(entangled_, known->second.depth);
      give(tag, known->second);
      value->_add_ref();
      return true;
    }
    // It stands in what was cut off, or in an Any.
    Place back;
    if (!go_to(tag, back) || !read(value, expected, make)) return false;
    return_to(back);
    return true;
  }
  if (!read_header(h)) return false;
  met(h, expected ? expected->id : "");
  CORBA::ValueBase* whole;
  if (!read_state(h, whole, expected, make)) return false;
  give(h.at, known_.find(h.at)->second);
  whole->_add_ref();
  value = whole;
  return true;
}

bool ValueReader::read_state(const cdr::ValueHeader& h, CORBA::ValueBase*& value, const ValueType* expected,
                             CORBA::ValueBase* (*make)()) {
  // Read before, because something referred to it: only stepped over now.
  if (const auto known = known_.find(h.at); known != known_.end()) {
    value = known->second.value;
    if (!known->second.complete) entangled_ = std::min(entangled_, known->second.depth);
    const char* const begin = in_.position();
    const bool outermost = !std::exchange(stepping_, true);
    if (h.chunked()) {
      if (!begin_state(h) || !end_state(h)) return false;
      if (!outermost) return true;
      stepping_ = false;
      return may_copy(static_cast<std::size_t>(in_.position() - begin) / kSteppedOver, 0) || in_.fail();
    }
    bool whole;
    const std::size_t claimed = in_.claimed();
    const Meanwhile around(around_, static_cast<const char*>(nullptr));  // what is there has its parts
    scratch_.push_back(create(h, expected, make, whole));
    if (!may_copy(0, 1) || !begin_state(h) || !scratch_.back()->_corbel_get_state(in_) || !end_state(h))
      return in_.fail();
    in_.set_claimed(claimed);
    if (!outermost) return true;
    stepping_ = false;
    return may_copy(static_cast<std::size_t>(in_.position() - begin), 0) || in_.fail();
  }
  bool whole;
  value = create(h, expected, make, whole);
  Known& known = known_.emplace(h.at, Known{value, false, whole, reading_}).first->second;
  fresh_.push_back(h.at);
  if (decoded_) decoded_->push_back(h.at);
  ++reading_;
  const Meanwhile around(around_, h.at);
  if (!begin_state(h) || !value->_corbel_get_state(in_) || !end_state(h)) return in_.fail();
  --reading_;
  known.complete = true;
  if (entangled_ >= known.depth) entangled_ = kNone;
  return true;
}

// Of the first type in the list that is known here.
CORBA::ValueBase* ValueReader::create(const cdr::ValueHeader& h, const ValueType* expected,
                                      CORBA::ValueBase* (*make)(), bool& whole) {
  whole = true;
  if (!originals_.empty()) {
    const auto original = originals_.find(static_cast<std::size_t>(h.at - begin_));
    if (original != originals_.end())
      if (CORBA::ValueBase* const made = original->second->_corbel_new()) return made;
  }
  std::span<const std::string_view> ids = h.ids;
  const std::string_view declared = declared_at(h);
  if (ids.empty() && !declared.empty()) ids = {&declared, 1};
  if (!h.chunked() && ids.size() > 1) ids = ids.first(1);  // only what stands in chunks can be cut
  for (std::size_t i = 0; i < ids.size(); ++i) {
    whole = i == 0;
    if (make && expected && ids[i] == expected->id)
      if (CORBA::ValueBase* const made = make()) return made;
    Class known;
    if (!find(ids[i], i, h.without_class, known)) continue;
    if (known.box) return known.box->make();
    const CORBA::ValueFactory_var factory = known.factory;
    if (CORBA::ValueBase* const made = factory->_corbel_create()) return made;
  }
  in_.fail();
  throw CORBA::MARSHAL(assigned::kOmgMinor | 1, CORBA::COMPLETED_MAYBE);  // no factory
}

bool ValueReader::decode(const cdr::ValueHeader& h, std::vector<const char*>& tags) {
  CORBA::ValueBase* value;
  {
    const Meanwhile list(decoded_, &tags);
    if (!read_state(h, value, nullptr, nullptr)) return false;
  }
  if (!decoded_) return true;
  decoded_->insert(decoded_->end(), tags.begin(), tags.end());
  return may_copy(0, tags.size()) || in_.fail();
}

bool ValueReader::can_decode(const cdr::ValueHeader& h, bool whole) {
  const std::size_t count = whole || !h.chunked() ? std::min<std::size_t>(h.ids.size(), 1) : h.ids.size();
  Class known;
  for (std::size_t i = 0; i < count; ++i)
    if (find(h.ids[i], i, h.without_class, known)) {
      const CORBA::ValueFactory_var not_needed = known.factory;
      return true;
    }
  return false;
}

// The id stands at `place` in a list, where `without_class` counts those that have none: they are looked for
// once.
bool ValueReader::find(std::string_view id, std::size_t place, std::size_t* without_class, Class& known) {
  if (without_class && place < *without_class) return false;
  core::Orb* const orb = static_cast<core::Orb*>(in_.context());
  known.box = static_cast<ReadValues*>(in_.values())->find_box(id.data());
  if (!known.box && orb) known.factory = factories(*orb)->find(id);
  if (known.box || known.factory) return true;
  if (without_class && place == *without_class) ++*without_class;
  return false;
}

bool ValueReader::encode(cdr::Encoder& out, const char* tag, bool whole,
                         std::map<const char*, std::size_t>& tags) {
  const auto known = known_.find(tag);
  if (known == known_.end() || !known->second.complete || (whole && !known->second.whole) ||
      entangled_ != kNone)
    return false;
  for (const char* const place : fresh_) tags_.emplace(known_.find(place)->second.value, place);
  fresh_.clear();
  ValueWriter& writer = writer_of(out);
  writer.write_read(known->second.value, *this, tags);
  const std::size_t* const at = writer.find(known->second.value);
  if (!at) return false;  // too many values around it
  tags.emplace(tag, *at);
  return true;
}

const void* ValueReader::identity(const char* tag) {
  const auto shared = shared_.find(tag);
  return shared == shared_.end() ? nullptr : shared->second;
}

void ValueReader::use(const char* begin, ValueLinks& links) {
  for (auto& [offset, shared] : links.all()) {
    shared->add_ref();
    shared_.emplace(begin + offset, shared);
    CORBA::ValueBase* const value = shared->value.load(std::memory_order_acquire);
    if (!value) continue;
    value->_add_ref();
    known_.emplace(begin + offset, Known{value, true, true, kOfOthers});
  }
}

bool ValueReader::any_read(ValueLinks& links, const std::map<const char*, std::size_t>& tags) {
  for (auto& [tag, offset] : tags) {
    auto shared = shared_.find(tag);
    if ((in_anys_.contains(tag) || shared != shared_.end()) && !may_copy(0, 1)) return in_.fail();
    // What is written before the message ends must tell what it has in common with the rest.
    if (decoded_) {
      if (shared == shared_.end()) shared = shared_.emplace(tag, new SharedValue).first;
      shared_inside_.emplace(shared->second, tag);
    }
    if (shared != shared_.end()) {
      shared->second->add_ref();
      links.add(offset, shared->second);
      continue;
    }
    links.add_ref();
    in_anys_.emplace(tag, InAny{&links, offset});
  }
  return true;
}

bool ValueReader::read_for(ValueWriter& writer) {
  const ValueReader* const source = writer.source();
  copied_ = source ? source->copied_ : &writer.copied;
  nesting_ = source ? source->nesting_ + 1 : 0;
  return nesting_ <= kDeepestReaders;
}

void ValueReader::leave_to(ValueWriter& writer) const {
  for (auto& [tag, shared] : shared_) writer.keep(*shared);
}

bool ValueReader::whole(const char* place) const {
  const auto known = known_.find(place);
  return known == known_.end() || known->second.whole;
}

const char* ValueReader::place(const CORBA::ValueBase* value) const {
  const auto tag = tags_.find(value);
  return tag == tags_.end() ? nullptr : tag->second;
}

const char* ValueReader::place(const SharedValue* shared) const {
  const auto tag = shared_inside_.find(shared);
  return tag == shared_inside_.end() ? nullptr : tag->second;
}

// What is part of a value that the program has, it has, too.
void ValueReader::give_parts() {
  if (parts_.empty()) return;
  std::sort(parts_.begin(), parts_.end());
  std::vector<const char*> fresh;
  for (auto& [tag, known] : known_)
    if (known.given) fresh.push_back(tag);
  while (!fresh.empty()) {
    const char* const around = fresh.back();
    fresh.pop_back();
    for (auto part = std::lower_bound(parts_.begin(), parts_.end(), std::pair(around, (const char*)nullptr));
         part != parts_.end() && part->first == around; ++part)
      if (!std::exchange(known_.find(part->second)->second.given, true)) fresh.push_back(part->second);
  }
}

// What was met in several places becomes one.
void ValueReader::link() {
  for (auto first = in_anys_.begin(), end = first; first != in_anys_.end(); first = end) {
    end = in_anys_.upper_bound(first->first);
    const auto known = known_.find(first->first);
    const bool given = known != known_.end() && known->second.whole && known->second.given;
    const auto known_as = shared_.find(first->first);
    if (!given && known_as == shared_.end() && std::next(first) == end) continue;
    auto* const shared = known_as == shared_.end() ? new SharedValue : known_as->second;
    if (known_as != shared_.end()) shared->add_ref();
    if (given) shared->publish(known->second.value);
    for (auto i = first; i != end; ++i) {
      shared->add_ref();
      i->second.links->add(i->second.offset, shared);
    }
    shared->remove_ref();
  }
  for (auto& [tag, shared] : shared_)
    if (const auto known = known_.find(tag);
        known != known_.end() && known->second.whole && known->second.given)
      shared->publish(known->second.value);
}

ValueWriter& WrittenValues::writer() {
  if (!writer_) writer_ = new ValueWriter(out_);
  return *writer_;
}
void WrittenValues::finish() {
  delete writer_;
  writer_ = nullptr;
}

ValueReader& ReadValues::reader() {
  if (!reader_) reader_ = new ValueReader(in_);
  return *reader_;
}
const KnownBox* ReadValues::find_box(const char* id) const {
  for (std::size_t i = 0; i < box_count_; ++i)
    if (std::strcmp(boxes_[i].id, id) == 0) return &boxes_[i];
  return nullptr;
}

void ReadValues::finish() {
  delete reader_;
  reader_ = nullptr;
}

void put_value_base(cdr::Encoder& out, const CORBA::ValueBase* value, const char* declared) {
  const WrittenValues scope(out);
  static_cast<WrittenValues*>(out.values())->writer().write(const_cast<CORBA::ValueBase*>(value), declared);
}

bool get_value_base(cdr::Decoder& in, CORBA::ValueBase*& value, const ValueType* expected,
                    CORBA::ValueBase* (*make)()) {
  const ReadValues scope(in);
  return static_cast<ReadValues*>(in.values())->reader().read(value, expected, make);
}

std::map<std::size_t, const CORBA::ValueBase*> ValueWriter::written() const {
  std::map<std::size_t, const CORBA::ValueBase*> all;
  for (const CORBA::ValueBase* value : kept_) all.emplace(*find(value), value);
  return all;
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
  return !in.failed();  // a class may have gone on behind that
}

}  // namespace corbel::cpp

namespace corbel::cdr {

ValueOutput& values_of(Encoder& out) { return static_cast<cpp::WrittenValues*>(out.values())->writer(); }
ValueInput& values_of(Decoder& in) { return static_cast<cpp::ReadValues*>(in.values())->reader(); }

}  // namespace corbel::cdr

namespace CORBA {

// Values whose last holder is destroyed more than so many destructors below wait until those have come back.
void DefaultValueRefCountBase::destroy(DefaultValueRefCountBase* value) {
  constexpr int kDeepest = 100;
  thread_local int depth = 0;
  thread_local std::vector<DefaultValueRefCountBase*>* waiting = nullptr;
  if (depth == kDeepest) return waiting->push_back(value);
  std::vector<DefaultValueRefCountBase*> here;
  if (++depth == kDeepest) waiting = &here;
  delete value;
  while (!here.empty()) {
    DefaultValueRefCountBase* const next = here.back();
    here.pop_back();
    delete next;
  }
  --depth;
}

ValueBase* ValueBase::_copy_value() {
  using namespace corbel;
  cdr::Encoder out;
  out.reset();
  cpp::WrittenValues written(out);
  written.writer().write(this);
  if (out.error()) cpp::raise(out.error());
  ORB_var orb = cpp::default_orb();
  cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  in.set_context(nullptr, false, orb.in() ? &orb->_corbel_core() : nullptr);
  cpp::ReadValues read(in);
  read.reader().copy_of(out.data(), written.writer().written());
  ValueBase* copy;
  if (!read.reader().read(copy, nullptr, nullptr)) throw MARSHAL(0, COMPLETED_NO);
  return copy;
}

ValueFactoryBase* ORB::register_value_factory(const char* id, ValueFactoryBase* factory) {
  if (!id || !factory) throw BAD_PARAM();
  return corbel::cpp::factories(*core_)->set(id, factory);
}

void ORB::unregister_value_factory(const char* id) {
  if (!id) throw BAD_PARAM();
  ValueFactory_var old = corbel::cpp::factories(*core_)->set(id, nullptr);
}

ValueFactoryBase* ORB::lookup_value_factory(const char* id) {
  ValueFactoryBase* const found = id ? corbel::cpp::factories(*core_)->find(id) : nullptr;
  if (!found) throw BAD_PARAM(corbel::assigned::kOmgMinor | 1);
  return found;
}

}  // namespace CORBA
