// CORBA::OctetSeq, which the ORB's own interfaces use.
#pragma once

#include <corbel/cdr/decoder.h>
#include <corbel/cdr/encoder.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/var.h>

namespace CORBA {

class [[gnu::visibility("default")]] OctetSeq : public corbel::cpp::UnboundedSequence<Octet> {
 public:
  using UnboundedSequence::UnboundedSequence;
};
typedef corbel::cpp::SequenceVar<OctetSeq> OctetSeq_var;
typedef corbel::cpp::VariableOut<OctetSeq, OctetSeq_var> OctetSeq_out;

}  // namespace CORBA

namespace corbel::cdr {

inline void marshal(Encoder& out, const CORBA::OctetSeq& value) {
  out.put<CORBA::ULong>(value.length());
  out.run<1>(value.get_buffer(), value.length());
}
inline bool unmarshal(Decoder& in, CORBA::OctetSeq& value) {
  CORBA::ULong n;
  return in.get_length(n, 1) && in.get_run(value._corbel_overwrite(n), n);
}

}  // namespace corbel::cdr
