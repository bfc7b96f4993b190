#include "orb/core/options.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "orb/base/ascii.h"
#include "orb/base/detail.h"
#include "orb/core/compression.h"
#include "orb/core/peer_options.h"
#include "orb/giop/fragment_cutter.h"
#include "orb/transport/registry.h"
#include "orb/transport/tcp.h"
#include "orb/transport/unix.h"

namespace corbel::core {
namespace {

SystemError bad(const std::string& detail) {
  return {SystemErrorId::BAD_PARAM, Completion::No, 0, base::keep_detail(detail)};
}

template <typename Number>
bool parse_number(std::string_view text, Number least, Number most, Number& value) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n < least || n > most) return false;
  value = n;
  return true;
}

const transport::TransportKind* find_kind(std::string_view name) {
  for (const auto* kind : transport::transport_kinds())
    if (name == kind->name) return kind;
  return nullptr;
}

bool is_address(const EndpointOption& endpoint) {
  transport::HostAndPorts at;
  return endpoint.transport != transport::kTcp.name || transport::parse_host_and_ports(endpoint.address, at);
}

// What TAO lets follow an address, after a slash: NAME=VALUE, with ampersands between them.
bool read_endpoint_options(std::string_view text, EndpointOption& endpoint, Options& o) {
  constexpr std::string_view kHost = "hostname_in_ior=", kSpan = "portspan=";
  while (!text.empty()) {
    const auto end = std::min(text.find('&'), text.size());
    const std::string_view option = text.substr(0, end);
    transport::HostAndPorts at;
    std::uint16_t span;
    if (option.starts_with(kHost)) {
      endpoint.host = option.substr(kHost.size());
    } else if (option.starts_with(kSpan)) {
      if (!transport::parse_host_and_ports(endpoint.address, at) ||
          !parse_number<std::uint16_t>(option.substr(kSpan.size()), 1, 65535, span) ||
          at.first + span > 65536)
        return false;
      if (at.first != 0) endpoint.address += '-' + base::decimal(at.first + span - 1);
    } else {
      o.without_effect.push_back("/" + std::string(option) + " of an endpoint");
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

// "giop:TRANSPORT:ADDRESS", or TAO's "iiop://VERSION@HOST:PORT/OPTIONS" and "uiop://PATH".
bool parse_endpoint(std::string_view text, EndpointOption& endpoint, Options& o) {
  if (text.starts_with("giop:")) {
    text.remove_prefix(5);
    const auto colon = text.find(':');
    if (colon == text.npos || !find_kind(text.substr(0, colon))) return false;
    endpoint.transport = text.substr(0, colon);
    endpoint.address = text.substr(colon + 1);
    return is_address(endpoint);
  }
  if (text.starts_with("uiop://")) {
    endpoint.transport = transport::kUnix.name;
    endpoint.address = text.substr(7);
    return true;
  }
  for (const std::string_view prefix : {"iiop://", "iiop:"}) {
    if (!text.starts_with(prefix)) continue;
    text.remove_prefix(prefix.size());
    if (const auto at = text.find('@'); at != text.npos) text.remove_prefix(at + 1);  // the version
    const auto slash = std::min(text.find('/'), text.size());
    endpoint.address = text.substr(0, slash);
    return is_address(endpoint) &&
           read_endpoint_options(text.substr(std::min(slash + 1, text.size())), endpoint, o);
  }
  return false;
}

bool add_one_endpoint(std::string_view text, bool published, Options& o) {
  EndpointOption endpoint;
  if (!parse_endpoint(text, endpoint, o)) return false;
  endpoint.published = published;
  o.endpoints.push_back(std::move(endpoint));
  return true;
}

// TAO lets several stand in one argument, with semicolons between them, and several addresses with commas in
// one of them.
bool add_endpoints(std::string_view text, bool published, Options& o) {
  constexpr std::string_view kIiop = "iiop://";
  const bool any = !text.empty();
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (!one.starts_with(kIiop)) {
      if (!add_one_endpoint(one, published, o)) return false;
      continue;
    }
    const auto slash = std::min(one.find('/', kIiop.size()), one.size());
    const std::string options(one.substr(slash));
    std::string_view addresses = one.substr(kIiop.size(), slash - kIiop.size());
    for (bool more = true; more;) {
      const auto comma = addresses.find(',');
      more = comma != addresses.npos;
      if (!add_one_endpoint(std::string(kIiop).append(addresses.substr(0, comma)) + options, published, o))
        return false;
      if (more) addresses.remove_prefix(comma + 1);
    }
  }
  return any;
}
bool add_endpoint(const std::string& value, Options& o) { return add_endpoints(value, true, o); }
bool add_secret_endpoint(const std::string& value, Options& o) { return add_endpoints(value, false, o); }

// An address that references carry and nobody listens at here: of a router that forwards to this server.
bool add_published(std::string_view value, std::vector<EndpointOption>& to, Options& o) {
  EndpointOption endpoint;
  transport::HostAndPorts at;
  if (!parse_endpoint(value, endpoint, o)) return false;
  if (endpoint.transport == transport::kTcp.name && (!transport::parse_host_and_ports(endpoint.address, at) ||
                                                     at.host.empty() || at.first == 0 || at.first != at.last))
    return false;
  to.push_back(std::move(endpoint));
  return true;
}
bool add_published_besides(const std::string& value, Options& o) {
  return add_published(value, o.published, o);
}

// An address without its port: the ports are this server's.
bool is_host(std::string_view text, std::string& host, Options& o) {
  EndpointOption endpoint;
  transport::HostAndPorts at;
  if (!text.ends_with(':') || text.find_first_of(",/") != text.npos || !parse_endpoint(text, endpoint, o) ||
      (endpoint.transport != transport::kTcp.name && endpoint.transport != "ssl") ||
      !transport::parse_host_and_ports(endpoint.address, at))
    return false;
  host = at.host;
  return !host.empty();
}

// omniORB's list of what to write; "addr" is what is written anyway. A host stands alone: there is one for
// all that the server listens at.
bool add_published_instead(const std::string& value, Options& o) {
  if (!o.published_host.empty()) return false;
  if (!o.publishes_own && o.published_instead.empty() && is_host(value, o.published_host, o)) return true;
  std::string_view text = value;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    const std::string_view one = text.substr(0, end);
    if (one == "addr") o.publishes_own = true;
    else if (!add_published(one, o.published_instead, o)) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return !value.empty();
}

bool set_transports(const std::string& value, Options& o) {
  o.transports.clear();
  o.transports_given = true;
  std::string_view text = value;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    const std::string_view name = text.substr(0, end);
    // These two are known to programs that do not link them, too: one list serves all.
    if (!find_kind(name) && name != "shm" && name != "ssl") return false;
    if (std::count(o.transports.begin(), o.transports.end(), name) == 0) o.transports.emplace_back(name);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return !o.transports.empty();
}

bool add_init_ref(const std::string& value, Options& o) {
  const auto equals = value.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  o.init_refs.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  return true;
}

// TAO's names of options that are initial references.
template <const char* Name>
bool add_service(const std::string& value, Options& o) {
  o.init_refs.emplace_back(Name, value);
  return true;
}
constexpr char kNameService[] = "NameService";
constexpr char kTradingService[] = "TradingService";
constexpr char kImplRepoService[] = "ImplRepoService";

template <auto Member>
bool set_switch(const std::string& value, Options& o) {
  if (value != "0" && value != "1") return false;
  o.*Member = value == "1";
  return true;
}

bool set_version(const std::string& value, Options& o) {
  if (value == "1.0" || value == "1.1" || value == "1.2") {
    o.max_giop_minor = static_cast<std::uint8_t>(value[2] - '0');
    return true;
  }
  return false;
}

bool set_fragment_size(const std::string& value, Options& o) {
  std::uint32_t size;
  if (!parse_number<std::uint32_t>(value, 0, 0x7fffffff, size)) return false;
  if (size != 0 && size < giop::kLeastFragment) return false;
  o.fragment_size = o.largest_whole_to_corbel = size / 8 * 8;
  return true;
}

template <auto Member>
bool set_char_set(const std::string& value, Options& o) {
  const std::uint32_t set = cdr::find_char_set(value);
  if (set != 0) o.code_sets.*Member = set;
  return set != 0;
}

bool set_wide_set(const std::string& value, Options& o) {
  const std::uint32_t set = giop::find_wide_set(value);
  if (set != cdr::form::kNoWide) o.code_sets.wide = set;
  return set != cdr::form::kNoWide;
}

bool set_model(const std::string& value, Options& o) {
  if (value == "pool") o.server_model = ServerModel::Pool;
  else if (value == "connection") o.server_model = ServerModel::Connection;
  else if (value == "reactive") o.server_model = ServerModel::Reactive;
  else return false;
  return true;
}

bool set_demultiplexing(const std::string& value, Options& o) {
  if (value == "linear") o.demultiplexing = ObjectDemultiplexing::Linear;
  else if (value == "hash") o.demultiplexing = ObjectDemultiplexing::Hash;
  else if (value == "active") o.demultiplexing = ObjectDemultiplexing::Active;
  else if (value == "verified") o.demultiplexing = ObjectDemultiplexing::VerifiedActive;
  else return false;
  return true;
}

// TAO's names, "best" among them.
bool set_collocation(const std::string& value, Options& o) {
  if (value == "direct" || value == "best") o.collocation = Collocation::Direct;
  else if (value == "thru_poa") o.collocation = Collocation::Adapter;
  else if (value == "marshal") o.collocation = Collocation::Message;
  else return false;
  return true;
}

// omniORB's choice between two of the models; it has no reactive one.
bool set_connection_policy(const std::string& value, Options& o) {
  if (value != "0" && value != "1") return false;
  if (value == "1") o.server_model = ServerModel::Connection;
  else if (o.server_model == ServerModel::Connection) o.server_model = ServerModel::Pool;
  return true;
}

bool set_queue_full(const std::string& value, Options& o) {
  if (value != "wait" && value != "refuse") return false;
  o.queue_full = value == "wait" ? QueueFull::Wait : QueueFull::Refuse;
  return true;
}

template <auto Member>
bool set_text(const std::string& value, Options& o) {
  o.*Member = value;
  return true;
}

template <CallSetting Which>
bool set_call_limit(const std::string& value, Options& o) {
  std::int64_t milliseconds;
  if (!parse_number<std::int64_t>(value, 0, 0x7fffffff, milliseconds)) return false;
  o.call_defaults.put(Which, milliseconds * kNanosecondsPerMillisecond);
  if (milliseconds == 0) o.call_defaults.set &= ~CallSettings::bit(Which);
  return true;
}

bool set_sync_scope(const std::string& value, Options& o) {
  constexpr std::string_view kScopes[] = {"none", "transport", "server", "target"};
  const auto found = std::find_if(std::begin(kScopes), std::end(kScopes), [&](std::string_view scope) {
    return base::same_without_case(scope, value);
  });
  if (found == std::end(kScopes)) return false;
  o.call_defaults.put(CallSetting::SyncScope, found - std::begin(kScopes));
  return true;
}

bool set_key_format(const std::string& value, Options& o) {
  constexpr std::pair<const char*, KeyFormat> kFormats[] = {{"corbel", KeyFormat::Corbel},
                                                            {"omniorb", KeyFormat::OmniOrb},
                                                            {"tao", KeyFormat::Tao},
                                                            {"tao-no-hints", KeyFormat::TaoNoHints}};
  for (const auto& [name, format] : kFormats) {
    if (!base::same_without_case(name, value)) continue;
    o.key_format = format;
    return true;
  }
  return false;
}

struct Option {
  // Its name without "-ORB", a space, its argument, a colon, and help: one pointer, which has to be
  // relocated.
  const char* text;
  bool (*set)(const std::string&, Options&);  // false for a bad value
  unsigned long least = 0, most = 0;          // of a number

  std::string_view name() const { return {text, std::strcspn(text, " ")}; }
};

template <auto Member, unsigned long Least, unsigned long Most>
constexpr Option number(const char* text) {
  const auto set = [](const std::string& value, Options& o) {
    using Number = std::remove_reference_t<decltype(o.*Member)>;
    return parse_number<Number>(value, static_cast<Number>(Least), static_cast<Number>(Most), o.*Member);
  };
  return {text, set, Least, Most};
}

constexpr Option kOptions[] = {
    {"id NAME: name of the ORB in this process", set_text<&Options::orb_id>},
    {"serverId NAME: name of this server in persistent references", set_text<&Options::server_id>},
    {"keyFormat corbel|omniorb|tao|tao-no-hints: read and write persistent references with the keys of that "
     "ORB",
     set_key_format},
    {"InitRef NAME=URL: an initial reference", add_init_ref},
    {"DefaultInitRef URL: where other initial references are asked for",
     set_text<&Options::default_init_ref>},
    {"nativeCharCodeSet NAME: char set of the program: ISO-8859-1, UTF-8, US-ASCII or, with "
     "Corbel::codesets, others (docs/code-sets.md)",
     set_char_set<&giop::OwnCodeSets::native>},
    {"nativeWCharCodeSet NAME: set of wide characters that references name first: UTF-16, UTF-8, UCS-4, "
     "UCS-2",
     set_wide_set},
    {"defaultCharCodeSet NAME: char set of peers that name none, as in GIOP 1.0",
     set_char_set<&giop::OwnCodeSets::unsaid>},
    {"endPoint ADDRESS: listen at giop:tcp:HOST:PORT, giop:unix:PATH, giop:shm:NAME, iiop://HOST:PORT or, "
     "with Corbel::tls, giop:ssl:HOST:PORT; may be repeated",
     add_endpoint},
    {"ListenEndpoints ADDRESS: TAO's name of -ORBendPoint: iiop://HOST:PORT", add_endpoint},
    {"endPointNoListen ADDRESS: write giop:tcp:HOST:PORT into references without listening there; may be "
     "repeated",
     add_published_besides},
    {"endPointPublish LIST: write giop:tcp:HOST:PORT into references in place of where this server listens "
     "(addr: besides it); giop:tcp:HOST: alone is -ORBpublishHost HOST",
     add_published_instead},
    {"endPointNoPublish ADDRESS: listen there as for -ORBendPoint, but leave it out of references",
     add_secret_endpoint},
    {"transports LIST: transports to use, best first, as shm,unix,tcp,ssl", set_transports},
    {"publishHost HOST: host name to write into references", set_text<&Options::publish_host>},
    {"profileCalls FILE: append how often operations are called, and what they carry, for corbel-idl "
     "--profile",
     set_text<&Options::profile_file>},
    {"maxGIOPVersion 1.N: speak at most GIOP 1.0, 1.1 or 1.2", set_version},
    {"objectDemultiplexing STRATEGY: how adapters find objects: linear, hash, active or verified",
     set_demultiplexing},
    {"collocationStrategy STRATEGY: how objects of the same ORB are called: direct, thru_poa or marshal",
     set_collocation},
    {"serverModel MODEL: pool (threads, default), connection (a thread each) or reactive (one thread inside "
     "run())",
     set_model},
    {"threadPerConnectionPolicy 0|1: omniORB's name of the models pool and connection",
     set_connection_policy},
    number<&Options::stay_below, 0, 1 << 20>(
        "threadPerConnectionUpperLimit N: connections with a thread each; others are served by the pool"),
    number<&Options::stay_again_below, 0, 1 << 20>(
        "threadPerConnectionLowerLimit N: how few must be left before new ones get a thread again"),
    number<&Options::thread_pool_size, 1, 4096>("threadPoolSize N: upcalls that may run at once"),
    number<&Options::max_threads, 2, 65536>(
        "maxThreads N: threads the pool may have, those that wait included"),
    number<&Options::max_queued, 0, 1 << 20>(
        "maxQueuedRequests N: requests that wait for a turn in the pool; 0 is no bound"),
    {"queueFull wait|refuse: then read no more (default), or answer TRANSIENT", set_queue_full},
    number<&Options::max_message_size, 8192, 0x7fffffff>("giopMaxMsgSize N: largest message taken, in bytes"),
    {"giopFragmentSize N: largest message sent in one piece, in bytes, at least 1024; 0: no fragments",
     set_fragment_size},
    number<&Options::max_pending_bytes, 65536, ~0ul>(
        "maxPendingBytes N: bytes of incomplete messages, all connections"),
    number<&Options::max_connections, 1, 1 << 20>("maxServerConnections N: connections accepted at once"),
    number<&Options::max_per_peer, 0, 1 << 20>(
        "maxConnectionsPerPeer N: of them from one host; 0 is no bound of its own"),
    number<&Options::connect_timeout_ms, 0, 3600'000>("connectTimeout MS: time to set up a connection"),
    number<&Options::connect_timeout_ms, 0, 3600'000>(
        "clientConnectTimeOutPeriod MS: omniORB's name of -ORBconnectTimeout; 0 is no limit but the call's"),
    {"clientCallTimeOutPeriod MS: time a call may take; 0, the default, is no limit",
     set_call_limit<CallSetting::Roundtrip>, 0, 0x7fffffff},
    {"requestTimeout MS: time until a call's request is sent; 0, the default, is no limit",
     set_call_limit<CallSetting::Request>, 0, 0x7fffffff},
    {"defaultSyncScope SCOPE: how far one-ways are followed: none, transport (default), server or target",
     set_sync_scope},
    {"signalIdleThreads 0|1: SIGURG ends reads where nothing comes (default), or a timer of each",
     set_switch<&Options::signal_idle_threads>},
    {"coalesceWrites 0|1: messages of several threads leave together (default)",
     set_switch<&Options::coalesce_writes>},
    {"throwTransientOnTimeOut 0|1: raise TRANSIENT, not TIMEOUT, when a call's time is over",
     set_switch<&Options::transient_on_timeout>},
    {"resetTimeOutOnRetries 0|1: a call that an exception handler repeats has its whole time again",
     set_switch<&Options::reset_timeout_on_retries>},
    number<&Options::in_idle_s, 0, 0x7fffffff>(
        "inConScanPeriod S: close clients' connections unused for so long; 0: never"),
    number<&Options::out_idle_s, 0, 0x7fffffff>(
        "outConScanPeriod S: close connections to servers unused for so long; 0: never"),
    number<&Options::idle_granularity_s, 0, 3600>(
        "scanGranularity S: least time between two looks for unused connections; 0: none is closed"),
    number<&Options::target_addressing, 0, 2>(
        "giopTargetAddressMode N: name objects by key (0), profile (1) or reference (2) (GIOP 1.2)"),
    {"offerBiDirectionalGIOP 0|1: let servers call back on the connections made to them (GIOP 1.2)",
     set_switch<&Options::offer_bidirectional>},
    {"acceptBiDirectionalGIOP 0|1: call clients that offer it back on their own connections",
     set_switch<&Options::accept_bidirectional>},
    number<&Options::max_unsent_bytes, 0, ~0ul>(
        "maxUnsentBytes N: bytes of a connection's one-ways with SYNC_NONE that wait"),
    number<&Options::write_timeout_ms, 1, 3600'000>("writeTimeout MS: time a peer may refuse to read"),
    number<&Options::message_timeout_ms, 1, 3600'000>(
        "messageTimeout MS: time to receive a message once begun, or 128 KiB more of it"),
    number<&Options::thread_pool_size, 1, 4096>(
        "maxServerThreadPoolSize N: omniORB's name of -ORBthreadPoolSize"),
    {"NameServiceIOR URL: TAO's name of -ORBInitRef NameService=URL", add_service<kNameService>},
    {"TradingServiceIOR URL: TAO's name of -ORBInitRef TradingService=URL", add_service<kTradingService>},
    {"ImplRepoServiceIOR URL: TAO's name of -ORBInitRef ImplRepoService=URL", add_service<kImplRepoService>},
};

