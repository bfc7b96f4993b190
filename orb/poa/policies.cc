#include "orb/poa/policies.h"

#include <cstddef>

namespace corbel::poa {
namespace {

constexpr std::uint32_t kFirstType = static_cast<std::uint32_t>(PolicyType::Thread);
constexpr std::uint32_t kInRow = 7;  // types that follow each other
constexpr std::uint32_t kTypes = 10;
constexpr std::uint32_t kValues[kTypes] = {3, 2, 2, 2, 2, 2, 3, 2, 6, 4};

// kTypes or more for one that is not known.
constexpr std::uint32_t place_of(PolicyType type) {
  if (type == PolicyType::Bidirectional) return kInRow;
  if (type == PolicyType::ObjectDemultiplexing) return kInRow + 1;
  if (type == PolicyType::KeyFormat) return kInRow + 2;
  const std::uint32_t place = static_cast<std::uint32_t>(type) - kFirstType;
  return place < kInRow ? place : kTypes;
}

class Reader {
 public:
  explicit Reader(const std::vector<PolicyValue>& list) : list_(list) {}

  // Finds unknown types and values, and second opinions on one type.
  bool consistent(std::uint16_t& bad_index) {
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const std::uint32_t type = place_of(list_[i].type);
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

  // 0 if it says nothing.
  std::uint32_t value(PolicyType type) const {
    const int place = this->place(type);
    return place >= 0 ? list_[static_cast<std::size_t>(place)].value : 0;
  }

  // The first of the types that the list names: what it says excludes the others' values.
  template <typename... Types>
  std::uint16_t blame(Types... types) const {
    for (const PolicyType type : {types...})
      if (place(type) >= 0) return static_cast<std::uint16_t>(place(type));
    return 0;
  }

 private:
  int place(PolicyType type) const { return place_[place_of(type)]; }
  const std::vector<PolicyValue>& list_;
  int place_[kTypes] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
};

}  // namespace

bool read_policies(const std::vector<PolicyValue>& list, Policies& policies, std::uint16_t& bad_index) {
  Reader read(list);
  if (!read.consistent(bad_index)) return false;
  Policies p;
  p.key_format = policies.key_format;
  p.persistent = read.says(PolicyType::Lifespan, Lifespan::Persistent);
  p.multiple_id = read.says(PolicyType::IdUniqueness, IdUniqueness::Multiple);
  p.user_id = read.says(PolicyType::IdAssignment, IdAssignment::User);
  p.implicit_activation = read.says(PolicyType::ImplicitActivation, ImplicitActivation::Yes);
  p.retain = !read.says(PolicyType::ServantRetention, ServantRetention::NonRetain);
  p.bidirectional = read.says(PolicyType::Bidirectional, Bidirectional::Both);
  p.default_servant = read.says(PolicyType::RequestProcessing, RequestProcessing::DefaultServant);

  p.servant_manager = read.says(PolicyType::RequestProcessing, RequestProcessing::ServantManager);
  if (read.says(PolicyType::Thread, Thread::SingleThread)) p.thread = Thread::SingleThread;
  if (read.says(PolicyType::Thread, Thread::MainThread)) p.thread = Thread::MainThread;
  p.demultiplexing = static_cast<ObjectDemultiplexing>(read.value(PolicyType::ObjectDemultiplexing));
  bool format_given = false;
  for (const KeyFormat format :
       {KeyFormat::Corbel, KeyFormat::OmniOrb, KeyFormat::Tao, KeyFormat::TaoNoHints}) {
    if (!read.says(PolicyType::KeyFormat, format)) continue;
    p.key_format = format;
    format_given = true;
  }
  if (!p.persistent && !format_given) p.key_format = KeyFormat::Corbel;

  if (!p.retain && !p.default_servant && !p.servant_manager) {  // nothing could serve a request
    bad_index = read.blame(PolicyType::ServantRetention);
  } else if (p.default_servant && !p.multiple_id) {  // one servant for many ids
    bad_index = read.blame(PolicyType::RequestProcessing);
  } else if (p.implicit_activation && (p.user_id || !p.retain)) {
    bad_index = read.blame(PolicyType::ImplicitActivation);
  } else if (!allows(p, p.demultiplexing)) {
    bad_index = read.blame(PolicyType::ObjectDemultiplexing);
  } else if (p.key_format != KeyFormat::Corbel &&
             !p.persistent) {  // others' transient keys mean nothing here
    bad_index = read.blame(PolicyType::KeyFormat);
  } else {
    policies = p;
    return true;
  }
  return false;
}

bool allows(const Policies& policies, ObjectDemultiplexing how) {
  if (how == ObjectDemultiplexing::Default) return true;
  if (!policies.retain) return false;  // there is nothing to find
  if (how == ObjectDemultiplexing::PerfectHash) return policies.user_id;
  if (how == ObjectDemultiplexing::Active) return !policies.user_id && !policies.persistent;
  return true;
}

Policies with_default(Policies policies, ObjectDemultiplexing how) {
  if (policies.demultiplexing == ObjectDemultiplexing::Default && allows(policies, how))
    policies.demultiplexing = how;
  return policies;
}

}  // namespace corbel::poa
