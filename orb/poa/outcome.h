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
  BeingDestroyed,      // it is about to be, and gets no children: BAD_INV_ORDER
  TableFull,           // no slot is left: NO_RESOURCES
  NameTooLong,         // of an adapter, with those of its parents: BAD_PARAM
  NameUnfit,           // for keys of the adapter's format: BAD_PARAM
  BadId,               // an id that a SYSTEM_ID adapter did not make: BAD_PARAM
  UnknownId,           // not among those that the adapter was made for: BAD_PARAM
  WouldWaitForItself,  // waiting for completion inside an upcall: BAD_INV_ORDER
  Busy,                // the id is being etherealized: never told to applications, which wait
  ManagerSet,          // a servant manager can be set once only: BAD_INV_ORDER
  WrongManager,        // not of the kind that the adapter's policies want: OBJ_ADAPTER
  ManagerExists,       // a POAManager of this id
  ActivatorFailed,     // an adapter activator raised a system exception: OBJ_ADAPTER
};

}  // namespace corbel::poa
