// omniORB's functions on names and object addresses.
#pragma once

#include <corbel/corba.h>
#include <corbel/idl/CosNaming.stub.h>

namespace omni {

// Names as texts are those of the Naming Service: "id.kind/id.kind", a backslash before what belongs to an id
// or kind. What is no such text raises CosNaming::NamingContext::InvalidName. The caller frees the results.
class omniURI {
 public:
  // As string_to_object of the ORB that is meant where none is named; INITIALIZE if there is none.
  static CORBA::Object_ptr stringToObject(const char* uri, unsigned int cycles = 0);
  static CosNaming::Name* stringToName(const char* text);
  static char* nameToString(const CosNaming::Name& name);
  // "corbaname:ADDRESS#TEXT", the text escaped. An address that corbaloc could not have raises
  // CosNaming::NamingContextExt::InvalidAddress. Without a text the address of the context itself.
  static char* addrAndNameToURI(const char* address, const char* text);
};

}  // namespace omni