const Option* find_option(std::string_view name) {
  for (const Option& o : kOptions)
    if (base::same_without_case(name, o.name())) return &o;
  return nullptr;
}

// Whether arguments replace what the environment says, of which there is one of each kind.
bool is_given(const Option& option, const std::vector<std::string>& arguments) {
  if (option.set == add_init_ref) return false;
  for (const std::string& argument : arguments)
    if (argument.starts_with("-ORB"))
      if (const Option* const given = find_option(std::string_view(argument).substr(4));
          given && given->set == option.set)
        return true;
  return false;
}

// What the server has to do where it publishes other addresses, once all options are known.
void settle_published(Options& o) {
  if (!o.published_host.empty()) o.publish_host.assign(o.published_host);
  if (!o.publishes_own) return;
  for (EndpointOption& e : o.published_instead) o.published.push_back(std::move(e));
  o.published_instead.clear();
}

// Those of the transports, and of compression, that there are.
std::vector<const transport::TransportOption*> options_of_libraries() {
  std::vector<const transport::TransportOption*> all;
  const auto add = [&](const transport::TransportOption* list) {
    for (const auto* o = list; o && o->name; ++o) all.push_back(o);
  };
  for (const auto* kind : transport::transport_kinds()) add(kind->options);
  if (const CompressionLibrary* const library = compression_library.load(std::memory_order_acquire))
    add(library->options);
  return all;
}

