#include "orb/cdr/values.h"

#include <new>

namespace corbel::cdr {
namespace {

// Those that are written once may be meant by indirections in every value.
constexpr std::uint32_t kMostIds = 1000, kLongestText = 16 * 1024;
constexpr std::size_t kMostIdOctets = 64 * 1024;  // of one list

constexpr std::size_t round4(std::size_t offset) { return (offset + 3) & ~std::size_t{3}; }

}  // namespace

// ---- writing

void ValueOutput::refer(std::size_t offset) {
  out_.put(kIndirectionTag);
  out_.put(static_cast<std::int32_t>(static_cast<std::ptrdiff_t>(offset) -
                                     static_cast<std::ptrdiff_t>(out_.offset())));
}

const std::size_t* ValueOutput::find(const void* identity) const {
  const auto known = values_.find(identity);
  return known == values_.end() ? nullptr : &known->second;
}

bool ValueOutput::enter() {
  if (open_.size() >= kDeepestValues) {
    out_.fail({SystemErrorId::IMP_LIMIT, Completion::No, 0, "values are nested too deep to be sent"});
    return false;
  }
  if (level_ > 0) close_chunk();
  out_.chunk<4>(0);
  tag_ = out_.offset();
  return true;
}

void ValueOutput::enter_state(bool chunked) {
  open_.push_back(chunked);
  if (!chunked) return;
  ++level_;
  open_chunk();
}

bool ValueOutput::begin(const std::vector<const char*>& ids, bool chunked) {
  if (!enter()) return false;
  chunked = chunked || level_ > 0;
  out_.put(kValueTag | (chunked ? kChunked : 0) | (ids.empty() ? 0 : ids.size() > 1 ? kIds : kOneId));
  if (ids.size() > 1) out_.put(static_cast<std::uint32_t>(ids.size()));
  for (const char* id : ids) write_id(id);
  enter_state(chunked);
  return true;
}

bool ValueOutput::begin_opaque(const ValueHeader& h, std::size_t phase) {
  if (!enter()) return false;
  const std::size_t count = h.spelled.size();
  std::size_t state = tag_ + 4 + (count > 1 ? 4 : 0);
  for (std::size_t i = 0; i < count; ++i)
    state += !h.spelled[i] && ids_.count(std::string(h.ids[i])) != 0 ? 8 : 4 + round4(h.ids[i].size() + 1);
  // A list of one id is longer by 4 than the id; an URL of five octets, for which nobody asks, takes 12.
  const bool moved = (state + 4) % 8 != phase;
  const bool list = count > 1 || (moved && count == 1);
  const bool url = moved && count != 1;
  out_.put(kValueTag | kChunked | (url ? kCodebase : 0) | (count == 0 ? 0 : list ? kIds : kOneId));
  if (url) out_.put_string("file:");
  if (list) out_.put(static_cast<std::uint32_t>(count));
  for (std::size_t i = 0; i < count; ++i)
    h.spelled[i] ? spell_id(h.ids[i].data()) : write_id(h.ids[i].data());
  enter_state(true);
  return true;
}

bool ValueOutput::next_chunk(std::size_t phase) {
  const std::size_t here = out_.offset();
  if (here != begin_ && (round4(here) + 4) % 8 == phase) {
    close_chunk();
    open_chunk();
    return true;
  }
  return here % 8 == phase;  // none has begun, or it goes on in this one
}

void ValueOutput::end() {
  if (open_.back()) {
    close_chunk();
    out_.put(-level_);
    if (--level_ > 0) open_chunk();
  }
  open_.pop_back();
}

void ValueOutput::end_with_outer() {
  close_chunk();
  --level_;
  open_chunk();
  open_.pop_back();
}

void ValueOutput::spell_id(const char* id) {
  out_.chunk<4>(0);
  ids_.emplace(id, out_.offset());
  out_.put_string(id);
}

void ValueOutput::write_id(const char* id) {
  const auto known = ids_.find(id);
  if (known != ids_.end()) return refer(known->second);
  spell_id(id);
}

// The length is filled in when the chunk ends.
void ValueOutput::open_chunk() {
  out_.put(std::int32_t{0});
  length_at_ = out_.hold(4);
  begin_ = out_.offset();
}

void ValueOutput::close_chunk() {
  if (out_.error()) return;
  const std::size_t length = out_.offset() - begin_;
  out_.let_go();
  if (length == 0) return out_.drop(4);  // none is empty
  store(out_.held(length_at_), static_cast<std::int32_t>(length));
}

// ---- reading

ValueInput::ValueInput(Decoder& in) : in_(in) {
  chunks_.owner = this;
  chunks_.allocate = [](void* owner, std::size_t size) {
    return static_cast<ValueInput*>(owner)->allocate(size);
  };
}

// Values begin outside of chunks; null and indirections may stand inside.
bool ValueInput::next(ValueHeader& h) {
  if (ended_ != 0) return in_.fail();
  if (level_ == 0 || in_.position() < in_.chunk_end()) {
    if (!in_.get(h.tag)) return false;
  } else {
    if (!outside(h.tag)) return false;
    if (h.tag != kNullTag && h.tag < kValueTag) {  // the length of a chunk
      if (h.tag > in_.remaining()) return in_.fail();
      in_.set_chunk_end(in_.position() + h.tag);
      if (!in_.get(h.tag)) return false;
    }
  }
  h.at = in_.position() - 4;
  return h.null() || h.reference() || (h.tag >= kValueTag && h.tag < 0x80000000u) || in_.fail();
}

// A number between chunks.
bool ValueInput::outside(std::uint32_t& number) {
  in_.set_chunk_end(chunks_.end);
  const bool good = in_.get(number);
  if (good) in_.set_chunk_end(in_.position());
  return good;
}

bool ValueInput::target(const char*& to) {
  const bool between = level_ > 0 && in_.position() == in_.chunk_end();
  if (between) in_.set_chunk_end(chunks_.end);
  std::int32_t distance;
  if (!in_.get(distance) || distance >= -4) return in_.fail();
  if (between) in_.set_chunk_end(in_.position());
  to = in_.position() - 4 + distance;  // a number to look up, wherever it leads
  refer(to);
  return true;
}

bool ValueInput::read_header(ValueHeader& h) {
  h.without_class = nullptr;
  if (level_ > 0) {
    if (!h.chunked()) return in_.fail();  // inside a value in chunks all are
    in_.set_chunk_end(chunks_.end);
  }
  if ((h.tag & kCodebase) && !read_text()) return false;
  switch (h.tag & kIds) {
    case 0:
      return true;
    case kOneId: {
      bool spelled;
      const std::string_view* const id = read_text(&spelled);
      if (!id) return false;
      h.ids = {id, 1};
      h.spelled.assign(1, spelled);
      return true;
    }
    case kIds:
      return read_ids(h);
    default:
      return in_.fail();
  }
}

bool ValueInput::read_ids(ValueHeader& h) {
  std::uint32_t count;
  if (!in_.get(count)) return false;
  const char* const at = in_.position() - 4;
  if (count == kIndirectionTag) {
    const char* to;
    if (!id_target(to)) return false;
    const auto known = lists_.find(to);
    if (known == lists_.end()) return in_.fail();
    h.ids = known->second.ids;
    h.without_class = &known->second.without_class;
    h.spelled.assign(h.ids.size(), false);
    return true;
  }
  if (count == 0 || count > kMostIds) return in_.fail();
  std::vector<std::string_view> list;
  std::size_t octets = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    bool spelled;
    const std::string_view* const id = read_text(&spelled);
    if (!id) return false;
    if ((octets += id->size()) > kMostIdOctets) return in_.fail();
    list.push_back(*id);
    h.spelled.push_back(spelled);
  }
  List& kept = lists_.try_emplace(at, List{std::move(list)}).first->second;
  h.ids = kept.ids;
  h.without_class = &kept.without_class;
  return true;
}

