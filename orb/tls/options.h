// The -ORBssl options.
#pragma once

#include <string>

#include <corbel/transport/transport.h>

#include "orb/tls/context.h"

namespace corbel::tls {

extern const transport::TransportOption kOptions[];

// False where a value is malformed; `why` then says what to write.
bool read_settings(const transport::TransportSettings& given, Settings& settings, std::string& why);

}  // namespace corbel::tls
