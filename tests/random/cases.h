// The values that program.py has made up, with their octets.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/random/marshaling.h"

// How often something is tried: `all` times where CORBEL_FULL is set, else a fifth of that.
inline int rounds(int all) {
  static const bool full = std::getenv("CORBEL_FULL");
  return full ? all : (all + 4) / 5;
}

struct Octets {
  bool in_any, little;
  std::size_t offset;
  int minor;
  std::string bytes;
  bool as_others = false;  // valuetypes not as Corbel writes them
  bool native() const { return little == corbel::cdr::kHostIsLittleEndian; }
  std::uint32_t older() const { return minor == 1 ? 1 : 0; }
};

struct Case {
  const Entry* entry;
  std::string text;
  bool values, derived;  // there are valuetypes; some derive from what is declared
  std::vector<Octets> octets;
};

inline std::string from_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoul(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

inline std::vector<Case> read_cases() {
  std::ifstream file(data_file());
  std::vector<Case> cases;
  const Entry* entry = nullptr;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string word;
    in >> word;
    if (word == "type") {
      std::size_t index;
      in >> index;
      entry = &entries().at(index);
    } else if (word == "value" || word == "values" || word == "derived") {
      const std::size_t begin = word.size() + 1;
      cases.push_back(
          {entry, line.size() > begin ? line.substr(begin) : "", word != "value", word == "derived", {}});
    } else {
      Octets o{word == "any", false, 0, 2, ""};
      std::string order, hex;
      in >> order >> o.offset;
      if (!o.in_any) in >> o.minor;
      in >> hex;
      o.little = order == "<";
      o.bytes = from_hex(hex);
      o.as_others = word == "other";
      cases.back().octets.push_back(o);
    }
  }
  return cases;
}

inline const std::vector<Case>& cases() {
  static const std::vector<Case> all = read_cases();
  return all;
}

// Bytes in memory that ends where they end, so that a sanitizer sees what is read beyond.
class Block {
 public:
  Block(const std::string& bytes, std::size_t size, const Octets& octets)
      : memory_(static_cast<char*>(std::malloc(octets.offset + size + 1 - (octets.offset + size != 0)))),
        in(memory_, memory_ + octets.offset, memory_ + octets.offset + size, !octets.native()) {
    if (size != 0) std::memcpy(memory_ + octets.offset, bytes.data(), size);
    in.set_context(nullptr, false, &orb()->_corbel_core());
    in.set_older(octets.older());
  }
  explicit Block(const Octets& octets) : Block(octets.bytes, octets.bytes.size(), octets) {}
  ~Block() { std::free(memory_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  char* const memory_;

 public:
  corbel::cdr::Decoder in;
};

inline bool read_any(Block& block, CORBA::Any& any) {
  return unmarshal_whole(block.in, [&] { return unmarshal(block.in, any); });
}

inline std::string text_of(const CORBA::Any& any, const Entry& entry) {
  Text out;
  try {
    return entry.extract(any, out) ? out.all() : "another type";
  } catch (const CORBA::MARSHAL&) {
    return "a value of an unknown class";
  }
}

// What an Any holds of its own is freed with it, but values in circles only after this.
inline void end_circles(const CORBA::Any& any, const Entry& entry) {
  Text out;
  try {
    entry.extract(any, out);
  } catch (const CORBA::MARSHAL&) {
  }
  out.end_circles();
}
