// TLS streams over a socket: what they carry, how they end, what both ends learn of each other.
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <numeric>
#include <utility>

#include "orb/transport/unix.h"
#include "pair.h"

namespace {

using namespace tls_test;

std::string pattern(std::size_t size) {
  std::string text(size, '\0');
  std::uint32_t x = 1;
  for (char& c : text) {
    x = x * 1664525u + 1013904223u;
    c = static_cast<char>(x >> 24);
  }
  return text;
}

TEST(TlsStream, CarriesMessagesOfEverySizeBothWays) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  for (const std::size_t size : {1u, 2u, 100u, 16383u, 16384u, 16385u, 32768u, 50000u, 1u << 20}) {
    const std::string text = pattern(size);
    for (const auto& [from, to] :
         {std::pair{pair.client.get(), pair.server.get()}, std::pair{pair.server.get(), pair.client.get()}}) {
      std::thread writer([&, from = from] { EXPECT_TRUE(write_all(*from, text.data(), text.size())); });
      EXPECT_TRUE(read_exactly(*to, size) == text) << size;
      writer.join();
    }
  }
}

TEST(TlsStream, GathersPartsInOrder) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  const std::string text = pattern(100000);
  const std::size_t cuts[] = {0, 1, 13, 13, 4096, 40000, 40001, 99999, 100000};
  iovec parts[std::size(cuts) - 1];
  for (std::size_t i = 0; i + 1 < std::size(cuts); ++i)
    parts[i] = {const_cast<char*>(text.data()) + cuts[i], cuts[i + 1] - cuts[i]};
  std::string got;
  std::thread reader([&] { got = read_exactly(*pair.server, text.size()); });
  iovec* part = parts;
  int count = std::size(parts);
  while (count != 0) {
    const IoResult result = pair.client->try_write(part, count);
    ASSERT_TRUE(result.status == Io::Ok || result.status == Io::WouldBlock);
    std::size_t left = result.bytes;
    while (count != 0 && left >= part->iov_len) left -= part++->iov_len, --count;
    if (count != 0) {
      part->iov_base = static_cast<char*>(part->iov_base) + left;
      part->iov_len -= left;
      corbel::transport::wait_ready(pair.client->descriptor(), false, true, in_seconds(10));
    }
  }
  reader.join();
  EXPECT_TRUE(got == text);
}

// What the socket has no room for is not said to be written, and is not written twice.
TEST(TlsStream, GoesOnExactlyWhereAFullSocketStoppedIt) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  const int small = 32 * 1024;
  setsockopt(pair.client->descriptor(), SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  const std::string text = pattern(8 << 20);
  std::size_t written = 0;
  int blocked = 0;
  std::string got;
  while (written < text.size()) {
    const iovec part{const_cast<char*>(text.data()) + written,
                     std::min<std::size_t>(text.size() - written, 70001)};
    const IoResult result = pair.client->try_write(&part, 1);
    ASSERT_TRUE(result.status == Io::Ok || result.status == Io::WouldBlock);
    ASSERT_LE(result.bytes, part.iov_len);
    written += result.bytes;
    if (result.bytes == part.iov_len) continue;
    ++blocked;
    char buffer[30000];
    const IoResult read = pair.server->try_read(buffer, sizeof buffer);
    if (read.status == Io::Ok) got.append(buffer, read.bytes);
    else ASSERT_EQ(read.status, Io::WouldBlock);  // half a record
  }
  EXPECT_GT(blocked, 10);
  std::thread rest([&] { got += read_exactly(*pair.server, text.size() - got.size()); });
  rest.join();
  EXPECT_TRUE(got == text);
}

TEST(TlsStream, ReadsAndWritesInTwoThreadsAtOnce) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  const std::string text = pattern(4 << 20);
  std::string at_server, at_client;
  std::thread a([&] { EXPECT_TRUE(write_all(*pair.client, text.data(), text.size())); });
  std::thread b([&] { EXPECT_TRUE(write_all(*pair.server, text.data(), text.size())); });
  std::thread c([&] { at_server = read_exactly(*pair.server, text.size()); });
  at_client = read_exactly(*pair.client, text.size());
  a.join();
  b.join();
  c.join();
  EXPECT_TRUE(at_server == text);
  EXPECT_TRUE(at_client == text);
}

