// Service contexts both ways, for the caller and the server of the contract: a call tells the server what it
// is, the server sends back what it was told, and the caller prints that.
#include <corbel/interceptors.h>

#include <iostream>
#include <string>

namespace {

namespace PI = PortableInterceptor;
constexpr IOP::ServiceId kId = 0x43420077;

IOP::ServiceContext context(const std::string& text) {
  IOP::ServiceContext made;
  made.context_id = kId;
  made.context_data.length(static_cast<CORBA::ULong>(text.size()));
  for (CORBA::ULong i = 0; i < text.size(); ++i) made.context_data[i] = static_cast<CORBA::Octet>(text[i]);
  return made;
}

std::string text(IOP::ServiceContext* adopted) {
  IOP::ServiceContext_var owner = adopted;
  return {reinterpret_cast<const char*>(owner->context_data.get_buffer()), owner->context_data.length()};
}

class Client final : public PI::ClientRequestInterceptor {
  char* name() override { return CORBA::string_dup("client"); }
  void destroy() override {}
  void send_request(PI::ClientRequestInfo_ptr info) override {
    CORBA::String_var operation = info->operation();
    info->add_request_service_context(context(std::string("corbel asks ") + operation.in()), false);
  }
  void send_poll(PI::ClientRequestInfo_ptr) override {}
  void receive_reply(PI::ClientRequestInfo_ptr info) override {
    std::cout << text(info->get_reply_service_context(kId)) << std::endl;
  }
  void receive_exception(PI::ClientRequestInfo_ptr) override {}
  void receive_other(PI::ClientRequestInfo_ptr) override {}
};

class Server final : public PI::ServerRequestInterceptor {
  char* name() override { return CORBA::string_dup("server"); }
  void destroy() override {}
  void receive_request_service_contexts(PI::ServerRequestInfo_ptr info) override {
    std::string asked;
    try {
      asked = text(info->get_request_service_context(kId));
    } catch (const CORBA::BAD_PARAM&) {
      asked = "nothing";
    }
    info->add_reply_service_context(context("corbel was told: " + asked), false);
  }
  void receive_request(PI::ServerRequestInfo_ptr) override {}
  void send_reply(PI::ServerRequestInfo_ptr) override {}
  void send_exception(PI::ServerRequestInfo_ptr) override {}
  void send_other(PI::ServerRequestInfo_ptr) override {}
};

class Setup final : public PI::ORBInitializer {
  void pre_init(PI::ORBInitInfo_ptr info) override {
    PI::ClientRequestInterceptor_var client = new Client;
    PI::ServerRequestInterceptor_var server = new Server;
    info->add_client_request_interceptor(client);
    info->add_server_request_interceptor(server);
  }
  void post_init(PI::ORBInitInfo_ptr) override {}
};

const bool registered = [] {
  PI::ORBInitializer_var setup = new Setup;
  PI::register_orb_initializer(setup);
  return true;
}();

}  // namespace
