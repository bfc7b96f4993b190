// Made by corbel-idl from programs.idl; do not edit.
#include "programs.skel.h"

#include <corbel/cpp/programs.h>

namespace corbel::cpp::programs {
namespace {

struct _Frame1 {
  CORBA::Long a;
  CORBA::Long b;
  CORBA::Long _result;
};

void _upcall1(void* _servant, void* _memory) {
  _Frame1& _frame = *static_cast<_Frame1*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->add(_frame.a, _frame.b);
}

struct _Frame2 {
  const char* a;
  char* b;
  char* _result;
};

void _upcall2(void* _servant, void* _memory) {
  _Frame2& _frame = *static_cast<_Frame2*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->text(_frame.a, _frame.b);
}

struct _Frame3 {
  ::Programs::Samples some;
  ::Programs::Named one;
  ::Programs::Samples* _result;
};

void _upcall3(void* _servant, void* _memory) {
  _Frame3& _frame = *static_cast<_Frame3*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->all(_frame.some, _frame.one);
}

struct _Frame4 {
  ::Programs::Either one;
  ::Programs::Tree a_tree;
  ::Programs::Either* _result;
};

void _upcall4(void* _servant, void* _memory) {
  _Frame4& _frame = *static_cast<_Frame4*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->choose(_frame.one, _frame.a_tree);
}

struct _Frame5 {
  CORBA::Long number;
};

void _upcall5(void* _servant, void* _memory) {
  _Frame5& _frame = *static_cast<_Frame5*>(_memory);
  static_cast<::POA_Programs::Calls*>(_servant)->note(_frame.number);
}

}  // namespace
}  // namespace corbel::cpp::programs

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
namespace corbel::cpp::programs {
namespace {

constexpr Type _skeletons_types[] = {
  {TypeOf<::Programs::Named>::put, TypeOf<::Programs::Named>::get, TypeOf<::Programs::Named>::construct,
      TypeOf<::Programs::Named>::destruct, nullptr, nullptr, sizeof(::Programs::Named)},
  {nullptr, nullptr, TypeOf<::Programs::Samples>::construct, TypeOf<::Programs::Samples>::destruct, nullptr,
      nullptr, sizeof(::Programs::Samples)},
  {TypeOf<::Programs::Either>::put, TypeOf<::Programs::Either>::get, TypeOf<::Programs::Either>::construct,
      TypeOf<::Programs::Either>::destruct, nullptr, nullptr, sizeof(::Programs::Either)},
  {TypeOf<::Programs::Tree>::put, TypeOf<::Programs::Tree>::get, TypeOf<::Programs::Tree>::construct,
      TypeOf<::Programs::Tree>::destruct, nullptr, nullptr, sizeof(::Programs::Tree)},
};

constexpr const char* _skeletons_exceptions[] = {
  "IDL:Programs/Refused:1.0",
};

constexpr File<233> _skeletons = {_skeletons_types, _skeletons_exceptions, {
  // 0: Programs::Calls::add
  CORBEL_W(0), CORBEL_W(sizeof(_Frame1)), Copied + 4 * 0, CORBEL_W(17), 1, CORBEL_W(0), Number4,
      CORBEL_W(offsetof(_Frame1, a)), Number4, CORBEL_W(offsetof(_Frame1, b)), End, Number4,
      CORBEL_W(offsetof(_Frame1, _result)), Number4, CORBEL_W(offsetof(_Frame1, b)), End,
  // 24: Programs::Calls::text
  CORBEL_W(24), CORBEL_W(sizeof(_Frame2)), Copied + 4 * 2, CORBEL_W(52), 0, CORBEL_W(0), FreeString,
      CORBEL_W(offsetof(_Frame2, b)), CORBEL_W(0), FreeString, CORBEL_W(offsetof(_Frame2, _result)),
      CORBEL_W(0), View, CORBEL_W(offsetof(_Frame2, a)), CORBEL_L(0u), End, Result,
      CORBEL_W(offsetof(_Frame2, _result)), CORBEL_L(0u), Result, CORBEL_W(offsetof(_Frame2, b)),
      CORBEL_L(0u), End,
  // 67: ::Programs::Sample, of fixed layout
  CORBEL_W(67), CORBEL_W(16), 7, Read + Gaps, CORBEL_W(14), 0, CORBEL_W(17), 255, 255, 0, 0, 255, 255, 255,
      255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255,
      255, 255, 255, 255, Number2, CORBEL_W(0), Number4, CORBEL_W(4), Number8, CORBEL_W(8), End,
  // 120: Programs::Calls::all
  CORBEL_W(120), CORBEL_W(sizeof(_Frame3)), Copied + 4 * 3, CORBEL_W(160), 0, CORBEL_W(0), FreeValue,
      CORBEL_W(offsetof(_Frame3, some)), CORBEL_W(1), FreeValue, CORBEL_W(offsetof(_Frame3, one)),
      CORBEL_W(0), FreeMade, CORBEL_W(offsetof(_Frame3, _result)), CORBEL_W(1), FlatViews,
      CORBEL_W(offsetof(_Frame3, some)), CORBEL_L(0u), CORBEL_W(67), Typed, CORBEL_W(offsetof(_Frame3, one)),
      CORBEL_W(0), End, Base, CORBEL_W(offsetof(_Frame3, _result)), Flats, CORBEL_W(0), CORBEL_L(0u),
      CORBEL_W(67), End,
  // 173: Programs::Calls::choose
  CORBEL_W(173), CORBEL_W(sizeof(_Frame4)), Copied + 4 * 3, CORBEL_W(209), 0, CORBEL_W(0), FreeValue,
      CORBEL_W(offsetof(_Frame4, one)), CORBEL_W(2), FreeValue, CORBEL_W(offsetof(_Frame4, a_tree)),
      CORBEL_W(3), FreeMade, CORBEL_W(offsetof(_Frame4, _result)), CORBEL_W(2), Typed,
      CORBEL_W(offsetof(_Frame4, one)), CORBEL_W(2), Typed, CORBEL_W(offsetof(_Frame4, a_tree)), CORBEL_W(3),
      End, Base, CORBEL_W(offsetof(_Frame4, _result)), Typed, CORBEL_W(0), CORBEL_W(2), End,
  // 218: Programs::Calls::note
  CORBEL_W(218), CORBEL_W(sizeof(_Frame5)), Copied + 4 * 0, CORBEL_W(232), 0, CORBEL_W(0), Number4,
      CORBEL_W(offsetof(_Frame5, number)), End, End,
}};

}  // namespace
}  // namespace corbel::cpp::programs
#pragma GCC diagnostic pop

