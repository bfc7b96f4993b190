#include "orb/core/options.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "orb/core/peer_options.h"

namespace corbel::core {
namespace {

SystemError bad(const char* detail) { return {SystemErrorId::BAD_PARAM, Completion::No, 0, detail}; }

template <typename Number>
bool parse_number(std::string_view text, Number least, Number most, Number& value) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n < least || n > most) return false;
  value = n;
  return true;
}

// "HOST:PORT", "[V6]:PORT", ":PORT", "HOST:" or "HOST".
bool parse_address(std::string_view text, EndpointOption& endpoint) {
  std::string_view host, port;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == text.npos) return false;
    host = text.substr(1, close - 1);
    port = text.substr(close + 1);
    if (!port.empty() && !port.starts_with(':')) return false;
    if (!port.empty()) port.remove_prefix(1);
  } else {
    const auto colon = text.rfind(':');
    host = text.substr(0, colon);
    if (colon != text.npos) port = text.substr(colon + 1);
  }
  endpoint.host = host;
  return port.empty() || parse_number<std::uint16_t>(port, 0, 65535, endpoint.port);
}

// What TAO lets follow an address, after a slash: NAME=VALUE, with ampersands between them.
void read_endpoint_options(std::string_view text, Options& o) {
  while (!text.empty()) {
    const auto end = std::min(text.find('&'), text.size());
    const std::string_view option = text.substr(0, end);
    constexpr std::string_view kHost = "hostname_in_ior=";
    if (option.starts_with(kHost)) o.publish_host = option.substr(kHost.size());
    else o.without_effect.push_back("/" + std::string(option) + " of an endpoint");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool add_one_endpoint(std::string_view text, Options& o) {
  EndpointOption endpoint;
  for (const std::string_view prefix : {"giop:tcp:", "iiop://", "iiop:"}) {
    if (!text.starts_with(prefix)) continue;
    text.remove_prefix(prefix.size());
    if (const auto at = text.find('@'); at != text.npos) text.remove_prefix(at + 1);  // TAO: the version
    const auto slash = std::min(text.find('/'), text.size());
    if (!parse_address(text.substr(0, slash), endpoint)) break;
    o.endpoints.push_back(endpoint);
    read_endpoint_options(text.substr(std::min(slash + 1, text.size())), o);
    return true;
  }
  return false;
}

// TAO lets several stand in one argument, with semicolons between them.
bool add_endpoint(const std::string& value, Options& o) {
  std::string_view text = value;
  while (!text.empty()) {
    const auto end = std::min(text.find(';'), text.size());
    if (!add_one_endpoint(text.substr(0, end), o)) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return !value.empty();
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

bool set_model(const std::string& value, Options& o) {
  if (value == "pool") o.server_model = ServerModel::Pool;
  else if (value == "reactive") o.server_model = ServerModel::Reactive;
  else return false;
  return true;
}

template <auto Member>
bool set_text(const std::string& value, Options& o) {
  o.*Member = value;
  return true;
}

struct Option {
  const char* name;      // without "-ORB"
  const char* argument;  // as help writes it
  const char* help;
  bool (*set)(const std::string&, Options&);  // false for a bad value
  unsigned long least = 0, most = 0;          // of a number
};

template <auto Member, unsigned long Least, unsigned long Most>
constexpr Option number(const char* name, const char* argument, const char* help) {
  const auto set = [](const std::string& value, Options& o) {
    using Number = std::remove_reference_t<decltype(o.*Member)>;
    return parse_number<Number>(value, static_cast<Number>(Least), static_cast<Number>(Most), o.*Member);
  };
  return {name, argument, help, set, Least, Most};
}

constexpr Option kOptions[] = {
    {"id", "NAME", "name of the ORB in this process", set_text<&Options::orb_id>},
    {"serverId", "NAME", "name of this server in persistent references", set_text<&Options::server_id>},
    {"InitRef", "NAME=URL", "an initial reference", add_init_ref},
    {"DefaultInitRef", "URL", "where other initial references are asked for",
     set_text<&Options::default_init_ref>},
    {"endPoint", "ADDRESS", "listen at giop:tcp:HOST:PORT or iiop://HOST:PORT; may be repeated",
     add_endpoint},
    {"ListenEndpoints", "ADDRESS", "listen at giop:tcp:HOST:PORT or iiop://HOST:PORT", add_endpoint},
    {"publishHost", "HOST", "host name to write into references", set_text<&Options::publish_host>},
    {"maxGIOPVersion", "1.N", "speak at most GIOP 1.0, 1.1 or 1.2", set_version},
    {"serverModel", "MODEL", "pool (threads, default) or reactive (one thread inside run())", set_model},
    number<&Options::thread_pool_size, 1, 4096>("threadPoolSize", "N", "upcalls that may run at once"),
    number<&Options::max_threads, 2, 65536>("maxThreads", "N",
                                            "threads the pool may have, those that wait included"),
    number<&Options::max_message_size, 8192, 0x7fffffff>("giopMaxMsgSize", "N",
                                                         "largest message taken, in bytes"),
    number<&Options::max_pending_bytes, 65536, ~0ul>("maxPendingBytes", "N",
                                                     "bytes of incomplete messages, all connections"),
    number<&Options::max_connections, 1, 1 << 20>("maxServerConnections", "N",
                                                  "connections accepted at once"),
    number<&Options::connect_timeout_ms, 0, 3600'000>("connectTimeout", "MS", "time to set up a connection"),
    number<&Options::connect_timeout_ms, 0, 3600'000>("clientConnectTimeOutPeriod", "MS",
                                                      "the same; 0 is no limit but the call's"),
    number<&Options::call_timeout_ms, 0, 0x7fffffff>("clientCallTimeOutPeriod", "MS",
                                                     "time a call may take; 0, the default, is no limit"),
    {"throwTransientOnTimeOut", "0|1", "raise TRANSIENT, not TIMEOUT, when a call's time is over",
     set_switch<&Options::transient_on_timeout>},
    {"resetTimeOutOnRetries", "0|1", "a call that an exception handler repeats has its whole time again",
     set_switch<&Options::reset_timeout_on_retries>},
    number<&Options::write_timeout_ms, 1, 3600'000>("writeTimeout", "MS", "time a peer may refuse to read"),
    number<&Options::message_timeout_ms, 1, 3600'000>("messageTimeout", "MS",
                                                      "time to receive a message once begun"),
    number<&Options::thread_pool_size, 1, 4096>("maxServerThreadPoolSize", "N",
                                                "omniORB's name of -ORBthreadPoolSize"),
    {"NameServiceIOR", "URL", "TAO's name of -ORBInitRef NameService=URL", add_service<kNameService>},
    {"TradingServiceIOR", "URL", "the same of TradingService", add_service<kTradingService>},
    {"ImplRepoServiceIOR", "URL", "the same of ImplRepoService", add_service<kImplRepoService>},
};

const Option* find_option(std::string_view name) {
  for (const Option& o : kOptions)
    if (same_option(name, o.name)) return &o;
  return nullptr;
}

// CORBEL_END_POINT for "endPoint": the option's words in upper case.
std::string environment_name(const char* option) {
  std::string name = "CORBEL_";
  bool previous_lower = false;
  for (const char* p = option; *p; ++p) {
    const bool upper = *p >= 'A' && *p <= 'Z';
    if (upper && previous_lower) name += '_';
    name += static_cast<char>(upper ? *p : *p - ('a' - 'A'));
    previous_lower = !upper;
  }
  return name;
}

// One text for each option, made once: details of errors are never freed.
SystemError bad_value(const Option& option) {
  static const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (const Option& o : kOptions) {
      std::string text = std::string("write -ORB") + o.name + " " + o.argument + ": " + o.help;
      if (o.most == ~0ul) text += ", " + std::to_string(o.least) + " or more";
      else if (o.most != 0) text += ", " + std::to_string(o.least) + " to " + std::to_string(o.most);
      all.push_back(text + " (in the environment " + environment_name(o.name) + ")");
    }
    return all;
  }();
  return bad(texts[static_cast<std::size_t>(&option - kOptions)].c_str());
}

}  // namespace

