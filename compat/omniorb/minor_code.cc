// Names of minor codes.
#include <omniORB4/minorCode.h>

#include <corbel/cpp/exception.h>

namespace omni {
namespace {

struct MinorCode {
  corbel::SystemErrorId exception;
  CORBA::ULong code;
  const char* name;
};

// Where several names have one code, one of them.
constexpr MinorCode kMinorCodes[] = {
    {corbel::SystemErrorId::UNKNOWN, UNKNOWN_UserException, "UNKNOWN_UserException"},
    {corbel::SystemErrorId::UNKNOWN, UNKNOWN_SystemException, "UNKNOWN_SystemException"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_ValueFactoryFailure, "BAD_PARAM_ValueFactoryFailure"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_BadSchemeName, "BAD_PARAM_BadSchemeName"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_BadAddress, "BAD_PARAM_BadAddress"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_BadSchemeSpecificPart, "BAD_PARAM_BadSchemeSpecificPart"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_BadURIOther, "BAD_PARAM_BadURIOther"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_InvalidObjectId, "BAD_PARAM_InvalidObjectId"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_InvalidName, "BAD_PARAM_InvalidName"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_InvalidRepositoryId, "BAD_PARAM_InvalidRepositoryId"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_InvalidMemberName, "BAD_PARAM_InvalidMemberName"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_EnumValueOutOfRange, "BAD_PARAM_EnumValueOutOfRange"},
    {corbel::SystemErrorId::BAD_PARAM, BAD_PARAM_RegisterNilObject, "BAD_PARAM_RegisterNilObject"},
    {corbel::SystemErrorId::COMM_FAILURE, COMM_FAILURE_WaitingForReply, "COMM_FAILURE_WaitingForReply"},
    {corbel::SystemErrorId::COMM_FAILURE, COMM_FAILURE_MarshalArguments, "COMM_FAILURE_MarshalArguments"},
    {corbel::SystemErrorId::COMM_FAILURE, COMM_FAILURE_UnMarshalArguments, "COMM_FAILURE_UnMarshalArguments"},
    {corbel::SystemErrorId::COMM_FAILURE, COMM_FAILURE_MarshalResults, "COMM_FAILURE_MarshalResults"},
    {corbel::SystemErrorId::COMM_FAILURE, COMM_FAILURE_UnMarshalResults, "COMM_FAILURE_UnMarshalResults"},
    {corbel::SystemErrorId::IMP_LIMIT, IMP_LIMIT_NoUsableProfile, "IMP_LIMIT_NoUsableProfile"},
    {corbel::SystemErrorId::MARSHAL, MARSHAL_NoValueFactory, "MARSHAL_NoValueFactory"},
    {corbel::SystemErrorId::MARSHAL, MARSHAL_LocalObject, "MARSHAL_LocalObject"},
    {corbel::SystemErrorId::NO_IMPLEMENT, NO_IMPLEMENT_NoValueImplementation,
     "NO_IMPLEMENT_NoValueImplementation"},
    {corbel::SystemErrorId::NO_RESOURCES, NO_RESOURCES_UnableToStartThread,
     "NO_RESOURCES_UnableToStartThread"},
    {corbel::SystemErrorId::BAD_INV_ORDER, BAD_INV_ORDER_WouldDeadLock, "BAD_INV_ORDER_WouldDeadLock"},
    {corbel::SystemErrorId::BAD_INV_ORDER, BAD_INV_ORDER_ORBHasShutdown, "BAD_INV_ORDER_ORBHasShutdown"},
    {corbel::SystemErrorId::BAD_INV_ORDER, BAD_INV_ORDER_RequestNotSentYet,
     "BAD_INV_ORDER_RequestNotSentYet"},
    {corbel::SystemErrorId::BAD_INV_ORDER, BAD_INV_ORDER_ServantManagerAlreadySet,
     "BAD_INV_ORDER_ServantManagerAlreadySet"},
    {corbel::SystemErrorId::BAD_INV_ORDER, BAD_INV_ORDER_POACreationDuringDestruction,
     "BAD_INV_ORDER_POACreationDuringDestruction"},
    {corbel::SystemErrorId::TRANSIENT, TRANSIENT_POANoResource, "TRANSIENT_POANoResource"},
    {corbel::SystemErrorId::TRANSIENT, TRANSIENT_NoUsableProfile, "TRANSIENT_NoUsableProfile"},
    {corbel::SystemErrorId::TRANSIENT, TRANSIENT_RequestCancelled, "TRANSIENT_RequestCancelled"},
    {corbel::SystemErrorId::TRANSIENT, TRANSIENT_POADestroyed, "TRANSIENT_POADestroyed"},
    {corbel::SystemErrorId::TRANSIENT, TRANSIENT_CallTimedout, "TRANSIENT_CallTimedout"},
    {corbel::SystemErrorId::TRANSIENT, TRANSIENT_FailedOnForwarded, "TRANSIENT_FailedOnForwarded"},
    {corbel::SystemErrorId::TRANSIENT, TRANSIENT_ConnectionClosed, "TRANSIENT_ConnectionClosed"},
    {corbel::SystemErrorId::TRANSIENT, TRANSIENT_ObjDeactivatedWhileHolding,
     "TRANSIENT_ObjDeactivatedWhileHolding"},
    {corbel::SystemErrorId::TIMEOUT, TIMEOUT_CallTimedOutOnClient, "TIMEOUT_CallTimedOutOnClient"},
    {corbel::SystemErrorId::TIMEOUT, TIMEOUT_CallTimedOutOnServer, "TIMEOUT_CallTimedOutOnServer"},
    {corbel::SystemErrorId::OBJ_ADAPTER, OBJ_ADAPTER_POAUnknownAdapter, "OBJ_ADAPTER_POAUnknownAdapter"},
    {corbel::SystemErrorId::OBJ_ADAPTER, OBJ_ADAPTER_NoServant, "OBJ_ADAPTER_NoServant"},
    {corbel::SystemErrorId::OBJ_ADAPTER, OBJ_ADAPTER_NoDefaultServant, "OBJ_ADAPTER_NoDefaultServant"},
    {corbel::SystemErrorId::OBJ_ADAPTER, OBJ_ADAPTER_NoServantManager, "OBJ_ADAPTER_NoServantManager"},
    {corbel::SystemErrorId::DATA_CONVERSION, DATA_CONVERSION_CannotMapChar, "DATA_CONVERSION_CannotMapChar"},
    {corbel::SystemErrorId::OBJECT_NOT_EXIST, OBJECT_NOT_EXIST_NoMatch, "OBJECT_NOT_EXIST_NoMatch"},
    {corbel::SystemErrorId::OBJECT_NOT_EXIST, OBJECT_NOT_EXIST_IncarnateFailed,
     "OBJECT_NOT_EXIST_IncarnateFailed"},
    {corbel::SystemErrorId::INV_POLICY, INV_POLICY_CannotReconcileIORWithOverride,
     "INV_POLICY_CannotReconcileIORWithOverride"},
    {corbel::SystemErrorId::INV_POLICY, INV_POLICY_InvalidPolicyType, "INV_POLICY_InvalidPolicyType"},
};

}  // namespace
}  // namespace omni

const char* CORBA::SystemException::NP_minorString() const {
  for (const omni::MinorCode& c : omni::kMinorCodes)
    if (c.exception == error_.id && c.code == error_.minor) return c.name;
  return nullptr;
}