[[gnu::noinline]] void POA_Programs::Calls::_skel_ping(Calls& _servant, corbel::cpp::Upcall&) {
  _servant.ping();
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_add(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall1,
      corbel::cpp::programs::_skeletons.octets + 0);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_text(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall2,
      corbel::cpp::programs::_skeletons.octets + 24);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_all(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall3,
      corbel::cpp::programs::_skeletons.octets + 120);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_choose(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall4,
      corbel::cpp::programs::_skeletons.octets + 173);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_note(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall5,
      corbel::cpp::programs::_skeletons.octets + 218);
}

::Programs::Calls_ptr POA_Programs::Calls::_this() {
  return corbel::cpp::servant_this<::Programs::Calls>(this);
}

const char* POA_Programs::Calls::_interface_repository_id() const { return ::Programs::Calls::_corbel_id; }

CORBA::Boolean POA_Programs::Calls::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Programs::Calls::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

void POA_Programs::Calls::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 3:
      switch (corbel::cpp::name_word(name, 3)) {
        case corbel::cpp::name_word("add", 3):
          if (corbel::cpp::same_name(name, "add"))
            return ::POA_Programs::Calls::_skel_add(*this, call);
          break;
        case corbel::cpp::name_word("all", 3):
          if (corbel::cpp::same_name(name, "all"))
            return ::POA_Programs::Calls::_skel_all(*this, call);
          break;
      }
      break;
    case 4:
      switch (corbel::cpp::name_word(name, 4)) {
        case corbel::cpp::name_word("note", 4):
          if (corbel::cpp::same_name(name, "note"))
            return ::POA_Programs::Calls::_skel_note(*this, call);
          break;
        case corbel::cpp::name_word("ping", 4):
          if (corbel::cpp::same_name(name, "ping"))
            return ::POA_Programs::Calls::_skel_ping(*this, call);
          break;
        case corbel::cpp::name_word("text", 4):
          if (corbel::cpp::same_name(name, "text"))
            return ::POA_Programs::Calls::_skel_text(*this, call);
          break;
      }
      break;
    case 6:
      if (corbel::cpp::same_name(name, "choose"))
        return ::POA_Programs::Calls::_skel_choose(*this, call);
      break;
  }
  unknown_operation(call);
}

corbel::core::CollocatedServant POA_Programs::Calls::_corbel_collocated(const char* interface) {
  return PortableServer::ServantBase::_corbel_collocated(interface);
}
