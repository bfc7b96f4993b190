// What the tests of interceptors share: initializers by ORB, interceptors that keep a record and do what a
// test says.
#pragma once

#include <corbel/interceptors.h>

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/lifecycle/support.h"

namespace interceptors {

namespace PI = PortableInterceptor;
using lifecycle::kOmg;
using lifecycle::make_orb;
using lifecycle::on_loopback;
using lifecycle::Pair;
using lifecycle::raised;
using lifecycle::raised_name;
using lifecycle::take;

constexpr const char* kNotHere = "BAD_INV_ORDER/4f4d000e/NO";
constexpr const char* kNotTold = "NO_RESOURCES/4f4d0001/NO";

// What was called, in order. Any thread.
class Record {
 public:
  void add(std::string what) {
    std::lock_guard lock(mutex_);
    all_.push_back(std::move(what));
  }
  // And forgets it.
  std::vector<std::string> take() {
    std::lock_guard lock(mutex_);
    return std::exchange(all_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> all_;
};
typedef std::vector<std::string> Strings;

// While one stands, ORBs of this id are initialized so.
class OnInit {
 public:
  typedef std::function<void(PI::ORBInitInfo_ptr)> Step;
  OnInit(std::string id, Step pre, Step post = nullptr) : id_(std::move(id)) {
    static const bool registered = [] {
      PI::ORBInitializer_var initializer = new Dispatcher;
      PI::register_orb_initializer(initializer);
      return true;
    }();
    EXPECT_TRUE(registered);
    steps()[id_] = {std::move(pre), std::move(post)};
  }
  ~OnInit() { steps().erase(id_); }
  OnInit(const OnInit&) = delete;
  OnInit& operator=(const OnInit&) = delete;

 private:
  typedef std::map<std::string, std::pair<Step, Step>> Steps;
  static Steps& steps() {
    static Steps all;
    return all;
  }
  class Dispatcher final : public PI::ORBInitializer {
    void pre_init(PI::ORBInitInfo_ptr info) override {
      const auto found = steps().find(take(info->orb_id()));
      if (found != steps().end() && found->second.first) found->second.first(info);
    }
    void post_init(PI::ORBInitInfo_ptr info) override {
      const auto found = steps().find(take(info->orb_id()));
      if (found != steps().end() && found->second.second) found->second.second(info);
    }
  };
  const std::string id_;
};

// Records its points as NAME.POINT and then runs the script of the point, if there is one.
class Client final : public PI::ClientRequestInterceptor {
 public:
  typedef std::function<void(PI::ClientRequestInfo_ptr)> Script;
  Client(std::string name, Record& record) : name_(std::move(name)), record_(record) {}
  char* name() override { return CORBA::string_dup(name_.c_str()); }
  void destroy() override { record_.add(name_ + ".destroy"); }
  void send_request(PI::ClientRequestInfo_ptr info) override { at("send_request", info); }
  void send_poll(PI::ClientRequestInfo_ptr info) override { at("send_poll", info); }
  void receive_reply(PI::ClientRequestInfo_ptr info) override { at("receive_reply", info); }
  void receive_exception(PI::ClientRequestInfo_ptr info) override { at("receive_exception", info); }
  void receive_other(PI::ClientRequestInfo_ptr info) override { at("receive_other", info); }
  std::map<std::string, Script> scripts;

 private:
  void at(const char* point, PI::ClientRequestInfo_ptr info) {
    record_.add(name_ + "." + point);
    if (const auto script = scripts.find(point); script != scripts.end()) script->second(info);
  }
  const std::string name_;
  Record& record_;
};

class Server final : public PI::ServerRequestInterceptor {
 public:
  typedef std::function<void(PI::ServerRequestInfo_ptr)> Script;
  Server(std::string name, Record& record) : name_(std::move(name)), record_(record) {}
  char* name() override { return CORBA::string_dup(name_.c_str()); }
  void destroy() override { record_.add(name_ + ".destroy"); }
  void receive_request_service_contexts(PI::ServerRequestInfo_ptr info) override {
    at("receive_request_service_contexts", info);
  }
  void receive_request(PI::ServerRequestInfo_ptr info) override { at("receive_request", info); }
  void send_reply(PI::ServerRequestInfo_ptr info) override { at("send_reply", info); }
  void send_exception(PI::ServerRequestInfo_ptr info) override { at("send_exception", info); }
  void send_other(PI::ServerRequestInfo_ptr info) override { at("send_other", info); }
  std::map<std::string, Script> scripts;

 private:
  void at(const char* point, PI::ServerRequestInfo_ptr info) {
    record_.add(name_ + "." + point);
    if (const auto script = scripts.find(point); script != scripts.end()) script->second(info);
  }
  const std::string name_;
  Record& record_;
};

inline IOP::ServiceContext context(IOP::ServiceId id, const std::string& text) {
  IOP::ServiceContext made;
  made.context_id = id;
  made.context_data.length(static_cast<CORBA::ULong>(text.size()));
  for (CORBA::ULong i = 0; i < text.size(); ++i) made.context_data[i] = static_cast<CORBA::Octet>(text[i]);
  return made;
}
inline std::string text(IOP::ServiceContext* adopted) {
  IOP::ServiceContext_var owner = adopted;
  return {reinterpret_cast<const char*>(owner->context_data.get_buffer()), owner->context_data.length()};
}
template <typename Sequence>
std::string text_of(Sequence* adopted) {
  std::string result{reinterpret_cast<const char*>(adopted->get_buffer()), adopted->length()};
  delete adopted;
  return result;
}
inline CORBA::Any any(CORBA::Long n) {
  CORBA::Any made;
  made <<= n;
  return made;
}
// The number in it; -1 if there is none.
inline CORBA::Long number(CORBA::Any* adopted) {
  CORBA::Any_var owner = adopted;
  CORBA::Long n = -1;
  return (owner.in() >>= n) ? n : -1;
}

// Two client interceptors, two server interceptors, and a pair of ORBs that have them.
class Intercepted : public testing::Test {
 protected:
  // A context of nobody's.
  static constexpr IOP::ServiceId kContext = 0x43420077;
  Record calls, requests;
  Client* const a = new Client("A", calls);
  Client* const b = new Client("B", calls);
  Server* const x = new Server("X", requests);
  Server* const y = new Server("Y", requests);
  PI::ClientRequestInterceptor_var own_a = a, own_b = b;
  PI::ServerRequestInterceptor_var own_x = x, own_y = y;
  PI::SlotId slot = 0;
  OnInit client_init{"pair-client", [this](PI::ORBInitInfo_ptr info) {
                       info->add_client_request_interceptor(a);
                       info->add_client_request_interceptor(b);
                       slot = info->allocate_slot_id();
                     }};
  OnInit server_init{"pair-server", [this](PI::ORBInitInfo_ptr info) {
                       info->add_server_request_interceptor(x);
                       info->add_server_request_interceptor(y);
                       EXPECT_EQ(info->allocate_slot_id(), slot);
                     }};
  Pair pair;
};

}  // namespace interceptors
