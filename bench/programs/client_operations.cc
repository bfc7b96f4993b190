#include "client_operations.h"

#include <map>
#include <stdexcept>

#include "samples_of_data.h"

namespace bench {

ClientOperations::ClientOperations(Bench::Calls_ptr calls) : calls_(calls) {
  text_ = make_text().c_str();
  set(struct_, 1);
  fill(structs_, struct_count);
}

ClientOperations::Operation ClientOperations::named(const std::string& name) {
  using C = ClientOperations;
  static const std::map<std::string, Operation> operations = {
      {"ping", &C::ping},
      {"echo_long", &C::echo_long},
      {"echo_string", &C::echo_string},
      {"string_in", &C::string_in},
      {"string_inout", &C::string_inout},
      {"string_out", &C::string_out},
      {"string_return", &C::string_return},
      {"push_struct", &C::push_struct},
      {"struct_inout", &C::struct_inout},
      {"struct_out", &C::struct_out},
      {"struct_return", &C::struct_return},
      {"structs_in", &C::structs_in},
      {"structs_inout", &C::structs_inout},
      {"structs_out", &C::structs_out},
      {"structs_return", &C::structs_return},
      {"octets_return", &C::octets_return},
      {"doubles_return", &C::doubles_return},
  };
  const auto found = operations.find(name);
  if (found == operations.end()) throw std::runtime_error("no operation " + name);
  return found->second;
}

void ClientOperations::ping() { calls_->ping(); }
void ClientOperations::echo_long() { long_ = calls_->echo_long(long_); }
void ClientOperations::echo_string() { text_back_ = calls_->echo_string(text_.in()); }
void ClientOperations::string_in() { calls_->string_in(text_.in()); }
void ClientOperations::string_inout() { calls_->string_inout(text_.inout()); }
void ClientOperations::string_out() { calls_->string_out(text_back_.out()); }
void ClientOperations::string_return() { text_back_ = calls_->string_return(); }
void ClientOperations::push_struct() { calls_->push_struct(struct_); }
void ClientOperations::struct_inout() { calls_->struct_inout(struct_); }
void ClientOperations::struct_out() { calls_->struct_out(struct_); }
void ClientOperations::struct_return() { struct_ = calls_->struct_return(); }
void ClientOperations::structs_in() { calls_->structs_in(structs_); }
void ClientOperations::structs_inout() { calls_->structs_inout(structs_); }
void ClientOperations::structs_out() { calls_->structs_out(structs_back_.out()); }
void ClientOperations::structs_return() { structs_back_ = calls_->structs_return(); }
void ClientOperations::octets_return() { octets_back_ = calls_->octets_return(large_count); }
void ClientOperations::doubles_return() { doubles_back_ = calls_->doubles_return(large_count / 8); }

}  // namespace bench
