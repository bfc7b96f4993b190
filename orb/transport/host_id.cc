#include "orb/transport/host_id.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>
#include <initializer_list>

#include "orb/transport/descriptor.h"

namespace corbel::transport {
namespace {

void mix(std::uint64_t& hash, const void* data, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i)
    hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 1099511628211u;  // FNV-1a
}

std::string id_of(std::initializer_list<const char*> spaces) {
  std::uint64_t hash = 14695981039346656037u;
  char boot[64];
  const Descriptor file(::open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));
  const ssize_t size = file ? ::read(file.get(), boot, sizeof boot) : 0;
  bool known = size > 0;
  if (known) mix(hash, boot, static_cast<std::size_t>(size));
  for (const char* space : spaces) {
    struct stat status {};
    if (::stat(space, &status) != 0) known = false;
    else mix(hash, &status.st_ino, sizeof status.st_ino);
  }
  // What is left would be the same on many hosts.
  if (!known) (void)!::getrandom(&hash, sizeof hash, 0);
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += kDigits[hash >> shift & 15];
  return text;
}

constexpr const char *kNetwork = "/proc/self/ns/net", *kFiles = "/proc/self/ns/mnt";

}  // namespace

const std::string& host_id() {
  static const std::string id = id_of({kNetwork, kFiles});
  return id;
}

const std::string& network_id() {
  static const std::string id = id_of({kNetwork});
  return id;
}

}  // namespace corbel::transport
