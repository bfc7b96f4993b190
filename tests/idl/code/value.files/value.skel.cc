// Made by corbel-idl from value.idl; do not edit.
#include "value.skel.h"

::Shop::Till_ptr POA_Shop::Till::_this() { return corbel::cpp::servant_this<::Shop::Till>(this); }

const char* POA_Shop::Till::_interface_repository_id() const { return ::Shop::Till::_corbel_id; }

CORBA::Boolean POA_Shop::Till::_is_a(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, ::Shop::Till::_corbel_id) ||
      corbel::cpp::same_id(repository_id, CORBA::Object::_corbel_id);
}

namespace {

constexpr corbel::cpp::KnownBox _request_boxes[] = {
  {::Shop::Label::_corbel_value_type.id, ::Shop::Label::_corbel_maker()},
  {::Shop::Prices::_corbel_value_type.id, ::Shop::Prices::_corbel_maker()},
};

}  // namespace

void POA_Shop::Till::_skel_ring_up(Till& _servant, corbel::cpp::Upcall& _call) {
  corbel::cdr::Decoder& _in = _call.arguments();
  corbel::cpp::ReadValues _read(_in, _request_boxes);
  ::Shop::Item_var what;
  if (!corbel::cpp::get_value(_in, what)) corbel::cpp::bad_arguments();
  ::Shop::Offer_var best;
  if (!corbel::cpp::get_value(_in, best)) corbel::cpp::bad_arguments();
  _read.done();
  ::Shop::Item_var _result = _servant.ring_up(what.in(), best.inout());
  corbel::cdr::Encoder& _out = _call.results();
  corbel::cpp::WrittenValues _written(_out);
  corbel::cpp::put_value(_out, _result.in());
  corbel::cpp::put_value(_out, best.in());
}

void POA_Shop::Till::_dispatch(corbel::cpp::Upcall& call) {
  const char* const name = call.operation();
  switch (call.operation_length()) {
    case 7:
      if (corbel::cpp::same_name(name, "ring_up"))
        return ::POA_Shop::Till::_skel_ring_up(*this, call);
      break;
  }
  unknown_operation(call);
}

corbel::core::CollocatedServant POA_Shop::Till::_corbel_collocated(const char* interface) {
  return PortableServer::ServantBase::_corbel_collocated(interface);
}