bool ValueInput::id_target(const char*& to) {
  std::int32_t distance;
  if (!in_.get(distance) || distance >= -4) return in_.fail();
  to = in_.position() - 4 + distance;
  refer(to);
  return true;
}

// Null where there is none.
const std::string_view* ValueInput::read_text(bool* spelled) {
  std::uint32_t length;
  if (!in_.get(length)) return nullptr;
  const char* const at = in_.position() - 4;
  if (spelled) *spelled = length != kIndirectionTag;
  if (length == kIndirectionTag) {
    const char* to;
    if (!id_target(to)) return nullptr;
    const auto known = texts_.find(to);
    if (known != texts_.end()) return &known->second.view;
    in_.fail();
    return nullptr;
  }
  const char* const p = length == 0 || length > kLongestText ? nullptr : in_.chunk<1>(length);
  if (p && p[length - 1] == '\0') return &texts_.try_emplace(at, p, length - 1).first->second.view;
  in_.fail();
  return nullptr;
}

bool ValueInput::begin_state(const ValueHeader& h) {
  if (++depth_ > kDeepestValues) return in_.fail();
  if (!h.chunked()) return true;
  if (level_++ == 0) in_.enter_chunks(chunks_);
  else in_.set_chunk_end(in_.position());
  return true;
}

