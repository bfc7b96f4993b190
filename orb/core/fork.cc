#include "orb/core/fork.h"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

#include "orb/core/call_profile.h"
#include "orb/core/connection.h"
#include "orb/core/orb.h"
#include "orb/core/server_connection.h"
#include "orb/core/server_request.h"
#include "orb/transport/inherited.h"

namespace corbel::core {

std::uint32_t forks = 0;

namespace {

struct OrbsOfProcess {
  base::Mutex mutex;
  std::vector<Orb*> all;
  static OrbsOfProcess& instance() {
    static OrbsOfProcess* const orbs = new OrbsOfProcess;  // static destructors may still release ORBs
    return *orbs;
  }
};

void before_fork() {
  OrbsOfProcess& orbs = OrbsOfProcess::instance();
  orbs.mutex.lock();
  for (Orb* const o : orbs.all) o->before_fork();
  CallProfile::before_fork();
  transport::before_fork();
}

void after_fork_in_parent() {
  transport::after_fork_in_parent();
  CallProfile::after_fork_in_parent();
  OrbsOfProcess& orbs = OrbsOfProcess::instance();
  for (Orb* const o : orbs.all) o->after_fork_in_parent();
  orbs.mutex.unlock();
}

void after_fork_in_child() {
  ++forks;
  transport::let_go_of_inherited_descriptors();
  transport::let_go_of_inherited_memory();
  OrbsOfProcess& orbs = OrbsOfProcess::instance();
  CallProfile::after_fork_in_child();
  orbs.mutex.reset_in_child();
  for (Orb* const o : orbs.all) o->after_fork_in_child();
  // A child that returns from the upcall in which it was forked answers nobody.
  for (ServerRequest* r = ServerRequest::current(); r; r = r->outer)
    if (r->connection) r->connection->let_go_of_stream();
}

// Takes the place of a stream that belongs to another process.
class NoStream final : public transport::Stream {
 public:
  transport::IoResult read(char*, std::size_t) override { return {transport::Io::Failed}; }
  transport::IoResult try_read(char*, std::size_t) override { return {transport::Io::Failed}; }
  transport::IoResult try_write(const iovec*, int) override { return {transport::Io::Failed}; }
  void set_read_timeout(int) override {}
  transport::Readiness wait(bool read, bool write, base::Deadline) override { return {read, write}; }
  int descriptor() const override { return -1; }
  void interrupt() override {}
  void stop_reading() override {}
  void finish_writing() override {}
  std::string peer() const override { return "of another process"; }
};

}  // namespace

void Connection::let_go_of_stream() {
  (void)stream_.release();  // its destructor might tell the peer
  stream_ = std::make_unique<NoStream>();
}

void note_orb(Orb& orb) {
  OrbsOfProcess& orbs = OrbsOfProcess::instance();
  std::lock_guard lock(orbs.mutex);
  static const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  (void)registered;
  orbs.all.push_back(&orb);
}

void forget_orb(Orb& orb) {
  OrbsOfProcess& orbs = OrbsOfProcess::instance();
  std::lock_guard lock(orbs.mutex);
  std::erase(orbs.all, &orb);
}

void resume_all_after_fork() {
  OrbsOfProcess& orbs = OrbsOfProcess::instance();
  std::lock_guard lock(orbs.mutex);
  for (Orb* const o : orbs.all) o->resume_after_fork();
}

}  // namespace corbel::core
