// Initial references of an ORB that are local objects.
#pragma once

#include <corbel/cpp/object.h>

#include <string>
#include <vector>

namespace corbel::cpp {

// Made by the first that is registered: programs that register none do not link what is behind it.
// Thread-safe.
class LocalReferences {
 public:
  LocalReferences() = default;
  virtual ~LocalReferences() = default;
  LocalReferences(const LocalReferences&) = delete;
  LocalReferences& operator=(const LocalReferences&) = delete;
  // Counted for the caller; null if there is none.
  virtual CORBA::Object_ptr find(const char* name) = 0;
  virtual void list(std::vector<std::string>& names) = 0;
  // The ORB is at its end, which they may hold themselves: all are released, and none is taken any more.
  virtual void end() = 0;
};

}  // namespace corbel::cpp
