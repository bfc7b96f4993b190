#include <corbel/identity.h>

#include "orb/core/client_connection.h"
#include "orb/core/reference.h"
#include "orb/core/server_connection.h"
#include "orb/core/server_request.h"

namespace corbel {

const PeerIdentity* caller() {
  core::ServerRequest* const request = core::ServerRequest::current();
  if (core::in_direct_call()) return nullptr;
  if (!request) return nullptr;
  if (request->callback_stream) return request->callback_stream->identity();
  return request->connection ? request->connection->stream().identity() : nullptr;
}

bool server_of(CORBA::Object_ptr object, PeerIdentity& identity) {
  core::Reference* const reference = object ? object->_corbel_reference() : nullptr;
  const base::Ref<core::Binding> binding = reference ? reference->bound() : nullptr;
  const PeerIdentity* const known =
      binding && binding->connection ? binding->connection->peer_identity() : nullptr;
  if (known) identity = *known;
  return known;
}

}  // namespace corbel
