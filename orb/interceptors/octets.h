// Between the core's octets and the mapping's.
#pragma once

#include <cstring>
#include <string>
#include <string_view>

#include <corbel/corba.h>

namespace corbel::interceptors {

template <typename Sequence>
void assign(Sequence& to, std::string_view from) {
  to.length(static_cast<CORBA::ULong>(from.size()));
  if (!from.empty()) std::memcpy(to.get_buffer(), from.data(), from.size());
}

// The caller owns it.
template <typename Sequence>
Sequence* make_octets(std::string_view from) {
  corbel::cpp::SequenceVar<Sequence> made = new Sequence;
  assign(*made.operator->(), from);
  return made._retn();
}

template <typename Sequence>
std::string text(const Sequence& octets) {
  return {reinterpret_cast<const char*>(octets.get_buffer()), octets.length()};
}

}  // namespace corbel::interceptors
