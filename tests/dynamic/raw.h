// Octets where values of some type are expected: what a hostile peer sends, sent without stubs and skeletons.
#pragma once

#include <corbel/dynamic.h>
#include <gtest/gtest.h>

#include <string>

// Octets as they are: an array of them.
inline CORBA::Any raw(CORBA::ORB_ptr orb, const std::string& octets) {
  const CORBA::TypeCode_var type =
      orb->create_array_tc(static_cast<CORBA::ULong>(octets.size()), CORBA::_tc_octet);
  corbel::cdr::Encoder out;
  out.reset();
  corbel::types::marshal(out, *type.in());
  out.run<1>(octets.data(), octets.size());
  corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
  CORBA::Any any;
  EXPECT_TRUE(corbel::cdr::unmarshal(in, any));
  return any;
}

// Answers with octets as they are.
class Giver : public PortableServer::DynamicImplementation {
 public:
  explicit Giver(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
  void invoke(CORBA::ServerRequest_ptr request) override {
    CORBA::NVList_ptr none;
    orb_->create_list(0, none);
    request->arguments(none);
    if (raises) request->set_exception(answer);
    else request->set_result(answer);
  }
  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:Giver:1.0");
  }
  // As the result, or as the members of an exception.
  void give(const std::string& octets, const char* exception = nullptr) {
    raises = exception != nullptr;
    if (!raises) {
      answer = raw(orb_, octets);
      return;
    }
    CORBA::StructMemberSeq members;
    members.length(1);
    members[0].name = "octets";
    members[0].type = orb_->create_array_tc(static_cast<CORBA::ULong>(octets.size()), CORBA::_tc_octet);
    const CORBA::TypeCode_var type = orb_->create_exception_tc(exception, "Refused", members);
    corbel::cdr::Encoder out;
    out.reset();
    out.put_string(exception);
    out.copied_run<1>(octets.data(), octets.size());
    corbel::cdr::Decoder in(out.data(), out.data(), out.data() + out.size(), false);
    EXPECT_TRUE(answer._corbel_unmarshal_value(in, *type.in()));
  }

 private:
  CORBA::ORB_var orb_;
  CORBA::Any answer;
  bool raises = false;
};
