// CORBA::ORB and ORB_init (CORBA 3.4 part 1, "ORB Interface").
#pragma once

#include <corbel/cpp/object.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/string.h>
#include <corbel/cpp/var.h>

namespace corbel::cpp {
class LocalReferences;
}

namespace CORBA {

// Defined by <corbel/cpp/any_exceptions.h> and <corbel/cpp/any_members.h>.
class Environment;
class EnumMemberSeq;
class StructMemberSeq;
class UnionMemberSeq;
class ValueMemberSeq;

class Any;
class ORB;
class OperationDef;
class RequestSeq;
class ValueFactoryBase;
typedef ORB* ORB_ptr;
typedef corbel::cpp::ObjectVar<ORB> ORB_var;
typedef corbel::cpp::ObjectOut<ORB> ORB_out;
[[gnu::visibility("default")]] void release(ORB* orb);
inline Boolean is_nil(ORB* orb) { return orb == nullptr; }

// <corbel/cpp/context.h>
class Context;
typedef Context* Context_ptr;
typedef corbel::cpp::ObjectVar<Context> Context_var;
typedef corbel::cpp::ObjectOut<Context> Context_out;

// Thread-safe. Counted. After destroy() whatever calls, serves or knows objects raises OBJECT_NOT_EXIST,
// after shutdown() BAD_INV_ORDER; TypeCodes, contexts, environments and factories of values are to be had
// even then.
class [[gnu::visibility("default")]] ORB {
 public:
  typedef ORB_ptr _ptr_type;
  typedef ORB_var _var_type;
  static ORB_ptr _duplicate(ORB_ptr orb);
  static ORB_ptr _nil() { return nullptr; }

  typedef char* ObjectId;
  class [[gnu::visibility("default")]] ObjectIdList : public corbel::cpp::UnboundedStringSequence {
   public:
    using UnboundedStringSequence::UnboundedStringSequence;
  };
  typedef corbel::cpp::SequenceVar<ObjectIdList> ObjectIdList_var;

  class [[gnu::visibility("default")]] InvalidName : public UserException {
   public:
    static InvalidName* _downcast(Exception* exception) { return dynamic_cast<InvalidName*>(exception); }
    static const InvalidName* _downcast(const Exception* exception) {
      return dynamic_cast<const InvalidName*>(exception);
    }
    static InvalidName* _narrow(Exception* exception) { return _downcast(exception); }
    [[noreturn]] void _raise() const override;
    const char* _name() const override { return "InvalidName"; }
    const char* _rep_id() const override { return "IDL:omg.org/CORBA/ORB/InvalidName:1.0"; }
    Exception* _corbel_duplicate() const override { return new InvalidName(*this); }
    void _marshal_members(corbel::cdr::Encoder&) const override {}
  };

  // The caller frees the result.
  char* id();
  char* object_to_string(Object_ptr object);
  // IOR:, corbaloc:, iioploc://, iiop://, corbaname: and file:// URLs; BAD_PARAM if malformed. A corbaname
  // makes a call, and raises what that does.
  Object_ptr string_to_object(const char* text);

  ObjectIdList* list_initial_services();
  Object_ptr resolve_initial_references(const char* name);
  // A local object is given as it is, to this process only. InvalidName for a name that is there, BAD_PARAM
  // for nil.
  void register_initial_reference(const char* name, Object_ptr object);

  // Defined in the library of Any. The caller releases it.
  void get_default_context(Context_out context);

  // Factories of valuetypes (cpp/value.h), by repository id. Gives the one that was there, which belongs to
  // the caller, or null.
  ValueFactoryBase* register_value_factory(const char* id, ValueFactoryBase* factory);
  void unregister_value_factory(const char* id);
  // The caller removes a count of it; BAD_PARAM if there is none.
  ValueFactoryBase* lookup_value_factory(const char* id);

  // A policy of any kind, POA's included (Corbel::messaging). PolicyError says why there is none; the caller
  // releases it.
  Policy_ptr create_policy(PolicyType type, const Any& value);

  // Blocks until shutdown; any number of threads. The reactive model serves inside it.
  void run();
  void perform_work();
  Boolean work_pending();
  // Lets running requests end, takes no new ones. From an upcall with `wait`: BAD_INV_ORDER, and nothing
  // changes.
  void shutdown(Boolean wait = false);
  // shutdown(true), then frees everything. An ORB of the same id can be made afterwards.
  void destroy();

  // ---- what follows is in the library Corbel::any

