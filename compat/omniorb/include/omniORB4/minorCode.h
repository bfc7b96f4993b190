// Minor codes of system exceptions under omniORB's names, so that programs can tell why one was raised. Those
// of OMG's are the standard's; what Corbel raises has its number; the others are what servers of omniORB
// send.
#pragma once

#include <corbel/cpp/types.h>

namespace omni {

constexpr CORBA::ULong OMGMinorCode(CORBA::ULong code) { return 0x4f4d0000 | code; }
constexpr CORBA::ULong OMNIORBMinorCode(CORBA::ULong code) { return 0x41540000 | code; }

enum UNKNOWN_minor : CORBA::ULong {
  UNKNOWN_UserException = OMGMinorCode(1),
  UNKNOWN_SystemException = OMGMinorCode(2),
};

enum BAD_PARAM_minor : CORBA::ULong {
  BAD_PARAM_ValueFactoryFailure = OMGMinorCode(1),
  BAD_PARAM_BadSchemeName = OMGMinorCode(7),
  BAD_PARAM_BadAddress = OMGMinorCode(8),
  BAD_PARAM_BadSchemeSpecificPart = OMGMinorCode(9),
  BAD_PARAM_BadURIOther = OMGMinorCode(10),
  BAD_PARAM_InvalidObjectId = OMGMinorCode(14),
  BAD_PARAM_InvalidName = OMGMinorCode(15),
  BAD_PARAM_InvalidRepositoryId = OMGMinorCode(16),
  BAD_PARAM_InvalidMemberName = OMGMinorCode(17),
  BAD_PARAM_EnumValueOutOfRange = OMGMinorCode(25),
  BAD_PARAM_RegisterNilObject = OMGMinorCode(27),
};

enum COMM_FAILURE_minor : CORBA::ULong {
  COMM_FAILURE_WaitingForReply = 0x43420002,
  COMM_FAILURE_MarshalArguments = OMNIORBMinorCode(3),
  COMM_FAILURE_UnMarshalArguments = OMNIORBMinorCode(4),
  COMM_FAILURE_MarshalResults = OMNIORBMinorCode(5),
  COMM_FAILURE_UnMarshalResults = OMNIORBMinorCode(6),
};

enum IMP_LIMIT_minor : CORBA::ULong {
  IMP_LIMIT_NoUsableProfile = OMGMinorCode(1),
};

enum MARSHAL_minor : CORBA::ULong {
  MARSHAL_NoValueFactory = OMGMinorCode(1),
  MARSHAL_LocalObject = OMGMinorCode(4),
};

enum NO_IMPLEMENT_minor : CORBA::ULong {
  NO_IMPLEMENT_NoValueImplementation = OMGMinorCode(1),
};

enum NO_RESOURCES_minor : CORBA::ULong {
  NO_RESOURCES_UnableToStartThread = OMNIORBMinorCode(122),
};

enum BAD_INV_ORDER_minor : CORBA::ULong {
  BAD_INV_ORDER_WouldDeadLock = OMGMinorCode(3),
  BAD_INV_ORDER_ORBHasShutdown = OMGMinorCode(4),
  BAD_INV_ORDER_RequestNotSentYet = OMGMinorCode(11),
  BAD_INV_ORDER_ServantManagerAlreadySet = OMGMinorCode(6),
  BAD_INV_ORDER_POACreationDuringDestruction = OMGMinorCode(17),
};

enum TRANSIENT_minor : CORBA::ULong {
  TRANSIENT_POANoResource = OMGMinorCode(1),
  TRANSIENT_NoUsableProfile = OMGMinorCode(2),
  TRANSIENT_ConnectFailed = TRANSIENT_NoUsableProfile,
  TRANSIENT_RequestCancelled = OMGMinorCode(3),
  TRANSIENT_POADestroyed = OMGMinorCode(4),
  TRANSIENT_CallTimedout = 0x43420001,
  TRANSIENT_FailedOnForwarded = OMNIORBMinorCode(1),
  TRANSIENT_ConnectionClosed = OMNIORBMinorCode(17),
  TRANSIENT_ObjDeactivatedWhileHolding = OMNIORBMinorCode(62),
};

enum TIMEOUT_minor : CORBA::ULong {
  TIMEOUT_CallTimedOutOnClient = TRANSIENT_CallTimedout,
  TIMEOUT_CallTimedOutOnServer = OMNIORBMinorCode(124),
};

enum OBJ_ADAPTER_minor : CORBA::ULong {
  OBJ_ADAPTER_POAUnknownAdapter = OMGMinorCode(1),
  OBJ_ADAPTER_NoServant = OMGMinorCode(2),
  OBJ_ADAPTER_NoDefaultServant = OMGMinorCode(3),
  OBJ_ADAPTER_NoServantManager = OMGMinorCode(4),
};

enum DATA_CONVERSION_minor : CORBA::ULong {
  DATA_CONVERSION_CannotMapChar = OMGMinorCode(1),
};

enum OBJECT_NOT_EXIST_minor : CORBA::ULong {
  OBJECT_NOT_EXIST_NoMatch = OMGMinorCode(1),
  OBJECT_NOT_EXIST_IncarnateFailed = OMGMinorCode(2),
};

enum INV_POLICY_minor : CORBA::ULong {
  INV_POLICY_CannotReconcileIORWithOverride = OMGMinorCode(1),
  INV_POLICY_InvalidPolicyType = OMGMinorCode(2),
};

}  // namespace omni
