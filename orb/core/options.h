// What an ORB can be told at ORB_init: arguments first, then CORBEL_* environment variables, then the
// defaults here.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <corbel/base/error.h>
#include <corbel/core/key_format.h>
#include <corbel/transport/transport.h>

#include "orb/cdr/char_sets.h"
#include "orb/core/call_settings.h"
#include "orb/giop/code_sets.h"

namespace corbel::core {

enum class ServerModel { Pool, Connection, Reactive };
// What happens to a request that finds the queue of requests full.
enum class QueueFull { Wait, Refuse };

// How object adapters find the objects of requests; what each does stands in poa/object_lookup.h.
enum class ObjectDemultiplexing : std::uint32_t {
  Default,
  Linear,
  Hash,
  PerfectHash,
  Active,
  VerifiedActive
};

// How objects of the same ORB are called.
enum class Collocation {
  Direct,   // the servant is, where the policies of its adapter allow it; else as by
  Adapter,  // the adapter finds the servant for each call
  Message   // as if the object were elsewhere, but without a connection
};

struct EndpointOption {
  std::string transport = "tcp";
  std::string address;  // empty = the transport chooses
  std::string host;     // to write into references in place of this one's; empty = publish_host
  bool published = true;
};

// GlassFish's ORB takes no message, or fragment of one, of more than 256,000 octets.
inline constexpr std::uint32_t kFragmentSize = 248 * 1024;
// Corbel takes any. So much leaves in one go without harm to what other threads have to send.
inline constexpr std::uint32_t kLargestWhole = 1280 * 1024;

struct Options {
  std::vector<std::string>
      without_effect;  // options of the peers, with their values, that are not known here
  std::string orb_id;
  std::string server_id;                     // -ORBserverId: names this server in persistent keys
  KeyFormat key_format = KeyFormat::Corbel;  // -ORBkeyFormat NAME: of persistent adapters without the policy
  std::vector<std::pair<std::string, std::string>> init_refs;  // -ORBInitRef NAME=URL
  std::string default_init_ref;                                // -ORBDefaultInitRef URL
  // -ORBnativeCharCodeSet NAME: of the program's chars and strings; -ORBdefaultCharCodeSet NAME: of peers
  // that say nothing. Numbers of cdr/char_sets.h.
  giop::OwnCodeSets code_sets{cdr::kLatin1, cdr::kLatin1};
  std::vector<EndpointOption> endpoints;  // -ORBendPoint giop:TRANSPORT:ADDRESS, -ORBListenEndpoints
  std::vector<EndpointOption> published;  // -ORBendPointNoListen: in references only
  // -ORBendPointPublish: in references in the place of those of their transports where this server listens.
  std::vector<EndpointOption> published_instead;
  bool publishes_own = false;  // -ORBendPointPublish addr: they are not replaced
  std::string published_host;  // -ORBendPointPublish giop:tcp:HOST: is another publish_host
  std::string publish_host;    // -ORBpublishHost: host name written into references
  std::vector<std::string> transports{"shm", "unix", "tcp", "ssl"};  // -ORBtransports, best first
  bool transports_given = false;                                     // then there are no others
  transport::TransportSettings library_settings;                     // what transports and compression take
  std::uint8_t max_giop_minor = 2;                                   // -ORBmaxGIOPVersion 1.N
  ServerModel server_model = ServerModel::Pool;  // -ORBserverModel pool|connection|reactive
  // -ORBobjectDemultiplexing linear|hash|active|verified: of adapters whose policies allow it and say
  // nothing.
  ObjectDemultiplexing demultiplexing = ObjectDemultiplexing::Default;
  Collocation collocation = Collocation::Direct;  // -ORBcollocationStrategy direct|thru_poa|marshal
  std::uint32_t stay_below = 10'000;              // -ORBthreadPerConnectionUpperLimit
  std::uint32_t stay_again_below = 9'000;         // -ORBthreadPerConnectionLowerLimit: once that was reached
  std::uint32_t max_queued = 0;            // -ORBmaxQueuedRequests: that wait for their turn; 0 = no bound
  QueueFull queue_full = QueueFull::Wait;  // -ORBqueueFull wait|refuse
  std::uint32_t thread_pool_size = 16;     // -ORBthreadPoolSize: upcalls that run at once
  std::uint32_t max_threads = 256;         // -ORBmaxThreads: stops a peer from making threads without end
  bool signal_idle_threads = true;         // -ORBsignalIdleThreads: SIGURG takes them back
  bool coalesce_writes = true;             // -ORBcoalesceWrites: messages of several threads leave together
  std::uint64_t max_message_size = 0x7fffffff;  // -ORBgiopMaxMsgSize: stops a lying header
  std::uint32_t fragment_size =
      kFragmentSize;  // -ORBgiopFragmentSize: larger messages of 1.2 are cut; 0 = none
  std::uint32_t largest_whole_to_corbel = kLargestWhole;  // the same of requests to a server of ours
  std::uint64_t max_pending_bytes =
      0x100000000;  // -ORBmaxPendingBytes: bytes of incomplete messages, all connections
  std::uint32_t max_connections = 16384;      // -ORBmaxServerConnections: stops descriptor exhaustion
  std::uint32_t max_per_peer = 0;             // -ORBmaxConnectionsPerPeer: of one host; 0 = no bound
  std::uint32_t connect_timeout_ms = 10'000;  // -ORBconnectTimeout; 0 = none of its own
  CallSettings call_defaults;         // -ORBclientCallTimeOutPeriod, -ORBrequestTimeout, -ORBdefaultSyncScope
  bool transient_on_timeout = false;  // -ORBthrowTransientOnTimeOut, in place of TIMEOUT
  bool reset_timeout_on_retries = false;  // -ORBresetTimeOutOnRetries: each has the whole time again
  // -ORBinConScanPeriod, -ORBoutConScanPeriod: connections of clients and to servers that are unused for so
  // long are closed; 0 = never. -ORBscanGranularity: the server looks no more often; 0 = neither is closed.
  std::uint32_t in_idle_s = 180;
  std::uint32_t out_idle_s = 0;
  std::uint32_t idle_granularity_s = 5;
  // -ORBofferBiDirectionalGIOP: servers may call back on connections that are made to them;
  // -ORBacceptBiDirectionalGIOP: clients that offer this are called back so.
  std::uint32_t target_addressing = 0;  // -ORBgiopTargetAddressMode: by key, profile (1) or reference (2)
  std::string profile_file;             // -ORBprofileCalls: the load of each operation is appended to it
  bool offer_bidirectional = false;
  bool accept_bidirectional = false;
  std::uint32_t write_timeout_ms =
      30'000;  // -ORBwriteTimeout: a peer that does not read loses its connection
  std::uint64_t max_unsent_bytes = 16
                                   << 20;  // -ORBmaxUnsentBytes: of one connection's one-ways with SYNC_NONE
  std::uint32_t message_timeout_ms = 30'000;  // -ORBmessageTimeout: a message begun must be complete by then
};

// Reads and removes the -ORB arguments that are known, here or to the peers; an unknown -ORB argument or a
// malformed value is BAD_PARAM. `arguments` does not hold the program's name.
SystemError parse_options(std::vector<std::string>& arguments, Options& options);

// Text of --help for the options, one line each.
const char* option_help();

}  // namespace corbel::core