  // TypeCodes made at run time; the caller releases them. BAD_PARAM if a name, a repository id or a label is
  // not legal or is there twice, BAD_TYPECODE if a type cannot stand where it is given.
  TypeCode_ptr create_struct_tc(const char* id, const char* name, const StructMemberSeq& members);
  // A label of type octet stands for the default.
  TypeCode_ptr create_union_tc(const char* id, const char* name, TypeCode_ptr discriminator,
                               const UnionMemberSeq& members);
  TypeCode_ptr create_enum_tc(const char* id, const char* name, const EnumMemberSeq& members);
  TypeCode_ptr create_alias_tc(const char* id, const char* name, TypeCode_ptr original);
  TypeCode_ptr create_exception_tc(const char* id, const char* name, const StructMemberSeq& members);
  TypeCode_ptr create_interface_tc(const char* id, const char* name);
  TypeCode_ptr create_string_tc(ULong bound);
  TypeCode_ptr create_wstring_tc(ULong bound);
  TypeCode_ptr create_fixed_tc(UShort digits, Short scale);
  TypeCode_ptr create_sequence_tc(ULong bound, TypeCode_ptr element);
  TypeCode_ptr create_array_tc(ULong length, TypeCode_ptr element);
  TypeCode_ptr create_value_tc(const char* id, const char* name, Short modifier, TypeCode_ptr concrete_base,
                               const ValueMemberSeq& members);
  TypeCode_ptr create_value_box_tc(const char* id, const char* name, TypeCode_ptr boxed);
  TypeCode_ptr create_native_tc(const char* id, const char* name);
  // Stands for the type of this id, inside which it must be before it is of use.
  TypeCode_ptr create_recursive_tc(const char* id);
  TypeCode_ptr create_abstract_interface_tc(const char* id, const char* name);
  TypeCode_ptr create_local_interface_tc(const char* id, const char* name);
  TypeCode_ptr create_component_tc(const char* id, const char* name);
  TypeCode_ptr create_home_tc(const char* id, const char* name);
  TypeCode_ptr create_event_tc(const char* id, const char* name, Short modifier, TypeCode_ptr concrete_base,
                               const ValueMemberSeq& members);
  void create_environment(corbel::cpp::ObjectOut<Environment> environment);

  // ---- what follows is in the library Corbel::dynamic: <corbel/dynamic.h>
  typedef CORBA::RequestSeq RequestSeq;

  // An empty list; the number of its items is only a hint. The caller releases what these make.
  void create_list(Long count, corbel::cpp::ObjectOut<NVList> list);
  void create_named_value(corbel::cpp::ObjectOut<NamedValue> value);
  void create_exception_list(corbel::cpp::ObjectOut<ExceptionList> list);
  void create_context_list(corbel::cpp::ObjectOut<ContextList> list);
  // The parameters of the operation, with their types and without values. In the library Corbel::cos, which
  // knows the interface repository. BAD_PARAM for nil.
  void create_operation_list(OperationDef* operation, corbel::cpp::ObjectOut<NVList> list);

  // Sends all of them, in this order.
  void send_multiple_requests_oneway(const RequestSeq& requests);
  void send_multiple_requests_deferred(const RequestSeq& requests);
  // Whether one of the deferred requests, sent alone or with others, is over and get_next_response would give
  // it at once. BAD_INV_ORDER, OMG minor 11, where none is left.
  Boolean poll_next_response();
  // Waits for the next of them, whichever it is. The caller releases it.
  void get_next_response(corbel::cpp::ObjectOut<Request> request);

  corbel::core::Orb& _corbel_core() const { return *core_; }
  void _corbel_add_ref();
  void _corbel_remove_ref();
  // Takes over a count.
  explicit ORB(corbel::core::Orb* core) : core_(core) {}
  ORB(const ORB&) = delete;
  ORB& operator=(const ORB&) = delete;

 private:
  ~ORB();
  corbel::core::Orb* core_;
  corbel::cpp::LocalReferences* locals_ = nullptr;
  ULong count_ = 1;
};

// Makes the ORB named `id`, or gives the one that has this name in the process. Known -ORB options are taken
// from the arguments; an unknown one is BAD_PARAM.
[[gnu::visibility("default")]] ORB_ptr ORB_init(int& argc, char** argv, const char* id = "");
// The options that ORB_init understands, a line each.
[[gnu::visibility("default")]] const char* _corbel_option_help();

}  // namespace CORBA
