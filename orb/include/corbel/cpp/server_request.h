// Servants that know what is called at run time only (CORBA 3.4 part 1, "Dynamic Skeleton Interface"; OMG C++
// mapping 1.3, "ServerRequest" and "DynamicImplementation"). The library Corbel::dynamic.
#pragma once

#include <corbel/cpp/any_exceptions.h>
#include <corbel/cpp/context.h>
#include <corbel/cpp/named_values.h>
#include <corbel/cpp/poa.h>

namespace CORBA {

class ServerRequest;
typedef ServerRequest* ServerRequest_ptr;
inline Boolean is_nil(ServerRequest* request) { return request == nullptr; }

// A request while a DynamicImplementation serves it, in one thread; the ORB's. BAD_INV_ORDER, with the OMG's
// minor codes, tells what was called out of turn.
class [[gnu::visibility("default")]] ServerRequest {
 public:
  const char* operation() const { return call_.operation(); }

  // To be called once, before the results are set (else minor code 7): `parameters` has an item for each
  // parameter, its value of the parameter's type, and is the request's from then on. The values of those that
  // come in are filled in; MARSHAL if the request does not hold such values. What the values of those that go
  // out are in the end goes into the reply. BAD_PARAM for nil and for values without a type. Interceptors
  // have their point receive_request here, which the arguments are there for; if one of them answers the
  // request, TRANSIENT is raised, and what the servant does afterwards has no effect.
  void arguments(NVList_ptr& parameters);
  // What came with the operation's context clause; stays the request's. Once at most, after arguments() and
  // before anything is set (minor code 8).
  Context_ptr ctx();
  // The operation's result, if it has one. Once at most, after arguments() and before set_exception() (minor
  // code 9).
  void set_result(const Any& value);
  // Takes the place of results, at any time. BAD_PARAM, minor code 21, for what is no exception.
  void set_exception(const Any& value);

  // For the ORB.
  explicit ServerRequest(corbel::core::Upcall& call);
  ~ServerRequest() {
    if (has_result_) result_.~Any();
    if (arguments_) arguments_->_corbel_remove_ref();
  }
  ServerRequest(const ServerRequest&) = delete;
  ServerRequest& operator=(const ServerRequest&) = delete;
  void _corbel_reply() {
    const bool said = state_ == State::Replied || (state_ == State::HasArguments && gives_results_only_);
    if (!said) reply();  // else there is nothing more to say: an empty reply is there already
  }
  // receive_request, unless it has been. False if an interceptor has answered the request.
  Boolean _corbel_meet();

 private:
  class Told;
  void reply();
  void keep(const Any& result);
  [[gnu::noinline]] void tell();
  void take(const NamedValue& parameter, bool is_first);
  bool hold(Any& value, bool is_first);
  [[gnu::noinline]] void take_all(const NVList& parameters);
  [[gnu::noinline]] void tell_arguments();

  corbel::core::Upcall& call_;
  enum class State : Octet { Begun, HasArguments, HasContext, HasResult, Replied, HasException, Refused };
  State state_ = State::Begun;
  Boolean gives_results_only_ = true;  // no parameter goes out behind the result
  Boolean has_result_ = false;
  Told* told_ = nullptr;            // the upcall's; null where there are no interceptors
  NVList_ptr arguments_ = nullptr;  // counted
  Context_var context_;
  // Or an exception. Most results are in the reply already.
  union {
    Any result_;
  };
};

}  // namespace CORBA

namespace PortableServer {

// Serves objects of interfaces that it tells by itself. It may be activated, be a default servant or come
// from a servant manager like any other.
class [[gnu::visibility("default")]] DynamicImplementation : public virtual ServantBase {
 public:
  // The reference of the request that is being served. Raises POA::WrongPolicy outside of requests of this
  // servant. The caller releases it.
  CORBA::Object_ptr _this();

  // Serves one request; threads may call it at the same time. It is not asked about operations that every
  // object has. Results must be set, as far as there are some, when it returns; without arguments() the
  // caller gets BAD_INV_ORDER, minor code 7.
  virtual void invoke(CORBA::ServerRequest_ptr request) = 0;
  // The repository id of the object's most derived interface, for references to it and for _is_a; the ORB
  // frees it.
  virtual char* _primary_interface(const ObjectId& id, POA_ptr poa) = 0;

  // The primary interface and CORBA::Object; override it where interfaces inherit.
  CORBA::Boolean _is_a(const char* repository_id) override;
  // Null outside of requests of this servant.
  const char* _interface_repository_id() const override;

  // For the ORB.
  void _dispatch(corbel::cpp::Upcall& call) override;
  char* _corbel_interface_of(const ObjectId& id, POA* poa) override;
  CORBA::Boolean _corbel_asks_for_arguments(const char* operation) const override;

 protected:
  DynamicImplementation() = default;
};

}  // namespace PortableServer
