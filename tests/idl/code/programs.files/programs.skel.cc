// Made by corbel-idl from programs.idl; do not edit.
#include "programs.skel.h"

#include <corbel/cpp/programs.h>

namespace {

constexpr corbel::cpp::KnownBox _request_boxes[] = {
  {::Programs::Label::_corbel_value_type.id, ::Programs::Label::_corbel_maker()},
};

}  // namespace


namespace corbel::cpp::programs {
namespace {

struct _Frame0 {
  char* _result;
};

void _upcall0(void* _servant, void* _memory) {
  _Frame0& _frame = *static_cast<_Frame0*>(_memory);
  _frame._result = static_cast<::POA_Programs::Described*>(_servant)->describe();
}

struct _Frame2 {
  CORBA::Long a;
  CORBA::Long b;
  CORBA::Long _result;
};

void _upcall2(void* _servant, void* _memory) {
  _Frame2& _frame = *static_cast<_Frame2*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->add(_frame.a, _frame.b);
}

struct _Frame3 {
  const char* a;
  char* b;
  char* _result;
};

void _upcall3(void* _servant, void* _memory) {
  _Frame3& _frame = *static_cast<_Frame3*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->text(_frame.a, _frame.b);
}

struct _Frame4 {
  ::Programs::Samples some;
  ::Programs::Named one;
  ::Programs::Samples* _result;
};

void _upcall4(void* _servant, void* _memory) {
  _Frame4& _frame = *static_cast<_Frame4*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->all(_frame.some, _frame.one);
}

struct _Frame5 {
  ::Programs::Either one;
  ::Programs::Tree a_tree;
  ::Programs::Either* _result;
};

void _upcall5(void* _servant, void* _memory) {
  _Frame5& _frame = *static_cast<_Frame5*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->choose(_frame.one, _frame.a_tree);
}

struct _Frame6 {
  CORBA::Long number;
};

void _upcall6(void* _servant, void* _memory) {
  _Frame6& _frame = *static_cast<_Frame6*>(_memory);
  static_cast<::POA_Programs::Calls*>(_servant)->note(_frame.number);
}

struct _Frame7 {
  CORBA::Any a;
  ::Programs::Node* b;
  ::Programs::Described* c;
  CORBA::Any* _result;
};

void _upcall7(void* _servant, void* _memory) {
  _Frame7& _frame = *static_cast<_Frame7*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->pass(_frame.a, _frame.b, _frame.c);
}

struct _Frame8 {
  ::Programs::Holder a;
  ::Programs::Content b;
  ::Programs::Label* c;
  CORBA::TypeCode* d;
  ::Programs::Holders* _result;
};

void _upcall8(void* _servant, void* _memory) {
  _Frame8& _frame = *static_cast<_Frame8*>(_memory);
  _frame._result = static_cast<::POA_Programs::Calls*>(_servant)->keep(_frame.a, _frame.b, _frame.c,
      _frame.d);
}

struct _Frame9 {
  CORBA::Long a;
  CORBA::Context* _ctx;
};

void _upcall9(void* _servant, void* _memory) {
  _Frame9& _frame = *static_cast<_Frame9*>(_memory);
  static_cast<::POA_Programs::Calls*>(_servant)->told(_frame.a, _frame._ctx);
}

struct _Frame10 {
  CORBA::Any what;
};

void _upcall10(void* _servant, void* _memory) {
  _Frame10& _frame = *static_cast<_Frame10*>(_memory);
  static_cast<::POA_Programs::Calls*>(_servant)->remark(_frame.what);
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
  {ScopeOf<_request_boxes>::put, ScopeOf<_request_boxes>::get, nullptr, nullptr, nullptr, nullptr, 0},
  {TypeOf<CORBA::Any>::put, TypeOf<CORBA::Any>::get, TypeOf<CORBA::Any>::construct,
      TypeOf<CORBA::Any>::destruct, nullptr, nullptr, sizeof(CORBA::Any)},
  {ValueOf<::Programs::Node>::put, ValueOf<::Programs::Node>::get, nullptr,
      ValueOf<::Programs::Node>::destruct, nullptr, nullptr, 0},
  {AbstractOf<::Programs::Described>::put, AbstractOf<::Programs::Described>::get, nullptr,
      AbstractOf<::Programs::Described>::destruct, nullptr, nullptr, 0},
  {TypeOf<::Programs::Holder>::put, TypeOf<::Programs::Holder>::get, TypeOf<::Programs::Holder>::construct,
      TypeOf<::Programs::Holder>::destruct, nullptr, nullptr, sizeof(::Programs::Holder)},
  {TypeOf<::Programs::Content>::put, TypeOf<::Programs::Content>::get,
      TypeOf<::Programs::Content>::construct, TypeOf<::Programs::Content>::destruct, nullptr, nullptr,
      sizeof(::Programs::Content)},
  {ValueOf<::Programs::Label>::put, ValueOf<::Programs::Label>::get, nullptr,
      ValueOf<::Programs::Label>::destruct, nullptr, nullptr, 0},
  {TypeCodeOf<CORBA::TypeCode>::put, TypeCodeOf<CORBA::TypeCode>::get, nullptr,
      TypeCodeOf<CORBA::TypeCode>::destruct, nullptr, nullptr, 0},
  {TypeOf<::Programs::Holders>::put, TypeOf<::Programs::Holders>::get,
      TypeOf<::Programs::Holders>::construct, TypeOf<::Programs::Holders>::destruct, nullptr, nullptr,
      sizeof(::Programs::Holders)},
  {nullptr, ReadContext<CORBA::Context>::get, nullptr, ReadContext<CORBA::Context>::destruct, nullptr,
      nullptr, 0},
};

constexpr const char* _skeletons_exceptions[] = {
  "IDL:Programs/Refused:1.0",
  "IDL:Programs/Torn:1.0",
};

constexpr File<444> _skeletons = {_skeletons_types, _skeletons_exceptions, {
  // 0: Programs::Described::describe
  CORBEL_W(0), CORBEL_W(sizeof(_Frame0)), Copied + 4 * 1, CORBEL_W(16), 0, CORBEL_W(0), FreeString,
      CORBEL_W(offsetof(_Frame0, _result)), CORBEL_W(0), End, Result, CORBEL_W(offsetof(_Frame0, _result)),
      CORBEL_L(0u), End,
  // 24: Programs::Calls::add
  CORBEL_W(24), CORBEL_W(sizeof(_Frame2)), Copied + 4 * 0, CORBEL_W(41), 1, CORBEL_W(0), Number4,
      CORBEL_W(offsetof(_Frame2, a)), Number4, CORBEL_W(offsetof(_Frame2, b)), End, Number4,
      CORBEL_W(offsetof(_Frame2, _result)), Number4, CORBEL_W(offsetof(_Frame2, b)), End,
  // 48: Programs::Calls::text
  CORBEL_W(48), CORBEL_W(sizeof(_Frame3)), Copied + 4 * 2, CORBEL_W(76), 0, CORBEL_W(0), FreeString,
      CORBEL_W(offsetof(_Frame3, b)), CORBEL_W(0), FreeString, CORBEL_W(offsetof(_Frame3, _result)),
      CORBEL_W(0), View, CORBEL_W(offsetof(_Frame3, a)), CORBEL_L(0u), End, Result,
      CORBEL_W(offsetof(_Frame3, _result)), CORBEL_L(0u), Result, CORBEL_W(offsetof(_Frame3, b)),
      CORBEL_L(0u), End,
  // 91: ::Programs::Sample, of fixed layout
  CORBEL_W(91), CORBEL_W(16), 7, Read + Gaps, CORBEL_W(14), 0, CORBEL_W(17), 255, 255, 0, 0, 255, 255, 255,
      255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255,
      255, 255, 255, 255, Number2, CORBEL_W(0), Number4, CORBEL_W(4), Number8, CORBEL_W(8), End,
  // 144: Programs::Calls::all
  CORBEL_W(144), CORBEL_W(sizeof(_Frame4)), Copied + 4 * 3, CORBEL_W(184), 0, CORBEL_W(0), FreeValue,
      CORBEL_W(offsetof(_Frame4, some)), CORBEL_W(1), FreeValue, CORBEL_W(offsetof(_Frame4, one)),
      CORBEL_W(0), FreeMade, CORBEL_W(offsetof(_Frame4, _result)), CORBEL_W(1), FlatViews,
      CORBEL_W(offsetof(_Frame4, some)), CORBEL_L(0u), CORBEL_W(91), Typed, CORBEL_W(offsetof(_Frame4, one)),
      CORBEL_W(0), End, Base, CORBEL_W(offsetof(_Frame4, _result)), Flats, CORBEL_W(0), CORBEL_L(0u),
      CORBEL_W(91), End,
  // 197: Programs::Calls::choose
  CORBEL_W(197), CORBEL_W(sizeof(_Frame5)), Copied + 4 * 3, CORBEL_W(233), 0, CORBEL_W(0), FreeValue,
      CORBEL_W(offsetof(_Frame5, one)), CORBEL_W(2), FreeValue, CORBEL_W(offsetof(_Frame5, a_tree)),
      CORBEL_W(3), FreeMade, CORBEL_W(offsetof(_Frame5, _result)), CORBEL_W(2), Typed,
      CORBEL_W(offsetof(_Frame5, one)), CORBEL_W(2), Typed, CORBEL_W(offsetof(_Frame5, a_tree)), CORBEL_W(3),
      End, Base, CORBEL_W(offsetof(_Frame5, _result)), Typed, CORBEL_W(0), CORBEL_W(2), End,
  // 242: Programs::Calls::note
  CORBEL_W(242), CORBEL_W(sizeof(_Frame6)), Copied + 4 * 0, CORBEL_W(256), 0, CORBEL_W(0), Number4,
      CORBEL_W(offsetof(_Frame6, number)), End, End,
  // 257: Programs::Calls::pass
  CORBEL_W(257), CORBEL_W(sizeof(_Frame7)), Copied + 4 * 4, CORBEL_W(301), 1, CORBEL_W(1), FreeValue,
      CORBEL_W(offsetof(_Frame7, a)), CORBEL_W(5), FreeMade, CORBEL_W(offsetof(_Frame7, b)), CORBEL_W(6),
      FreeMade, CORBEL_W(offsetof(_Frame7, c)), CORBEL_W(7), FreeMade, CORBEL_W(offsetof(_Frame7, _result)),
      CORBEL_W(5), Scope, CORBEL_W(4), Typed, CORBEL_W(offsetof(_Frame7, a)), CORBEL_W(5), Typed,
      CORBEL_W(offsetof(_Frame7, b)), CORBEL_W(6), End, Scope, CORBEL_W(4), Base, CORBEL_W(offsetof(_Frame7,
      _result)), Typed, CORBEL_W(0), CORBEL_W(5), Typed, CORBEL_W(offsetof(_Frame7, b)), CORBEL_W(6), Typed,
      CORBEL_W(offsetof(_Frame7, c)), CORBEL_W(7), End,
  // 323: Programs::Calls::keep
  CORBEL_W(323), CORBEL_W(sizeof(_Frame8)), Copied + 4 * 5, CORBEL_W(382), 0, CORBEL_W(0), FreeValue,
      CORBEL_W(offsetof(_Frame8, a)), CORBEL_W(8), FreeValue, CORBEL_W(offsetof(_Frame8, b)), CORBEL_W(9),
      FreeMade, CORBEL_W(offsetof(_Frame8, c)), CORBEL_W(10), FreeMade, CORBEL_W(offsetof(_Frame8, d)),
      CORBEL_W(11), FreeMade, CORBEL_W(offsetof(_Frame8, _result)), CORBEL_W(12), Scope, CORBEL_W(4), Typed,
      CORBEL_W(offsetof(_Frame8, a)), CORBEL_W(8), Typed, CORBEL_W(offsetof(_Frame8, b)), CORBEL_W(9), Typed,
      CORBEL_W(offsetof(_Frame8, c)), CORBEL_W(10), Typed, CORBEL_W(offsetof(_Frame8, d)), CORBEL_W(11), End,
      Scope, CORBEL_W(4), Base, CORBEL_W(offsetof(_Frame8, _result)), Typed, CORBEL_W(0), CORBEL_W(12), End,
  // 394: Programs::Calls::told
  CORBEL_W(394), CORBEL_W(sizeof(_Frame9)), Copied + 4 * 1, CORBEL_W(418), 0, CORBEL_W(0), FreeMade,
      CORBEL_W(offsetof(_Frame9, _ctx)), CORBEL_W(13), Number4, CORBEL_W(offsetof(_Frame9, a)), Typed,
      CORBEL_W(offsetof(_Frame9, _ctx)), CORBEL_W(13), End, End,
  // 419: Programs::Calls::remark
  CORBEL_W(419), CORBEL_W(sizeof(_Frame10)), Copied + 4 * 1, CORBEL_W(443), 0, CORBEL_W(0), FreeValue,
      CORBEL_W(offsetof(_Frame10, what)), CORBEL_W(5), Scope, CORBEL_W(4), Typed, CORBEL_W(offsetof(_Frame10,
      what)), CORBEL_W(5), End, End,
}};

}  // namespace
}  // namespace corbel::cpp::programs
#pragma GCC diagnostic pop

