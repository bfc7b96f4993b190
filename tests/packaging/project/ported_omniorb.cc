#include <omnithread.h>
#include <COS/CosNaming.hh>

int main() {
  CosNaming::Name name(1);
  omni_mutex mutex;
  omni_mutex_lock lock(mutex);
  return static_cast<int>(name.length());
}
