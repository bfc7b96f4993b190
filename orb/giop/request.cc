#include "orb/giop/request.h"

#include <corbel/cdr/encoder.h>

#include "orb/ior/assigned.h"

namespace corbel::giop {
namespace {

constexpr std::size_t kTarget = kHeaderSize + 8;  // of a Request of 1.2: behind request id and flags

// Key of an encapsulated IIOP profile, as a view; of other profiles nothing is known. False for a malformed
// one.
bool key_of_profile(std::uint32_t tag, const char* data, std::uint32_t size, const char*& key,
                    std::uint32_t& key_size) {
  if (tag != assigned::kTagInternetIop) return true;
  if (size == 0 || static_cast<unsigned char>(*data) > 1) return false;
  cdr::Decoder in(data, data + 1, data + size, (*data == 1) != cdr::kHostIsLittleEndian);
  std::uint8_t major, minor;
  std::uint16_t port;
  const char* host;
  return in.get(major) && in.get(minor) && in.get_string_view(host) && in.get(port) &&
         in.get_octets_view(key, key_size);
}

bool get_profile(cdr::Decoder& in, const char*& key, std::uint32_t& key_size) {
  std::uint32_t tag, size;
  const char* data;
  return in.get(tag) && in.get_octets_view(data, size) && key_of_profile(tag, data, size, key, key_size);
}

bool get_reference(cdr::Decoder& in, const char*& key, std::uint32_t& key_size) {
  std::uint32_t selected, count;
  const char* type_id;
  bool found = false;
  if (!in.get(selected) || !in.get_string_view(type_id) || !in.get_length(count, 8)) return false;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t tag, size;
    const char* data;
    if (!in.get(tag) || !in.get_octets_view(data, size)) return false;
    if (i == selected) found = key_of_profile(tag, data, size, key, key_size);
  }
  return found;
}

bool get_target(cdr::Decoder& in, const char*& key, std::uint32_t& key_size) {
  std::uint16_t addressing;
  if (!in.get(addressing)) return false;
  switch (static_cast<Addressing>(addressing)) {
    [[likely]] case Addressing::Key:
      return in.get_octets_view(key, key_size);
    case Addressing::Profile:
      return get_profile(in, key, key_size);
    case Addressing::Reference:
      return get_reference(in, key, key_size);
  }
  return false;
}

bool decode_request_1_2(cdr::Decoder& in, RequestHeader& h) {
  const char* p = in.chunk<4>(8);  // request id, response flags, three reserved octets
  if (!p) return false;
  h.request_id = cdr::load<std::uint32_t>(p, in.swap());
  h.response_expected = (p[4] & 1) != 0;
  h.reply_early = (p[4] & 3) == static_cast<char>(Response::Early);
  if (!get_target(in, h.key, h.key_size) || !in.get_string_view(h.operation, h.operation_length) ||
      !h.contexts.decode(in))
    return false;
  return in.remaining() == 0 || in.chunk<8>(0) != nullptr;
}

bool decode_request_1_0(cdr::Decoder& in, Version version, RequestHeader& h) {
  const char* principal;
  std::uint32_t principal_size;
  in.set_older(2u - version.minor);
  h.reply_early = false;
  return h.contexts.decode(in) && in.get(h.request_id) && in.get_boolean(h.response_expected) &&
         (version.minor == 0 || in.chunk<1>(3)) && in.get_octets_view(h.key, h.key_size) &&
         in.get_string_view(h.operation, h.operation_length) && in.get_octets_view(principal, principal_size);
}

char* put_u32(char* p, std::uint32_t value) {
  cdr::store(p, value);
  return p + 4;
}

// Zeroes up to the next multiple of `alignment` from `start`.
char* pad(char* start, char* p, std::uint32_t alignment) {
  const auto offset = static_cast<std::uint32_t>(p - start);
  const std::uint32_t n = aligned(offset, alignment) - offset;
  std::memset(p, 0, n);
  return p + n;
}

char* put_operation(char* p, const RequestParts& parts) {
  p = put_u32(p, parts.operation_length + 1);
  std::memcpy(p, parts.operation, parts.operation_length + 1);
  return p + parts.operation_length + 1;
}

// Contexts are encoded as from a multiple of 8; their first octet stands at 4 behind the count, so padding
// decides.
char* put_contexts(char* start, char* p, const RequestParts& parts) {
  p = put_u32(pad(start, p, 4), parts.contexts_count);
  if (parts.contexts_count != 0) [[unlikely]] {
    std::memcpy(p, parts.contexts, parts.contexts_size);
    p += parts.contexts_size;
  }
  return p;
}

// The words that end in padding are zeroed before what stands in them is written.
std::uint32_t write_1_2(char* to, const RequestParts& parts) {
  const auto prefix = static_cast<std::uint32_t>(parts.prefix.size());
  const std::uint32_t name = aligned(prefix, 4);
  const std::uint32_t contexts = aligned(name + 4 + parts.operation_length + 1, 4);
  const std::uint32_t end = contexts + 4 + parts.contexts_size;
  cdr::store(to + name - 4, std::uint32_t{0});
  cdr::store(to + contexts - 4, std::uint32_t{0});
  cdr::store(to + aligned(end, 8) - 8, std::uint64_t{0});
  std::memcpy(to, parts.prefix.data(), prefix);
  to[kHeaderSize + 4] = static_cast<char>(parts.response);
  cdr::store(to + name, parts.operation_length + 1);
  std::memcpy(to + name + 4, parts.operation, parts.operation_length + 1);
  cdr::store(to + contexts, parts.contexts_count);
  if (parts.contexts_size != 0) [[unlikely]]
    std::memcpy(to + contexts + 4, parts.contexts, parts.contexts_size);
  if (parts.operation_number != 0 && name - prefix >= 2) [[unlikely]] {
    to[name - 2] = static_cast<char>(parts.operation_number >> 8);
    to[name - 1] = static_cast<char>(parts.operation_number);
  }
  return end;
}

std::uint32_t write_1_0(char* to, const RequestParts& parts) {
  write(to, MessageType::Request, parts.version, 0);
  char* p = put_contexts(to, to + kHeaderSize, parts);
  p = put_u32(pad(to, p, 4), 0);
  cdr::store(p, static_cast<std::uint32_t>(0));  // the boolean and, from 1.1 on, three reserved octets
  *p = parts.response != Response::Nothing ? 1 : 0;
  p = parts.version.minor == 0 ? pad(to, p + 1, 4) : p + 4;
  p = put_u32(p, static_cast<std::uint32_t>(parts.prefix.size()));
  std::memcpy(p, parts.prefix.data(), parts.prefix.size());
  p = pad(to, p + parts.prefix.size(), 4);
  p = pad(to, put_operation(p, parts), 4);
  const auto offset = static_cast<std::uint32_t>(p - to);
  const std::uint32_t principal = aligned(offset + 4, 8) - (offset + 4);
  p = put_u32(p, principal);
  std::memset(p, 0, principal);
  return offset + 4 + principal;
}

}  // namespace

