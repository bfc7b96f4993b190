// An adapter full of objects, and requests for them as they stand behind a validated header.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <corbel/poa.h>

#include "orb/core/server_request.h"

namespace bench {

// What the objects are, and how their adapter finds them.
struct DispatchCase {
  std::uint64_t objects = 1;
  std::uint32_t operations = 1;  // of their interface: 1, 10, 100, 500 or 1,000
  std::string strategy = "active";
  std::string skeleton = "perfect";  // how it finds operations
};

// One request's key and operation, as a validated header names them.
struct DispatchRequest {
  const char* key;
  const char* operation;
  std::uint32_t key_size;
  std::uint32_t operation_length;
};

// A new servant of the interface with so many operations. The caller owns its count.
PortableServer::ServantBase* make_servant(const DispatchCase& what);

// An ORB that holds such an adapter, its objects active.
class DispatchWorld {
 public:
  explicit DispatchWorld(const DispatchCase& what);
  ~DispatchWorld();
  DispatchWorld(const DispatchWorld&) = delete;
  DispatchWorld& operator=(const DispatchWorld&) = delete;

  corbel::core::Orb& orb() const { return *core_; }
  // For a random operation of a random object; for the last of each where `worst`. The keys stand one after
  // the other or, where there are few objects, once for each, so that they are as near as in a message that
  // has just arrived.
  std::vector<DispatchRequest> requests(std::size_t count, bool worst);
  // For one operation of the object with this number.
  DispatchRequest request(std::uint64_t object, std::uint64_t operation);
  // What the objects take in memory that a dispatch goes through.
  std::uint64_t footprint() const;

 private:
  std::string id(std::uint64_t object) const;
  const DispatchCase case_;
  CORBA::ORB_var orb_;
  PortableServer::POA_var adapter_;
  corbel::core::Orb* core_ = nullptr;
  std::vector<PortableServer::ServantBase*> servants_;
  std::string ids_;  // one after the other
  std::size_t id_size_ = 0;
  std::deque<std::string> keys_;
};

// Dispatches requests one by one, with what is on the way from the header to the method.
class Dispatching {
 public:
  explicit Dispatching(corbel::core::Orb& orb) : request_(orb) {
    corbel::core::ServerRequest::set_current(&request_);
    request_.header().response_expected = true;
  }
  ~Dispatching() { corbel::core::ServerRequest::set_current(nullptr); }
  void dispatch(const DispatchRequest& request);
  // Throws where a request does not reach its method.
  void check(const std::vector<DispatchRequest>& requests);

 private:
  corbel::core::ServerRequest request_;
};

// What the strategies are held against: a loop over the ids, another over the names of operations, each a
// test of the length and memcmp; then a call through a pointer. No ORB, no counts, no locks.
class PlainDispatching {
 public:
  explicit PlainDispatching(const DispatchCase& what);
  // As DispatchWorld's.
  std::vector<DispatchRequest> requests(std::size_t count, bool worst) const;
  void dispatch(const DispatchRequest& request) const;

 private:
  struct Named {
    const char* text;
    std::size_t size;
    void (*run)();
  };
  const DispatchCase case_;
  std::vector<std::string> ids_;
  std::vector<Named> objects_, operations_;
};

}  // namespace bench
