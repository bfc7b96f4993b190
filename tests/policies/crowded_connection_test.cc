// Threads that share a connection whose peer does not read: the limit of one call holds whatever the others,
// which have none, write. No network is needed for that, which would take some of what is sent.
#include <corbel/transport/transport.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>

#include "tests/policies/support.h"

namespace {

using namespace policies;
namespace transport = corbel::transport;

// What the peer does, and what it has seen.
class Wire {
 public:
  // It takes so many writes, and no more.
  void take(int writes) {
    change([&] { room_ = writes; });
  }
  // Within the next write it waits until `let_go`.
  void hold() {
    change([&] { held_ = true; });
  }
  void let_go() {
    change([&] { held_ = false; });
  }
  void end() {
    change([&] {
      ended_ = true;
      held_ = false;
    });
  }
  // Until when somebody has waited at most.
  transport::Deadline latest() {
    std::lock_guard lock(mutex_);
    return latest_;
  }
  bool comes_to_writes(int count) {
    return until([&] { return writes_ >= count; });
  }
  bool comes_to_wait_for_room() {
    return until([&] { return waiting_; });
  }

  transport::IoResult write(const iovec* parts, int count) {
    std::unique_lock lock(mutex_);
    if (room_ == 0 || ended_) return {ended_ ? transport::Io::Failed : transport::Io::WouldBlock};
    --room_;
    ++writes_;
    changed_.notify_all();
    changed_.wait_for(lock, lifecycle::kPatience, [this] { return !held_; });
    std::memcpy(last_id_, static_cast<const char*>(parts->iov_base) + 12, sizeof last_id_);
    std::size_t size = 0;
    for (int i = 0; i < count; ++i) size += parts[i].iov_len;
    return {transport::Io::Ok, size};
  }
  // To the last request.
  void answer() {
    change([&] {
      said_.assign("GIOP\1\2\1\1\xc\0\0\0", 12);
      said_.append(last_id_, sizeof last_id_).append(8, '\0');
    });
  }
  transport::IoResult read(char* to, std::size_t size) {
    std::lock_guard lock(mutex_);
    if (ended_) return {transport::Io::Closed};
    if (said_.empty()) return {transport::Io::WouldBlock};
    size = said_.copy(to, size);
    said_.erase(0, size);
    return {transport::Io::Ok, size};
  }
  transport::Readiness wait(bool read, bool write, transport::Deadline deadline) {
    std::unique_lock lock(mutex_);
    waiting_ = waiting_ || write;
    latest_ = std::max(latest_, deadline);
    changed_.notify_all();
    const std::chrono::steady_clock::time_point end{std::chrono::nanoseconds(deadline)};
    const auto readable = [&] { return read && !said_.empty(); };
    const auto ready = [&] { return ended_ || readable() || (write && room_ != 0); };
    if (deadline == 0) changed_.wait(lock, ready);
    else changed_.wait_until(lock, end, ready);
    return {ended_ || readable(), write && (ended_ || room_ != 0)};
  }

 private:
  template <typename Step>
  void change(Step step) {
    std::lock_guard lock(mutex_);
    step();
    changed_.notify_all();
  }
  template <typename Condition>
  bool until(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, lifecycle::kPatience, condition);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  int room_ = 1000, writes_ = 0;
  char last_id_[4];
  std::string said_;
  bool held_ = false, waiting_ = false, ended_ = false;
  transport::Deadline latest_ = 0;
};

Wire* wire = nullptr;  // of the present test

class Crowded final : public transport::Stream {
 public:
  Crowded() { EXPECT_EQ(pipe(ends_), 0); }
  ~Crowded() override {
    close(ends_[0]);
    close(ends_[1]);
  }
  transport::IoResult read(char* to, std::size_t size) override {
    (void)wire->wait(true, false, 0);
    return try_read(to, size);
  }
  transport::IoResult try_read(char* to, std::size_t size) override { return wire->read(to, size); }
  transport::IoResult try_write(const iovec* parts, int count) override { return wire->write(parts, count); }
  transport::Readiness wait(bool read, bool write, transport::Deadline deadline) override {
    return wire->wait(read, write, deadline);
  }
  void set_read_timeout(int) override {}
  int descriptor() const override { return ends_[0]; }
  void interrupt() override { wire->end(); }
  void stop_reading() override {}
  void finish_writing() override {}
  std::string peer() const override { return "nobody"; }

 private:
  int ends_[2];
};

class CrowdedTransport final : public transport::Transport {
 public:
  const char* name() const override { return "crowded"; }
  std::unique_ptr<transport::Acceptor> listen(const std::string&, std::string&) override { return nullptr; }
  transport::ConnectResult connect(const std::string&, transport::Deadline) override {
    transport::ConnectResult result;
    result.stream = std::make_unique<Crowded>();
    return result;
  }
};

const transport::TransportKind kCrowded{
    "crowded", nullptr,
    [](const transport::TransportSettings&, std::string&) -> std::unique_ptr<transport::Transport> {
      return std::make_unique<CrowdedTransport>();
    }};

class CrowdedConnections : public testing::Test {
 protected:
  CrowdedConnections() {
    wire = &wire_;
    transport::register_transport(kCrowded);
    orb = lifecycle::make_orb("crowded", {"-ORBtransports", "crowded", "-ORBgiopFragmentSize", "8192"});
    corbel::ior::IiopProfile profile;
    profile.minor = 2;
    profile.object_key = "key";
    profile.components = {corbel::ior::encode_endpoint("crowded", "it")};
    corbel::ior::Ior ior;
    ior.profiles = {corbel::ior::encode_iiop(profile)};
    CORBA::Object_var object = orb->string_to_object(corbel::ior::to_string(ior).c_str());
    patient = Contract::Everything::_unchecked_narrow(object);
    hasty = with(patient.in(), {roundtrip(orb, 1000 * kMillisecond)});
  }
  ~CrowdedConnections() override {
    wire_.end();
    others.clear();  // waits for them
    orb->destroy();
  }

