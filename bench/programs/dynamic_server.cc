// A server without skeletons: serves, by a DynamicImplementation, the operations of bench.idl that
// dynamic_client.cc calls, and `received` and `stop`. Prints its reference, and at the end what it counted.
#include <cstdio>
#include <cstring>
#include <exception>

#include "dynamic_api.h"
#include "samples_of_data.h"
#include "support.h"

namespace {

class DynamicCalls : public PortableServer::DynamicImplementation {
 public:
  explicit DynamicCalls(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}

  // Read after the ORB is down.
  const bench::AllocationWindow& window() const { return window_; }

  void invoke(CORBA::ServerRequest_ptr request) override {
    static constexpr struct {
      const char* name;
      void (DynamicCalls::*serve)(CORBA::ServerRequest_ptr request);
    } operations[] = {
        {"ping", &DynamicCalls::ping},
        {"echo_long", &DynamicCalls::echo_long},
        {"echo_string", &DynamicCalls::echo_string},
        {"push_struct", &DynamicCalls::push_struct},
        {"structs_in", &DynamicCalls::structs_in},
        {"push_octet", &DynamicCalls::push_octet},
        {"push_structs", &DynamicCalls::push_structs},
        {"received", &DynamicCalls::received},
        {"stop", &DynamicCalls::stop},
    };
    const char* const name = request->operation();
    for (const auto& operation : operations)
      if (std::strcmp(operation.name, name) == 0) return (this->*operation.serve)(request);
    throw CORBA::BAD_OPERATION();
  }

  char* _primary_interface(const PortableServer::ObjectId&, PortableServer::POA_ptr) override {
    return CORBA::string_dup("IDL:Bench/Calls:1.0");
  }

 private:
  // The parameters of the request: none, or one of the type.
  CORBA::NVList_ptr parameters(CORBA::ServerRequest_ptr request, CORBA::TypeCode_ptr type = nullptr) {
    CORBA::NVList_ptr list;
    orb_->create_list(0, list);
    if (type) list->add(CORBA::ARG_IN)->value()->replace(type, nullptr);
    request->arguments(list);
    return list;
  }
  template <class T>
  const T& argument(CORBA::NVList_ptr list) {
    const T* value;
    if (!(*list->item(0)->value() >>= value)) throw CORBA::MARSHAL();
    return *value;
  }

  void ping(CORBA::ServerRequest_ptr request) {
    parameters(request);
    window_.call_done();
  }
  void echo_long(CORBA::ServerRequest_ptr request) {
    CORBA::Long value;
    if (!(*parameters(request, CORBA::_tc_long)->item(0)->value() >>= value)) throw CORBA::MARSHAL();
    window_.call_done();
    CORBA::Any result;
    result <<= value;
    request->set_result(result);
  }
  void echo_string(CORBA::ServerRequest_ptr request) {
    const char* text;
    if (!(*parameters(request, CORBA::_tc_string)->item(0)->value() >>= text)) throw CORBA::MARSHAL();
    window_.call_done();
    CORBA::Any result;
    result <<= text;
    request->set_result(result);
  }
  void push_struct(CORBA::ServerRequest_ptr request) {
    sum_ += argument<Bench::BinStruct>(parameters(request, Bench::_tc_BinStruct)).l;
    window_.call_done();
  }
  void structs_in(CORBA::ServerRequest_ptr request) {
    sum_ += argument<Bench::StructSeq>(parameters(request, Bench::_tc_StructSeq))[0].l;
    window_.call_done();
  }
  void push_octet(CORBA::ServerRequest_ptr request) {
    received_ += argument<Bench::OctetSeq>(parameters(request, Bench::_tc_OctetSeq)).length();
  }
  void push_structs(CORBA::ServerRequest_ptr request) {
    const auto& data = argument<Bench::StructSeq>(parameters(request, Bench::_tc_StructSeq));
    CORBA::Long sum = 0;  // in a register, as CallsServant has it
    for (CORBA::ULong i = 0; i < data.length(); ++i) sum += data[i].l;
    sum_ += sum;
    received_ += bench::payload_size(data);
  }
  void received(CORBA::ServerRequest_ptr request) {
    parameters(request);
    CORBA::Any result;
    result <<= received_;
    request->set_result(result);
  }
  void stop(CORBA::ServerRequest_ptr request) {
    parameters(request);
    orb_->shutdown(false);
  }

  CORBA::ORB_var orb_;
  // Written by one connection's calls, which follow each other.
  bench::AllocationWindow window_;
  CORBA::ULongLong received_ = 0;
  CORBA::LongLong sum_ = 0;
};

void serve(CORBA::ORB_ptr orb) {
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  PortableServer::POAManager_var manager = poa->the_POAManager();
  auto* const servant = new DynamicCalls(orb);
  PortableServer::ServantBase_var owner(servant);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  CORBA::Object_var reference = poa->id_to_reference(id.in());
  const CORBA::String_var text = orb->object_to_string(reference.in());
  std::puts(text.in());
  std::fflush(stdout);
  manager->activate();
  orb->run();
  orb->destroy();
  bench::print_results({{"allocs-server", servant->window().allocations_per_call()},
                        {"frees-server", servant->window().releases_per_call()}});
}

}  // namespace

int main(int argc, char** argv) try {
  CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
  serve(orb.in());
  return 0;
} catch (const CORBA::Exception& error) {
  std::fprintf(stderr, "dynamic-server: %s\n", error._rep_id());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "dynamic-server: %s\n", error.what());
  return 1;
}
