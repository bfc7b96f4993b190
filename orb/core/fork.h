// What fork() means to ORBs. In the child every connection, listener and loop of the parent's is let go of
// before anything else runs, and all ORBs refuse calls until after_fork().
//
// A call in the child pays nothing for it: an ORB that refuses calls looks as if it were shut down, which
// every call looks at anyway.
#pragma once

#include <cstdint>

namespace corbel::core {

class Orb;

// How many lie between the process that made the first ORB and this one.
extern std::uint32_t forks;

// Of every ORB from its constructor to its destructor.
void note_orb(Orb& orb);
void forget_orb(Orb& orb);
// In the child: ORBs take calls again, over new connections.
void resume_all_after_fork();

}  // namespace corbel::core
