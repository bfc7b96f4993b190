// CORBA::AnySeq (CORBA 3.4 part 1, "Standard Types").
#pragma once

#include <corbel/cpp/any.h>
#include <corbel/cpp/sequence.h>

namespace CORBA {

class [[gnu::visibility("default")]] AnySeq : public corbel::cpp::UnboundedSequence<Any> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<AnySeq> AnySeq_var;
typedef corbel::cpp::VariableOut<AnySeq, AnySeq_var> AnySeq_out;

}  // namespace CORBA

namespace corbel::cdr {

inline void marshal(Encoder& out, const CORBA::AnySeq& value) {
  out.put<CORBA::ULong>(value.length());
  for (CORBA::ULong i = 0; i < value.length(); ++i) marshal(out, value[i]);
}
inline bool unmarshal(Decoder& in, CORBA::AnySeq& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 4)) return false;
  CORBA::Any* const to = value._corbel_overwrite(n);
  for (CORBA::ULong i = 0; i < n; ++i)
    if (!unmarshal(in, to[i])) return false;
  return true;
}

}  // namespace corbel::cdr