SystemError parse_options(std::vector<std::string>& arguments, Options& options) {
  for (const Option& o : kOptions)
    if (const char* value = std::getenv(environment_name(o.name).c_str()))
      if (!o.set(value, options)) return bad_value(o);
  bool endpoints_given = false;
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("-ORB")) {
      rest.push_back(argument);
      continue;
    }
    const std::string name = argument.substr(4);
    const Option* option = find_option(name);
    if (!option) {
      const std::optional<PeerOption> peer = find_peer_option(name);
      if (!peer) return bad("an -ORB option is unknown; README.md lists them all");
      if (peer->has_value && ++i == arguments.size()) return bad("an -ORB option lacks its value");
      if (peer->as_it_is && !same_option(*peer->as_it_is, arguments[i]))
        options.without_effect.push_back("-ORB" + std::string(peer->name) + " " + arguments[i]);
      continue;
    }
    if (++i == arguments.size()) return bad_value(*option);
    if ((option->set == add_endpoint) && !endpoints_given) {
      options.endpoints.clear();  // arguments replace what the environment said
      endpoints_given = true;
    }
    if (!option->set(arguments[i], options)) return bad_value(*option);
  }
  arguments = std::move(rest);
  return {};
}

const char* option_help() {
  static const std::string text = [] {
    std::string t;
    for (const Option& o : kOptions) {
      std::string option = std::string("  -ORB") + o.name + " " + o.argument;
      option.resize(std::max<std::size_t>(option.size() + 1, 34), ' ');
      t += option + o.help + "\n";
    }
    return t;
  }();
  return text.c_str();
}

}  // namespace corbel::core
