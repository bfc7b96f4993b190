// The servant of all measurements: does nothing but count, and gives back what the passing mode asks for.
#pragma once

#include <atomic>
#include <cstdint>

#include "orb_api.h"
#include "support.h"

class CallsServant : public POA_Bench::Calls {
 public:
  explicit CallsServant(CORBA::ORB_ptr orb);

  // Read after the ORB is down.
  const bench::AllocationWindow& window() const { return window_; }

  void send_octet(const Bench::OctetSeq& data) override;
  void send_char(const Bench::CharSeq& data) override;
  void send_short(const Bench::ShortSeq& data) override;
  void send_long(const Bench::LongSeq& data) override;
  void send_double(const Bench::DoubleSeq& data) override;
  void send_struct(const Bench::StructSeq& data) override;
  void push_octet(const Bench::OctetSeq& data) override;
  void push_char(const Bench::CharSeq& data) override;
  void push_short(const Bench::ShortSeq& data) override;
  void push_long(const Bench::LongSeq& data) override;
  void push_double(const Bench::DoubleSeq& data) override;
  void push_structs(const Bench::StructSeq& data) override;
  void push_records(const Bench::RecordSeq& data) override;
  CORBA::ULongLong received() override;

  void ping() override;
  CORBA::Long echo_long(CORBA::Long value) override;
  char* echo_string(const char* text) override;
  void string_in(const char* text) override;
  void string_inout(char*& text) override;
  void string_out(CORBA::String_out text) override;
  char* string_return() override;
  void push_struct(const Bench::BinStruct& value) override;
  void struct_inout(Bench::BinStruct& value) override;
  void struct_out(Bench::BinStruct& value) override;
  Bench::BinStruct struct_return() override;
  void structs_in(const Bench::StructSeq& values) override;
  void structs_inout(Bench::StructSeq& values) override;
  void structs_out(Bench::StructSeq_out values) override;
  Bench::StructSeq* structs_return() override;
  Bench::OctetSeq* octets_return(CORBA::ULong count) override;
  Bench::DoubleSeq* doubles_return(CORBA::ULong count) override;
  void stop() override;

 private:
  template <class Sequence>
  void count(const Sequence& data);
  void count_all(const Bench::StructSeq& data);

  CORBA::ORB_var orb_;
  std::atomic<std::uint64_t> received_{0};
  std::atomic<CORBA::Long> sum_{0};  // so that every element is looked at
  // Written by one connection's calls, which follow each other.
  bench::AllocationWindow window_;
  CORBA::String_var text_;
  Bench::StructSeq structs_;
  Bench::OctetSeq octets_;
  Bench::DoubleSeq doubles_;
};
