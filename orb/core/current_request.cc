#include <corbel/core/collocated.h>

namespace corbel::core {

// Calls look at them too, in programs without a server.
__thread CallingThread calling_thread;
std::uint64_t collocation_changes = 1;

bool in_direct_call() {
  const Frame* const top = calling_thread.top;
  // Behind none there is the one that a thread's first block leaves unused.
  return top && (top[-1].adapter & Frame::kDirect) != 0 && top[-1].request == calling_thread.request;
}

}  // namespace corbel::core
