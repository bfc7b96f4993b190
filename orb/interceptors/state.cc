#include "orb/interceptors/state.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <utility>

#include "orb/interceptors/raise.h"

namespace corbel::interceptors {
namespace {

std::string name_of(PortableInterceptor::Interceptor& interceptor) {
  CORBA::String_var name = interceptor.name();
  return name.in() ? name.in() : "";
}

template <typename List>
void destroy_all(const List& list) {
  for (const auto& registered : list) {
    try {
      registered.interceptor->destroy();
    } catch (...) {  // nobody is there to whom it could matter
    }
  }
}

}  // namespace

State::State(core::Orb& orb)
    : orb_(orb),
      incarnation_(orb.incarnation()),
      client_hooks_{attempt_call, begin_call, end_call, this},
      server_hooks_{dispatch_request, request_at_target, run_elsewhere, this},
      process_(::getpid()) {}

State* State::find(core::Orb& orb) { return static_cast<State*>(orb.addition()); }

State& State::of(core::Orb& orb) {
  if (State* const present = find(orb)) return *present;
  return static_cast<State&>(orb.set_addition(base::Ref<core::OrbAddition>::adopt(new State(orb))));
}

void State::publish() {
  const auto all = interceptors();
  // Slots are there without interceptors of the server, too: what one request has set the next must not find.
  orb_.set_hooks(all->client.empty() ? nullptr : &client_hooks_,
                 all->server.empty() && slot_count() == 0 ? nullptr : &server_hooks_);
}

void State::orb_destroyed() {
  destroyed_.store(true);  // before it looks who is in use
  std::shared_ptr<const Interceptors> all;
  std::map<CORBA::PolicyType, PortableInterceptor::PolicyFactory_var> factories;
  {
    std::lock_guard lock(mutex_);
    all = std::exchange(interceptors_, std::make_shared<const Interceptors>());
    factories.swap(factories_);
  }
  if (::getpid() == process_)  // a child of fork() has none of the threads
    for (std::uint32_t epoch = unused_.epoch(); in_use_.load() != 0; epoch = unused_.epoch())
      unused_.wait(epoch);
  orb_.let_others_go(true);
  destroy_all(all->client);
  destroy_all(all->server);
  destroy_all(all->ior);
  orb_.let_others_go(false);
}

bool State::in_use_here() const {
  for (const InUse* u = InUse::current_; u; u = u->outer_)
    if (&u->state_ == this) return true;
  return false;
}

// ---- interceptors

std::shared_ptr<const Interceptors> State::interceptors() {
  std::lock_guard lock(mutex_);
  return interceptors_;
}

template <typename Var>
void State::add(std::vector<Registered<Var>> Interceptors::*place, Registered<Var> added) {
  const std::string name = name_of(*added.interceptor.in());
  const auto present = interceptors();
  if (!name.empty())
    for (const auto& other : (*present).*place)
      if (name_of(*other.interceptor.in()) == name)
        throw PortableInterceptor::ORBInitInfo::DuplicateName(name.c_str());
  auto changed = std::make_shared<Interceptors>(*present);
  ((*changed).*place).push_back(std::move(added));
  std::lock_guard lock(mutex_);  // only the initializing thread changes it
  interceptors_ = std::move(changed);
}
template void State::add(std::vector<Registered<ClientRequestInterceptor_var>> Interceptors::*,
                         Registered<ClientRequestInterceptor_var>);
template void State::add(std::vector<Registered<ServerRequestInterceptor_var>> Interceptors::*,
                         Registered<ServerRequestInterceptor_var>);
template void State::add(std::vector<Registered<IORInterceptor_var>> Interceptors::*,
                         Registered<IORInterceptor_var>);

// ---- policies

void State::register_factory(CORBA::PolicyType type, PortableInterceptor::PolicyFactory_ptr factory) {
  {
    std::lock_guard lock(mutex_);
    auto& place = factories_[type];
    if (place.in())
      raise(SystemErrorId::BAD_INV_ORDER, 16, "there is a PolicyFactory for this type of policies already");
    place = PortableInterceptor::PolicyFactory::_duplicate(factory);
  }
  messaging::allow_overrides_of(type);
}

bool State::has_factory(CORBA::PolicyType type) {
  std::lock_guard lock(mutex_);
  return factories_.count(type) != 0;
}

CORBA::Policy_ptr State::make(CORBA::PolicyType type, const CORBA::Any& value) {
  PortableInterceptor::PolicyFactory_var factory;
  {
    std::lock_guard lock(mutex_);
    const auto found = factories_.find(type);
    if (found == factories_.end()) return nullptr;
    factory = found->second;
  }
  return factory->create_policy(type, value);
}

}  // namespace corbel::interceptors
