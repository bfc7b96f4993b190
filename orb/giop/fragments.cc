#include "orb/giop/fragments.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "orb/giop/service_context.h"

namespace corbel::giop {
namespace {

constexpr std::size_t kLittle = 4096;  // octets that are looked through at any time

}  // namespace

bool may_be_fragmented(const Header& header) {
  const bool request_or_reply = header.type == MessageType::Request || header.type == MessageType::Reply;
  return header.version.minor >= 2 ? request_or_reply || header.type == MessageType::LocateRequest ||
                                         header.type == MessageType::LocateReply
                                   : request_or_reply;
}

void write_whole(char* message, const Header& first, std::size_t size) {
  const auto body = static_cast<std::uint32_t>(size - kHeaderSize);
  message[6] = static_cast<char>(message[6] & ~2);
  cdr::store(message + 8, first.swap ? cdr::swapped(body) : body);
}

Assembler::~Assembler() { clear(); }

void Assembler::clear() {
  while (!parts_.empty()) drop(parts_.begin());
}

// One of 1.2 is found by it. Of a Request or Reply of 1.1: its id comes after the service
// contexts, so it may not have arrived yet. A large one is looked at again when it has grown by much: whoever
// asks, which a peer can make cheaply, must not walk through all contexts each time.
bool Assembler::has_request_id(const Part& part, std::uint32_t& request_id) {
  if (part.header.version.minor >= 2) return true;
  if (part.request_id) {
    request_id = *part.request_id;
    return true;
  }
  if (part.size > kLittle && part.size - part.looked_at < part.looked_at / 8) return false;
  part.looked_at = part.size;
  const char* const message = part.memory.data();
  cdr::Decoder in(message, message + kHeaderSize, message + part.size, part.header.swap);
  const cdr::Fragments fragments{message, message + part.size, part.starts.data(),
                                 static_cast<std::uint32_t>(part.starts.size())};
  if (!part.starts.empty()) in.set_fragments(fragments);
  ServiceContexts contexts;
  if (!contexts.decode(in) || !in.get(request_id)) return false;
  part.request_id = request_id;
  return true;
}

void Assembler::drop(std::map<std::uint32_t, Part>::iterator part) {
  pending_bytes_.fetch_sub(held(part->second), std::memory_order_relaxed);
  parts_.erase(part);
}

void Assembler::drop_abandoned(bool another) {
  for (auto next = parts_.begin(); next != parts_.end();) {
    const auto part = next++;
    const Header& header = part->second.header;
    const bool reply = header.type == MessageType::Reply || header.type == MessageType::LocateReply;
    std::uint32_t id = part->first;
    if (awaited_ && reply && (another || header.version.minor >= 2) && has_request_id(part->second, id) &&
        !awaited_(by_, id))
      drop(part);
  }
}

bool Assembler::pending(std::uint32_t request_id) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const auto& entry) {
    const Part& part = entry.second;
    std::uint32_t id = entry.first;
    return has_request_id(part, id) && id == request_id;
  });
}

base::Deadline Assembler::pending_since() const {
  base::Deadline first = INT64_MAX;
  for (const auto& [id, part] : parts_) first = std::min(first, part.since);
  return first;
}

bool Assembler::append(Part& part, const char* data, std::size_t size) {
  const std::size_t total = part.size + size;
  if (total > max_size_ || pending_bytes_.load(std::memory_order_relaxed) + size > max_pending_bytes_)
    return false;
  if (total > part.memory.size()) {
    base::Memory larger(std::max(total, part.memory.size() * 2));
    if (!larger) return false;
    if (part.size != 0) std::memcpy(larger.data(), part.memory.data(), part.size);
    part.memory = std::move(larger);
  }
  if (size != 0) std::memcpy(part.memory.data() + part.size, data, size);
  part.size = total;
  pending_bytes_.fetch_add(size, std::memory_order_relaxed);
  return true;
}

