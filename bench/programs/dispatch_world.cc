#include "dispatch_world.h"

#include <cstring>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <malloc.h>

#include <corbel/demultiplexing.h>

#include "dispatch_servants.h"
#include "orb/core/orb.h"
#include "orb/poa/adapter_table.h"

namespace bench {
namespace {

CORBA::ORB_ptr make_orb() {
  int argc = 1;
  char name[] = "dispatch";
  char* argv[] = {name, nullptr};
  return CORBA::ORB_init(argc, argv);
}

std::string numbered(const char* what, std::uint64_t number, std::size_t digits) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return what + text;
}

// Ids as an application chooses them.
std::string chosen_id(std::uint64_t object) { return numbered("object-", object, 9); }

PortableServer::ObjectId to_object_id(const std::string& text) {
  PortableServer::ObjectId id;
  id.length(static_cast<CORBA::ULong>(text.size()));
  std::memcpy(id.get_buffer(), text.data(), text.size());
  return id;
}

CORBA::Policy_ptr strategy_policy(const DispatchCase& what) {
  using corbel::ObjectDemultiplexing;
  using corbel::ObjectDemultiplexingPolicy;
  if (what.strategy == "linear") return new ObjectDemultiplexingPolicy(ObjectDemultiplexing::linear);
  if (what.strategy == "hash") return new ObjectDemultiplexingPolicy(ObjectDemultiplexing::hash);
  if (what.strategy == "verified")
    return new ObjectDemultiplexingPolicy(ObjectDemultiplexing::verified_active);
  if (what.strategy != "perfect") throw std::runtime_error("there is no such strategy");
  std::vector<PortableServer::ObjectId> ids;
  ids.reserve(what.objects);
  for (std::uint64_t n = 0; n < what.objects; ++n) ids.push_back(to_object_id(chosen_id(n)));
  return new ObjectDemultiplexingPolicy(ids);
}

void add(CORBA::PolicyList& list, CORBA::Policy_ptr policy) {
  list.length(list.length() + 1);
  list[list.length() - 1] = policy;
}

}  // namespace

PortableServer::ServantBase* make_servant(const DispatchCase& what) {
  for (const DispatchStrategy& strategy : kDispatchStrategies)
    if (what.skeleton == strategy.name)
      if (const DispatchServant made = strategy.new_servant(what.operations); made.servant)
        return made.servant;
  throw std::runtime_error("there is no such skeleton");
}

DispatchWorld::DispatchWorld(const DispatchCase& what) : case_(what), orb_(make_orb()) {
  CORBA::Object_var object = orb_->resolve_initial_references("RootPOA");
  PortableServer::POA_var root = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = root->the_POAManager();
  const bool chosen = case_.strategy != "active";
  CORBA::PolicyList policies;
  if (chosen) {
    add(policies, root->create_id_assignment_policy(PortableServer::USER_ID));
    add(policies, strategy_policy(case_));
  }
  adapter_ = root->create_POA("dispatch", manager, policies);
  servants_.reserve(case_.objects);
  for (std::uint64_t n = 0; n < case_.objects; ++n) servants_.push_back(make_servant(case_));
  for (std::uint64_t n = 0; n < case_.objects; ++n) {
    if (chosen) {
      const std::string id = chosen_id(n);
      adapter_->activate_object_with_id(to_object_id(id), servants_[n]);
      id_size_ = id.size();
      ids_ += id;
    } else {
      PortableServer::ObjectId_var id = adapter_->activate_object(servants_[n]);
      id_size_ = id->length();
      ids_.append(reinterpret_cast<const char*>(id->get_buffer()), id_size_);
    }
  }
  manager->activate();
  core_ = &adapter_->_corbel_adapter().table().orb();
}

DispatchWorld::~DispatchWorld() {
  adapter_->destroy(false, true);
  for (PortableServer::ServantBase* const servant : servants_) servant->_remove_ref();
  orb_->destroy();
}

