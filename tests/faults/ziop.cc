// Linked into a program: its ORB compresses, where it is told to.
#include <corbel/ziop.h>

namespace {
[[maybe_unused]] const bool compression_in_use = (corbel::ziop::use(), true);
}
