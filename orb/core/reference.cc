#include "orb/core/reference.h"

#include <algorithm>
#include <mutex>

#include "orb/core/client_connection.h"
#include "orb/core/orb.h"
#include "orb/giop/code_sets.h"
#include "orb/giop/request.h"
#include "orb/ior/assigned.h"

namespace corbel::core {
namespace {
constexpr std::size_t kMostTypes = 32;  // answers beyond are asked for again
}

Reference::Reference(Orb& orb, ior::Ior ior, bool local)
    : orb_(base::Ref<Orb>::share(&orb)), ior_(std::move(ior)), local_(local) {
  for (const ior::TaggedProfile& profile : ior_.profiles) {
    if (const auto iiop = ior::decode_iiop(profile)) {
      key_ = iiop->object_key;
      break;
    }
  }
}

Reference::~Reference() = default;

bool Reference::equivalent(const Reference& other) const {
  if (this == &other) return true;
  if (ior_.profiles == other.ior_.profiles) return true;
  for (const ior::TaggedProfile& a : ior_.profiles) {
    const auto mine = ior::decode_iiop(a);
    for (const ior::TaggedProfile& b : other.ior_.profiles) {
      const auto theirs = ior::decode_iiop(b);
      if (mine && theirs && mine->address == theirs->address && mine->object_key == theirs->object_key)
        return true;
    }
  }
  return false;
}

std::uint32_t Reference::hash(std::uint32_t maximum) const {
  std::uint32_t h = 2166136261u;  // FNV-1a
  for (const char c : key_) h = (h ^ static_cast<unsigned char>(c)) * 16777619u;
  return maximum == 0xffffffffu ? h : h % (maximum + 1);
}

bool Reference::known_to_be(const char* repository_id) {
  if (ior_.type_id == repository_id) return true;
  std::lock_guard lock(mutex_);
  return std::find(types_.begin(), types_.end(), repository_id) != types_.end();
}

void Reference::remember(const char* repository_id) {
  std::lock_guard lock(mutex_);
  if (types_.size() < kMostTypes) types_.emplace_back(repository_id);
}

base::Ref<RetryHandler> Reference::retry_handler() {
  std::lock_guard lock(mutex_);
  return retry_handler_;
}

base::Ref<RetryHandler> Reference::set_retry_handler(base::Ref<RetryHandler> handler) {
  std::lock_guard lock(mutex_);
  if (!retry_handler_) retry_handler_ = std::move(handler);
  return retry_handler_;
}

Binding::Binding()
    : serial([] {
        static std::atomic<std::uint64_t> last{0};
        return ++last;
      }()) {}

base::Ref<Binding> Reference::bound() {
  std::lock_guard lock(mutex_);
  const Binding* const present = binding_.get();
  const bool usable = present && (!present->connection || present->connection->usable());
  return usable && !orb_->is_shut_down() ? binding_ : nullptr;
}

SystemError Reference::bind(base::Ref<Binding>& binding, base::Deadline deadline, Forward& tried) {
  if ((binding = bound())) return {};
  mutex_.lock();
  const Forward forwarded = forwarded_;
  const giop::Addressing addressing = addressing_;
  mutex_.unlock();

  if (SystemError e = orb_->check()) return e;
  base::Ref<Binding> fresh;
  if (SystemError e = bind_profiles(forwarded ? *forwarded : ior_, addressing, fresh, deadline)) {
    tried = forwarded;
    return e;
  }
  fresh->forward = forwarded;
  std::lock_guard lock(mutex_);
  if (forwarded == forwarded_ && addressing == addressing_) binding_ = fresh;
  binding = std::move(fresh);
  return {};
}

// The first profile and address that can be reached.
SystemError Reference::bind_profiles(const ior::Ior& ior, giop::Addressing addressing,
                                     base::Ref<Binding>& binding, base::Deadline deadline) {
  SystemError error{SystemErrorId::INV_OBJREF, Completion::No, 0,
                    "the reference has no profile that this ORB can use"};
  for (std::uint32_t index = 0; index < ior.profiles.size(); ++index) {
    const auto profile = ior::decode_iiop(ior.profiles[index]);
    if (!profile) continue;
    const giop::Version version{1, std::min(profile->minor, orb_->options().max_giop_minor)};
    for (const ior::Address& address : ior::addresses(*profile)) {
      auto fresh = base::make_ref<Binding>();
      fresh->version = version;
      fresh->key = profile->object_key;
      if (!orb_->is_own_address(address)) {
        if (profile->minor > 0) {
          const giop::CodeSet choice = giop::choose_code_set(*profile);
          if (choice == giop::CodeSet::Incompatible) {
            error = {SystemErrorId::CODESET_INCOMPATIBLE, Completion::No, assigned::kOmgMinor | 1,
                     "the server's char set is neither ISO 8859-1 nor UTF-8, and it offers no conversion"};
            continue;
          }
          if (version.minor > 0) fresh->code_set = choice;
        }
        if (SystemError e = orb_->connect(address, version, fresh->code_set == giop::CodeSet::Utf8, deadline,
                                          fresh->connection)) {
          error = e;
          continue;
        }
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

void Reference::unbind(const Binding& binding) {
  base::Ref<Binding> old;
  std::lock_guard lock(mutex_);
  if (binding_.get() == &binding) std::swap(old, binding_);
}

void Reference::forward(ior::Ior target) {
  base::Ref<Binding> old;
  std::lock_guard lock(mutex_);
  forwarded_ = std::make_shared<const ior::Ior>(std::move(target));
  addressing_ = giop::Addressing::Key;
  std::swap(old, binding_);
}

void Reference::use_addressing(giop::Addressing addressing) {
  base::Ref<Binding> old;
  std::lock_guard lock(mutex_);
  addressing_ = addressing;
  std::swap(old, binding_);
}

bool Reference::forget_forward(const Forward& tried) {
  if (!tried) return false;
  base::Ref<Binding> old;
  std::lock_guard lock(mutex_);
  if (forwarded_ != tried) return true;  // another thread has been here before
  forwarded_ = nullptr;
  addressing_ = giop::Addressing::Key;
  std::swap(old, binding_);
  return true;
}

}  // namespace corbel::core
