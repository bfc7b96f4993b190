// ORBInitInfo, and what ORB_init does with the initializers.
#include <corbel/interceptors.h>

#include <unistd.h>

#include <mutex>
#include <set>
#include <thread>

#include "orb/base/futex.h"
#include "orb/base/mutex.h"
#include "orb/cpp/orb_extension.h"
#include "orb/interceptors/codec.h"
#include "orb/interceptors/ior.h"
#include "orb/interceptors/policies.h"
#include "orb/interceptors/raise.h"
#include "orb/interceptors/slots.h"
#include "orb/interceptors/state.h"
#include "orb/ior/assigned.h"

namespace corbel::interceptors {
namespace {

using namespace PortableInterceptor;

// Never destroyed: ORBs may be made by static constructors, and are destroyed by static destructors.
struct Initializers {
  struct Runner {
    bool is_this() const { return thread == std::this_thread::get_id(); }
    // Of a parent process: a forked child has none of its other threads.
    bool is_gone() const { return process != getpid() && !is_this(); }
    std::thread::id thread = std::this_thread::get_id();
    pid_t process = getpid();
  };
  base::Mutex mutex;
  std::vector<ORBInitializer_var> all;
  // ORBs that are being initialized, and by whom.
  std::map<CORBA::ORB_ptr, Runner> running;
  base::Condition done;
  static Initializers& instance() {
    static Initializers* const initializers = new Initializers;
    return *initializers;
  }
};

template <typename T>
T* not_nil(T* object) {
  if (!object)
    cpp::raise({SystemErrorId::BAD_PARAM, Completion::No, 0, "a nil object was given to be registered"});
  return object;
}

// Given to the initializers of one ORB; of no use once that is initialized.
class InitInfo final : public ORBInitInfo_3_1 {
 public:
  InitInfo(CORBA::ORB_ptr orb, State& state, const std::vector<std::string>& arguments)
      : orb_(orb), state_(&state), arguments_(arguments) {}

  void post() { post_ = true; }
  void end() { state_ = nullptr; }

  CORBA::StringSeq* arguments() override {
    (void)state();
    CORBA::StringSeq_var list = new CORBA::StringSeq;
    list->length(static_cast<CORBA::ULong>(arguments_.size()));
    for (CORBA::ULong i = 0; i < arguments_.size(); ++i) list[i] = arguments_[i].c_str();
    return list._retn();
  }
  char* orb_id() override { return CORBA::string_dup(state().orb().options().orb_id.c_str()); }
  IOP::CodecFactory_ptr codec_factory() override { return make_codec_factory(state().orb()); }

  void register_initial_reference(const char* id, CORBA::Object_ptr object) override {
    (void)state();
    try {
      orb_->register_initial_reference(id, object);
    } catch (const CORBA::ORB::InvalidName&) {
      throw InvalidName();
    }
  }
  CORBA::Object_ptr resolve_initial_references(const char* id) override {
    (void)state();
    if (!post_) raise_not_here();
    try {
      return orb_->resolve_initial_references(id);
    } catch (const CORBA::ORB::InvalidName&) {
      throw InvalidName();
    }
  }

  void add_client_request_interceptor(ClientRequestInterceptor_ptr interceptor) override {
    add<ClientRequestInterceptor_var>(&Interceptors::client, interceptor, LOCAL_AND_REMOTE);
  }
  void add_server_request_interceptor(ServerRequestInterceptor_ptr interceptor) override {
    add<ServerRequestInterceptor_var>(&Interceptors::server, interceptor, LOCAL_AND_REMOTE);
  }
  void add_ior_interceptor(IORInterceptor_ptr interceptor) override {
    add<IORInterceptor_var>(&Interceptors::ior, interceptor, LOCAL_AND_REMOTE);
  }
  void add_client_request_interceptor_with_policy(ClientRequestInterceptor_ptr interceptor,
                                                  const CORBA::PolicyList& policies) override {
    add<ClientRequestInterceptor_var>(&Interceptors::client, interceptor, processing_mode(policies));
  }
  void add_server_request_interceptor_with_policy(ServerRequestInterceptor_ptr interceptor,
                                                  const CORBA::PolicyList& policies) override {
    add<ServerRequestInterceptor_var>(&Interceptors::server, interceptor, processing_mode(policies));
  }
  // References have no mode: a policy would be of no use.
  void add_ior_interceptor_with_policy(IORInterceptor_ptr interceptor,
                                       const CORBA::PolicyList& policies) override {
    if (policies.length() != 0) throw CORBA::PolicyError(CORBA::BAD_POLICY);
    add_ior_interceptor(interceptor);
  }