TEST(TlsStream, TellsOfWhatItReadAheadBeforeItIsArmed) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  EXPECT_TRUE(pair.server->arm());
  ASSERT_TRUE(write_all(*pair.client, "abcdef", 6));
  ASSERT_TRUE(write_all(*pair.client, "ghi", 3));
  corbel::transport::wait_ready(pair.server->descriptor(), true, false, in_seconds(10));
  char c;
  ASSERT_EQ(pair.server->try_read(&c, 1).status, Io::Ok);
  EXPECT_EQ(c, 'a');
  EXPECT_FALSE(pair.server->arm());
  EXPECT_EQ(read_exactly(*pair.server, 8), "bcdefghi");
  EXPECT_TRUE(pair.server->arm());
  EXPECT_EQ(pair.server->try_read(&c, 1).status, Io::WouldBlock);
  ASSERT_TRUE(write_all(*pair.client, "j", 1));  // its buffers come back
  EXPECT_EQ(read_exactly(*pair.server, 1), "j");
}

TEST(TlsStream, AWaitingReadEndsAtItsTimeout) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  pair.server->set_read_timeout(20);
  char c;
  EXPECT_EQ(pair.server->read(&c, 1).status, Io::TimedOut);
}

TEST(TlsStream, AGoodbyeIsAnEndAndACutIsAFailure) {
  Certified files;
  {
    Pair pair(files.server, files.client);
    ASSERT_TRUE(pair.open());
    ASSERT_TRUE(write_all(*pair.client, "last", 4));
    pair.client->finish_writing();
    EXPECT_EQ(read_exactly(*pair.server, 4), "last");
    char c;
    EXPECT_EQ(read_some(*pair.server, &c, 1).status, Io::Closed);
    EXPECT_EQ(read_some(*pair.server, &c, 1).status, Io::Closed);
    EXPECT_FALSE(pair.server->failure());
    EXPECT_TRUE(write_all(*pair.server, "answer", 6));  // the other direction goes on
    EXPECT_EQ(read_exactly(*pair.client, 6), "answer");
  }
  {
    Pair pair(files.server, files.client);
    ASSERT_TRUE(pair.open());
    ASSERT_EQ(shutdown(pair.client->descriptor(), SHUT_WR), 0);
    char c;
    EXPECT_EQ(read_some(*pair.server, &c, 1).status, Io::Failed);
    EXPECT_EQ(pair.server->failure().kind, FailureKind::Broken);
  }
  {
    Pair pair(files.server, files.client);
    ASSERT_TRUE(pair.open());
    pair.client.reset();  // says goodbye by itself
    char c;
    EXPECT_EQ(read_some(*pair.server, &c, 1).status, Io::Closed);
  }
}

TEST(TlsStream, AForgedRecordEndsTheConnection) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  const char forged[] =
      "\x17\x03\x03\x00\x20"
      "01234567890123456789012345678901";
  ASSERT_EQ(send(pair.client->descriptor(), forged, sizeof forged - 1, MSG_NOSIGNAL),
            ssize_t{sizeof forged - 1});
  char c;
  EXPECT_EQ(read_some(*pair.server, &c, 1).status, Io::Failed);
  EXPECT_EQ(pair.server->failure().kind, FailureKind::Broken);
  EXPECT_EQ(pair.server->try_write(nullptr, 0).status, Io::Failed);
}

TEST(TlsStream, InterruptEndsAWaitingRead) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  std::atomic<bool> reading{false};
  Io status = Io::Ok;
  std::thread reader([&] {
    char c;
    reading = true;
    status = read_some(*pair.server, &c, 1).status;
  });
  while (!reading) std::this_thread::yield();
  pair.server->interrupt();
  reader.join();
  EXPECT_EQ(status, Io::Failed);
}

// ---- who is there

