// The server as all see it who do not serve. A program that only calls links no more of it than this.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <corbel/base/error.h>
#include <corbel/transport/stream.h>

#include "orb/base/futex.h"
#include "orb/base/ref.h"
#include "orb/core/transports.h"
#include "orb/ior/ior.h"

namespace corbel::core {

class ClientConnection;
class Orb;
class ServerConnection;
class ServerRequest;

// What an event of the loop leads to. Called by the thread that took the event, which then has the reading
// role.
class EventHandler {
 public:
  // `may_linger` tells that another thread waits for events, so this one may stay with its connection for a
  // while.
  virtual void ready(bool may_linger) = 0;
  // Itself if it is one.
  virtual ServerConnection* server_connection() { return nullptr; }

 protected:
  ~EventHandler() = default;
};

// Implemented by Server alone. Functions may be called from any thread.
class AbstractServer {
 public:
  virtual ~AbstractServer() = default;

  // Whether the application's threads serve.
  bool reactive() const { return reactive_; }
  // Where this server can be reached, and what of it references say.
  const std::vector<Route>& routes() const { return routes_; }
  const std::vector<Route>& published() const { return published_; }

  // ---- life
  // Begins to take events: threads in the pool model, nothing until run() in the reactive one. False if no
  // thread can be made; it may be tried again.
  virtual bool start() = 0;
  // Takes no new requests, answers running ones, says goodbye on every connection.
  virtual void close_connections() = 0;
  virtual void wake_all() = 0;
  // Behind that: no connection is read any more, so that calls back over them end.
  virtual void end_reading() = 0;
  // Ends the threads. Not from an upcall.
  virtual void stop() = 0;

  // ---- upcalls
  // The calling thread's upcall waits for something: its place in the pool and its connection are free
  // meanwhile.
  virtual void begin_wait(ServerRequest& request) = 0;
  // Its two halves.
  virtual void count_wait(ServerRequest& request) = 0;
  virtual void let_go_for_wait(ServerRequest& request) = 0;
  virtual void end_wait() = 0;
  // The same for the reply to a call of its own, which may never come. False, and no end_wait(), where all
  // other threads wait already, and none has come back for a while.
  virtual bool begin_call(ServerRequest& request) = 0;
  // Brackets a wait that may last until a thread of this server reads. False, and no end_dependent(), where
  // the calling one is the last that could, or only one in `share` may wait so.
  virtual bool begin_dependent(std::int32_t share = 1) = 0;
  virtual void end_dependent() = 0;

  // ---- reactive
  // Handles events while `word` is `value`, or lets another thread do it; false when the deadline passes.
  virtual bool run_while(const std::atomic<std::uint32_t>& word, std::uint32_t value,
                         base::Deadline deadline) = 0;
  // Handles events until wake_all() after the ORB's shutdown.
  virtual void run_until_stopped() = 0;
  // At most one event; false if there was none within the time or another thread leads.
  virtual bool run_once(int timeout) = 0;
  virtual bool work_pending() = 0;
  // All that can be done without waiting, `most` events at most; true if there is more.
  virtual bool run_ready(unsigned most) = 0;
  // For loops that are not the ORB's: readable while there is work, time that has passed included. -1 if the
  // process has no descriptors left.
  virtual int event_descriptor() = 0;
  // The ORB has been shut down: writes what was held back of replies, waiting for room for the write timeout.
  virtual void finish_replies() = 0;
  // The connections have been told to close: waits until what clients are told last is on its way for sure,
  // for a moment at most. What they still send is read meanwhile, where threads do that.
  virtual void deliver_goodbyes() = 0;
  // Waits until `stream` has room or, if `read`, something to read. Meanwhile it reads what others send,
  // which is served later: they may wait for that before they make room.
  virtual transport::Readiness wait_to_write(transport::Stream& stream, bool read, base::Deadline until) = 0;
  bool reading_ahead() const { return reading_ahead_; }

  // ---- connections of this process's calls
  // One over `stream`, of GIOP 1.2, on which the peer may call back.
  virtual base::Ref<ClientConnection> make_bidirectional(std::unique_ptr<transport::Stream> stream) = 0;
  // The connection on which the process of the profile's object offered to be called back; null if there is
  // none.
  virtual base::Ref<ClientConnection> way_back(const ior::IiopProfile& profile) = 0;
  // The loop reads this connection from now on, until detach(); false if it has no room for it.
  virtual bool attach(ClientConnection& connection) = 0;
  virtual void detach(ClientConnection& connection) = 0;
  // The handler is ready at the stream's next event or, unless `silent`, at once: it has bytes in memory
  // already.
  virtual void arm(EventHandler& handler, transport::Stream& stream, bool silent) = 0;
  // Something that a thread inside run_while() may wait for has happened.
  virtual void notify_progress() = 0;

 protected:
  explicit AbstractServer(bool reactive) : reactive_(reactive) {}

  const bool reactive_;
  bool reading_ahead_ = false;  // of whoever leads in the reactive model
  std::vector<Route> routes_, published_;
};

// Makes one that listens.
using ServerMaker = SystemError(Orb& orb, std::unique_ptr<AbstractServer>& server);

}  // namespace corbel::core
