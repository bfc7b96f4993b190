#include "orb/core/options.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <string_view>

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

SystemError add_endpoint(const std::string& value, Options& o) {
  std::string_view text = value;
  EndpointOption endpoint;
  for (const std::string_view prefix : {"giop:tcp:", "iiop://", "iiop:"}) {
    if (!text.starts_with(prefix)) continue;
    if (!parse_address(text.substr(prefix.size()), endpoint)) break;
    o.endpoints.push_back(endpoint);
    return {};
  }
  return bad("-ORBendPoint takes giop:tcp:HOST:PORT or iiop://HOST:PORT");
}

SystemError add_init_ref(const std::string& value, Options& o) {
  const auto equals = value.find('=');
  if (equals == std::string::npos || equals == 0) return bad("-ORBInitRef takes NAME=URL");
  o.init_refs.emplace_back(value.substr(0, equals), value.substr(equals + 1));
  return {};
}

SystemError set_version(const std::string& value, Options& o) {
  if (value == "1.0" || value == "1.1" || value == "1.2") {
    o.max_giop_minor = static_cast<std::uint8_t>(value[2] - '0');
    return {};
  }
  return bad("-ORBmaxGIOPVersion takes 1.0, 1.1 or 1.2");
}

SystemError set_model(const std::string& value, Options& o) {
  if (value == "pool") o.server_model = ServerModel::Pool;
  else if (value == "reactive") o.server_model = ServerModel::Reactive;
  else return bad("-ORBserverModel takes pool or reactive");
  return {};
}

template <auto Member>
SystemError set_text(const std::string& value, Options& o) {
  o.*Member = value;
  return {};
}

template <auto Member, auto Least, auto Most>
SystemError set_number(const std::string& value, Options& o) {
  using Number = std::remove_reference_t<decltype(o.*Member)>;
  if (!parse_number<Number>(value, Least, Most, o.*Member))
    return bad("a number in an -ORB option is malformed or out of range");
  return {};
}

// Options whose meaning here is already the default, or that tune what Corbel does by itself: taken and
// ignored, so that command lines written for the peers go on working.
SystemError ignore(const std::string&, Options&) { return {}; }

struct Option {
  const char* name;  // without "-ORB"
  const char* help;
  SystemError (*set)(const std::string&, Options&);
};

constexpr Option kOptions[] = {
    {"id", "NAME            name of the ORB in this process", set_text<&Options::orb_id>},
    {"serverId", "NAME      name of this server in persistent references", set_text<&Options::server_id>},
    {"InitRef", "NAME=URL   an initial reference", add_init_ref},
    {"DefaultInitRef", "URL where other initial references are asked for",
     set_text<&Options::default_init_ref>},
    {"endPoint", "ADDRESS   listen at giop:tcp:HOST:PORT or iiop://HOST:PORT; may be repeated", add_endpoint},
    {"ListenEndpoints", "ADDRESS  the same", add_endpoint},
    {"publishHost", "HOST   host name to write into references", set_text<&Options::publish_host>},
    {"maxGIOPVersion", "1.N speak at most this version of GIOP", set_version},
    {"serverModel", "MODEL  pool (threads, default) or reactive (one thread inside run())", set_model},
    {"threadPoolSize", "N   upcalls that may run at once", set_number<&Options::thread_pool_size, 1u, 4096u>},
    {"maxThreads", "N       threads the pool may have, those that wait included",
     set_number<&Options::max_threads, 2u, 65536u>},
    {"giopMaxMsgSize", "N   largest message taken, in bytes",
     set_number<&Options::max_message_size, 8192ul, 0x7ffffffful>},
    {"maxPendingBytes", "N  bytes of incomplete messages, all connections",
     set_number<&Options::max_pending_bytes, 65536ul, ~0ul>},
    {"maxServerConnections", "N  connections accepted at once",
     set_number<&Options::max_connections, 1u, 1u << 20>},
    {"connectTimeout", "MS  time to set up a connection",
     set_number<&Options::connect_timeout_ms, 1u, 3600'000u>},
    {"clientCallTimeOutPeriod", "MS  time a call may take; 0, the default, is no limit",
     set_number<&Options::call_timeout_ms, 0u, 0x7fffffffu>},
    {"writeTimeout", "MS    time a peer may refuse to read",
     set_number<&Options::write_timeout_ms, 1u, 3600'000u>},
    {"messageTimeout", "MS  time to receive a message once begun",
     set_number<&Options::message_timeout_ms, 1u, 3600'000u>},
    {"maxGIOPConnectionPerServer", "N  accepted for omniORB's sake", ignore},
    {"oneCallPerConnection", "N  accepted for omniORB's sake", ignore},
    {"traceLevel", "N       accepted for omniORB's sake", ignore},
    {"DebugLevel", "N       accepted for TAO's sake", ignore},
};

const Option* find_option(std::string_view name) {
  for (const Option& o : kOptions)
    if (name == o.name) return &o;
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

}  // namespace

SystemError parse_options(std::vector<std::string>& arguments, Options& options) {
  for (const Option& o : kOptions)
    if (const char* value = std::getenv(environment_name(o.name).c_str()))
      if (SystemError e = o.set(value, options)) return e;
  bool endpoints_given = false;
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("-ORB")) {
      rest.push_back(argument);
      continue;
    }
    std::string name = argument.substr(4), value;
    const Option* option = find_option(name);
    if (!option) return bad("an -ORB option is unknown; the reference lists them all");
    if (++i == arguments.size()) return bad("the last -ORB option lacks its value");
    if ((option->set == add_endpoint) && !endpoints_given) {
      options.endpoints.clear();  // arguments replace what the environment said
      endpoints_given = true;
    }
    if (SystemError e = option->set(arguments[i], options)) return e;
  }
  arguments = std::move(rest);
  return {};
}

const char* option_help() {
  static const std::string text = [] {
    std::string t;
    for (const Option& o : kOptions) t += std::string("  -ORB") + o.name + " " + o.help + "\n";
    return t;
  }();
  return text.c_str();
}

}  // namespace corbel::core
