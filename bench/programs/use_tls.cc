// Linked into a benchmark program: its ORB speaks TLS.
#include <corbel/tls.h>

namespace {
[[maybe_unused]] const bool in_use = (corbel::tls::use(), true);
}
