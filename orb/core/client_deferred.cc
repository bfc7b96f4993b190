// Requests whose replies are waited for later. No thread waits for such a reply: whoever reads the
// connection, for a call of its own or because it asks for this one, hands it to the invocation.
#include <mutex>

#include "orb/core/abstract_server.h"
#include "orb/core/client_connection.h"
#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"

namespace corbel::core {

using Outcome = ClientConnection::Outcome;

// ---- the connection's part

bool ClientConnection::send(ClientInvocation& invocation, Outcome& outcome) {
  if (!has_stream_) return send_without_stream(invocation, outcome);
  if (AbstractServer* const server = orb_.server()) attach(*server);
  invocation.state.store(ClientInvocation::Waiting, std::memory_order_relaxed);
  invocation.sleeping = false;
  if (oneway_at_.load(std::memory_order_relaxed) == 0) oneway_at_.store(1, std::memory_order_relaxed);
  {
    std::lock_guard lock(mutex_);
    if (!add(invocation)) {
      outcome = Outcome::NotSent;
      return false;
    }
  }
  iovec parts[kMostParts];
  bool reading = false;
  const Sent sent = write(parts, invocation.prepare(parts), invocation.send_deadline(), reading);
  if (sent != Sent::All) {
    outcome = not_sent(invocation, sent, reading);
    return false;
  }
  if (reading) pass_on_reading();
  return true;
}

Outcome ClientConnection::receive(ClientInvocation& invocation) {
  if (invocation.state.load(std::memory_order_acquire) == ClientInvocation::Complete)
    return invocation.outcome;
  if (!has_stream_) return wait_without_stream(invocation);
  AbstractServer* const server = orb_.server();
  return await_reply(invocation, server ? attach(*server) : nullptr, false);
}

void ClientConnection::take_arrived(ClientInvocation& invocation, base::Deadline until) {
  AbstractServer* const server = orb_.server();
  if (server && server->reactive() && (!has_stream_ || attach(*server))) {
    (void)server->run_while(invocation.state, ClientInvocation::Waiting, until);
    return;
  }
  if (!has_stream_ || !try_begin_reading()) {
    // Somebody else reads.
    const base::Deadline now = base::now();
    if (until <= now) return;
    const std::uint32_t index = invocation.request_id & kMostInFlight;
    const std::uint32_t epoch = sleepers_.epoch(index);
    {
      std::lock_guard lock(mutex_);
      if (invocation.state.load(std::memory_order_relaxed) != ClientInvocation::Waiting) return;
      invocation.sleeping = true;
    }
    (void)sleepers_.wait(index, epoch, until);
    std::unique_lock lock(mutex_);
    invocation.sleeping = false;
    // The role may have come to this thread.
    std::uint32_t state = ClientInvocation::MayRead;
    if (!invocation.state.compare_exchange_strong(state, ClientInvocation::Waiting)) return;
    lock.unlock();
    pass_on_reading();
    return;
  }
  if (reader_.more_buffered()) deliver_buffered();
  if (invocation.state.load(std::memory_order_acquire) != ClientInvocation::Complete &&
      stream_->wait(true, false, until).readable && read_once(until))
    deliver_buffered();
  pass_on_reading();
}

// ---- the invocation's

void ClientInvocation::send_deferred() {
  settled_ = false;
  if (arguments_.error()) settle(arguments_.error(), ReplyKind::NoException);
  else submit();
}

// One attempt has begun, and the reply is to be waited for. False: it is over.
bool ClientInvocation::begin_attempt(SystemError& error, bool& again, ReplyKind& kind) {
  if (!binding_ && bind_anew(kind)) return false;
  reply_contexts_.clear();
  // Objects of this process are called here and now. Hooks are told of one that cannot be reached, too.
  if (!binding_ || !binding_->connection) {
    error = hooks_ ? hooks_->attempt(hooks_->data, *this, again, kind) : attempt(again, kind);
    return false;
  }
  if (hooks_ && !(begun_ = hooks_->begin(hooks_->data, *this, error, again, kind))) return false;
  try {
    if (send_attempt(error, again, kind)) return true;
  } catch (...) {
    abandon_hooks();
    throw;
  }
  end_hooks(error, again, kind);
  return false;
}

void ClientInvocation::end_hooks(SystemError& error, bool& again, ReplyKind& kind) {
  if (begun_) error = hooks_->end(hooks_->data, std::exchange(begun_, nullptr), *this, &error, again, kind);
}

void ClientInvocation::abandon_hooks() {
  bool again = false;
  ReplyKind kind = ReplyKind::NoException;
  if (begun_) (void)hooks_->end(hooks_->data, std::exchange(begun_, nullptr), *this, nullptr, again, kind);
}

// The request has left. False: the attempt is over. Large ones ask for nobody's place first, which would be
// waited for.
bool ClientInvocation::send_attempt(SystemError& error, bool& again, ReplyKind& kind) {
  if (header_for_ != binding_.get()) write_header();
  Outcome outcome;
  forks_ = forks;
  target_->orb().begin_wait();  // for room
  const bool under_way = binding_->connection->send(*this, outcome);
  target_->orb().end_wait();
  if (under_way) {
    if (code_sets_with_it_) binding_->connection->set_code_sets_sent();
    return true;
  }
  error = after(outcome, again, kind);
  return false;
}

// Until it is under way, or over.
void ClientInvocation::submit() {
  SystemError error;
  ReplyKind kind = ReplyKind::NoException;
  bool again;
  do {
    again = false;
    error = {};
    if (begin_attempt(error, again, kind)) return;
  } while (again || (error && retried(error)));
  settle(error, kind);
}

void ClientInvocation::settle(const SystemError& error, ReplyKind kind) {
  settled_ = true;
  settled_error_ = error;
  settled_kind_ = kind;
}

void ClientInvocation::end_attempt(Outcome how) {
  bool again = false;
  ReplyKind kind = ReplyKind::NoException;
  SystemError error = after(how, again, kind);
  end_hooks(error, again, kind);
  if (again || (error && retried(error))) return submit();
  settle(error, kind);
}

bool ClientInvocation::poll_deferred(base::Deadline until) {
  while (!settled_) {
    if (!may_be_over()) binding_->connection->take_arrived(*this, until);
    if (state.load(std::memory_order_acquire) == Complete) {
      end_attempt(outcome);
    } else if (is_of_parent()) {
      end_attempt(Outcome::Lost);
    } else if (is_late()) {
      binding_->connection->forget(*this);
      const bool complete = state.load(std::memory_order_acquire) == Complete;
      end_attempt(complete ? outcome : Outcome::TimedOut);
    } else {
      return false;
    }
  }
  return true;
}

SystemError ClientInvocation::end_deferred(ReplyKind& kind) {
  while (!settled_) {
    if (is_of_parent()) [[unlikely]] {
      (void)poll_deferred(base::now());
      continue;
    }
    if (!target_->orb().begin_call()) {
      binding_->connection->forget(*this);
      end_attempt(state.load(std::memory_order_acquire) == Complete ? outcome : Outcome::Lost);
      continue;
    }
    const Outcome how = binding_->connection->receive(*this);
    target_->orb().end_wait();
    end_attempt(how);
  }
  kind = settled_kind_;
  return settled_error_;
}

void ClientInvocation::abandon_deferred() {
  if (settled_) return;
  if (!is_of_parent()) {  // the threads of which may have had the locks
    const base::Ref<ClientConnection> connection = binding_->connection;
    connection->forget(*this);
    if (connection->usable() && state.load(std::memory_order_acquire) != Complete)
      connection->cancel(request_id);
  }
  abandon_hooks();
  settle({}, ReplyKind::NoException);
}

}  // namespace corbel::core
