#include <corbel/cpp/any_exceptions.h>

#include <cstring>

#include <corbel/cpp/orb.h>

namespace corbel::tc {
namespace {

using types::Kind;
using types::Member;

constinit const Member statuses[] = {
    {"COMPLETED_YES", nullptr, 0, 0}, {"COMPLETED_NO", nullptr, 0, 0}, {"COMPLETED_MAYBE", nullptr, 0, 0}};
constinit const Member members[] = {{"minor", &_tc_ulong, 0, 0}, {"completed", &_tc_completion_status, 0, 0}};

}  // namespace

constinit CORBA::TypeCode _tc_completion_status{
    Kind::Enum, "IDL:omg.org/CORBA/completion_status:1.0", "completion_status", nullptr, statuses, 3};

// In the order of SystemErrorId; the first is of no exception.
#define CORBEL_EXCEPTION(name) \
  { Kind::Except, "IDL:omg.org/CORBA/" #name ":1.0", #name, nullptr, members, 2 }
constinit CORBA::TypeCode _system_exceptions[kSystemErrorCount] = {{},
                                                                   CORBEL_EXCEPTION(ACTIVITY_COMPLETED),
                                                                   CORBEL_EXCEPTION(ACTIVITY_REQUIRED),
                                                                   CORBEL_EXCEPTION(BAD_CONTEXT),
                                                                   CORBEL_EXCEPTION(BAD_INV_ORDER),
                                                                   CORBEL_EXCEPTION(BAD_OPERATION),
                                                                   CORBEL_EXCEPTION(BAD_PARAM),
                                                                   CORBEL_EXCEPTION(BAD_QOS),
                                                                   CORBEL_EXCEPTION(BAD_TYPECODE),
                                                                   CORBEL_EXCEPTION(CODESET_INCOMPATIBLE),
                                                                   CORBEL_EXCEPTION(COMM_FAILURE),
                                                                   CORBEL_EXCEPTION(DATA_CONVERSION),
                                                                   CORBEL_EXCEPTION(FREE_MEM),
                                                                   CORBEL_EXCEPTION(IMP_LIMIT),
                                                                   CORBEL_EXCEPTION(INITIALIZE),
                                                                   CORBEL_EXCEPTION(INTERNAL),
                                                                   CORBEL_EXCEPTION(INTF_REPOS),
                                                                   CORBEL_EXCEPTION(INVALID_ACTIVITY),
                                                                   CORBEL_EXCEPTION(INVALID_TRANSACTION),
                                                                   CORBEL_EXCEPTION(INV_FLAG),
                                                                   CORBEL_EXCEPTION(INV_IDENT),
                                                                   CORBEL_EXCEPTION(INV_OBJREF),
                                                                   CORBEL_EXCEPTION(INV_POLICY),
                                                                   CORBEL_EXCEPTION(MARSHAL),
                                                                   CORBEL_EXCEPTION(NO_IMPLEMENT),
                                                                   CORBEL_EXCEPTION(NO_MEMORY),
                                                                   CORBEL_EXCEPTION(NO_PERMISSION),
                                                                   CORBEL_EXCEPTION(NO_RESOURCES),
                                                                   CORBEL_EXCEPTION(NO_RESPONSE),
                                                                   CORBEL_EXCEPTION(OBJECT_NOT_EXIST),
                                                                   CORBEL_EXCEPTION(OBJ_ADAPTER),
                                                                   CORBEL_EXCEPTION(PERSIST_STORE),
                                                                   CORBEL_EXCEPTION(REBIND),
                                                                   CORBEL_EXCEPTION(TIMEOUT),
                                                                   CORBEL_EXCEPTION(TRANSACTION_MODE),
                                                                   CORBEL_EXCEPTION(TRANSACTION_REQUIRED),
                                                                   CORBEL_EXCEPTION(TRANSACTION_ROLLEDBACK),
                                                                   CORBEL_EXCEPTION(TRANSACTION_UNAVAILABLE),
                                                                   CORBEL_EXCEPTION(TRANSIENT),
                                                                   CORBEL_EXCEPTION(UNKNOWN)};
#undef CORBEL_EXCEPTION

CORBA::TypeCode& system_exception(SystemErrorId id) { return _system_exceptions[static_cast<int>(id)]; }

}  // namespace corbel::tc

namespace CORBA {

void UnknownUserException::_raise() const { throw *this; }

// What the Any holds says its id first, where this one's stands already.
void UnknownUserException::_marshal_members(corbel::cdr::Encoder& out) const {
  out.fail({corbel::SystemErrorId::UNKNOWN, corbel::Completion::Maybe, 0,
            "an exception that only an Any holds cannot be raised to a caller"});
}

Environment::~Environment() { delete exception_; }

void Environment::exception(Exception* adopted) {
  if (adopted != exception_) delete exception_;
  exception_ = adopted;
}

void Environment::_corbel_add_ref() { __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED); }
void Environment::_corbel_remove_ref() {
  if (__atomic_fetch_sub(&count_, 1, __ATOMIC_ACQ_REL) == 1) delete this;
}

void ORB::create_environment(corbel::cpp::ObjectOut<Environment> environment) {
  environment = new Environment;
}

namespace {

// Of the TypeCode, while an exception is read whose octets may not tell.
thread_local corbel::SystemErrorId wanted;

SystemException* made(const corbel::SystemError& error) {
  try {
    corbel::cpp::raise(error);
  } catch (const SystemException& e) {
    return static_cast<SystemException*>(e._corbel_duplicate());
  }
}

// Values are pointers to SystemException, whatever the class.
constexpr corbel::cpp::AnyOperations kSystemExceptionOperations = {
    [](const void* value) -> void* {
      return made(static_cast<const SystemException*>(value)->_corbel_error());
    },
    [](void* value) { delete static_cast<SystemException*>(value); },
    [](corbel::cdr::Encoder& out, const void* value) {
      const corbel::SystemError& error = static_cast<const SystemException*>(value)->_corbel_error();
      out.put_string(corbel::repository_id(error.id));
      out.put(error.minor);
      out.put(static_cast<std::uint32_t>(error.completed));
    },
    [](corbel::cdr::Decoder& in) -> void* {
      const corbel::cdr::Decoder start = in;
      const char* id;
      corbel::SystemError error;
      error.id = wanted;
      if (!in.get_string_view(id) || !corbel::cpp::same_id(id, corbel::repository_id(wanted)))
        in = start;  // omniORB leaves it out
      return in.get(error.minor) && in.get_enum(error.completed, 3) ? made(error) : nullptr;
    }};

}  // namespace

void operator<<=(Any& any, const SystemException& exception) { any <<= made(exception._corbel_error()); }

void operator<<=(Any& any, SystemException* adopted) {
  if (!adopted) throw BAD_PARAM();
  any._corbel_adopt(corbel::tc::system_exception(adopted->_corbel_error().id), adopted,
                    kSystemExceptionOperations);
}

Boolean operator>>=(const Any& any, const SystemException*& exception) {
  TypeCode_var held = any.type();
  const corbel::types::TypeCode* const type = corbel::types::resolve(held.in());
  if (type->kind != corbel::types::Kind::Except) return false;
  wanted = corbel::system_error_id(type->id, std::strlen(type->id));
  CORBA::TypeCode& known = corbel::tc::system_exception(wanted);
  const void* const found = any._corbel_extract(known, kSystemExceptionOperations);
  if (found) exception = static_cast<const SystemException*>(found);
  return found != nullptr;
}

}  // namespace CORBA
