// fork() in a process that uses ORBs.
#pragma once

namespace corbel {

// Call it after fork(), in the child with true: `corbel::after_fork(pid == 0)`. In the parent it does
// nothing.
//
// A child shares no connection with its parent: at the fork it has let go of all descriptors of the ORBs, and
// nothing of the parent's is written to, read from or ended. Without this call whatever has an ORB of the
// parent call, serve or know objects raises BAD_INV_ORDER. With it the ORB makes calls again, over
// connections of the child's own; it no longer serves: references to the parent's objects lead to the parent,
// and the child's server starts anew, at its endpoints if they are free, when it makes a reference. ORBs that
// the child makes for itself need no such call. No other thread may use an ORB meanwhile. Raises nothing.
[[gnu::visibility("default")]] void after_fork(bool child);

}  // namespace corbel
