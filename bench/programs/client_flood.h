// Bulk data through an ORB.
#pragma once

#include "orb_api.h"
#include "support.h"

namespace bench {

// Sends --total octets in buffers of --size octets of --type, --direction oneway or twoway; prints MB/s of
// payload. With --direction return, which octet and double have, they are the answers. A one-way flood ends
// when the server has said that it received everything.
void flood(Bench::Calls_ptr calls, const Options& options);

// Two-way calls with every one of --sizes octets of --type, see support.h.
void sweep(Bench::Calls_ptr calls, const Options& options);

// One two-way call with --size octets; prints by how much the process's peak memory grows.
void send_one(Bench::Calls_ptr calls, const Options& options);

// Sends --calls sequences of --count records, two way; prints elements per second.
void send_records(Bench::Calls_ptr calls, const Options& options);

}  // namespace bench
