// Made by corbel-idl from hybrid.idl; do not edit.
#pragma once

#include <corbel/corba.h>

// options: --stubs=hybrid --no-any
// Operations are programs, types are code.
namespace Hybrid {

struct Named {
  corbel::cpp::StringMember name;
  CORBA::Long number;
};
typedef corbel::cpp::VariableVar<Named> Named_var;
typedef corbel::cpp::VariableOut<Named, Named_var> Named_out;

class Calls;
typedef Calls* Calls_ptr;
typedef corbel::cpp::ObjectVar<Calls> Calls_var;
typedef corbel::cpp::ObjectOut<Calls> Calls_out;
class Calls : public virtual CORBA::Object {
 public:
  typedef Calls_ptr _ptr_type;
  typedef Calls_var _var_type;
  static constexpr const char* _corbel_id = "IDL:Hybrid/Calls:1.0";
  static Calls_ptr _duplicate(Calls_ptr object) { return corbel::cpp::duplicate(object); }
  static Calls_ptr _narrow(CORBA::Object_ptr object);
  static Calls_ptr _unchecked_narrow(CORBA::Object_ptr object);
  static Calls_ptr _nil() { return nullptr; }

  void ping();
  ::Hybrid::Named* look(const char* name, const corbel::cpp::UnboundedSequence<CORBA::Long>& numbers);

  explicit Calls(corbel::core::Reference* reference) : CORBA::Object(reference) {}
  void* _corbel_widen(const char* repository_id) override;

 protected:
  Calls() = default;

 private:
  corbel::core::CollocatedSlot _corbel_collocated;
};

}  // namespace Hybrid

namespace corbel::cdr {

void marshal(Encoder& out, const ::Hybrid::Named& value);
bool unmarshal(Decoder& in, ::Hybrid::Named& value);

}  // namespace corbel::cdr
