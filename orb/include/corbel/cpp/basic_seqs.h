// The sequences of CORBA's own IDL (CORBA 3.4 part 1, "Standard Types").
#pragma once

#include <corbel/cpp/codec.h>
#include <corbel/cpp/octet_seq.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/wide.h>

namespace corbel::cpp {

// Each is a class of its own, so that it can be declared without this header.
template <typename T>
class StandardSequence : public UnboundedSequence<T> {
 public:
  using UnboundedSequence<T>::UnboundedSequence;
  typedef T _corbel_basic;
};

}  // namespace corbel::cpp

namespace CORBA {

class [[gnu::visibility("default")]] BooleanSeq : public corbel::cpp::StandardSequence<Boolean> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] CharSeq : public corbel::cpp::StandardSequence<Char> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] WCharSeq : public corbel::cpp::StandardSequence<WChar> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] ShortSeq : public corbel::cpp::StandardSequence<Short> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] UShortSeq : public corbel::cpp::StandardSequence<UShort> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] LongSeq : public corbel::cpp::StandardSequence<Long> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] ULongSeq : public corbel::cpp::StandardSequence<ULong> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] LongLongSeq : public corbel::cpp::StandardSequence<LongLong> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] ULongLongSeq : public corbel::cpp::StandardSequence<ULongLong> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] FloatSeq : public corbel::cpp::StandardSequence<Float> {
 public:
  using StandardSequence::StandardSequence;
};
class [[gnu::visibility("default")]] DoubleSeq : public corbel::cpp::StandardSequence<Double> {
 public:
  using StandardSequence::StandardSequence;
};

typedef corbel::cpp::SequenceVar<BooleanSeq> BooleanSeq_var;
typedef corbel::cpp::SequenceVar<CharSeq> CharSeq_var;
typedef corbel::cpp::SequenceVar<WCharSeq> WCharSeq_var;
typedef corbel::cpp::SequenceVar<ShortSeq> ShortSeq_var;
typedef corbel::cpp::SequenceVar<UShortSeq> UShortSeq_var;
typedef corbel::cpp::SequenceVar<LongSeq> LongSeq_var;
typedef corbel::cpp::SequenceVar<ULongSeq> ULongSeq_var;
typedef corbel::cpp::SequenceVar<LongLongSeq> LongLongSeq_var;
typedef corbel::cpp::SequenceVar<ULongLongSeq> ULongLongSeq_var;
typedef corbel::cpp::SequenceVar<FloatSeq> FloatSeq_var;
typedef corbel::cpp::SequenceVar<DoubleSeq> DoubleSeq_var;
typedef corbel::cpp::VariableOut<BooleanSeq, BooleanSeq_var> BooleanSeq_out;
typedef corbel::cpp::VariableOut<CharSeq, CharSeq_var> CharSeq_out;
typedef corbel::cpp::VariableOut<WCharSeq, WCharSeq_var> WCharSeq_out;
typedef corbel::cpp::VariableOut<ShortSeq, ShortSeq_var> ShortSeq_out;
typedef corbel::cpp::VariableOut<UShortSeq, UShortSeq_var> UShortSeq_out;
typedef corbel::cpp::VariableOut<LongSeq, LongSeq_var> LongSeq_out;
typedef corbel::cpp::VariableOut<ULongSeq, ULongSeq_var> ULongSeq_out;
typedef corbel::cpp::VariableOut<LongLongSeq, LongLongSeq_var> LongLongSeq_out;
typedef corbel::cpp::VariableOut<ULongLongSeq, ULongLongSeq_var> ULongLongSeq_out;
typedef corbel::cpp::VariableOut<FloatSeq, FloatSeq_var> FloatSeq_out;
typedef corbel::cpp::VariableOut<DoubleSeq, DoubleSeq_var> DoubleSeq_out;

}  // namespace CORBA

namespace corbel::cdr {

template <typename S, typename T = typename S::_corbel_basic>
void marshal(Encoder& out, const S& value) {
  out.put<CORBA::ULong>(value.length());
  out.run<sizeof(T)>(value.get_buffer(), std::size_t{value.length()} * sizeof(T));
}
template <typename S, typename T = typename S::_corbel_basic>
bool unmarshal(Decoder& in, S& value) {
  CORBA::ULong n;
  return in.get_length(n, sizeof(T)) && in.get_run(value._corbel_overwrite(n), n);
}

// Those whose elements are not copied as they are.
inline bool unmarshal(Decoder& in, CORBA::BooleanSeq& value) {
  CORBA::ULong n;
  return in.get_length(n, 1) && in.get_boolean_run(value._corbel_overwrite(n), n);
}
inline void marshal(Encoder& out, const CORBA::CharSeq& value) {
  out.put_chars(value.get_buffer(), value.length());
}
inline bool unmarshal(Decoder& in, CORBA::CharSeq& value) {
  CORBA::ULong n;
  return in.get_length(n, 1) && in.get_chars(value._corbel_overwrite(n), n);
}
inline void marshal(Encoder& out, const CORBA::WCharSeq& value) {
  out.put<CORBA::ULong>(value.length());
  for (CORBA::ULong i = 0; i < value.length(); ++i) cpp::put_wchar(out, value[i]);
}
inline bool unmarshal(Decoder& in, CORBA::WCharSeq& value) {
  CORBA::ULong n;
  if (!in.get_length(n, 2)) return false;
  CORBA::WChar* const to = value._corbel_overwrite(n);
  for (CORBA::ULong i = 0; i < n; ++i)
    if (!cpp::get_wchar(in, to[i])) return false;
  return true;
}

}  // namespace corbel::cdr