TEST(TlsIdentity, BothEndsKnowEachOtherWhereClientCertificatesAreRequired) {
  Certified files;
  files.server.clients = ClientCertificates::Require;
  files.client.key_file = files.client_key;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  ASSERT_TRUE(pair.server->identity());
  EXPECT_EQ(pair.server->identity()->subject, "CN=client,O=Corbel tests");
  EXPECT_EQ(pair.server->identity()->certificates.size(), 2u);  // its own and the authority's
  ASSERT_TRUE(pair.client->identity());
  EXPECT_EQ(pair.client->identity()->subject, "CN=server,O=Corbel tests");
  const std::string& der = pair.client->identity()->certificates[0];
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  X509* const parsed = d2i_X509(nullptr, &at, static_cast<long>(der.size()));
  EXPECT_TRUE(parsed);
  X509_free(parsed);
}

TEST(TlsIdentity, ThereIsNoneWhereNoCertificateWasShownOrVerified) {
  Certified files;
  {
    Pair pair(files.server, files.client);
    ASSERT_TRUE(pair.open());
    EXPECT_FALSE(pair.server->identity());
  }
  files.client.verify = false;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  EXPECT_FALSE(pair.client->identity());
}

TEST(TlsIdentity, AClientWithoutTheRequiredCertificateIsTurnedAwayAndLearnsWhy) {
  Certified files;
  files.server.clients = ClientCertificates::Require;
  Pair pair(files.server, files.client);
  EXPECT_FALSE(pair.open());
  EXPECT_EQ(pair.server->failure().kind, FailureKind::PeerRefused);
  EXPECT_EQ(pair.client->failure().kind, FailureKind::SelfRefused) << pair.client->failure().text;
}

TEST(TlsIdentity, ARequestedCertificateMayBeMissingButNotWrong) {
  Certified files;
  files.server.clients = ClientCertificates::Request;
  EXPECT_TRUE(Pair(files.server, files.client).open());
  const Issued other = authority("stranger");
  files.client.key_file = files.folder.write("stranger.pem", issue({"mallory", ""}, &other));
  Pair pair(files.server, files.client);
  EXPECT_FALSE(pair.open());
  EXPECT_EQ(pair.server->failure().kind, FailureKind::PeerRefused);
  EXPECT_NE(pair.server->failure().text.find("mallory"), std::string::npos) << pair.server->failure().text;
}

void expect_refused(Certified& files, const std::string& words, const std::string& host = "127.0.0.1") {
  Pair pair(files.server, files.client, host);
  EXPECT_FALSE(pair.open());
  EXPECT_EQ(pair.client->failure().kind, FailureKind::PeerRefused);
  EXPECT_NE(pair.client->failure().text.find(words), std::string::npos) << pair.client->failure().text;
  EXPECT_EQ(pair.server->failure().kind, FailureKind::SelfRefused) << pair.server->failure().text;
}

TEST(TlsVerification, AServerOfAnotherAuthorityIsRefused) {
  Certified files;
  const Issued other = authority("stranger");
  files.server.key_file = files.folder.write("other.pem", issue({"server"}, &other));
  expect_refused(files, "CN=server");
  expect_refused(files, "see -ORBsslCAFile");
}

TEST(TlsVerification, AnExpiredCertificateIsRefused) {
  Certified files;
  files.server.key_file =
      files.folder.write("old.pem", issue({"server", "IP:127.0.0.1", -7200, -3600}, &files.ca));
  expect_refused(files, "expired");
}

TEST(TlsVerification, TheCertificateMustBeForTheHostOfTheReference) {
  Certified files;
  files.server.key_file =
      files.folder.write("host.pem", issue({"server", "DNS:orb.example,IP:127.0.0.9"}, &files.ca));
  expect_refused(files, "IP address mismatch");
  expect_refused(files, "see -ORBsslServerName");
  expect_refused(files, "ostname mismatch", "localhost");
  files.client.server_name = "orb.example";
  EXPECT_TRUE(Pair(files.server, files.client).open());
  files.client.server_name = "";
  files.client.check_host = false;
  EXPECT_TRUE(Pair(files.server, files.client).open());
}