// The name as the library spells it; null if it is none's.
const char* find_library_option(std::string_view name) {
  for (const auto* o : options_of_libraries())
    if (base::same_without_case(name, o->name)) return o->name;
  return nullptr;
}

// CORBEL_END_POINT for "endPoint": the option's words in upper case.
std::string environment_name(std::string_view option) {
  std::string name = "CORBEL_";
  bool previous_lower = false;
  for (const char c : option) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper && previous_lower) name += '_';
    name += static_cast<char>(upper ? c : c - ('a' - 'A'));
    previous_lower = !upper;
  }
  return name;
}

SystemError bad_value(const Option& option, const std::string& what) {
  std::string text = what + ": write -ORB" + option.text;
  if (option.most == ~0ul) text += ", " + base::decimal(option.least) + " or more";
  else if (option.most != 0) text += ", " + base::decimal(option.least) + " to " + base::decimal(option.most);
  return bad(text + " (in the environment " + environment_name(option.name()) + ")");
}

SystemError no_value(const std::string& argument) { return bad(argument + " lacks its value"); }

// Letters to insert, remove or replace, in any case; the work grows with the product of the lengths.
constexpr std::size_t kLongest = 64;
std::size_t distance(std::string_view a, std::string_view b) {
  if (a.size() > kLongest || b.size() > kLongest) return kLongest;
  std::uint8_t row[kLongest + 1];
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<std::uint8_t>(j);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = std::exchange(row[0], static_cast<std::uint8_t>(i + 1));
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int replaced = diagonal + (base::lower(a[i]) != base::lower(b[j]));
      diagonal = row[j + 1];
      row[j + 1] = static_cast<std::uint8_t>(std::min({replaced, row[j] + 1, diagonal + 1}));
    }
  }
  return row[b.size()];
}