// Request id 0, flags 4, addressing 8, key 12, operation, contexts, body: from behind the message header on.
// Sums are of 64 bits, so that no length overflows them.
template <bool Swap>
static bool decode_plain(cdr::Decoder& in, RequestHeader& h) {
  constexpr std::size_t kKey = 16;
  const char* const start = in.position();
  const std::uint64_t size = in.remaining();
  if (in.offset() != kHeaderSize || size < kKey + 8 || cdr::load<std::uint16_t>(start + 8, Swap) != 0 ||
      start[4] == static_cast<char>(Response::Early))
    return false;
  const std::uint64_t key_size = cdr::load<std::uint32_t>(start + 12, Swap);
  const std::uint64_t operation = kKey + ((key_size + 3) & ~3ull) + 4;
  if (operation > size) return false;
  const std::uint64_t operation_size = cdr::load<std::uint32_t>(start + operation - 4, Swap);
  const std::uint64_t contexts = operation + ((operation_size + 3) & ~3ull);
  const std::uint64_t end = contexts + 4;
  const std::uint64_t body = end == size ? end : ((kHeaderSize + end + 7) & ~7ull) - kHeaderSize;
  if (body > size || operation_size == 0 || start[operation + operation_size - 1] != '\0' ||
      cdr::load<std::uint32_t>(start + contexts, false) != 0)
    return false;
  h.request_id = cdr::load<std::uint32_t>(start, Swap);
  h.response_expected = (start[4] & 1) != 0;
  h.reply_early = false;
  h.key = start + kKey;
  h.key_size = static_cast<std::uint32_t>(key_size);
  h.operation = start + operation;
  h.operation_length = static_cast<std::uint32_t>(operation_size - 1);
  h.contexts.clear();
  in.chunk<1>(body);
  return true;
}

