// Made by corbel-idl from shapes.idl; do not edit.
#include "shapes.skel.h"

::Scope_ptr POA_Scope::_this() { return corbel::cpp::servant_this<::Scope>(this); }

const char* POA_Scope::_interface_repository_id() const { return ::Scope::_corbel_id; }

CORBA::Boolean POA_Scope::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Scope::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

void POA_Scope::_skel_measure(POA_Scope& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  ::Sample last;
  if (!corbel::cdr::unmarshal(_in, last)) corbel::cpp::bad_arguments();
  ::Point where{};
  const char* _from = _in.chunk<2>(4);
  if (!_from) corbel::cpp::bad_arguments();
  where.x = corbel::cdr::load<CORBA::Short>(_from, _in.swap());
  where.y = corbel::cdr::load<CORBA::Short>(_from + 2, _in.swap());
  ::Sample _result = _servant.measure(last, where);
  corbel::cdr::Encoder& _out = _call.results_in_place();
  corbel::cdr::marshal(_out, _result);
  _call.send();
}

void POA_Scope::_skel_show(POA_Scope& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  std::uint32_t _pixels_length;
  if (!_in.get_length(_pixels_length, 12)) corbel::cpp::bad_arguments();
  ::Pixel* const _pixels_data = corbel::cpp::get_struct_view<::Pixel>(_in, _pixels_length);
  if (!_pixels_data) corbel::cpp::bad_arguments();
  const ::Image pixels(_pixels_length, _pixels_length, _pixels_data, false);
  _servant.show(pixels);
}

void POA_Scope::_skel_swap(POA_Scope& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  ::Row a;
  for (std::size_t _i = 0; _i < 2; ++_i) {
    for (std::size_t _i2 = 0; _i2 < 3; ++_i2) {
      if (!corbel::cdr::unmarshal(_in, a[_i][_i2])) corbel::cpp::bad_arguments();
    }
  }
  ::Shape b;
  if (!corbel::cdr::unmarshal(_in, b)) corbel::cpp::bad_arguments();
  ::Row_var _result = _servant.swap(a, b);
  if (!_result.ptr()) corbel::cpp::null_result();
  corbel::cdr::Encoder& _out = _call.results();
  for (std::size_t _i = 0; _i < 2; ++_i) {
    for (std::size_t _i2 = 0; _i2 < 3; ++_i2) {
      corbel::cdr::marshal(_out, _result.in()[_i][_i2]);
    }
  }
  corbel::cdr::marshal(_out, b);
}

void POA_Scope::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 4:
      switch (corbel::cpp::name_word(name, 4)) {
        case corbel::cpp::name_word("show", 4):
          if (corbel::cpp::same_name(name, "show"))
            return ::POA_Scope::_skel_show(*this, call);
          break;
        case corbel::cpp::name_word("swap", 4):
          if (corbel::cpp::same_name(name, "swap"))
            return ::POA_Scope::_skel_swap(*this, call);
          break;
      }
      break;
    case 7:
      if (corbel::cpp::same_name(name, "measure"))
        return ::POA_Scope::_skel_measure(*this, call);
      break;
  }
  unknown_operation(call);
}

corbel::core::CollocatedServant POA_Scope::_corbel_collocated(const char* interface) {
  return PortableServer::ServantBase::_corbel_collocated(interface);
}
