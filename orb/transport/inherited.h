// The descriptors of all ORBs of the process and the memory that they share with others, so that a forked
// child can let go of them.
#pragma once

#include <cstddef>

namespace corbel::transport {

// Any thread, without a lock. Who opens a descriptor for an ORB notes it, who closes it forgets it: class
// Descriptor does.
void note_descriptor(int fd);
void forget_descriptor(int fd);

// In a forked child, before anything else: the child's share of all that were noted is closed. In their
// places stands a socket that leads nowhere, so that what still knows the numbers reaches no file that is
// opened later.
void let_go_of_inherited_descriptors();

// Any thread. Memory that is shared with another process, where it is mapped and where it is no more. False
// where there is no memory to note it.
bool note_shared_memory(char* at, std::size_t size);
void forget_shared_memory(const char* at);

// Stands while the thread is inside of a library whose locks a copy of the process must not find held: a fork
// waits for it, and keeps others out meanwhile. Not nested, and not under a lock that those who have it want.
class HoldsUpFork {
 public:
  HoldsUpFork();
  ~HoldsUpFork();
  HoldsUpFork(const HoldsUpFork&) = delete;
  HoldsUpFork& operator=(const HoldsUpFork&) = delete;
};

// Around a fork: it must not come while something of the above is under way.
void before_fork();
void after_fork_in_parent();
// In the child. In the place of the memory stands some of its own, so that what still knows the addresses
// disturbs no conversation of the parent's, and nothing of the parent's is kept.
void let_go_of_inherited_memory();

}  // namespace corbel::transport
