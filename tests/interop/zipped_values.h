// What else is set before an ORB compresses: nothing, its options say it.
#pragma once

inline void set_values() {}
