// Adapters that adapter activators make (CORBA 3.4 part 1, "AdapterActivator Interface").
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "orb/base/ref.h"

namespace corbel::poa {

class Adapter;

// One call of an activator. Whoever wants the adapter meanwhile waits for the end of the call, and has its
// result. Guarded by the table's lock.
struct Creation {
  Adapter* parent;  // kept by whoever calls
  std::string name;
  std::atomic<std::uint32_t> thread;  // that calls
  // What it has made so far, which requests do not see yet.
  std::vector<base::Ref<Adapter>> made;
  // The child has been made, and the caller has not destroyed it again. Others may have.
  bool created = false;
  enum class Result { Running, Made, Refused, Failed } result = Result::Running;
};

}  // namespace corbel::poa
