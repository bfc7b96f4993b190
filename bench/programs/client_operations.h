// The small operations by name, with the arguments of each made beforehand, so that a loop over them
// allocates nothing of its own.
#pragma once

#include <string>

#include "orb_api.h"

namespace bench {

// Belongs to one thread.
class ClientOperations {
 public:
  explicit ClientOperations(Bench::Calls_ptr calls);
  ClientOperations(const ClientOperations&) = delete;
  ClientOperations& operator=(const ClientOperations&) = delete;

  using Operation = void (ClientOperations::*)();
  // Throws std::runtime_error for a name that the interface does not have.
  static Operation named(const std::string& name);

  void ping();
  void echo_long();
  void echo_string();
  void string_in();
  void string_inout();
  void string_out();
  void string_return();
  void push_struct();
  void struct_inout();
  void struct_out();
  void struct_return();
  void structs_in();
  void structs_inout();
  void structs_out();
  void structs_return();
  void octets_return();
  void doubles_return();

 private:
  Bench::Calls_ptr calls_;
  CORBA::Long long_ = 1;
  CORBA::String_var text_;
  CORBA::String_var text_back_;
  Bench::BinStruct struct_{};
  Bench::StructSeq structs_;
  Bench::StructSeq_var structs_back_;
  Bench::OctetSeq_var octets_back_;
  Bench::DoubleSeq_var doubles_back_;
};

}  // namespace bench