[[gnu::noinline]] void POA_Programs::Described::_skel_describe(Described& _servant,
    corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall0,
      corbel::cpp::programs::_skeletons.octets + 0);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_ping(Calls& _servant, corbel::cpp::Upcall&) {
  _servant.ping();
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_add(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall2,
      corbel::cpp::programs::_skeletons.octets + 24);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_text(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall3,
      corbel::cpp::programs::_skeletons.octets + 48);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_all(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall4,
      corbel::cpp::programs::_skeletons.octets + 144);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_choose(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall5,
      corbel::cpp::programs::_skeletons.octets + 197);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_note(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall6,
      corbel::cpp::programs::_skeletons.octets + 242);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_pass(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall7,
      corbel::cpp::programs::_skeletons.octets + 257);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_keep(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall8,
      corbel::cpp::programs::_skeletons.octets + 323);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_told(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall9,
      corbel::cpp::programs::_skeletons.octets + 394);
}

[[gnu::noinline]] void POA_Programs::Calls::_skel_remark(Calls& _servant, corbel::cpp::Upcall& _call) {
  corbel::cpp::programs::serve(&_servant, _call, corbel::cpp::programs::_upcall10,
      corbel::cpp::programs::_skeletons.octets + 419);
}

const char* POA_Programs::Described::_interface_repository_id() const {
  return ::Programs::Described::_corbel_id;
}

