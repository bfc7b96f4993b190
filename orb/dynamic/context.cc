// What of Context needs lists.
#include <corbel/cpp/named_values.h>

#include "orb/cpp/context_properties.h"
#include "orb/dynamic/raise.h"

namespace CORBA {

using corbel::SystemErrorId;
using corbel::dynamic::raise;

void Context::set_values(NVList_ptr values) {
  if (!values) raise(SystemErrorId::BAD_PARAM, 0, "a context needs a list to take values from");
  // All or nothing.
  const char* text;
  for (ULong i = 0; i < values->count(); ++i) {
    const NamedValue& one = values->_corbel_item(i);
    if (*one.name() == '\0' || !(*one.value() >>= text))
      raise(SystemErrorId::BAD_PARAM, 0, "properties of a context have names, and strings as values");
  }
  for (ULong i = 0; i < values->count(); ++i) {
    const NamedValue& one = values->_corbel_item(i);
    *one.value() >>= text;
    _corbel_set(one.name(), text);
  }
}

void Context::get_values(const char* start_scope, Flags flags, const char* pattern, NVList_out values) {
  if (!pattern || *pattern == '\0') raise(SystemErrorId::BAD_PARAM, 0, "a property of a context has a name");
  if (flags != 0 && flags != CTX_RESTRICT_SCOPE)
    raise(SystemErrorId::INV_FLAG, 0, "a context is searched with CTX_RESTRICT_SCOPE or no flag");
  const Context* from = this;
  if (start_scope && *start_scope != '\0')
    while (from && std::strcmp(from->context_name(), start_scope) != 0) from = from->parent();
  if (!from) raise(SystemErrorId::BAD_CONTEXT, 1, "no context of this name is the one asked or above it");
  Properties found;
  for (const Context* c = from; c; c = flags == CTX_RESTRICT_SCOPE ? nullptr : c->parent())
    for (const auto& [name, value] : c->_corbel_properties())
      if (corbel::cpp::matches(name, pattern))
        found.emplace(name, value);  // a child's comes before its parent's
  if (found.empty()) raise(SystemErrorId::BAD_CONTEXT, 2, "no property of the context has this name");
  NVList_var list = NVList::_corbel_make();
  for (const auto& [name, value] : found) *list->add_item(name.c_str(), ARG_IN)->value() <<= value.c_str();
  values = list._retn();
}

}  // namespace CORBA
