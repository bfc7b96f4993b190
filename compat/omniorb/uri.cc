// Names and object addresses.
#include <omniORB4/omniURI.h>

#include <string>

#include "orb/cpp/default_orb.h"
#include "orb/ior/url.h"

namespace omni {
namespace {

using CosNaming::NamingContext;

bool special(char c) { return c == '/' || c == '.' || c == '\\'; }

void append_escaped(std::string& text, const char* part) {
  for (; *part != '\0'; ++part) {
    if (special(*part)) text += '\\';
    text += *part;
  }
}

// One component, up to a slash or the end, where `p` stands afterwards.
CosNaming::NameComponent read_component(const char*& p) {
  std::string parts[2];
  int dots = 0;
  bool empty = true;
  for (; *p != '\0' && *p != '/'; ++p) {
    empty = false;
    if (*p == '.') {
      if (++dots == 2) throw NamingContext::InvalidName();
      continue;
    }
    if (*p == '\\' && !special(*++p)) throw NamingContext::InvalidName();
    parts[dots] += *p;
  }
  // "." is a component of which both are empty; "id." is none.
  if (empty || (dots == 1 && parts[1].empty() && !parts[0].empty())) throw NamingContext::InvalidName();
  CosNaming::NameComponent component;
  component.id = parts[0].c_str();
  component.kind = parts[1].c_str();
  return component;
}

}  // namespace

CORBA::Object_ptr omniURI::stringToObject(const char* uri, unsigned int) {
  const CORBA::ORB_var orb = corbel::cpp::default_orb();
  if (CORBA::is_nil(orb)) throw CORBA::INITIALIZE();
  return orb->string_to_object(uri);
}

CosNaming::Name* omniURI::stringToName(const char* text) {
  if (!text) throw CORBA::BAD_PARAM();
  CosNaming::Name_var name = new CosNaming::Name;
  for (;;) {
    const CORBA::ULong last = name->length();
    name->length(last + 1);
    name[last] = read_component(text);
    if (*text == '\0') return name._retn();
    ++text;
  }
}

char* omniURI::nameToString(const CosNaming::Name& name) {
  if (name.length() == 0) throw NamingContext::InvalidName();
  std::string text;
  for (CORBA::ULong i = 0; i < name.length(); ++i) {
    const char* const id = name[i].id;
    const char* const kind = name[i].kind;
    if (i != 0) text += '/';
    append_escaped(text, id);
    if (*kind != '\0' || *id == '\0') text += '.';
    append_escaped(text, kind);
  }
  return CORBA::string_dup(text.c_str());
}

char* omniURI::addrAndNameToURI(const char* address, const char* text) {
  if (!address || !text) throw CORBA::BAD_PARAM();
  corbel::ior::Corbaloc corbaloc;
  if (*address == '\0' || corbel::ior::parse_corbaloc("corbaloc:" + std::string(address), corbaloc))
    throw CosNaming::NamingContextExt::InvalidAddress();
  std::string uri = "corbaname:" + std::string(address);
  if (*text != '\0') {
    const CosNaming::Name_var checked = stringToName(text);
    uri += '#' + corbel::ior::escape(text);
  }
  return CORBA::string_dup(uri.c_str());
}

}  // namespace omni
