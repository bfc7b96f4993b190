// What each of two shared libraries offers; each has its own copy of the same stubs, hidden from the other.
#pragma once

#include <corbel/poa.h>

namespace CORBA {
class Any;
}

// A library's functions. Types of the contract do not appear in them: only what the ORB's headers export.
struct Library {
  // Throws a user exception (1), another one (2) or a system exception (3).
  void (*raise)(int what);
  // Calls `raiser` and says what it caught by its class, as above; 0 for anything else.
  int (*catch_by_class)(void (*raiser)(int), int what);
  // What _downcast makes of it.
  int (*tell)(const CORBA::Exception& exception);
  void (*insert)(CORBA::Any& any);
  // Whether the any holds what insert() puts into it.
  bool (*extract)(const CORBA::Any& any);
  // An ORB of its own with a servant; gives the reference.
  char* (*serve)();
  // Calls it from an ORB of its own; whether a value and an exception came back whole.
  bool (*call)(const char* reference);
  void (*stop)();
};

// Unmangled, so that they are found in a library that is loaded at run time.
extern "C" {
[[gnu::visibility("default")]] const Library* left_library();
[[gnu::visibility("default")]] const Library* right_library();
}
