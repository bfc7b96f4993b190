// Unix-domain sockets. Where to listen is the path of a socket to be made, "@NAME" for a name outside of the
// file system, or empty for a name of the ORB's own choice. References carry ID/PATH, where ID is the host's
// (host_id.h): others do not try.
#pragma once

#include <sys/un.h>

#include <memory>
#include <string>

#include <corbel/transport/transport.h>

#include "orb/transport/socket_stream.h"

namespace corbel::transport {

struct UnixName {
  sockaddr_un address{};
  socklen_t size = 0;
  bool in_files() const { return address.sun_path[0] != 0; }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};
// False if the path is too long for the system, or empty.
bool make_unix_name(const std::string& path, UnixName& name);
Descriptor new_unix_socket();

class UnixStream final : public SocketStream {
 public:
  explicit UnixStream(Descriptor socket);
  IoResult write(const iovec* parts, int count) override;
  bool waits_for_room() const override { return true; }
  bool expect_large() override { return true; }
  std::string peer() const override;
  const PeerIdentity* identity() const override { return &identity_; }

 private:
  PeerIdentity identity_;
};

// Listens for kUnix. Names of its own choice are made in `directory`, or outside of the file system if it is
// empty; files have `mode`, or that of all files of the process if it is negative. Only programs with a
// server link it: see server.cc.
std::unique_ptr<Acceptor> listen_unix(const std::string& address, const std::string& directory, long mode,
                                      std::string& why);

extern const TransportKind kUnix;

}  // namespace corbel::transport
