// Answers to LocateRequests.
#pragma once

#include <string>

#include "orb/core/message_reader.h"

namespace corbel::core {

class Orb;

// Makes the LocateReply to `request`; false if that is malformed.
bool answer_locate_request(Orb& orb, const Message& request, std::string& reply);

}  // namespace corbel::core
