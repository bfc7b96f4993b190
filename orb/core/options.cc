#include "orb/core/options.h"

#include <strings.h>

#include <algorithm>
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

bool add_endpoint(const std::string& value, Options& o) {
  std::string_view text = value;
  EndpointOption endpoint;
  for (const std::string_view prefix : {"giop:tcp:", "iiop://", "iiop:"}) {
    if (!text.starts_with(prefix)) continue;
    if (!parse_address(text.substr(prefix.size()), endpoint)) break;
    o.endpoints.push_back(endpoint);
    return true;
  }
  return false;
}

bool add_init_ref(const std::string& value, Options& o) {
  const auto equals = value.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  o.init_refs.emplace_back(value.substr(0, equals), value.substr(equals + 1));
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

// Options whose meaning here is already the default, or that tune what Corbel does by itself: taken and
// ignored, so that command lines written for the peers go on working.
bool ignore(const std::string&, Options&) { return true; }

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
    number<&Options::connect_timeout_ms, 1, 3600'000>("connectTimeout", "MS", "time to set up a connection"),
    number<&Options::call_timeout_ms, 0, 0x7fffffff>("clientCallTimeOutPeriod", "MS",
                                                     "time a call may take; 0, the default, is no limit"),
    number<&Options::write_timeout_ms, 1, 3600'000>("writeTimeout", "MS", "time a peer may refuse to read"),
    number<&Options::message_timeout_ms, 1, 3600'000>("messageTimeout", "MS",
                                                      "time to receive a message once begun"),
    {"maxGIOPConnectionPerServer", "N", "accepted for omniORB's sake", ignore},
    {"oneCallPerConnection", "N", "accepted for omniORB's sake", ignore},
    {"traceLevel", "N", "accepted for omniORB's sake", ignore},
    {"DebugLevel", "N", "accepted for TAO's sake", ignore},
};

// In any case, as the peers' documents write the same option in several.
const Option* find_option(std::string_view name) {
  for (const Option& o : kOptions)
    if (name.size() == std::strlen(o.name) && strncasecmp(name.data(), o.name, name.size()) == 0) return &o;
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
    std::string name = argument.substr(4), value;
    const Option* option = find_option(name);
    if (!option) return bad("an -ORB option is unknown; README.md lists them all");
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
