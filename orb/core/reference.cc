#include "orb/core/reference.h"

#include <algorithm>
#include <mutex>

#include "orb/base/ascii.h"
#include "orb/base/share.h"
#include "orb/core/client_connection.h"
#include "orb/core/orb.h"
#include "orb/core/wait_in_upcall.h"
#include "orb/giop/code_sets.h"
#include "orb/giop/request.h"
#include "orb/ior/assigned.h"
#include "orb/ior/group.h"

namespace corbel::core {
namespace {
constexpr std::size_t kMostTypes = 32;       // answers beyond are asked for again
constexpr std::uint32_t kMostBits = 63;      // profiles beyond are tried, but not left out
constexpr std::size_t kMostIdentities = 16;  // each is kept; permanent forwards beyond count as temporary

std::uint64_t bit_of(std::uint32_t profile) { return profile < kMostBits ? std::uint64_t{1} << profile : 0; }

// Those that may be used, the primary member's of a group first; their bits in `usable`.
std::vector<std::uint32_t> order_of(const ior::Ior& ior, std::uint64_t& usable) {
  std::vector<std::uint32_t> order, others;
  usable = 0;
  for (std::uint32_t index = 0; index < ior.profiles.size(); ++index) {
    const auto profile = ior::decode_iiop(ior, index);
    if (!profile) continue;
    usable |= bit_of(index);
    (ior::is_primary(*profile) ? order : others).push_back(index);
  }
  order.insert(order.end(), others.begin(), others.end());
  return order;
}

}  // namespace

Reference::Reference(Orb& orb, ior::Ior ior, bool made_here)
    : orb_(base::Ref<Orb>::share(&orb)),
      ior_(std::move(ior)),
      made_here_(made_here),
      addressing_(static_cast<giop::Addressing>(orb.options().target_addressing)) {
  for (const ior::TaggedProfile& profile : ior_.profiles) {
    if (const auto iiop = ior::decode_iiop(profile)) {
      key_ = iiop->object_key;
      break;
    }
  }
}

Reference::~Reference() = default;

bool Reference::local() const { return made_here_ || orb_->leads_here(ior_); }

bool Reference::equivalent(const Reference& other) const {
  if (this == &other) return true;
  const ior::Ior &these = ior(), &those = other.ior();
  if (these.profiles == those.profiles) return true;
  if (const auto group = ior::group_of(these)) {
    const auto other_group = ior::group_of(those);
    if (other_group) return group->domain == other_group->domain && group->id == other_group->id;
  }
  std::vector<ior::IiopProfile> theirs;
  for (const ior::TaggedProfile& b : those.profiles)
    if (auto profile = ior::decode_iiop(b)) theirs.push_back(std::move(*profile));
  for (const ior::TaggedProfile& a : these.profiles) {
    const auto mine = ior::decode_iiop(a);
    for (const ior::IiopProfile& b : theirs)
      if (mine && mine->address == b.address && mine->object_key == b.object_key &&
          (b.address.port != 0 || mine->components == b.components))  // which tell where it is
        return true;
  }
  return false;
}

std::uint32_t Reference::hash(std::uint32_t maximum) const {
  // Of what it was made from, as key_: it never changes.
  const auto group = ior::group_of(ior_);
  std::uint32_t h = 2166136261u;  // FNV-1a
  for (const char c : group ? group->domain + base::decimal(group->id) : key_)
    h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return maximum == 0xffffffffu ? h : h % (maximum + 1);
}

bool Reference::known_to_be(const char* repository_id) {
  if (ior().type_id == repository_id) return true;
  std::lock_guard lock(mutex_);
  return std::find(types_.begin(), types_.end(), repository_id) != types_.end();
}

void Reference::remember(const char* repository_id) {
  std::lock_guard lock(mutex_);
  if (types_.size() < kMostTypes) types_.emplace_back(repository_id);
}

CallSettings Reference::call_settings() const {
  CallSettings settings;
  if (const std::int64_t timeout = call_timeout_.load(std::memory_order_relaxed))
    settings.put(CallSetting::Roundtrip, timeout);
  if (overrides_) settings.add(overrides_->settings());
  return settings;
}

bool Reference::exposes_policies() {
  Exposes exposes = exposes_.load(std::memory_order_relaxed);
  if (exposes == Exposes::NotLookedFor) {
    std::lock_guard lock(mutex_);
    exposes = Exposes::Nothing;
    const ior::Ior& now = ior();
    for (std::size_t i = 0; i < now.profiles.size(); ++i) {
      const auto profile = ior::decode_iiop(now, i);
      if (!profile) continue;
      for (const ior::TaggedComponent& c : profile->components)
        if (c.tag == assigned::kComponentPolicies) exposes = Exposes::Policies;
      break;
    }
    exposes_.store(exposes, std::memory_order_relaxed);
  }
  return exposes == Exposes::Policies;
}

base::Ref<Reference> Reference::with(base::Ref<CallOverrides> overrides) {
  auto other = base::make_ref<Reference>(*orb_, ior(), made_here_);
  other->overrides_ = std::move(overrides);
  std::lock_guard lock(mutex_);
  other->types_ = types_;
  other->retry_handler_ = retry_handler_;
  other->set_call_timeout(call_timeout_.load(std::memory_order_relaxed));
  return other;
}

base::Ref<RetryHandler> Reference::retry_handler() {
  std::lock_guard lock(mutex_);
  return retry_handler_;
}

base::Ref<RetryHandler> Reference::set_retry_handler(base::Ref<RetryHandler> handler) {
  std::lock_guard lock(mutex_);
  if (!retry_handler_) retry_handler_ = std::move(handler);
  collocation_changed();
  return retry_handler_;
}

Binding::Binding()
    : serial([] {
        static std::atomic<std::uint64_t> last{0};
        return ++last;
      }()) {}

giop::Addressing Reference::default_addressing() const {
  return static_cast<giop::Addressing>(orb_->options().target_addressing);
}

base::Ref<Binding> Reference::bound() {
  base::Ref<Binding> old;
  std::lock_guard lock(mutex_);
  const Binding* const present = binding_.get();
  const bool usable = present && (!present->connection || present->connection->usable());
  // What one holds that has ended is not kept until another call succeeds.
  if (!usable) old = replace_binding(nullptr);
  return usable && !orb_->is_shut_down() ? binding_ : nullptr;
}

base::Ref<Binding> Reference::replace_binding(base::Ref<Binding> binding) {
  bound_serial_.store(binding ? binding->serial : kUnbound, std::memory_order_release);
  if (binding_ && !binding_->connection) collocation_changed();
  std::swap(binding_, binding);
  return binding;
}

SystemError Reference::bind(base::Ref<Binding>& binding, base::Deadline deadline, Forward& tried,
                            std::int64_t connect_timeout, const FailedProfiles& failed) {
  if ((binding = bound())) {
    const std::uint64_t bits = failed.at(binding->place);
    if ((binding->profile & bits) == 0 && (binding->protects || !(bits & kProtectedOneFailed))) return {};
  }
  mutex_.lock();
  const Forward forwarded = forwarded_;
  const giop::Addressing addressing = addressing_;
  const std::uint32_t place = place_;
  const ior::Ior& target = forwarded ? *forwarded : ior();
  mutex_.unlock();

  if (SystemError e = orb_->check()) return e;
  base::Ref<Binding> fresh;
  if (SystemError e = bind_profiles(target, addressing, fresh, deadline, connect_timeout, failed.at(place))) {
    binding = nullptr;
    tried = forwarded;
    return e;
  }
  fresh->forward = forwarded;
  fresh->place = place;
  std::lock_guard lock(mutex_);
  if (place == place_ && addressing == addressing_) (void)replace_binding(fresh);
  was_bound_ = true;
  binding = std::move(fresh);
  return {};
}

// The connection on which the object's own process offered to be called back; null if there is none. What
// leads to this ORB is nobody else's.
base::Ref<ClientConnection> Reference::called_back(const ior::IiopProfile& profile,
                                                   const std::vector<Route>& routes, std::uint32_t text) {
  AbstractServer* const server = orb_->server();
  if (!server) return nullptr;
  for (const Route& route : routes)
    if (orb_->is_own(route)) return nullptr;
  base::Ref<ClientConnection> connection = server->way_back(profile);
  return connection && connection->claim_text(text) ? connection : nullptr;
}

// The first profile and address that can be reached.
SystemError Reference::bind_profiles(const ior::Ior& ior, giop::Addressing addressing,
                                     base::Ref<Binding>& binding, base::Deadline deadline,
                                     std::int64_t connect_timeout, std::uint64_t failed) {
  CallSettings settings = call_settings();
  settings.add(thread_call_settings);
  settings.add(orb_->call_settings());
  const auto both_ways = static_cast<BothWays>(
      settings.get(CallSetting::Bidirectional, static_cast<std::int64_t>(BothWays::AsAdapters)));
  SystemError error{SystemErrorId::INV_OBJREF, Completion::No, 0,
                    "the reference has no profile that this ORB can use"};
  bool protected_one_failed = (failed & kProtectedOneFailed) != 0;
  if (protected_one_failed)
    error = {SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 2,
             "the connection ended before the request was sent; is the server up?"};
  std::uint64_t usable = 0;
  struct Candidate {
    std::uint32_t index;
    ior::IiopProfile profile;
    std::vector<Route> routes, silent;
  };
  std::vector<Candidate> candidates;
  int left = 0;  // routes
  for (const std::uint32_t index : order_of(ior, usable)) {
    if (left == Transports::kMostRoutes) break;
    if (failed & bit_of(index)) continue;
    const char* why = nullptr;
    Candidate c{index, *ior::decode_iiop(ior, index), {}, {}};
    c.routes = orb_->transports().routes(c.profile, why);
    if (c.routes.empty()) error = {SystemErrorId::TRANSIENT, Completion::No, assigned::kOmgMinor | 2, why};
    while (static_cast<int>(c.routes.size()) > Transports::kMostRoutes - left) c.routes.pop_back();
    left += static_cast<int>(c.routes.size());
    candidates.push_back(std::move(c));
  }
  if (left > 1) {
    for (Candidate& c : candidates) {
      // What protects keeps its place: what does not must not come before it.
      std::vector<Route> all;
      all.swap(c.routes);
      for (Route& route : all) {
        const bool tried_first = route.transport->protects() || !orb_->silent_routes().has(route);
        (tried_first ? c.routes : c.silent).push_back(std::move(route));
      }
    }
    for (std::size_t i = 0, count = candidates.size(); i < count; ++i)
      if (!candidates[i].silent.empty())
        candidates.push_back({candidates[i].index, candidates[i].profile, candidates[i].silent, {}});
  }
  for (const auto& [index, profile_there, routes, silent] : candidates) {
    const ior::IiopProfile* const profile = &profile_there;
    const giop::Version version{1, std::min(profile->minor, orb_->options().max_giop_minor)};
    for (const Route& route : routes) {
      const base::Deadline until = base::share_of(deadline, left--);
      // Whoever can break what protects must not get what does not.
      if (protected_one_failed && !route.transport->protects()) continue;
      auto fresh = base::make_ref<Binding>();
      fresh->version = version;
      fresh->key = profile->object_key;
      fresh->profile = bit_of(index);
      fresh->profiles = usable;
      fresh->protects = route.transport->protects();
      const std::uint32_t orb_type = ior::orb_type(*profile);
      fresh->omniorb = orb_type == assigned::kOrbTypeOmniOrb;
      fresh->corbel = orb_type == assigned::kOrbType;
      if (!orb_->is_own(route)) {
        const giop::OwnCodeSets& own = orb_->options().code_sets;
        if (SystemError e = giop::choose_code_sets(*profile, own, fresh->code_sets)) {
          error = e;
          continue;
        }
        if (version.minor < 2) fresh->code_sets.restrict_to_two_octets();
        if (version.minor == 0) fresh->code_sets = {giop::unsaid_text(own), 0};
        if (version.minor >= 2 && !route.transport->protects() && both_ways != BothWays::No)
          fresh->connection = called_back(*profile, routes, fresh->code_sets.text);
        if (!fresh->connection) {
          const WaitInUpcall wait(true);
          SystemError e = wait.granted() ? orb_->connect(route, version, fresh->code_sets.text, until,
                                                         fresh->connection, connect_timeout, both_ways)
                                         : Orb::no_thread();
          if (e) {
            error = e;
            if (deadline != base::kNoDeadline && base::now() >= deadline)
              return orb_->timed_out(Completion::No,
                                     "the deadline passed before an address could be reached");
            protected_one_failed = protected_one_failed || route.transport->protects();
            continue;
          }
        }
        if (orb_type == assigned::kOrbType) fresh->connection->peer_is_corbel();
        if (orb_->compression())
          for (const ior::TaggedComponent& c : profile->components)
            if (c.tag == assigned::kComponentPolicies) fresh->policies = c.data;
        fresh->announces = fresh->code_sets.char_set != 0 || !fresh->connection->callback_offer().empty();
        const bool by_key = addressing == giop::Addressing::Key || version.minor < 2;
        fresh->prefix =
            by_key ? giop::make_prefix(version, fresh->key) : giop::make_prefix(addressing, ior, index);
      }
      binding = std::move(fresh);
      return {};
    }
  }
  return error;
}

bool Reference::was_bound() {
  std::lock_guard lock(mutex_);
  return was_bound_;
}

void Reference::forget_bound() {
  std::lock_guard lock(mutex_);
  was_bound_ = false;
}

void Reference::unbind(const Binding& binding) {
  base::Ref<Binding> old;
  std::lock_guard lock(mutex_);
  if (binding_.get() == &binding) old = replace_binding(nullptr);
}

void Reference::forward(ior::Ior target, bool permanent) {
  base::Ref<Binding> old;
  std::lock_guard lock(mutex_);
  if (permanent && identities_.size() < kMostIdentities) {
    identities_.push_back(std::make_unique<const ior::Ior>(std::move(target)));
    identity_.store(identities_.back().get(), std::memory_order_release);
    exposes_.store(Exposes::NotLookedFor, std::memory_order_relaxed);
    forwarded_ = nullptr;
  } else {
    forwarded_ = std::make_shared<const ior::Ior>(std::move(target));
  }
  ++place_;
  addressing_ = default_addressing();
  old = replace_binding(nullptr);
}

void Reference::use_addressing(giop::Addressing addressing) {
  base::Ref<Binding> old;
  std::lock_guard lock(mutex_);
  addressing_ = addressing;
  old = replace_binding(nullptr);
}

bool Reference::forget_forward(const Forward& tried) {
  if (!tried) return false;
  base::Ref<Binding> old;
  std::lock_guard lock(mutex_);
  if (forwarded_ != tried) return true;  // another thread has been here before
  forwarded_ = nullptr;
  ++place_;
  addressing_ = default_addressing();
  old = replace_binding(nullptr);
  return true;
}

}  // namespace corbel::core
