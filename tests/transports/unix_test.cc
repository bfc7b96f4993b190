// Unix sockets: their files, who may connect, and that other hosts do not try.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "orb/transport/host_id.h"
#include "orb/transport/unix.h"
#include "tests/transports/support.h"

namespace transports {
namespace {

namespace ior = corbel::ior;
namespace transport = corbel::transport;

class Unix : public testing::Test {
 protected:
  Unix() {
    char name[] = "/tmp/corbel-unix-XXXXXX";
    folder = mkdtemp(name);
    path = folder + "/socket";
  }
  ~Unix() override { std::filesystem::remove_all(folder); }
  std::vector<std::string> at_path() const {
    return {"-ORBendPoint", "giop:unix:" + path, "-ORBtransports", "unix"};
  }
  bool there() const { return std::filesystem::is_socket(path); }

  std::string folder, path;
};

TEST_F(Unix, TheFileIsThereAsLongAsTheServer) {
  {
    const Server server(at_path());
    EXPECT_TRUE(there());
    EXPECT_EQ(call(server.text), "none");
  }
  EXPECT_FALSE(there());
}

TEST_F(Unix, AFileThatWasLeftBehindIsReplaced) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::close(socket);
  ASSERT_TRUE(there());
  const Server server(at_path());
  EXPECT_EQ(call(server.text), "none");
}

TEST_F(Unix, AFileThatIsAnotherServersByNowStays) {
  auto first = std::make_unique<Server>(at_path());
  ASSERT_EQ(::unlink(path.c_str()), 0);
  const Server second(at_path());
  first = nullptr;
  EXPECT_TRUE(there());
  EXPECT_EQ(call(second.text), "none");
}

TEST_F(Unix, AServersPathIsNotTakenFromIt) {
  const Server server(at_path());
  EXPECT_EQ(raised_name([&] { Server other(at_path()); }), "INITIALIZE");
  EXPECT_EQ(call(server.text), "none");
}

TEST_F(Unix, AFileThatIsNoSocketIsLeftAlone) {
  std::FILE* const file = std::fopen(path.c_str(), "w");
  std::fclose(file);
  EXPECT_EQ(raised_name([&] { Server server(at_path()); }), "INITIALIZE");
  EXPECT_TRUE(std::filesystem::is_regular_file(path));
}

TEST_F(Unix, ItsPermissionsAreAnOption) {
  auto options = at_path();
  options.insert(options.end(), {"-ORBunixTransportPermission", "640"});
  const Server server(options);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(Unix, PermissionsThatAreNoneAreRefused) {
  for (const char* mode : {"", "8", "1000", "-1", "rw"})
    EXPECT_EQ(raised_name([&] {
                make_orb("refused", {"-ORBunixTransportPermission", mode});
              }),
              "INITIALIZE")
        << mode;
}

TEST_F(Unix, WithoutAPathOneIsMadeInTheFolderThatAnOptionNames) {
  const Server server({"-ORBendPoint", "giop:unix:", "-ORBunixTransportDirectory", folder});
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  EXPECT_EQ(call(server.text), "none");
}

TEST_F(Unix, WithoutAFolderItIsNotInTheFileSystem) {
  const Server server({"-ORBendPoint", "giop:unix:"});
  EXPECT_EQ(call(server.text), "none");
}

TEST_F(Unix, ARelativePathIsTheServersOwn) {
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  path = "socket";
  {
    const Server server(at_path());
    std::filesystem::current_path(here);
    EXPECT_EQ(call(server.text), "none");
  }
  EXPECT_FALSE(std::filesystem::exists(folder + "/socket"));
}

TEST_F(Unix, ARelativePathWhoseWholeIsTooLongIsRefused) {
  const std::filesystem::path here = std::filesystem::current_path();
  const std::string deep = folder + '/' + std::string(100, 'd');
  std::filesystem::create_directory(deep);
  std::filesystem::current_path(deep);
  path = "socket";
  EXPECT_EQ(raised_name([&] { Server server(at_path()); }), "INITIALIZE");
  std::filesystem::current_path(here);
  EXPECT_FALSE(std::filesystem::exists(deep + "/socket"));
}

TEST_F(Unix, APathThatIsTooLongIsRefused) {
  path.append(120, 'x');
  EXPECT_EQ(raised_name([&] { Server server(at_path()); }), "INITIALIZE");
}

TEST_F(Unix, TheSocketOfAnotherHostIsNotTried) {
  const Server server(at_path());
  auto profile = server.profiles().at(0);
  for (ior::TaggedComponent& c : profile.components) {
    std::string name, address;
    if (c.tag != corbel::assigned::kComponentEndpoint || !ior::decode_endpoint(c, name, address) ||
        name != "unix")
      continue;
    ASSERT_EQ(address, transport::host_id() + '/' + path);
    c = ior::encode_endpoint(name, std::string(16, '0') + '/' + path);
  }
  EXPECT_EQ(call(ior::to_string({"", {ior::encode_iiop(profile)}})), kUnreachable);
}

TEST_F(Unix, BothEndsKnowWhoTheOtherIs) {
  std::string why;
  const auto unix = transport::kUnix.make({}, why);
  const auto acceptor = unix->listen("", why);
  ASSERT_NE(acceptor, nullptr) << why;
  const auto client = unix->connect(acceptor->address(""), corbel::base::kNoDeadline);
  bool exhausted;
  const auto server = acceptor->accept(exhausted);
  ASSERT_NE(client.stream, nullptr);
  ASSERT_NE(server, nullptr);
  for (const transport::Stream* end : {client.stream.get(), server.get()}) {
    EXPECT_EQ(end->identity()->uid, static_cast<long>(::getuid()));
    EXPECT_EQ(end->identity()->pid, static_cast<long>(::getpid()));
  }
}

}  // namespace
}  // namespace transports