// The option that may be meant; null if none is near.
const char* nearest_option(std::string_view name) {
  const char* best = nullptr;
  std::size_t fewest = std::min(std::max<std::size_t>(1, name.size() / 4) + 1, kLongest);
  const auto look = [&](const char* text) {
    const std::string_view known(text, std::strcspn(text, " "));
    const std::size_t changes = distance(name, known);
    if (changes >= fewest || changes + 1 >= known.size()) return;
    fewest = changes;
    best = text;
  };
  for (const Option& o : kOptions) look(o.text);
  for (const auto* o : options_of_libraries()) look(o->name);
  return best;
}

// What a program has to do for an option that only a library knows.
SystemError unknown_option(const std::string& argument) {
  const auto begins = [&](std::string_view prefix) {
    return base::same_without_case(std::string_view(argument).substr(4, prefix.size()), prefix);
  };
  const char* library = nullptr;
  if (begins("ssl") && !find_kind("ssl"))
    library = "link Corbel::tls and call corbel::tls::use() before ORB_init";
  else if ((begins("compress") || begins("zstd")) && !compression_library.load(std::memory_order_acquire))
    library = "link Corbel::ziop and call corbel::ziop::use() before ORB_init";
  else if (begins("shm") && !find_kind("shm")) library = "link Corbel::shm, or leave it to servers";
  const char* const meant = library ? nullptr : nearest_option(std::string_view(argument).substr(4));
  std::string text = argument;
  if (library) text.append(" is unknown to this program: ").append(library);
  else if (meant)
    text.append(" is no option; did you mean -ORB").append(meant, std::strcspn(meant, " ")) += "?";
  else text += " is no option; CORBA::_corbel_option_help() lists them all";
  return bad(text);
}

}  // namespace

