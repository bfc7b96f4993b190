#include "orb/core/locating.h"

#include <new>

#include "orb/core/orb.h"
#include "orb/giop/reply.h"
#include "orb/giop/request.h"
#include "orb/ior/ior.h"

namespace corbel::core {

using giop::LocateStatus;

SystemError may_be_called_back(Orb& orb, const char* key, std::uint32_t key_size) {
  Dispatcher* const dispatcher = orb.dispatcher();
  if (orb.options().offer_bidirectional || (dispatcher && dispatcher->bidirectional(key, key_size)))
    return {};
  return {SystemErrorId::OBJ_ADAPTER, Completion::No, 0,
          "the object's adapter has not the BidirectionalPolicy BOTH"};
}

bool answer_locate_request(Orb& orb, const Message& request, std::string& reply, bool back) {
  cdr::Decoder in = request.decoder();
  giop::LocateRequestHeader header;
  const giop::Version version = request.header.version;
  if (!giop::decode_locate_request(in, version, header)) return false;
  cdr::Encoder out;
  out.reset(giop::kLocateReplySize);
  if (out.error()) throw std::bad_alloc();
  LocateStatus status = LocateStatus::UnknownObject;
  Dispatcher* const dispatcher = orb.dispatcher();
  ior::Ior target;
  SystemError error;
  if (!header.key) {
    status = LocateStatus::NeedsAddressingMode;
    out.put(giop::Addressing::Key);
  } else if (back && (error = may_be_called_back(orb, header.key, header.key_size))) {
    if (version.minor >= 2) {
      status = LocateStatus::SystemException;
      giop::encode_system_exception(out, error);
    }
  } else if (dispatcher) {
    switch (dispatcher->locate(header.key, header.key_size, target, error)) {
      case Dispatcher::Location::Here:
        status = LocateStatus::ObjectHere;
        break;
      case Dispatcher::Location::Unknown:
        break;
      case Dispatcher::Location::Forward:
        status = LocateStatus::ObjectForward;
        ior::encode(out, target);
        break;
      case Dispatcher::Location::Refused:
        // Who asks in an older version learns it with its request.
        status = version.minor >= 2 ? LocateStatus::SystemException : LocateStatus::ObjectHere;
        if (version.minor >= 2) giop::encode_system_exception(out, error);
        break;
    }
  }
  if (out.error()) throw std::bad_alloc();
  giop::write_locate_reply(out.data(), version, header.request_id, status);
  giop::set_message_size(out.data(), out.size());
  reply.assign(out.data(), out.size());
  return true;
}

}  // namespace corbel::core
