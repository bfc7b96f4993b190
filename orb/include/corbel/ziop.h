// Compressed messages (ZIOP; CORBA 3.4 part 2, "GIOP Compression"), by zlib and zstd. For programs that link
// Corbel::ziop.
//
//   corbel::ziop::use();
//   CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
//
// and -ORBcompression 1 on both command lines; docs/compression.md has all options. <corbel/compression.h>
// has the policies, and compressors of one's own.
#pragma once

#include <cstdint>

namespace corbel::ziop {

// Every ORB that is made afterwards can compress its messages. Thread-safe, any number of times.
[[gnu::visibility("default")]] void use();

// The id of zstd, which the OMG has given none; -ORBzstdCompressorId changes it.
constexpr std::uint16_t kZstd = 0x4342;

}  // namespace corbel::ziop
