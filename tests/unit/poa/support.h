// An ORB that does not listen, its adapters, and requests made by hand.
#pragma once

#include <string>

#include "orb/core/orb.h"
#include "orb/core/server_request.h"
#include "orb/giop/reply.h"
#include "orb/poa/adapter_table.h"
#include "tests/unit/poa/tiny_mapping.h"

namespace corbel::poa {

inline core::Options options(const std::string& server_id = "server") {
  core::Options o;
  o.server_id = server_id;
  return o;
}

// One call of nothing() or another operation without arguments, as it comes from the wire.
struct Call {
  explicit Call(core::Orb& orb) : request(orb) {}

  // The system exception in the reply, or none.
  SystemError send(const std::string& key, const char* operation = "nothing") {
    giop::RequestHeader& header = request.header();
    header = {};
    header.response_expected = true;
    header.key = key.data();
    header.key_size = static_cast<std::uint32_t>(key.size());
    header.operation = operation;
    header.operation_length = static_cast<std::uint32_t>(std::string(operation).size());
    request.start(cdr::Decoder());
    request.outer = core::ServerRequest::current();
    core::ServerRequest::set_current(&request);
    request.orb().dispatch(request);
    core::ServerRequest::set_current(request.outer);
    SystemError error;
    if (request.reply_kind() != core::ServerRequest::Reply::SystemException) return error;
    const char* const data = request.reply().data();
    cdr::Decoder in(data, data + core::ServerRequest::kReplyBegin, data + request.reply().size(), false);
    if (!giop::decode_system_exception(in, error))
      error = {SystemErrorId::INTERNAL, Completion::No, 0, nullptr};
    return error;
  }

  core::ServerRequest request;
};

// Servants are made before it, so that they outlive their adapters.
struct World {
  explicit World(const core::Options& o = options()) : orb(base::make_ref<core::Orb>(o)) {
    orb->set_dispatcher(std::make_unique<AdapterTable>(*orb));
    (void)table().root().manager().change(Manager::State::Active, false);
  }
  ~World() { (void)orb->destroy(); }

  AdapterTable& table() { return static_cast<AdapterTable&>(*orb->dispatcher()); }
  Adapter& root() { return table().root(); }

  base::Ref<Adapter> make(const std::string& name, Policies policies, Adapter* parent = nullptr) {
    Adapter& p = parent ? *parent : root();
    base::Ref<Adapter> child;
    (void)p.create_child(name, policies, base::Ref<Manager>::share(&root().manager()), child);
    return child;
  }
  std::string key(Adapter& adapter, const std::string& id) {
    std::string key;
    (void)adapter.make_key(id, key);
    return key;
  }
  SystemErrorId send(const std::string& key) { return Call(*orb).send(key).id; }
  // `target` takes where requests are sent on to.
  core::Dispatcher::Location locate(const std::string& key, ior::Ior* target = nullptr) {
    ior::Ior forward;
    SystemError error;
    const auto location = table().locate(key.data(), static_cast<std::uint32_t>(key.size()), forward, error);
    if (target) *target = forward;
    return location;
  }

  base::Ref<core::Orb> orb;
};

inline Policies user_ids(bool persistent = false) {
  Policies p;
  p.user_id = true;
  p.persistent = persistent;
  return p;
}

}  // namespace corbel::poa
