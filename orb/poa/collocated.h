// Calls to objects of the same ORB without messages (core/collocated.h): from a reference to a servant.
#pragma once

#include <string>
#include <string_view>

#include "orb/base/ref.h"
#include "orb/core/reference.h"
#include "orb/poa/adapter.h"

namespace corbel::poa {

// What a proxy keeps. The proxy, and its reference, outlive it.
struct CollocatedTarget final : core::Collocated {
  core::CollocatedSlot* slot = nullptr;
  core::Reference* reference = nullptr;
  const char* interface = nullptr;
  std::string key;
  std::string_view id;  // in the key
  std::uint32_t hint = 0;
  std::uint64_t binding = 0;  // its serial
  base::Ref<Adapter> in;
  std::uint64_t word = 0;     // of a direct one's object
  std::uint64_t checked = 0;  // `seen` of one that leads through the adapter

  bool direct() const { return object != nullptr; }
  // Nothing has a say in calls that only messages can heed, and the reference still leads here.
  bool allowed() const;
  // The same, and for a direct one its object is there; then calls may go on.
  bool renew();
};

// Runs `run` with the servant that the adapter finds: in a direct call's frame or, where its policies want
// more, as in a request. False if it has not run: for the call has been refused or, without a refusal, is to
// be made by a message; where the adapter has sent it elsewhere, the reference leads there now. What `run`
// throws is thrown.
bool call_through_adapter(CollocatedTarget& target, void (*run)(void* servant, void* call), void* call,
                          SystemError& refusal);

}  // namespace corbel::poa
