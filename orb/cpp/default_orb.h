// The ORB that is meant where none is named.
#pragma once

#include <corbel/cpp/orb.h>

namespace corbel::cpp {

// The one without a name, else the oldest of the process; null if there is none. The caller releases it.
CORBA::ORB_ptr default_orb();

}  // namespace corbel::cpp
