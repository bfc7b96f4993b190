// Service contexts of a request or reply.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <corbel/cdr/decoder.h>

namespace corbel::giop {

// One that is going to be sent: what is in it, an encapsulation as a rule, in octets.
struct ServiceContext {
  std::uint32_t id = 0;
  std::string data;
};

// A view of a validated list in the message; unknown contexts are simply not asked for.
class ServiceContexts {
 public:
  // Steps over the list and checks it.
  bool decode(cdr::Decoder& in) {
    if (!in.get_length(count_, 8)) return false;
    if (count_ == 0) [[likely]]
      return true;
    return decode_rest(in);
  }
  void clear() { count_ = 0; }
  // Those of a list that this process has written, `at` the first; they stay where they are.
  void view(std::uint32_t count, const char* at, const char* end) {
    count_ = count;
    list_ = cdr::Decoder(at, at, end, false);
  }
  std::uint32_t count() const { return count_; }
  // The data of the first context with this id.
  bool find(std::uint32_t id, const char*& data, std::uint32_t& size) const;

 private:
  bool decode_rest(cdr::Decoder& in);
  std::uint32_t count_ = 0;
  cdr::Decoder list_;  // at the first of them; meaningful only if there is one
};

}  // namespace corbel::giop
