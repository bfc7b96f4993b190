// Octets that shrink, and such as do not, and who gives them back. Of either ORB.
#pragma once

#include <atomic>

#include "zipped.skel.h"

namespace zipped {

inline Zipped::Octets* even(CORBA::ULong size) {
  auto* const data = new Zipped::Octets;
  data->length(size);
  for (CORBA::ULong i = 0; i < size; ++i) (*data)[i] = static_cast<CORBA::Octet>(i % 100);
  return data;
}

inline Zipped::Octets* uneven(CORBA::ULong size) {
  auto* const data = new Zipped::Octets;
  data->length(size);
  CORBA::ULong state = 1;
  for (CORBA::ULong i = 0; i < size; ++i) {
    state = state * 1664525u + 1013904223u;
    (*data)[i] = static_cast<CORBA::Octet>(state >> 24);
  }
  return data;
}

inline bool same(const Zipped::Octets& a, const Zipped::Octets& b) {
  bool same = a.length() == b.length();
  for (CORBA::ULong i = 0; same && i < a.length(); ++i) same = a[i] == b[i];
  return same;
}

class Servant : public POA_Zipped::Server {
 public:
  Zipped::Octets* echo(const Zipped::Octets& data) override { return new Zipped::Octets(data); }
  Zipped::Octets* make(CORBA::Long size) override { return even(static_cast<CORBA::ULong>(size)); }
  CORBA::Long count(const Zipped::Octets& data) override { return static_cast<CORBA::Long>(data.length()); }
  void refuse(const Zipped::Octets& data) override { throw Zipped::Refused(data); }
  void fail(const Zipped::Octets&) override { throw CORBA::NO_PERMISSION(5, CORBA::COMPLETED_YES); }
  void note(const Zipped::Octets& data) override { noted_ += static_cast<CORBA::Long>(data.length()); }
  CORBA::Long noted() override { return noted_; }

 private:
  std::atomic<CORBA::Long> noted_{0};
};

}  // namespace zipped
