// Linked into programs that were written without compression: they have it then. Not by use(), for policies
// are built without sanitizers only.
#include "orb/ziop/compression.h"

namespace {
[[maybe_unused]] const bool used = (corbel::ziop::register_library(), true);
}  // namespace
