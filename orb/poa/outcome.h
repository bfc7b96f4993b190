// What an operation on an adapter may come to.
#pragma once

namespace corbel::poa {

// The mappings' exceptions have the same names; the last group are system exceptions.
enum class Outcome {
  Ok,
  AdapterAlreadyExists,
  AdapterNonExistent,
  AdapterInactive,
  ObjectAlreadyActive,
  ObjectNotActive,
  ServantAlreadyActive,
  ServantNotActive,
  WrongAdapter,
  WrongPolicy,
  NoServant,

  Destroyed,           // the adapter is no more: OBJECT_NOT_EXIST
  TableFull,           // no slot is left: NO_RESOURCES
  NameTooLong,         // of an adapter, with those of its parents: BAD_PARAM
  BadId,               // an id that a SYSTEM_ID adapter did not make: BAD_PARAM
  WouldWaitForItself,  // waiting for completion inside an upcall: BAD_INV_ORDER
};

}  // namespace corbel::poa
