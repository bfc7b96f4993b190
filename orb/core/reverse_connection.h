// Bidirectional GIOP, at the end that was connected to: requests leave over a client's connection.
#pragma once

#include "orb/core/client_connection.h"

namespace corbel::core {

// It has no stream: the client's ServerConnection writes its requests and hands it the replies.
class ReverseConnection final : public ClientConnection {
 public:
  ReverseConnection(Orb& orb, ServerConnection& carrier);
  ~ReverseConnection() override;

  // What the carrier has read for us.
  void deliver_reply(Message& message, MessageReader& reader) {
    deliver(message, reader);
    wake_marked();
  }
  // Of the replies that it reads in pieces only those are kept that somebody waits for.
  void keep_awaited(MessageReader& reader) {
    reader.keep_only(awaited, static_cast<ClientConnection*>(this));
  }
  // What `reader` has begun to put together was sent, and may have been done.
  void carrier_ended(Outcome outcome, const MessageReader& reader) { fail_all(outcome, &reader); }

  const transport::PeerIdentity* peer_identity() override;
  void send_posted(const std::string& message) override;
  void give_up_posted() override;

 private:
  Outcome exchange_without_stream(ClientInvocation& invocation) override;
  bool send_without_stream(ClientInvocation& invocation, Outcome& outcome) override;
  Outcome wait_without_stream(ClientInvocation& invocation) override;
  Outcome wait(ClientInvocation& invocation);
  void send_octets(char* message, std::size_t size) override;

  const base::Ref<ServerConnection> carrier_;
};

}  // namespace corbel::core