CORBA::Boolean POA_Programs::Described::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Programs::Described::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

::Programs::Calls_ptr POA_Programs::Calls::_this() {
  return corbel::cpp::servant_this<::Programs::Calls>(this);
}

const char* POA_Programs::Calls::_interface_repository_id() const { return ::Programs::Calls::_corbel_id; }

CORBA::Boolean POA_Programs::Calls::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Programs::Calls::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

void POA_Programs::Described::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 8:
      if (corbel::cpp::same_name(name, "describe"))
        return ::POA_Programs::Described::_skel_describe(*this, call);
      break;
  }
  unknown_operation(call);
}

corbel::core::CollocatedServant POA_Programs::Described::_corbel_collocated(const char* interface) {
  return PortableServer::ServantBase::_corbel_collocated(interface);
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
        case corbel::cpp::name_word("keep", 4):
          if (corbel::cpp::same_name(name, "keep"))
            return ::POA_Programs::Calls::_skel_keep(*this, call);
          break;
        case corbel::cpp::name_word("note", 4):
          if (corbel::cpp::same_name(name, "note"))
            return ::POA_Programs::Calls::_skel_note(*this, call);
          break;
        case corbel::cpp::name_word("pass", 4):
          if (corbel::cpp::same_name(name, "pass"))
            return ::POA_Programs::Calls::_skel_pass(*this, call);
          break;
        case corbel::cpp::name_word("ping", 4):
          if (corbel::cpp::same_name(name, "ping"))
            return ::POA_Programs::Calls::_skel_ping(*this, call);
          break;
        case corbel::cpp::name_word("text", 4):
          if (corbel::cpp::same_name(name, "text"))
            return ::POA_Programs::Calls::_skel_text(*this, call);
          break;
        case corbel::cpp::name_word("told", 4):
          if (corbel::cpp::same_name(name, "told"))
            return ::POA_Programs::Calls::_skel_told(*this, call);
          break;
      }
      break;
    case 6:
      switch (corbel::cpp::name_word(name, 6)) {
        case corbel::cpp::name_word("choose", 6):
          if (corbel::cpp::same_name(name, "choose"))
            return ::POA_Programs::Calls::_skel_choose(*this, call);
          break;
        case corbel::cpp::name_word("remark", 6):
          if (corbel::cpp::same_name(name, "remark"))
            return ::POA_Programs::Calls::_skel_remark(*this, call);
          break;
      }
      break;
  }
  unknown_operation(call);
}

corbel::core::CollocatedServant POA_Programs::Calls::_corbel_collocated(const char* interface) {
  return PortableServer::ServantBase::_corbel_collocated(interface);
}
