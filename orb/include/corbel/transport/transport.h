// What a transport is to the ORB. Applications may add their own: see register_transport().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <corbel/transport/stream.h>

namespace corbel::transport {

struct ConnectResult {
  std::unique_ptr<Stream> stream;  // null on failure
  bool timed_out = false;
  bool refused = false;  // one end does not accept who the other one is
  std::string why;       // of a failure, for people; may be empty
};

// Where connections arrive. Used by one thread at a time, but for stop().
class [[gnu::visibility("default")]] Acceptor {
 public:
  virtual ~Acceptor();
  // Never waits; null when nothing is there. `exhausted` tells that descriptors ran out, or what else it
  // takes, so that accepting must pause.
  virtual std::unique_ptr<Stream> accept(bool& exhausted) = 0;
  // Readable when a connection waits.
  virtual int descriptor() const = 0;
  // What clients connect to, as references carry it. A transport whose addresses begin with a host's name
  // puts `host` there unless it is empty.
  virtual std::string address(const std::string& host) const = 0;
  // No more connections; the descriptor stays until the end, so that its number is not used again meanwhile.
  virtual void stop() = 0;
};

// One per ORB. Thread-safe. Addresses are texts of the transport's own; equal texts are one peer.
class [[gnu::visibility("default")]] Transport {
 public:
  virtual ~Transport();
  // As endpoints are written: giop:NAME:ADDRESS.
  virtual const char* name() const = 0;
  // Null where the address cannot be had; `why` then says more, or stays empty.
  virtual std::unique_ptr<Acceptor> listen(const std::string& address, std::string& why) = 0;
  virtual ConnectResult connect(const std::string& address, Deadline deadline) = 0;
  // False: it is not worth trying from here, for instance because the peer is on another host.
  virtual bool reachable(const std::string& address);
  // Whether what it carries is safe from others on the way. A reference that demands protection uses no
  // other.
  virtual bool protects() const { return false; }

  // ---- how its endpoints stand in IIOP profiles
  // Tag of the component, 0: one that Corbel has for all transports, with name and address.
  virtual std::uint32_t component_tag() const { return 0; }
  // The data of a component with that tag; `plain_too` where its profile also has a port without protection.
  virtual std::string encode(const std::string& address, bool plain_too) const;
  // The address from such data and the profile's host; false if they hold none. The data come from outside.
  virtual bool decode(const std::string& data, const std::string& host, std::string& address) const;
  // Of one that protects: whether such data forbid calls over others, to a plain port that stands beside.
  virtual bool demands_protection(const std::string& data) const;
};

// A -ORB option that a transport takes, and CORBEL_... in the environment.
struct TransportOption {
  const char* name;      // without "-ORB"
  const char* argument;  // as help writes it
  const char* help;
};

// The values that were given.
class TransportSettings {
 public:
  void set(const std::string& name, const std::string& value) { values_.emplace_back(name, value); }
  // Null if the option was not given; the last one counts.
  const std::string* find(const char* name) const {
    for (auto i = values_.rbegin(); i != values_.rend(); ++i)
      if (i->first == name) return &i->second;
    return nullptr;
  }

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

struct TransportKind {
  const char* name;
  const TransportOption* options;  // the last one's name is null; null if it takes none
  // Null if the settings are wrong; `why` tells what to do.
  std::unique_ptr<Transport> (*make)(const TransportSettings& settings, std::string& why);
  // Servers listen there, at the empty address, without having been told to.
  bool by_default = false;
};

// Every ORB that is made afterwards has it. `kind` stays the caller's and must live on; a second one of the
// same name is ignored. Thread-safe.
[[gnu::visibility("default")]] void register_transport(const TransportKind& kind);

}  // namespace corbel::transport
