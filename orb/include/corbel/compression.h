// Modules Compression and ZIOP in the classic C++ mapping: policies, and compressors of one's own. For
// programs that link Corbel::ziop and call corbel::ziop::use().
#pragma once

#include <corbel/idl/Compression.any.h>
#include <corbel/idl/ZIOP.any.h>
#include <corbel/messaging.h>
#include <corbel/ziop.h>
