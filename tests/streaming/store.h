// The servant of the tests of streaming, and values whose marshaling does what a test says.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "streams.skel.h"

namespace streaming {

// Called with the number of each step before it is written; both ends share it.
inline std::function<void(CORBA::Long)> on_step;

class Step : public virtual OBV_Streams::Step, public virtual CORBA::DefaultValueRefCountBase {
 public:
  Step() = default;
  explicit Step(CORBA::Long n) { number(n); }
  void marshal(CORBA::DataOutputStream& out) override {
    if (on_step) on_step(number());
    out.write_long(number());
    out.write_string("a step");
  }
  void unmarshal(CORBA::DataInputStream& in) override {
    number(in.read_long());
    CORBA::String_var text = in.read_string();
  }
  CORBA::ValueBase* _copy_value() override { return new Step(number()); }
};

class StepFactory : public CORBA::ValueFactoryBase {
 protected:
  CORBA::ValueBase* create_for_unmarshal() override { return new Step; }
};

inline Streams::StepSeq* steps(CORBA::ULong count) {
  Streams::StepSeq_var result = new Streams::StepSeq;
  result->length(count);
  for (CORBA::ULong i = 0; i < count; ++i) result[i] = new Step(static_cast<CORBA::Long>(i));
  return result._retn();
}

inline Streams::NameSeq* names(CORBA::ULong count, const char* text) {
  Streams::NameSeq_var result = new Streams::NameSeq;
  result->length(count);
  for (CORBA::ULong i = 0; i < count; ++i) result[i] = CORBA::string_dup(text);
  return result._retn();
}

class Store : public POA_Streams::Store {
 public:
  Streams::NameSeq* names(const Streams::NameSeq& a) override { return new Streams::NameSeq(a); }
  Streams::RecordSeq* records(const Streams::RecordSeq& a, const Streams::SampleSeq& b,
                              Streams::SampleSeq_out c) override {
    c = new Streams::SampleSeq(b);
    return new Streams::RecordSeq(a);
  }
  Streams::WideSeq* wide(const Streams::WideSeq& a) override { return new Streams::WideSeq(a); }
  Streams::BlockSeq* blocks(const Streams::BlockSeq& a) override { return new Streams::BlockSeq(a); }
  Streams::AnySeq* anys(const Streams::AnySeq& a) override { return new Streams::AnySeq(a); }
  Streams::LinkSeq* links(const Streams::LinkSeq& a) override { return new Streams::LinkSeq(a); }
  char* text(const char* a) override { return CORBA::string_dup(a); }
  CORBA::Long steps(const Streams::StepSeq& a) override { return static_cast<CORBA::Long>(a.length()); }
  CORBA::Long one(CORBA::Long n) override { return n; }

  Streams::NameSeq* made(CORBA::ULong count, const char* text) override {
    return streaming::names(count, text);
  }
  Streams::WideSeq* made_wide(CORBA::ULong count, const CORBA::WChar* last) override {
    Streams::WideSeq_var result = new Streams::WideSeq;
    result->length(count);
    for (CORBA::ULong i = 0; i < count; ++i) result[i] = CORBA::wstring_dup(L"wide");
    if (last[0] == L'!') {  // half a surrogate pair cannot be sent
      const CORBA::WChar half[] = {static_cast<CORBA::WChar>(0xd800), 0};
      result[count - 1] = CORBA::wstring_dup(half);
    }
    return result._retn();
  }
  Streams::StepSeq* made_steps(CORBA::ULong count) override { return streaming::steps(count); }
  void refuse(CORBA::ULong count) override {
    Streams::NameSeq_var why = streaming::names(count, "because of that");
    throw Streams::Refused(why.in());
  }
  void post(const Streams::NameSeq& a) override { posted_ = static_cast<CORBA::Long>(a.length()); }
  CORBA::Long posted() override { return posted_; }

 private:
  std::atomic<CORBA::Long> posted_{-1};
};

}  // namespace streaming