ValueInput::Part ValueInput::next_part(ValueHeader& inner) {
  if (ended_ == 0) {
    if (in_.position() != in_.chunk_end()) return Part::Octets;
    if (!outside(inner.tag)) return Part::Malformed;
    if (inner.null()) return Part::Null;
    if (inner.tag < kValueTag) {
      if (inner.tag > in_.remaining()) return in_.fail(), Part::Malformed;
      in_.set_chunk_end(in_.position() + inner.tag);
      return Part::Octets;
    }
    if (inner.tag < 0x80000000u) {
      inner.at = in_.position() - 4;
      return Part::Value;
    }
    const std::uint32_t level = 0u - inner.tag;  // unsigned: the lowest tag has no positive opposite
    if (level > static_cast<std::uint32_t>(level_)) return in_.fail(), Part::Malformed;
    ended_ = static_cast<std::int32_t>(level);
  }
  if (ended_ > level_) return in_.fail(), Part::Malformed;
  return Part::End;
}

bool ValueInput::end_state(const ValueHeader& h, bool* cut, std::vector<const char*>* skipped) {
  --depth_;
  if (!h.chunked()) return true;
  for (;;) {
    ValueHeader inner;
    const Part part = next_part(inner);
    if (part == Part::End) break;
    if (cut) *cut = true;
    if (part == Part::Malformed) return false;
    if (part == Part::Octets) in_.skip_to(in_.chunk_end());
    if (part == Part::Value && !skip(inner, skipped)) return false;
  }
  if (ended_ == level_) ended_ = 0;
  if (--level_ == 0) in_.leave_chunks();
  return true;
}

bool ValueInput::skip(const ValueHeader& tag, std::vector<const char*>* skipped) {
  ValueHeader h = tag;
  met(h);
  if (skipped) skipped->push_back(h.at);
  return read_header(h) && begin_state(h) && end_state(h, nullptr, skipped);
}

bool ValueInput::may_spell(const ValueHeader& h) {
  constexpr std::size_t kFreely = 256;
  std::size_t octets = 0;
  for (const std::string_view id : h.ids) octets += id.size();
  return octets <= kFreely || may_copy(octets, 0) || in_.fail();
}

void ValueInput::met(const ValueHeader& h, std::string_view declared) {
  Met& it = met_.try_emplace(h.at, Met{level_, {}}).first->second;
  if (declared.empty() || !h.ids.empty() || !it.declared.empty()) return;
  const auto known = declared_.find(declared);
  it.declared = known != declared_.end() ? *known : *declared_.emplace(declared).first;
}

std::string_view ValueInput::declared_at(const ValueHeader& h) const {
  const auto met = met_.find(h.at);
  return met == met_.end() ? std::string_view() : met->second.declared;
}

bool ValueInput::go_to(const char* tag, Place& back) {
  const auto met = met_.find(tag);
  if (met == met_.end()) return in_.fail();
  back = {in_.position(), in_.chunk_end(), level_};
  ended_ = 0;
  if (level_ == 0 && met->second.level > 0) in_.enter_chunks(chunks_);
  if (level_ > 0 && met->second.level == 0) in_.leave_chunks();
  level_ = met->second.level;
  in_.skip_to(tag);
  if (level_ > 0) in_.set_chunk_end(tag);
  return true;
}

void ValueInput::return_to(const Place& back) {
  if (in_.failed()) return;
  if (level_ > 0 && back.level == 0) in_.leave_chunks();
  if (level_ == 0 && back.level > 0) in_.enter_chunks(chunks_);
  level_ = back.level;
  ended_ = 0;  // an end tag there may have ended those around it, too: that has been seen
  in_.skip_to(back.position);
  if (level_ > 0) in_.set_chunk_end(back.chunk_end);
}

char* ValueInput::allocate(std::size_t size) {
  auto piece = std::unique_ptr<char[]>(new (std::nothrow) char[size]);
  if (!piece) return nullptr;
  pieces_.push_back(std::move(piece));
  return pieces_.back().get();
}

}  // namespace corbel::cdr