TEST(TlsVerification, ACertificateBetweenIsSentAlong) {
  Certified files;
  const Issued between = issue({"between", "", -3600, 86400, true}, &files.ca);
  const Issued leaf = issue({"server"}, &between);
  files.server.key_file = files.folder.write("chain.pem", leaf, true, nullptr, &between);
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  EXPECT_EQ(pair.client->identity()->certificates.size(), 3u);
}

// ---- versions, hostile peers

TEST(TlsVersions, TheLeastVersionHoldsForBothEnds) {
  Certified files;
  files.server.min_version = "1.3";
  EXPECT_TRUE(Pair(files.server, files.client).open());
  // A client of TLS 1.2 alone: a cipher of its own, and no suite of 1.3 is what makes it so.
  Pair pair(files.server, files.client);
  const auto ctx = pair.client_context->current();
  SSL_CTX_set_max_proto_version(ctx.get(), TLS1_2_VERSION);
  RawPair raw;
  auto server = TlsStream::server(std::move(raw.server), pair.server_context->current(), files.server);
  auto client = TlsStream::client(std::move(raw.client), ctx, files.client, "127.0.0.1");
  std::thread serving([&] {
    char c;
    (void)read_some(*server, &c, 1);
  });
  EXPECT_FALSE(client->handshake(in_seconds(10)));
  client->interrupt();
  serving.join();
  EXPECT_EQ(client->failure().kind, FailureKind::NoAgreement) << client->failure().text;
  EXPECT_EQ(server->failure().kind, FailureKind::NoAgreement) << server->failure().text;
}

TEST(TlsHostile, PlainGiopAtATlsPortIsRefused) {
  Certified files;
  const auto context = context_of(files.server);
  RawPair raw;
  auto server = TlsStream::server(std::move(raw.server), context->current(), files.server);
  EXPECT_NE(server->opening_until(), corbel::base::kNoDeadline);
  ASSERT_TRUE(write_all(*raw.client, "GIOP\1\2\1\0\0\0\0\0", 12));
  char c;
  EXPECT_EQ(read_some(*server, &c, 1).status, Io::Failed);
  EXPECT_EQ(server->failure().kind, FailureKind::NotTls) << server->failure().text;
}

TEST(TlsHostile, ATlsClientAtAPlainPortSaysSo) {
  Certified files;
  const auto context = context_of(files.client);
  RawPair raw;
  auto client = TlsStream::client(std::move(raw.client), context->current(), files.client, "127.0.0.1");
  ASSERT_TRUE(write_all(*raw.server, "GIOP\1\2\0\6\0\0\0\0", 12));
  EXPECT_FALSE(client->handshake(in_seconds(10)));
  EXPECT_EQ(client->failure().kind, FailureKind::NotTls) << client->failure().text;
}

TEST(TlsHostile, AHandshakeThatIsNotGoneOnWithTimesOut) {
  Certified files;
  const auto context = context_of(files.client);
  RawPair raw;
  auto client = TlsStream::client(std::move(raw.client), context->current(), files.client, "127.0.0.1");
  EXPECT_FALSE(client->handshake(corbel::base::now() + 50'000'000));
  EXPECT_EQ(client->failure().kind, FailureKind::TimedOut);
}

TEST(TlsHostile, AServerInItsHandshakeNeverWaitsForBytes) {
  Certified files;
  const auto context = context_of(files.server);
  RawPair raw;
  auto server = TlsStream::server(std::move(raw.server), context->current(), files.server);
  char c;
  EXPECT_EQ(server->try_read(&c, 1).status, Io::WouldBlock);
  EXPECT_TRUE(server->arm());
  ASSERT_TRUE(write_all(*raw.client, "\x16\x03\x01\x02\x00\x01", 6));  // a hello begun
  corbel::transport::wait_ready(server->descriptor(), true, false, in_seconds(10));
  EXPECT_EQ(server->try_read(&c, 1).status, Io::WouldBlock);
  EXPECT_TRUE(server->arm());
  const iovec part{&c, 1};
  EXPECT_EQ(server->try_write(&part, 1).status, Io::WouldBlock);
}

