// Answers to LocateRequests.
#pragma once

#include <cstdint>
#include <string>

#include <corbel/base/error.h>

#include "orb/core/message_reader.h"

namespace corbel::core {

class Orb;

// Makes the LocateReply to `request`; false if that is malformed. `back`: it came over a connection that this
// ORB has made.
bool answer_locate_request(Orb& orb, const Message& request, std::string& reply, bool back = false);

// OBJ_ADAPTER if the object with that key must not be called over such a connection.
SystemError may_be_called_back(Orb& orb, const char* key, std::uint32_t key_size);

}  // namespace corbel::core