  static std::string small(Contract::Everything_ptr object) {
    return raised_name([&] { object->ping(); });
  }
  // In many fragments, and too small to be preceded by a LocateRequest.
  static std::string large(Contract::Everything_ptr object) {
    return raised_name([&] {
      Contract::Octets in, inout;
      in.length(200'000);
      Contract::Octets_var out, back;
      back = object->give_octets(in, inout, out.out());
    });
  }
  using Call = std::string (*)(Contract::Everything_ptr);
  std::future<std::string> begin(Call call, Contract::Everything_ptr object) {
    return std::async(std::launch::async, [=] { return call(object); });
  }
  // One reads, and one writes a request of which the peer has begun to take the first part; another one
  // waits for it then.
  std::future<std::string> crowd(Contract::Everything_ptr first, Call call, Contract::Everything_ptr second) {
    others.push_back(begin(small, patient));
    EXPECT_TRUE(wire_.comes_to_writes(1));
    wire_.hold();
    std::future<std::string> writer = begin(large, first);
    EXPECT_TRUE(wire_.comes_to_writes(2));
    wire_.take(0);
    std::future<std::string> waiter = begin(call, second);
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // it is there by then, whatever happens
    wire_.let_go();
    others.push_back(std::move(first == hasty.in() ? waiter : writer));
    return std::move(first == hasty.in() ? writer : waiter);
  }
  // Far sooner than the 30 seconds that a peer has that does not read.
  static std::string outcome(std::future<std::string>& call) {
    const bool ends = call.wait_for(std::chrono::seconds(15)) == std::future_status::ready;
    EXPECT_TRUE(ends);
    return ends ? call.get() : std::string();
  }

  Wire wire_;
  CORBA::ORB_var orb;
  Contract::Everything_var patient, hasty;
  std::vector<std::future<std::string>> others;
};

TEST_F(CrowdedConnections, ALargeRequestWaitsForAnotherOneNoLongerThanItMay) {
  auto call = crowd(patient, large, hasty);
  EXPECT_EQ(outcome(call), "TIMEOUT");
  wire_.end();
}

TEST_F(CrowdedConnections, ALargeRequestWaitsForASmallOneBetweenItsPartsNoLongerThanItMay) {
  auto call = crowd(hasty, small, patient);
  EXPECT_EQ(outcome(call), "TIMEOUT");
  wire_.end();
}

TEST_F(CrowdedConnections, WhoWaitsForRoomIsLeftNoMessagesOfThoseWhoMayWaitLonger) {
  wire_.take(0);
  auto call = begin(small, hasty);
  EXPECT_TRUE(wire_.comes_to_wait_for_room());
  others.push_back(begin(small, patient));
  EXPECT_EQ(outcome(call), "TIMEOUT");
  wire_.end();
}

TEST_F(CrowdedConnections, WhoReadsForOthersIsLeftNoMessagesEither) {
  auto call = begin(small, hasty);
  EXPECT_TRUE(wire_.comes_to_writes(1));
  const auto twice = [](Contract::Everything_ptr object) {
    const std::string first = small(object);
    return first == "none" ? small(object) : first;
  };
  others.push_back(begin(twice, patient));
  EXPECT_TRUE(wire_.comes_to_writes(2));
  std::this_thread::sleep_for(
      std::chrono::milliseconds(100));  // it sleeps by then, while the first one reads
  wire_.take(0);
  wire_.answer();
  EXPECT_EQ(outcome(call), "TIMEOUT");
  wire_.end();
}

TEST_F(CrowdedConnections, WhoWasLeftAMessageWhileItWroteHasItWrittenByAnotherThread) {
  others.push_back(begin(small, patient));
  EXPECT_TRUE(wire_.comes_to_writes(1));
  wire_.hold();
  auto call = begin(small, hasty);
  EXPECT_TRUE(wire_.comes_to_writes(2));
  wire_.take(0);
  others.push_back(begin(small, patient));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // it is there by then, whatever happens
  wire_.let_go();
  EXPECT_EQ(outcome(call), "TIMEOUT");
  wire_.take(1);
  EXPECT_TRUE(wire_.comes_to_writes(3));
  wire_.end();
}

TEST_F(CrowdedConnections, NobodyListensToAPeersLastWordsBehindTheLimit) {
  wire_.take(0);
  auto call = begin(small, hasty);
  EXPECT_TRUE(wire_.comes_to_wait_for_room());
  const transport::Deadline limit = corbel::base::now() + 1'000'000'000;
  EXPECT_EQ(outcome(call), "TIMEOUT");
  EXPECT_LE(wire_.latest(), limit);
}

}  // namespace
