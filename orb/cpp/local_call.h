// Local objects that are called through an interface that is not local.
#pragma once

namespace corbel::cpp {

// NO_IMPLEMENT.
[[noreturn, gnu::cold, gnu::noinline]] void raise_local();

}  // namespace corbel::cpp
