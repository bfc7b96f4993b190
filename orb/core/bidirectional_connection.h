// Bidirectional GIOP, at the end that made the connection: requests arrive beside replies.
#pragma once

#include "orb/core/client_connection.h"
#include "orb/core/running_requests.h"

namespace corbel::core {

class Server;

// The server's loop reads it, whatever the model, never the threads that wait on it.
class BidirectionalConnection final : public ClientConnection {
 public:
  // `offer` goes with the first request: it says where our objects are.
  BidirectionalConnection(Orb& orb, Server& server, std::unique_ptr<transport::Stream> stream,
                          std::string offer);

  void ready(bool may_linger) override;

 private:
  // Hands out what is there; true if it came to a message that is to be served, which then is in `memory`.
  bool next_inbound(Message& message, base::Memory& memory, bool& alive);
  // Null if the request is malformed.
  std::unique_ptr<ServerRequest> take_request(const Message& message, bool& known_sets);
  void serve_locate(Message& message);
  void serve(std::unique_ptr<ServerRequest> request, bool known_sets);
  void dispatch(ServerRequest& request);
  void end_callback(std::unique_ptr<ServerRequest> request);
  bool end_callbacks(base::Deadline deadline) override;
  void refuse_message();
  // Replies to callbacks wait for room as a server's do.
  bool in_callback() const;
  transport::Readiness wait_to_write(bool read, base::Deadline until) override;
  void begin_waiting_for_writers() override;
  void end_waiting_for_writers() override;
  void begin_waiting();
  void end_waiting();
  // True if it is not read until fewer replies wait for room.
  bool park();
  void unpark();
  // Back to the queue of those that are read without an event.
  void queue_again();

  Server& server_;
  giop::AnnouncedText peer_text_;  // of its callbacks; of whoever has the reading role
  // A request that arrived while the reactive model's leader was writing; of whoever has the reading role.
  struct Inbound {
    Message message;
    base::Memory memory;
  };
  std::unique_ptr<Inbound> waiting_;
  static constexpr std::uint32_t kMostWaiting = 16;
  std::atomic<std::uint32_t> replies_waiting_{0};  // for room, each in its thread
  std::atomic<bool> parked_{false};
  base::Deadline no_room_since_ = 0;  // while the server's last thread waits for it; with the write mutex
  RunningRequests callbacks_;         // that run here
  std::atomic<bool> ending_{false};   // none begins any more
};

}  // namespace corbel::core
