#include "orb/giop/reply.h"

#include <cstring>

#include "orb/ior/assigned.h"

namespace corbel::giop {
namespace {

// What servers mean by the OMG's minor codes that are met most.
const char* explain(const SystemError& e) {
  static constexpr struct {
    SystemErrorId id;
    std::uint32_t minor;
    const char* text;
  } kKnown[] = {
      {SystemErrorId::BAD_OPERATION, 2, "raised by the server: the object has no such operation"},
      {SystemErrorId::MARSHAL, 1, "raised by the server: it has no factory of a value that it was sent"},
      {SystemErrorId::OBJ_ADAPTER, 3, "raised by the server: the object's adapter has no default servant"},
      {SystemErrorId::OBJECT_NOT_EXIST, 2, "raised by the server: it has no such object"},
      {SystemErrorId::TRANSIENT, 1, "raised by the server: it discards requests at present"},
      {SystemErrorId::UNKNOWN, 1,
       "raised by the server: it met an exception that the operation does not declare"},
  };
  for (const auto& known : kKnown)
    if (known.id == e.id && (assigned::kOmgMinor | known.minor) == e.minor) return known.text;
  if (e.id == SystemErrorId::UNKNOWN && e.minor == 0)
    return "raised by the server: its operation has perhaps thrown what is none of CORBA's exceptions, a "
           "std::exception for instance";
  return "raised by the server";
}

}  // namespace

bool decode_reply_slow(cdr::Decoder& in, Version version, ReplyHeader& h) {
  std::uint32_t status;
  if (version.minor < 2) in.set_older(2u - version.minor);
  if (version.minor >= 2) {
    if (!in.get(h.request_id) || !in.get(status) || !h.contexts.decode(in)) return false;
    if (in.remaining() != 0 && !in.chunk<8>(0)) return false;
  } else if (!h.contexts.decode(in) || !in.get(h.request_id) || !in.get(status)) {
    return false;
  }
  if (status > static_cast<std::uint32_t>(version.minor >= 2 ? ReplyStatus::NeedsAddressingMode
                                                             : ReplyStatus::LocationForward))
    return false;
  h.status = static_cast<ReplyStatus>(status);
  return true;
}

std::uint32_t peek_reply_id(const Header& header, cdr::Decoder in) {
  std::uint32_t id = 0;
  if (header.version.minor < 2 && header.type == MessageType::Reply) {
    ServiceContexts contexts;
    if (!contexts.decode(in)) return 0;
  }
  return in.get(id) ? id : 0;
}

std::string encode_contexts(const std::vector<ServiceContext>& contexts) {
  std::string list;
  for (const ServiceContext& context : contexts) {
    const std::uint32_t head[] = {context.id, static_cast<std::uint32_t>(context.data.size())};
    list.resize((list.size() + 3) & ~std::size_t{3});
    list.append(reinterpret_cast<const char*>(head), sizeof head).append(context.data);
  }
  return list;
}

void write_padded_reply_header(char* to, Version version, std::uint32_t request_id, ReplyStatus status) {
  write(to, MessageType::Reply, version, 0);
  const auto put = [to](std::size_t at, auto... words) {
    const std::uint32_t all[] = {static_cast<std::uint32_t>(words)...};
    std::memcpy(to + at, all, sizeof all);
  };
  const bool contexts_last = version.minor >= 2;
  put(contexts_last ? 12 : 48, request_id, status);
  put(contexts_last ? 20 : 12, 1, assigned::kContextPadding, 24, 0, 0, 0, 0, 0, 0);
}

std::string make_reply_header(Version version, std::uint32_t request_id, ReplyStatus status,
                              const std::vector<ServiceContext>& contexts, bool body) {
  std::string header(kHeaderSize, '\0');
  write(header.data(), MessageType::Reply, version, 0);
  const auto put = [&](auto... words) {
    const std::uint32_t all[] = {static_cast<std::uint32_t>(words)...};
    header.append(reinterpret_cast<const char*>(all), sizeof all);
  };
  std::string list = encode_contexts(contexts);
  if (version.minor >= 2) {
    put(request_id, status, contexts.size());
    header += list;
    // Nothing pads what nothing follows.
    if (body) header.resize((header.size() + 7) & ~std::size_t{7});
    return header;
  }
  list.resize((list.size() + 3) & ~std::size_t{3});
  // The body begins behind the header at once: one more context makes place for it.
  const bool padded = list.size() % 8 != 0;
  if (padded) list += encode_contexts({{assigned::kContextPadding, std::string(4, '\0')}});
  put(contexts.size() + padded);
  header += list;
  put(request_id, status);
  return header;
}

bool decode_locate_reply(cdr::Decoder& in, Version version, std::uint32_t& request_id, LocateStatus& status) {
  std::uint32_t number;
  if (!in.get(request_id) || !in.get(number) ||
      number > static_cast<std::uint32_t>(version.minor >= 2 ? LocateStatus::NeedsAddressingMode
                                                             : LocateStatus::ObjectForward))
    return false;
  status = static_cast<LocateStatus>(number);
  return true;
}

void write_locate_reply(char* to, Version version, std::uint32_t request_id, LocateStatus status) {
  write(to, MessageType::LocateReply, version, kLocateReplySize - kHeaderSize);
  cdr::store(to + 12, request_id);
  cdr::store(to + 16, static_cast<std::uint32_t>(status));
}

void encode_system_exception(cdr::Encoder& out, const SystemError& error) {
  out.put_string(repository_id(error.id));
  out.put(error.minor);
  out.put(static_cast<std::uint32_t>(error.completed));
}

bool decode_system_exception(cdr::Decoder& in, SystemError& error) {
  const char* id;
  std::uint32_t length, completed;
  if (!in.get_string_view(id, length) || !in.get(error.minor) || !in.get(completed) || completed > 2)
    return false;
  error.id = system_error_id(id, length);
  error.completed = static_cast<Completion>(completed);
  error.detail = explain(error);
  return true;
}

}  // namespace corbel::giop