bool decode_plain_request(cdr::Decoder& in, RequestHeader& h) {
  return in.swap() ? decode_plain<true>(in, h) : decode_plain<false>(in, h);
}

bool decode_request_slow(cdr::Decoder& in, Version version, RequestHeader& header) {
  header.key = nullptr;
  header.key_size = 0;
  return version.minor >= 2 ? decode_request_1_2(in, header) : decode_request_1_0(in, version, header);
}

bool decode_locate_request(cdr::Decoder& in, Version version, LocateRequestHeader& h) {
  if (!in.get(h.request_id)) return false;
  return version.minor >= 2 ? get_target(in, h.key, h.key_size) : in.get_octets_view(h.key, h.key_size);
}

std::string make_prefix(Version version, std::string_view key) {
  if (version.minor < 2) return std::string(key);
  std::string prefix(kTarget + 8, '\0');
  write(prefix.data(), MessageType::Request, version, 0);
  cdr::store(prefix.data() + kTarget, Addressing::Key);
  cdr::store(prefix.data() + kTarget + 4, static_cast<std::uint32_t>(key.size()));
  return prefix.append(key);
}

std::string make_prefix(Addressing addressing, const ior::Ior& ior, std::uint32_t index) {
  cdr::Encoder out;
  out.reset(kTarget);
  if (out.error()) throw std::bad_alloc();
  std::memset(out.data(), 0, kTarget);
  write(out.data(), MessageType::Request, {1, 2}, 0);
  out.put(addressing);
  if (addressing == Addressing::Reference) {
    out.put(index);
    ior::encode(out, ior);
  } else {
    const ior::TaggedProfile& profile = ior.profiles[index];
    out.put(profile.tag);
    out.put_octets(profile.data.data(), static_cast<std::uint32_t>(profile.data.size()));
  }
  return std::string(out.data(), out.size());
}

std::string make_locate_request(Version version, const std::string& prefix, std::uint32_t request_id) {
  std::string message(kHeaderSize + 4, '\0');
  if (version.minor >= 2) {
    message.append(prefix, kTarget);  // its alignment is the same modulo 4, and nothing in it needs more
  } else {
    message.append(4, '\0').append(prefix);
    cdr::store(message.data() + kHeaderSize + 4, static_cast<std::uint32_t>(prefix.size()));
  }
  write(message.data(), MessageType::LocateRequest, version,
        static_cast<std::uint32_t>(message.size() - kHeaderSize));
  cdr::store(message.data() + kHeaderSize, request_id);
  return message;
}

std::uint32_t body_offset_1_0(const RequestParts& parts) {
  const auto prefix = static_cast<std::uint32_t>(parts.prefix.size());
  const std::uint32_t operation = 4 + parts.operation_length + 1;
  const std::uint32_t flags_end = aligned(kHeaderSize + 4 + parts.contexts_size, 4) + 8;
  return aligned(aligned(aligned(flags_end + 4 + prefix, 4) + operation, 4) + 4, 8);
}

std::uint32_t write_request_header(char* to, const RequestParts& parts) {
  return parts.version.minor >= 2 ? write_1_2(to, parts) : write_1_0(to, parts);
}

bool decode_addressing(cdr::Decoder& in, Addressing& addressing) {
  std::uint16_t number;
  if (!in.get(number) || number > static_cast<std::uint16_t>(Addressing::Reference)) return false;
  addressing = static_cast<Addressing>(number);
  return true;
}

void write_cancel_request(char* to, Version version, std::uint32_t request_id) {
  write(to, MessageType::CancelRequest, version, 4);
  cdr::store(to + kHeaderSize, request_id);
}

}  // namespace corbel::giop