std::string DispatchWorld::id(std::uint64_t object) const { return ids_.substr(object * id_size_, id_size_); }

namespace {
DispatchRequest request_of(std::string_view key, std::uint64_t operation) {
  const char* const name = kOperationNames[operation];
  return {key.data(), name, static_cast<std::uint32_t>(key.size()),
          static_cast<std::uint32_t>(std::strlen(name))};
}
}  // namespace

DispatchRequest DispatchWorld::request(std::uint64_t object, std::uint64_t operation) {
  std::string key;
  (void)adapter_->_corbel_adapter().make_key(id(object), key);
  return request_of(keys_.emplace_back(std::move(key)), operation);
}

std::vector<DispatchRequest> DispatchWorld::requests(std::size_t count, bool worst) {
  constexpr std::uint64_t kFew = 10'000;
  std::mt19937_64 random(1);
  std::vector<DispatchRequest> all, few;
  for (std::uint64_t n = 0; n < case_.objects && case_.objects <= kFew; ++n) few.push_back(request(n, 0));
  const std::size_t size = request(0, 0).key_size;
  std::string& keys = keys_.emplace_back();
  if (few.empty()) keys.reserve(count * size);
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t object = worst ? case_.objects - 1 : random() % case_.objects;
    const std::uint64_t operation = worst ? case_.operations - 1 : random() % case_.operations;
    if (!few.empty()) {
      all.push_back(request_of({few[object].key, size}, operation));
      continue;
    }
    std::string key;
    (void)adapter_->_corbel_adapter().make_key(id(object), key);
    all.push_back(request_of({keys.data() + keys.size(), size}, operation));
    keys += key;
  }
  return all;
}

std::uint64_t DispatchWorld::footprint() const {
  return case_.objects *
         (malloc_usable_size(dynamic_cast<void*>(servants_.front())) + 8 + sizeof(corbel::poa::ObjectSlot));
}

void Dispatching::dispatch(const DispatchRequest& request) {
  corbel::giop::RequestHeader& header = request_.header();
  header.key = request.key;
  header.key_size = request.key_size;
  header.operation = request.operation;
  header.operation_length = request.operation_length;
  request_.start(corbel::cdr::Decoder());
  request_.orb().dispatch(request_);
}

void Dispatching::check(const std::vector<DispatchRequest>& requests) {
  for (const DispatchRequest& request : requests) {
    dispatch(request);
    if (request_.reply_kind() != corbel::core::ServerRequest::Reply::NoException)
      throw std::runtime_error("a request has not reached its object");
  }
}

namespace {
void nothing() { asm volatile(""); }
}  // namespace

PlainDispatching::PlainDispatching(const DispatchCase& what) : case_(what) {
  for (std::uint64_t n = 0; n < case_.objects; ++n) ids_.push_back(chosen_id(n));
  for (const std::string& id : ids_) objects_.push_back({id.data(), id.size(), nullptr});
  for (std::uint32_t n = 0; n < case_.operations; ++n)
    operations_.push_back({kOperationNames[n], std::strlen(kOperationNames[n]), nothing});
}

std::vector<DispatchRequest> PlainDispatching::requests(std::size_t count, bool worst) const {
  std::mt19937_64 random(1);
  std::vector<DispatchRequest> all;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string& id = worst ? ids_.back() : ids_[random() % ids_.size()];
    all.push_back(request_of(id, worst ? operations_.size() - 1 : random() % operations_.size()));
  }
  return all;
}

void PlainDispatching::dispatch(const DispatchRequest& request) const {
  for (const Named& object : objects_) {
    if (object.size != request.key_size || std::memcmp(object.text, request.key, object.size) != 0) continue;
    for (const Named& operation : operations_) {
      if (operation.size != request.operation_length ||
          std::memcmp(operation.text, request.operation, operation.size) != 0)
        continue;
      return operation.run();
    }
  }
}

}  // namespace bench
