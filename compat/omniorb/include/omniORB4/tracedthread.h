// omniORB's mutexes and conditions that check their own use: here those of omnithread.
#pragma once

#include <omnithread.h>

// The name, which some give, goes nowhere.
class omni_tracedmutex : public omni_mutex {
 public:
  omni_tracedmutex(const char* = nullptr) {}
};

typedef omni_mutex_lock omni_tracedmutex_lock;

class omni_tracedcondition : public omni_condition {
 public:
  explicit omni_tracedcondition(omni_tracedmutex* mutex, const char* = nullptr) : omni_condition(mutex) {}
};