// ---- key updates while something is being written

// Hands out what it is told to of what is written, by the test's script.
class ScriptedStream : public Stream {
 public:
  explicit ScriptedStream(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
  IoResult try_write(const iovec* parts, int count) override {
    if (!script) return stream_->try_write(parts, count);
    const auto now = std::exchange(script, nullptr);
    return now(*parts);
  }
  // So many octets leave.
  IoResult pass(const iovec& part, std::size_t most = SIZE_MAX) {
    const iovec some{part.iov_base, std::min(part.iov_len, most)};
    return stream_->try_write(&some, 1);
  }
  IoResult read(char* to, std::size_t size) override { return stream_->read(to, size); }
  IoResult try_read(char* to, std::size_t size) override { return stream_->try_read(to, size); }
  void set_read_timeout(int milliseconds) override { stream_->set_read_timeout(milliseconds); }
  int descriptor() const override { return stream_->descriptor(); }
  void interrupt() override { stream_->interrupt(); }
  void stop_reading() override { stream_->stop_reading(); }
  void finish_writing() override { stream_->finish_writing(); }
  std::string peer() const override { return stream_->peer(); }

  std::function<IoResult(const iovec&)> script;  // of the next write

 private:
  std::unique_ptr<Stream> stream_;
};

// One end is a TlsStream whose socket does as the test wants, the other one OpenSSL alone.
class TlsKeyUpdates : public testing::Test {
 protected:
  TlsKeyUpdates()
      : server_context(context_of(files.server)),
        client_context(context_of(files.client)),
        ctx(client_context->current()),
        peer(SSL_new(ctx.get()), SSL_free) {
    auto scripted = std::make_unique<ScriptedStream>(std::move(raw.server));
    below = scripted.get();
    stream = TlsStream::server(std::move(scripted), server_context->current(), files.server);
    raw.client->set_read_timeout(20'000);
    SSL_set_fd(peer.get(), raw.client->descriptor());
    std::thread serving([&] {
      char c;
      EXPECT_EQ(read_some(*stream, &c, 1).status, Io::Ok);
    });
    EXPECT_EQ(SSL_connect(peer.get()), 1);
    EXPECT_EQ(SSL_write(peer.get(), "x", 1), 1);
    serving.join();
  }
  // The peer asks for key updates, and the stream reads that. OpenSSL may keep the answer to the first until
  // something is written, or the second one comes.
  void update() {
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(SSL_key_update(peer.get(), SSL_KEY_UPDATE_REQUESTED), 1);
      EXPECT_EQ(SSL_do_handshake(peer.get()), 1);
    }
    EXPECT_TRUE(corbel::transport::wait_ready(stream->descriptor(), true, false, in_seconds(20)).readable);
    char c;
    EXPECT_EQ(stream->try_read(&c, 1).status, Io::WouldBlock);
  }
  IoResult write() {
    const iovec part{const_cast<char*>(text.data()), text.size()};
    return stream->try_write(&part, 1);
  }
  IoResult write_last() {
    const iovec part{const_cast<char*>(text.data()) + text.size() - 1, 1};
    return stream->try_write(&part, 1);
  }
  // What the peer gets until the stream's end.
  std::string got_until_end() {
    stream.reset();
    std::string all;
    char buffer[1000];
    for (int n; (n = SSL_read(peer.get(), buffer, sizeof buffer)) > 0;)
      all.append(buffer, static_cast<std::size_t>(n));
    ERR_clear_error();
    return all;
  }

