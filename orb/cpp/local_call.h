// Local objects that are called through an interface that is not local.
#pragma once

namespace corbel::cpp {

// Raises NO_IMPLEMENT, which says what to do instead.
[[noreturn, gnu::cold, gnu::noinline]] void raise_local();

}  // namespace corbel::cpp
