// Made by corbel-idl from hybrid.idl; do not edit.
#include "hybrid.skel.h"

#include <corbel/cpp/programs.h>

namespace corbel::cpp::programs {
namespace {

struct _Frame1 {
  const char* name;
  corbel::cpp::UnboundedSequence<CORBA::Long> numbers;
  ::Hybrid::Named* _result;
};

void _upcall1(void* _servant, void* _memory) {
  _Frame1& _frame = *static_cast<_Frame1*>(_memory);
  _frame._result = static_cast<::POA_Hybrid::Calls*>(_servant)->look(_frame.name, _frame.numbers);
}

}  // namespace
}  // namespace corbel::cpp::programs

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
namespace corbel::cpp::programs {
namespace {

constexpr Type _skeletons_types[] = {
  {TypeOf<::Hybrid::Named>::put, TypeOf<::Hybrid::Named>::get, TypeOf<::Hybrid::Named>::construct,
      TypeOf<::Hybrid::Named>::destruct, nullptr, nullptr, sizeof(::Hybrid::Named)},
  {nullptr, nullptr, TypeOf<corbel::cpp::UnboundedSequence<CORBA::Long>>::construct,
      TypeOf<corbel::cpp::UnboundedSequence<CORBA::Long>>::destruct, nullptr, nullptr,
      sizeof(corbel::cpp::UnboundedSequence<CORBA::Long>)},
};

constexpr File<44> _skeletons = {_skeletons_types, nullptr, {
  // 0: Hybrid::Calls::look
  CORBEL_W(0), CORBEL_W(sizeof(_Frame1)), Copied + 4 * 2, CORBEL_W(35), 0, CORBEL_W(0), FreeValue,
      CORBEL_W(offsetof(_Frame1, numbers)), CORBEL_W(1), FreeMade, CORBEL_W(offsetof(_Frame1, _result)),
      CORBEL_W(0), View, CORBEL_W(offsetof(_Frame1, name)), CORBEL_L(0u), Views4, CORBEL_W(offsetof(_Frame1,
      numbers)), CORBEL_L(0u), End, Base, CORBEL_W(offsetof(_Frame1, _result)), Typed, CORBEL_W(0),
      CORBEL_W(0), End,
}};

}  // namespace
}  // namespace corbel::cpp::programs
#pragma GCC diagnostic pop

[[gnu::noinline]] void POA_Hybrid::Calls::_skel_ping(Calls& _servant, corbel::cpp::Upcall&) {
  _servant.ping();
}

[[gnu::noinline]] void POA_Hybrid::Calls::_skel_look(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall1,
      corbel::cpp::programs::_skeletons.octets + 0);
}

::Hybrid::Calls_ptr POA_Hybrid::Calls::_this() { return corbel::cpp::servant_this<::Hybrid::Calls>(this); }

const char* POA_Hybrid::Calls::_interface_repository_id() const { return ::Hybrid::Calls::_corbel_id; }

CORBA::Boolean POA_Hybrid::Calls::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Hybrid::Calls::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

void POA_Hybrid::Calls::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 4:
      switch (corbel::cpp::name_word(name, 4)) {
        case corbel::cpp::name_word("look", 4):
          if (corbel::cpp::same_name(name, "look"))
            return ::POA_Hybrid::Calls::_skel_look(*this, call);
          break;
        case corbel::cpp::name_word("ping", 4):
          if (corbel::cpp::same_name(name, "ping"))
            return ::POA_Hybrid::Calls::_skel_ping(*this, call);
          break;
      }
      break;
  }
  unknown_operation(call);
}

corbel::core::CollocatedServant POA_Hybrid::Calls::_corbel_collocated(const char* interface) {
  return PortableServer::ServantBase::_corbel_collocated(interface);
}
