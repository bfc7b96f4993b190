// What an ORB can be told at ORB_init: arguments first, then CORBEL_* environment variables, then the
// defaults here.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <corbel/base/error.h>

namespace corbel::core {

enum class ServerModel { Pool, Reactive };

struct EndpointOption {
  std::string host;  // empty = all addresses
  std::uint16_t port = 0;
};

struct Options {
  std::vector<std::string>
      without_effect;  // options of the peers, with their values, that are not known here
  std::string orb_id;
  std::string server_id;  // -ORBserverId: names this server in persistent keys
  std::vector<std::pair<std::string, std::string>> init_refs;  // -ORBInitRef NAME=URL
  std::string default_init_ref;                                // -ORBDefaultInitRef URL
  std::vector<EndpointOption>
      endpoints;                    // -ORBendPoint giop:tcp:HOST:PORT, -ORBListenEndpoints iiop://HOST:PORT
  std::string publish_host;         // -ORBpublishHost: host name written into references
  std::uint8_t max_giop_minor = 2;  // -ORBmaxGIOPVersion 1.N
  ServerModel server_model = ServerModel::Pool;  // -ORBserverModel pool|reactive
  std::uint32_t thread_pool_size = 16;           // -ORBthreadPoolSize: upcalls that run at once
  std::uint32_t max_threads = 256;  // -ORBmaxThreads: stops a peer from making threads without end
  std::uint64_t max_message_size = 0x7fffffff;  // -ORBgiopMaxMsgSize: stops a lying header
  std::uint64_t max_pending_bytes =
      0x100000000;  // -ORBmaxPendingBytes: bytes of incomplete messages, all connections
  std::uint32_t max_connections = 16384;      // -ORBmaxServerConnections: stops descriptor exhaustion
  std::uint32_t connect_timeout_ms = 10'000;  // -ORBconnectTimeout; 0 = none of its own
  std::uint32_t call_timeout_ms = 0;          // -ORBclientCallTimeOutPeriod: of a call; 0 = none
  bool transient_on_timeout = false;          // -ORBthrowTransientOnTimeOut, in place of TIMEOUT
  bool reset_timeout_on_retries = false;      // -ORBresetTimeOutOnRetries: each has the whole time again
  std::uint32_t write_timeout_ms =
      30'000;  // -ORBwriteTimeout: a peer that does not read loses its connection
  std::uint32_t message_timeout_ms = 30'000;  // -ORBmessageTimeout: a message begun must be complete by then
};

// Reads and removes the -ORB arguments that are known, here or to the peers; an unknown -ORB argument or a
// malformed value is BAD_PARAM. `arguments` does not hold the program's name.
SystemError parse_options(std::vector<std::string>& arguments, Options& options);

// Text of --help for the options, one line each.
const char* option_help();

}  // namespace corbel::core
