#include "calls_servant.h"

#include "samples_of_data.h"

CallsServant::CallsServant(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {
  text_ = bench::make_text().c_str();
  bench::fill(structs_, bench::struct_count);
}

template <class Sequence>
void CallsServant::count(const Sequence& data) {
  received_.fetch_add(bench::payload_size(data), std::memory_order_relaxed);
}

void CallsServant::count_all(const Bench::StructSeq& data) {
  CORBA::ULong sum = 0;
  for (CORBA::ULong i = 0; i < data.length(); ++i) sum += static_cast<CORBA::ULong>(data[i].l);
  sum_.fetch_add(static_cast<CORBA::Long>(sum), std::memory_order_relaxed);
  count(data);
}

void CallsServant::send_octet(const Bench::OctetSeq& data) { count(data); }
void CallsServant::send_char(const Bench::CharSeq& data) { count(data); }
void CallsServant::send_short(const Bench::ShortSeq& data) { count(data); }
void CallsServant::send_long(const Bench::LongSeq& data) { count(data); }
void CallsServant::send_double(const Bench::DoubleSeq& data) { count(data); }
void CallsServant::send_struct(const Bench::StructSeq& data) { count_all(data); }
void CallsServant::push_octet(const Bench::OctetSeq& data) { count(data); }
void CallsServant::push_char(const Bench::CharSeq& data) { count(data); }
void CallsServant::push_short(const Bench::ShortSeq& data) { count(data); }
void CallsServant::push_long(const Bench::LongSeq& data) { count(data); }
void CallsServant::push_double(const Bench::DoubleSeq& data) { count(data); }
void CallsServant::push_structs(const Bench::StructSeq& data) { count_all(data); }
void CallsServant::push_records(const Bench::RecordSeq& data) { count(data); }
CORBA::ULongLong CallsServant::received() { return received_.load(std::memory_order_relaxed); }

void CallsServant::ping() { window_.call_done(); }

CORBA::Long CallsServant::echo_long(CORBA::Long value) {
  window_.call_done();
  return value;
}

char* CallsServant::echo_string(const char* text) {
  window_.call_done();
  return CORBA::string_dup(text);
}

void CallsServant::string_in(const char*) { window_.call_done(); }
void CallsServant::string_inout(char*&) { window_.call_done(); }

void CallsServant::string_out(CORBA::String_out text) {
  window_.call_done();
  text = CORBA::string_dup(text_.in());
}

char* CallsServant::string_return() {
  window_.call_done();
  return CORBA::string_dup(text_.in());
}

void CallsServant::push_struct(const Bench::BinStruct&) { window_.call_done(); }
void CallsServant::struct_inout(Bench::BinStruct&) { window_.call_done(); }

void CallsServant::struct_out(Bench::BinStruct& value) {
  window_.call_done();
  value = structs_[0];
}

Bench::BinStruct CallsServant::struct_return() {
  window_.call_done();
  return structs_[0];
}

void CallsServant::structs_in(const Bench::StructSeq&) { window_.call_done(); }
void CallsServant::structs_inout(Bench::StructSeq&) { window_.call_done(); }

void CallsServant::structs_out(Bench::StructSeq_out values) {
  window_.call_done();
  values = new Bench::StructSeq(structs_);
}

Bench::StructSeq* CallsServant::structs_return() {
  window_.call_done();
  return new Bench::StructSeq(structs_);
}

// Sequences that do not own the memory: what the caller gets is made by the ORB alone.
Bench::OctetSeq* CallsServant::octets_return(CORBA::ULong count) {
  window_.call_done();
  if (octets_.length() != count) bench::fill(octets_, count);
  return new Bench::OctetSeq(count, count, octets_.get_buffer(), false);
}

Bench::DoubleSeq* CallsServant::doubles_return(CORBA::ULong count) {
  window_.call_done();
  if (doubles_.length() != count) bench::fill(doubles_, count);
  return new Bench::DoubleSeq(count, count, doubles_.get_buffer(), false);
}

void CallsServant::stop() { orb_->shutdown(false); }
