#include <corbel/demultiplexing.h>

#include <string>
#include <utility>

#include "orb/ior/assigned.h"
#include "orb/poa/perfect_ids.h"
#include "orb/poa/policies.h"

namespace corbel {
namespace {

static_assert(ObjectDemultiplexingPolicy::kType == assigned::kPolicyObjectDemultiplexing);
static_assert(static_cast<CORBA::ULong>(ObjectDemultiplexing::verified_active) ==
              static_cast<CORBA::ULong>(poa::ObjectDemultiplexing::VerifiedActive));

[[noreturn]] void bad(const char* detail) {
  cpp::raise({SystemErrorId::BAD_PARAM, Completion::No, 0, detail});
}

ObjectDemultiplexing without_ids(ObjectDemultiplexing value) {
  if (value == ObjectDemultiplexing::perfect_hash) bad("a perfect hash needs the ids");
  return value;
}

std::shared_ptr<const poa::PerfectIds> perfect(const std::vector<PortableServer::ObjectId>& ids) {
  std::vector<std::string> texts;
  texts.reserve(ids.size());
  for (const auto& id : ids) texts.emplace_back(reinterpret_cast<const char*>(id.get_buffer()), id.length());
  auto made = std::make_shared<const poa::PerfectIds>(texts);
  if (!made->valid()) bad("no perfect hash was found for the ids");
  return made;
}

}  // namespace

ObjectDemultiplexingPolicy::ObjectDemultiplexingPolicy(ObjectDemultiplexing value,
                                                       std::shared_ptr<const poa::PerfectIds> ids)
    : value_(value), ids_(std::move(ids)) {}

ObjectDemultiplexingPolicy::ObjectDemultiplexingPolicy(ObjectDemultiplexing value)
    : ObjectDemultiplexingPolicy(without_ids(value), nullptr) {}

ObjectDemultiplexingPolicy::ObjectDemultiplexingPolicy(const std::vector<PortableServer::ObjectId>& ids)
    : ObjectDemultiplexingPolicy(ObjectDemultiplexing::perfect_hash, perfect(ids)) {}

CORBA::Policy_ptr ObjectDemultiplexingPolicy::copy() { return new ObjectDemultiplexingPolicy(value_, ids_); }

void* ObjectDemultiplexingPolicy::_corbel_widen(const char* repository_id) {
  return cpp::same_id(repository_id, _corbel_id) ? this : CORBA::Policy::_corbel_widen(repository_id);
}

}  // namespace corbel