  SlotId allocate_slot_id() override { return state().allocate_slot(); }
  void register_policy_factory(CORBA::PolicyType type, PolicyFactory_ptr factory) override {
    state().register_factory(type, not_nil(factory));
  }

 private:
  State& state() const {
    if (!state_)
      cpp::raise({SystemErrorId::OBJECT_NOT_EXIST, Completion::No, 0,
                  "an ORBInitInfo is of use as long as its ORB is initialized, no longer"});
    return *state_;
  }
  template <typename Var, typename Ptr>
  void add(std::vector<Registered<Var>> Interceptors::*place, Ptr interceptor, ProcessingMode mode) {
    typedef typename Var::_corbel_object Interface;
    state().add(place, Registered<Var>{Interface::_duplicate(not_nil(interceptor)), mode});
  }

  CORBA::ORB_ptr const orb_;
  State* state_;
  const std::vector<std::string>& arguments_;
  bool post_ = false;
};

void begin(CORBA::ORB_ptr orb) {
  Initializers& initializers = Initializers::instance();
  std::lock_guard lock(initializers.mutex);
  initializers.running[orb] = {};
}

void done(CORBA::ORB_ptr orb) {
  Initializers& initializers = Initializers::instance();
  std::lock_guard lock(initializers.mutex);
  initializers.running.erase(orb);
  initializers.done.notify_all();
}

void run(CORBA::ORB_ptr orb, const std::vector<std::string>& arguments) {
  Initializers& initializers = Initializers::instance();
  std::vector<ORBInitializer_var> all;
  {
    std::lock_guard lock(initializers.mutex);
    all = initializers.all;
  }
  if (all.empty()) return;
  State& state = State::of(orb->_corbel_core());
  state.initializing(true);
  InitInfo* const info = new InitInfo(orb, state, arguments);
  const ORBInitInfo_var owner = info;
  try {
    for (const auto& initializer : all) initializer->pre_init(info);
    info->post();
    for (const auto& initializer : all) initializer->post_init(info);
  } catch (...) {
    info->end();
    state.initializing(false);
    throw;
  }
  info->end();
  state.publish();
  state.initializing(false);
}

void initialize(CORBA::ORB_ptr orb, const std::vector<std::string>& arguments) {
  try {
    register_processing_mode();
    run(orb, arguments);
  } catch (...) {
    try {
      orb->destroy();
    } catch (const CORBA::Exception&) {  // what has happened first is told
    }
    done(orb);  // those who wait for it find that it is gone
    CORBA::release(orb);
    throw;
  }
  done(orb);
}

void wait(CORBA::ORB_ptr orb) {
  Initializers& initializers = Initializers::instance();
  for (;;) {
    const std::uint32_t epoch = initializers.done.epoch();
    {
      std::lock_guard lock(initializers.mutex);
      const auto running = initializers.running.find(orb);
      if (running == initializers.running.end() || running->second.is_this() || running->second.is_gone())
        return;
    }
    initializers.done.wait(epoch);
  }
}

constexpr const char* kFactory = "CodecFactory";
constexpr const char* kCurrent = "PICurrent";

CORBA::Object_ptr resolve(core::Orb& orb, const char* name) {
  if (std::strcmp(name, kFactory) == 0) return make_codec_factory(orb);
  if (std::strcmp(name, kCurrent) == 0) return make_current(State::of(orb));
  return nullptr;
}

void list(core::Orb&, std::vector<std::string>& names) { names.insert(names.end(), {kFactory, kCurrent}); }

bool knows_policy(core::Orb& orb, CORBA::PolicyType type) {
  State* const state = State::find(orb);
  return state && state->has_factory(type);
}

}  // namespace
}  // namespace corbel::interceptors

extern "C" constinit const corbel::cpp::OrbExtension corbel_orb_extension{
    corbel::interceptors::begin,
    corbel::interceptors::initialize,
    corbel::interceptors::wait,
    corbel::interceptors::resolve,
    corbel::interceptors::list,
    corbel::interceptors::knows_policy,
    corbel::interceptors::establish,
    corbel::interceptors::make_object,
    corbel::interceptors::manager_changed,
    corbel::interceptors::adapters_gone};

namespace PortableInterceptor {

void register_orb_initializer(ORBInitializer_ptr initializer) {
  using corbel::interceptors::Initializers;
  if (!initializer)
    corbel::cpp::raise(
        {corbel::SystemErrorId::BAD_PARAM, corbel::Completion::No, 0, "a nil ORBInitializer was registered"});
  Initializers& initializers = Initializers::instance();
  std::lock_guard lock(initializers.mutex);
  initializers.all.push_back(ORBInitializer::_duplicate(initializer));
}

}  // namespace PortableInterceptor
