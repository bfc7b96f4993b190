// What an Any holds, for people to read.
#pragma once

#include <cstddef>
#include <string>

#include <corbel/any.h>

namespace corbel {

// The value with the names that its TypeCode tells: Point{x = 1}, [red, blue], "text".
// At most `most` octets, all of them printable ASCII: what else strings have is escaped, and "..." ends what
// does not fit. Whatever a peer has sent, this ends and raises nothing but std::bad_alloc; a value that
// cannot be read up to its end has "?" there. It takes the time and memory that writing the Any into a
// message takes. Threads may call it with one Any at once, as they may read it.
[[gnu::visibility("default")]] std::string text_of(const CORBA::Any& any, std::size_t most = 4096);

}  // namespace corbel
