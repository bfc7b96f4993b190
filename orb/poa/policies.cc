#include "orb/poa/policies.h"

#include <cstddef>

namespace corbel::poa {
namespace {

constexpr std::uint32_t kFirstType = static_cast<std::uint32_t>(PolicyType::Thread);
constexpr std::uint32_t kTypes = 7;
constexpr std::uint32_t kValues[kTypes] = {3, 2, 2, 2, 2, 2, 3};

class Reader {
 public:
  explicit Reader(const std::vector<PolicyValue>& list) : list_(list) {}

  // Finds unknown types and values, and second opinions on one type.
  bool consistent(std::uint16_t& bad_index) {
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const std::uint32_t type = static_cast<std::uint32_t>(list_[i].type) - kFirstType;
      const bool known = type < kTypes && list_[i].value < kValues[type];
      if (!known ||
          (place_[type] >= 0 && list_[static_cast<std::size_t>(place_[type])].value != list_[i].value)) {
        bad_index = static_cast<std::uint16_t>(i);
        return false;
      }
      if (place_[type] < 0) place_[type] = static_cast<int>(i);
    }
    return true;
  }

  template <typename Value>
  bool says(PolicyType type, Value value) const {
    const int place = this->place(type);
    return place >= 0 && list_[static_cast<std::size_t>(place)].value == static_cast<std::uint32_t>(value);
  }

  // The first of the types that the list names: what it says excludes the others' values.
  template <typename... Types>
  std::uint16_t blame(Types... types) const {
    for (const PolicyType type : {types...})
      if (place(type) >= 0) return static_cast<std::uint16_t>(place(type));
    return 0;
  }

 private:
  int place(PolicyType type) const { return place_[static_cast<std::uint32_t>(type) - kFirstType]; }
  const std::vector<PolicyValue>& list_;
  int place_[kTypes] = {-1, -1, -1, -1, -1, -1, -1};
};

}  // namespace

bool read_policies(const std::vector<PolicyValue>& list, Policies& policies, std::uint16_t& bad_index) {
  Reader read(list);
  if (!read.consistent(bad_index)) return false;
  Policies p;
  p.persistent = read.says(PolicyType::Lifespan, Lifespan::Persistent);
  p.multiple_id = read.says(PolicyType::IdUniqueness, IdUniqueness::Multiple);
  p.user_id = read.says(PolicyType::IdAssignment, IdAssignment::User);
  p.implicit_activation = read.says(PolicyType::ImplicitActivation, ImplicitActivation::Yes);
  p.retain = !read.says(PolicyType::ServantRetention, ServantRetention::NonRetain);
  p.default_servant = read.says(PolicyType::RequestProcessing, RequestProcessing::DefaultServant);

  const bool other_threads = read.says(PolicyType::Thread, Thread::SingleThread) ||
                             read.says(PolicyType::Thread, Thread::MainThread);
  if (other_threads) {
    bad_index = read.blame(PolicyType::Thread);
  } else if (read.says(PolicyType::RequestProcessing, RequestProcessing::ServantManager)) {
    bad_index = read.blame(PolicyType::RequestProcessing);
  } else if (!p.retain && !p.default_servant) {  // nothing could serve a request
    bad_index = read.blame(PolicyType::ServantRetention);
  } else if (p.default_servant && !p.multiple_id) {  // one servant for many ids
    bad_index = read.blame(PolicyType::RequestProcessing);
  } else if (p.implicit_activation && (p.user_id || !p.retain)) {
    bad_index = read.blame(PolicyType::ImplicitActivation);
  } else {
    policies = p;
    return true;
  }
  return false;
}

}  // namespace corbel::poa