SystemError parse_options(std::vector<std::string>& arguments, Options& options) {
  for (const Option& o : kOptions) {
    const std::string name = environment_name(o.name());
    if (const char* value = std::getenv(name.c_str()))
      if (!is_given(o, arguments) && !o.set(value, options)) return bad_value(o, name + "=" + value);
  }
  for (const auto* o : options_of_libraries())
    if (const char* value = std::getenv(environment_name(o->name).c_str()))
      options.library_settings.set(o->name, value);
  // Arguments may name another.
  if (!options.published_host.empty()) options.publish_host.assign(options.published_host);
  options.published_host.clear();
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("-ORB")) {
      rest.push_back(argument);
      continue;
    }
    const std::string name = argument.substr(4);
    const Option* option = find_option(name);
    if (const char* of_library = option ? nullptr : find_library_option(name)) {
      if (++i == arguments.size()) return no_value(argument);
      options.library_settings.set(of_library, arguments[i]);
      continue;
    }
    if (!option) {
      const std::optional<PeerOption> peer = find_peer_option(name);
      if (!peer) {
        const Option* const meant = find_option(name.substr(0, name.find('=')));  // "-ORBid=x" is none
        return meant ? bad_value(*meant, argument) : unknown_option(argument);
      }
      std::string value;
      for (int word = 0; word < peer->words; ++word) {
        if (++i == arguments.size()) return no_value(argument);
        value.append(" ").append(arguments[i]);
      }
      if (peer->as_it_is && !base::same_without_case(*peer->as_it_is, std::string_view(value).substr(1)))
        options.without_effect.push_back("-ORB" + std::string(peer->name) + value);
      continue;
    }
    if (++i == arguments.size()) return bad_value(*option, argument + " lacks its value");
    if (!option->set(arguments[i], options)) return bad_value(*option, argument + " " + arguments[i]);
  }
  settle_published(options);
  arguments = std::move(rest);
  return {};
}

const char* option_help() {
  static const std::string text = [] {
    std::string t;
    const auto add = [&](std::string option, const char* help) {
      option.resize(std::max<std::size_t>(option.size() + 1, 34), ' ');
      t += option + help + "\n";
    };
    for (const Option& o : kOptions) {
      const std::size_t usage = std::strcspn(o.text, ":");
      add("  -ORB" + std::string(o.text, usage), o.text + usage + 2);
    }
    for (const auto* o : options_of_libraries())
      add(std::string("  -ORB") + o->name + " " + o->argument, o->help);
    return t;
  }();
  return text.c_str();
}

}  // namespace corbel::core
