#include "orb/core/orb.h"
#include "orb/cpp/context_properties.h"
#include "orb/ior/assigned.h"

namespace CORBA {

namespace {

// The ORB's default context.
struct DefaultContext : corbel::core::LocalSlot {
  Context_var context = new Context("", nullptr);
};

}  // namespace

Context::Context(const char* name, Context_ptr parent)
    : name_(name), parent_(_duplicate(parent)), properties_(new Properties) {}

Context::~Context() { delete properties_; }

void Context::_corbel_add_ref() { __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED); }
void Context::_corbel_remove_ref() {
  if (__atomic_fetch_sub(&count_, 1, __ATOMIC_ACQ_REL) == 1) delete this;
}

const char* Context::context_name() const { return name_.in(); }

void Context::create_child(const char* name, Context_out child) {
  child = new Context(name ? name : "", this);
}

void Context::_corbel_set(const char* property, const char* value) { (*properties_)[property] = value; }

void Context::set_one_value(const char* property, const Any& value) {
  const char* text = nullptr;
  if (!property || *property == '\0' || !(value >>= text)) throw BAD_PARAM(0, COMPLETED_NO);
  _corbel_set(property, text);
}

void Context::delete_values(const char* property) {
  if (!property || *property == '\0') throw BAD_PARAM(0, COMPLETED_NO);
  bool found = false;
  for (auto at = properties_->begin(); at != properties_->end();) {
    const bool gone = corbel::cpp::matches(at->first, property);
    at = gone ? properties_->erase(at) : std::next(at);
    found = found || gone;
  }
  if (!found) throw BAD_CONTEXT(corbel::assigned::kOmgMinor | 2, COMPLETED_NO);
}

void ORB::get_default_context(Context_out context) {
  corbel::base::Ref<corbel::core::LocalSlot> slot = core_->local_slot("DefaultContext");
  if (!slot)
    slot = core_->set_local_slot("DefaultContext",
                                 corbel::base::Ref<corbel::core::LocalSlot>::adopt(new DefaultContext));
  context = Context::_duplicate(static_cast<DefaultContext*>(slot.get())->context.in());
}

}  // namespace CORBA

namespace corbel::cpp {

void put_context(cdr::Encoder& out, CORBA::Context_ptr context, const char* const* patterns,
                 std::uint32_t count) {
  CORBA::Context::Properties found;
  for (const CORBA::Context* c = context; c; c = c->parent())
    for (const auto& [name, value] : c->_corbel_properties())
      for (std::uint32_t i = 0; i < count; ++i)
        if (matches(name, patterns[i])) found.emplace(name, value);  // a child's comes before its parent's
  out.put(static_cast<std::uint32_t>(2 * found.size()));
  for (const auto& [name, value] : found) {
    out.put_string(name.c_str());
    out.put_string(value.c_str());
  }
}

bool get_context(cdr::Decoder& in, CORBA::Context_var& context) {
  std::uint32_t count;
  if (!in.get_length(count, 5) || count % 2 != 0) return in.fail();
  context = new CORBA::Context("", nullptr);
  for (std::uint32_t i = 0; i < count; i += 2) {
    const char *name, *value;
    if (!in.get_string_view(name) || !in.get_string_view(value)) return false;
    context->_corbel_set(name, value);
  }
  return true;
}

}  // namespace corbel::cpp
