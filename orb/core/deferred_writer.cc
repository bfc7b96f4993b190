#include "orb/core/deferred_writer.h"

#include <algorithm>
#include <mutex>
#include <new>

#include "orb/base/thread.h"
#include "orb/core/client_connection.h"
#include "orb/core/client_invocation.h"
#include "orb/core/orb.h"

namespace corbel::core {
namespace {
// Made as they are needed: each peer that does not read may keep one for as long as the write timeout.
constexpr std::size_t kMostThreads = 64;
}  // namespace

bool DeferredWriter::post(ClientConnection& connection, std::string message) {
  std::lock_guard lock(mutex_);
  const auto present = bytes_.find(&connection);
  const std::uint64_t bytes = present == bytes_.end() ? 0 : present->second;
  if (stopping_ || cost(message) > most_bytes_ - bytes) return false;
  if (idle_ == 0 && threads_.size() < kMostThreads && !spawn() && threads_.empty()) return false;
  std::list<Item> item;
  item.push_back({base::Ref<ClientConnection>::share(&connection), std::move(message)});
  bytes_[&connection] = bytes + cost(item.front().message);
  waiting_.splice(waiting_.end(), item);
  changed_.notify_all();
  return true;
}

// With the mutex.
bool DeferredWriter::spawn() try {
  threads_.reserve(threads_.size() + 1);
  pthread_t thread;
  if (!base::start_thread(thread, run, this)) return false;
  threads_.push_back(thread);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

void* DeferredWriter::run(void* writer) {
  static_cast<DeferredWriter*>(writer)->run();
  return nullptr;
}

// With the mutex: the first message of a connection that no other thread is writing to.
std::list<DeferredWriter::Item>::iterator DeferredWriter::next() {
  return std::find_if(waiting_.begin(), waiting_.end(), [this](const Item& item) {
    return std::none_of(writing_.begin(), writing_.end(), [&](const Item& written) {
      return written.connection.get() == item.connection.get();
    });
  });
}

// With the mutex. Who is woken may find more than one message, and the first may keep it.
bool DeferredWriter::take(std::list<Item>::iterator& item) {
  item = next();
  if (item == waiting_.end()) return false;
  writing_.splice(writing_.end(), waiting_, item);
  if (idle_ == 0 && threads_.size() < kMostThreads && next() != waiting_.end()) (void)spawn();
  return true;
}

void DeferredWriter::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    std::list<Item>::iterator item;
    if (!take(item)) {
      const std::uint32_t epoch = changed_.epoch();
      ++idle_;
      lock.unlock();
      changed_.wait(epoch);
      lock.lock();
      --idle_;
      continue;
    }
    lock.unlock();
    item->connection->send_posted(item->message);
    item->connection->end_posted();
    std::list<Item> written;
    lock.lock();
    written.splice(written.end(), writing_, item);
    const auto bytes = bytes_.find(item->connection.get());
    if ((bytes->second -= cost(item->message)) == 0) bytes_.erase(bytes);
    changed_.notify_all();
    lock.unlock();
    written.clear();  // may close the connection
    lock.lock();
  }
}

void DeferredWriter::drain(base::Deadline deadline) {
  std::unique_lock lock(mutex_);
  while (!bytes_.empty() && !stopping_) {
    const std::uint32_t epoch = changed_.epoch();
    lock.unlock();
    const bool in_time = changed_.wait(epoch, deadline);
    lock.lock();
    if (!in_time) return;
  }
}

void DeferredWriter::stop() {
  std::list<Item> dropped;
  std::vector<pthread_t> threads;
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    dropped.swap(waiting_);
    threads.swap(threads_);
    for (const Item& item : writing_) item.connection->give_up_posted();
    changed_.notify_all();
  }
  for (const pthread_t thread : threads) pthread_join(thread, nullptr);
}

// ---- the connection's part

ClientConnection::Outcome ClientConnection::post(ClientInvocation& invocation) {
  {
    std::lock_guard lock(mutex_);
    if (closed_.load(std::memory_order_relaxed)) return Outcome::NotSent;
    ++posted_;  // from here on it is not idle
  }
  try {
    iovec parts[kMostParts];
    const int count = invocation.prepare(parts);
    std::string message;
    for (int i = 0; i < count; ++i)
      message.append(static_cast<const char*>(parts[i].iov_base), parts[i].iov_len);
    if (orb_.deferred_writer().post(*this, std::move(message))) return Outcome::SentOneway;
  } catch (const std::bad_alloc&) {
    // There is no room for it either.
  }
  end_posted();
  return Outcome::QueueFull;
}

void ClientConnection::end_posted() {
  std::lock_guard lock(mutex_);
  --posted_;
}

bool ClientConnection::leave_queue() {
  {
    std::lock_guard lock(mutex_);
    ++posted_;
  }
  try {
    if (orb_.deferred_writer().post(*this, {})) return true;
  } catch (const std::bad_alloc&) {  // no room for another thread's work
  }
  end_posted();
  return false;
}

void ClientConnection::send_posted(const std::string& message) {
  bool reading = false;
  if (message.empty()) {  // also where no more requests are taken: whose messages these are waits for replies
    write_queued(reading);
    if (reading) stop_reading_role();
    return;
  }
  if (!usable()) return;
  const iovec part{const_cast<char*>(message.data()), message.size()};
  const Sent sent = write(&part, 1, base::kNoDeadline, reading);
  (void)sent_oneway(sent, reading, base::kNoDeadline);
}

}  // namespace corbel::core