// Puts the table of fragments behind the message, if alignment behind some border differs from what it would
// be in one piece.
bool Assembler::add_table(Part& part, const cdr::Fragments*& fragments) {
  const auto differs = [](std::uint32_t start) { return start % 8 != kHeaderSize % 8; };
  if (std::none_of(part.starts.begin(), part.starts.end(), differs)) return true;
  const std::size_t at = (part.size + 15) & ~std::size_t{15};
  base::Memory larger(at + sizeof(cdr::Fragments) + part.starts.size() * sizeof(std::uint32_t));
  if (!larger) return false;
  std::memcpy(larger.data(), part.memory.data(), part.size);
  part.memory = std::move(larger);
  char* const table = part.memory.data() + at;
  char* const starts = table + sizeof(cdr::Fragments);
  std::memcpy(starts, part.starts.data(), part.starts.size() * sizeof(std::uint32_t));
  fragments = new (table) cdr::Fragments{part.memory.data(), part.memory.data() + part.size,
                                         reinterpret_cast<const std::uint32_t*>(starts),
                                         static_cast<std::uint32_t>(part.starts.size())};
  return true;
}

Assembler::Result Assembler::add(const Header& header, const char* message, std::size_t size,
                                 base::Memory& whole, std::size_t& whole_size,
                                 const cdr::Fragments*& fragments) {
  fragments = nullptr;
  const bool by_id = header.version.minor >= 2;
  drop_abandoned(!by_id && header.more_fragments && header.type != MessageType::Fragment);
  std::uint32_t id = 0;
  if (by_id || header.type == MessageType::CancelRequest) {
    if (size < kHeaderSize + 4) return Result::ProtocolError;
    id = cdr::load<std::uint32_t>(message + kHeaderSize, header.swap);
  }
  if (header.type == MessageType::CancelRequest) {
    if (header.more_fragments) return Result::ProtocolError;
    const auto part = parts_.find(by_id ? id : 0);
    std::uint32_t found = id;
    if (part != parts_.end() && part->second.header.version == header.version &&
        has_request_id(part->second, found) && found == id)
      drop(part);
    return Result::PassThrough;
  }
  auto part = parts_.find(id);
  if (header.type != MessageType::Fragment) {
    if (!header.more_fragments) return Result::PassThrough;
    if (!may_be_fragmented(header) || part != parts_.end()) return Result::ProtocolError;
    if (parts_.size() == kMostPending) return Result::TooLarge;
    part = parts_.try_emplace(id).first;
    part->second.header = header;
    part->second.since = base::now();
    part->second.since_size = size;
    if (append(part->second, message, size)) return Result::Pending;
    drop(part);
    return Result::TooLarge;
  }
  if (part == parts_.end())
    return Result::PassThrough;  // of a message that was cancelled or given up: the caller ignores it
  if (header.swap != part->second.header.swap || header.version != part->second.header.version)
    return Result::ProtocolError;
  const std::size_t skip = kHeaderSize + (by_id ? 4 : 0);
  if (!by_id && size != skip) {
    if (pending_bytes_.load(std::memory_order_relaxed) + sizeof(std::uint32_t) > max_pending_bytes_) {
      drop(part);
      return Result::TooLarge;
    }
    part->second.starts.push_back(static_cast<std::uint32_t>(part->second.size));
    pending_bytes_.fetch_add(sizeof(std::uint32_t), std::memory_order_relaxed);
  }
  if (!append(part->second, message + skip, size - skip)) {
    drop(part);
    return Result::TooLarge;
  }
  Part& done = part->second;
  if (header.more_fragments) {
    if (done.size - done.since_size >= kLeastProgress) {
      done.since = base::now();
      done.since_size = done.size;
    }
    return Result::Pending;
  }
  write_whole(done.memory.data(), done.header, done.size);
  if (!add_table(done, fragments)) {
    drop(part);
    return Result::TooLarge;
  }
  pending_bytes_.fetch_sub(held(done), std::memory_order_relaxed);
  whole = std::move(done.memory);
  whole_size = done.size;
  parts_.erase(part);
  return Result::Complete;
}

}  // namespace corbel::giop