  const std::string text = pattern(500);
  Certified files;
  RawPair raw;
  std::unique_ptr<Context> server_context, client_context;
  corbel::tls::ContextHandle ctx;
  std::shared_ptr<SSL> peer;
  ScriptedStream* below;
  std::unique_ptr<TlsStream> stream;
};

// Who is told that a message was not written sends it once more.
TEST_F(TlsKeyUpdates, AMessageThatHasLeftIsWrittenWhateverBecomesOfTheAnswerBehindIt) {
  for (const Io status : {Io::WouldBlock, Io::Failed}) {
    EXPECT_EQ(stream->try_write(nullptr, 0).status, Io::Ok);  // an answer that was not taken leaves
    below->script = [&](const iovec& message) {
      const IoResult result = below->pass(message);
      update();
      below->script = [status](const iovec&) { return IoResult{status}; };
      return result;
    };
    const IoResult result = write();
    EXPECT_EQ(result.status, Io::Ok);
    EXPECT_EQ(result.bytes, text.size());
  }
  EXPECT_EQ(write().status, Io::Failed);
  EXPECT_EQ(got_until_end(), text + text);
}

TEST_F(TlsKeyUpdates, TheRestOfAMessageThatLeftBeforeTheAnswerFailedIsWritten) {
  below->script = [&](const iovec& message) { return below->pass(message, 20); };
  EXPECT_EQ(write().bytes, text.size() - 1);
  update();
  below->script = [&](const iovec& rest) {
    const IoResult result = below->pass(rest);
    below->script = [&](const iovec&) { return IoResult{Io::Failed}; };
    return result;
  };
  EXPECT_EQ(write_last().bytes, 1u);
  EXPECT_EQ(write().status, Io::Failed);
  EXPECT_EQ(got_until_end(), text);
}

// Nobody but its writer lets the rest of a message leave.
TEST_F(TlsKeyUpdates, WhatIsNotSaidToBeWrittenDoesNotLeave) {
  below->script = [&](const iovec& message) { return below->pass(message, 20); };
  EXPECT_EQ(write().bytes, text.size() - 1);
  update();
  stream->finish_writing();
  EXPECT_EQ(write_last().status, Io::Failed);
  EXPECT_EQ(got_until_end(), "");
}

TEST_F(TlsKeyUpdates, AWriterGoesOnAfterThem) {
  below->script = [&](const iovec& message) { return below->pass(message, 20); };
  EXPECT_EQ(write().bytes, text.size() - 1);
  update();
  EXPECT_EQ(write_last().bytes, 1u);
  EXPECT_EQ(write().bytes, text.size());
  EXPECT_EQ(got_until_end(), text + text);
}

TEST(TlsHostile, KeyUpdatesWithoutEndAreAnsweredWithinABound) {
  Certified files;
  Pair pair(files.server, files.client);
  ASSERT_TRUE(pair.open());
  // The peer's end by hand: OpenSSL alone, asking for key updates and reading nothing. Not over TCP, where
  // both ends have hung once with a receive buffer as small as this needs.
  int ends[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const corbel::transport::Descriptor client(ends[0]);
  auto server = TlsStream::server(
      std::make_unique<corbel::transport::UnixStream>(corbel::transport::Descriptor(ends[1])),
      pair.server_context->current(), files.server);
  const int small = 4096;
  setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  const auto ctx = pair.client_context->current();
  std::shared_ptr<SSL> ssl(SSL_new(ctx.get()), SSL_free);
  SSL_set_fd(ssl.get(), client.get());
  const auto before = std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to what the server has closed
  Io status = Io::Ok;
  std::string why;
  std::thread serving([&] {
    char buffer[16];
    status = read_some(*server, buffer, sizeof buffer).status;
    while (status == Io::Ok) status = read_some(*server, buffer, sizeof buffer).status;
    why = server->failure().text;
    server.reset();
  });
  EXPECT_EQ(SSL_connect(ssl.get()), 1);
  for (int i = 0; i < 1'000'000; ++i) {
    SSL_key_update(ssl.get(), SSL_KEY_UPDATE_REQUESTED);
    if (SSL_do_handshake(ssl.get()) != 1) break;
  }
  shutdown(client.get(), SHUT_RDWR);
  serving.join();
  std::signal(SIGPIPE, before);
  EXPECT_EQ(status, Io::Failed);
  EXPECT_NE(why.find("not read them"), std::string::npos) << why;
}

}  // namespace
