// Preloaded into a program that uses OpenSSL: its sessions' secrets go to the file that SSLKEYLOGFILE names,
// in the lines that tshark reads. Whatever TLS the program speaks by itself is so dissected as it is, without
// a weaker cipher.
#include <dlfcn.h>
#include <fcntl.h>
#include <openssl/ssl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace {

void log_line(const SSL*, const char* line) {
  const char* file = std::getenv("SSLKEYLOGFILE");
  const int fd = file ? open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (fd < 0) return;
  const std::string text = std::string(line) + '\n';  // in one write: both ends may log
  [[maybe_unused]] const ssize_t written = write(fd, text.data(), text.size());
  close(fd);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) SSL_CTX* SSL_CTX_new(const SSL_METHOD* method) {
  using Function = SSL_CTX* (*)(const SSL_METHOD*);
  static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "SSL_CTX_new"));
  SSL_CTX* made = next ? next(method) : nullptr;
  if (made) SSL_CTX_set_keylog_callback(made, log_line);
  return made;
}
