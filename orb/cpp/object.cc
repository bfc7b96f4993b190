#include <corbel/cpp/object.h>

#include <cstdlib>
#include <cstring>

#include <corbel/cpp/call.h>
#include <corbel/cpp/codec.h>
#include <corbel/cpp/sequence.h>
#include <corbel/cpp/skeleton.h>
#include <corbel/cpp/string.h>
#include <corbel/cpp/var.h>

#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/ior/assigned.h"

namespace corbel::cpp {

void raise_nil() {
  raise({SystemErrorId::INV_OBJREF, Completion::No, 0, "an operation was called on a nil object reference"});
}
void raise_bound_exceeded() {
  raise({SystemErrorId::BAD_PARAM, Completion::No, 0, "a length is over the bound of a sequence"});
}
void free_taken(const void* elements) {
  void* block;
  std::memcpy(&block, static_cast<const char*>(elements) - sizeof block, sizeof block);
  std::free(block);
}
void raise_wrong_member() {
  raise({SystemErrorId::BAD_PARAM, Completion::No, 0,
         "a union's discriminator may be set only to a label of its present member"});
}
void raise_no_memory() { raise({SystemErrorId::NO_MEMORY, Completion::No, 0, nullptr}); }
void raise_null_var() {
  raise(
      {SystemErrorId::BAD_PARAM, Completion::No, 0, "an empty _var was used as a value; assign to it first"});
}

core::Reference* retain(core::Reference* reference) {
  reference->add_ref();
  return reference;
}

bool same_id(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }

namespace {
// A reference of which only the interface CORBA::Object is known.
class PlainObject final : public CORBA::Object {
 public:
  explicit PlainObject(core::Reference* reference) : Object(reference) {}
};
}  // namespace

CORBA::Object_ptr make_object(core::Reference* adopted) {
  return adopted ? new PlainObject(adopted) : nullptr;
}

Narrowed find_narrowed(CORBA::Object_ptr object, const char* repository_id, bool ask) {
  if (!object) return {};
  if (void* const found = object->_corbel_widen(repository_id)) {
    object->_corbel_add_ref();
    return {found, nullptr};
  }
  core::Reference* const reference = object->_corbel_reference();
  if (!reference || (ask && !object->_is_a(repository_id))) return {};
  return {nullptr, retain(reference)};
}

void put_local(cdr::Encoder& out) {
  out.fail({SystemErrorId::MARSHAL, Completion::No, assigned::kOmgMinor | 4,
            "a local object cannot be sent to another process"});
}

void put_object(cdr::Encoder& out, CORBA::Object_ptr object) {
  if (!object) return ior::encode(out, {});
  if (!object->_corbel_reference()) return put_local(out);
  ior::encode(out, object->_corbel_reference()->ior());
}

bool get_reference(cdr::Decoder& in, core::Reference*& reference) {
  ior::Ior ior;
  if (!ior::decode(in, ior)) return false;
  reference = nullptr;
  if (ior.profiles.empty()) return true;
  // None where no object was to be expected: an Any's octets may have been sent as something else.
  auto* const orb = static_cast<core::Orb*>(in.context());
  if (!orb) return in.fail();
  reference = orb->import(std::move(ior)).release();
  return true;
}

Placeholder::Placeholder(const char* name, core::Orb& orb) : name_(name), orb_(&orb) { orb_->add_ref(); }
Placeholder::~Placeholder() { orb_->remove_ref(); }

void* Placeholder::_corbel_widen(const char* repository_id) {
  return same_id(repository_id, _corbel_id) ? this : Object::_corbel_widen(repository_id);
}

}  // namespace corbel::cpp

namespace CORBA {
namespace {

constexpr corbel::cpp::Operation kIsA{{"_is_a", 5, false}, nullptr, 0};
constexpr corbel::cpp::Operation kNonExistent{{"_non_existent", 13, false}, nullptr, 0};
constexpr corbel::cpp::Operation kRepositoryId{{"_repository_id", 14, false}, nullptr, 0};
constexpr corbel::cpp::Operation kComponent{{"_component", 10, false}, nullptr, 0};
constexpr corbel::cpp::Operation kInterface{{"_interface", 10, false}, nullptr, 0};

Object_ptr answer(const Object& asked, const corbel::cpp::Operation& operation) {
  corbel::cpp::Call call(asked, operation);
  corbel::cdr::Decoder& in = call.invoke();
  Object_var result;
  if (!corbel::cpp::get_reference(in, result)) call.bad_results();
  return result._retn();
}

}  // namespace

Object::~Object() {
  if (reference_) reference_->remove_ref();
}

void Object::_corbel_add_ref() { __atomic_fetch_add(&count_, 1, __ATOMIC_RELAXED); }

void Object::_corbel_remove_ref() {
  if (__atomic_fetch_sub(&count_, 1, __ATOMIC_ACQ_REL) == 1) delete this;
}

Object_ptr Object::_duplicate(Object_ptr object) { return corbel::cpp::duplicate(object); }

void release(Object* object) {
  if (object) object->_corbel_remove_ref();
}

void* Object::_corbel_widen(const char* repository_id) {
  return corbel::cpp::same_id(repository_id, _corbel_id) ? this : nullptr;
}

const void* Object::_corbel_identity() const { return this; }

Boolean Object::_is_a(const char* repository_id) {
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (!repository_id)
    corbel::cpp::raise(
        {corbel::SystemErrorId::BAD_PARAM, corbel::Completion::No, 0, "_is_a needs a repository id"});
  if (_corbel_widen(repository_id)) return true;
  if (!reference_) return false;
  if (reference_->known_to_be(repository_id)) return true;
  corbel::cpp::Call call(*this, kIsA);
  call.arguments().put_string(repository_id);
  corbel::cdr::Decoder& in = call.invoke();
  bool result;
  if (!in.get_boolean(result)) call.bad_results();
  if (result) reference_->remember(repository_id);
  return result;
}

Boolean Object::_non_existent() {
  if (corbel::cpp::is_null(this)) return true;
  if (!reference_) return false;
  try {
    corbel::cpp::Call call(*this, kNonExistent);
    corbel::cdr::Decoder& in = call.invoke();
    bool result;
    if (!in.get_boolean(result)) call.bad_results();
    return result;
  } catch (const OBJECT_NOT_EXIST&) {
    return true;
  }
}

Boolean Object::_is_equivalent(Object_ptr other) {
  if (corbel::cpp::is_null(this)) return other == nullptr;
  if (!other) return false;
  if (!reference_ || !other->reference_) return _corbel_identity() == other->_corbel_identity();
  return reference_->equivalent(*other->reference_);
}

ULong Object::_hash(ULong maximum) {
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (reference_) return reference_->hash(maximum);
  const auto address = reinterpret_cast<std::uintptr_t>(this) >> 4;
  return static_cast<ULong>(maximum == 0xffffffffu ? address : address % (std::uintptr_t{maximum} + 1));
}

Object_ptr Object::_get_component() {
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  return reference_ ? answer(*this, kComponent) : nullptr;
}

Object_ptr Object::_corbel_interface() {
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (!reference_)
    corbel::cpp::raise({corbel::SystemErrorId::NO_IMPLEMENT, corbel::Completion::No,
                        corbel::assigned::kOmgMinor | 8, "no repository describes a local object"});
  return answer(*this, kInterface);
}

char* Object::_repository_id() {
  if (corbel::cpp::is_null(this)) corbel::cpp::raise_nil();
  if (!reference_) return string_dup(_corbel_id);
  if (*reference_->type_id() != '\0') return string_dup(reference_->type_id());
  corbel::cpp::Call call(*this, kRepositoryId);
  corbel::cdr::Decoder& in = call.invoke();
  String_var result;
  if (!corbel::cpp::get_string(in, result)) call.bad_results();
  return result._retn();
}

}  // namespace CORBA
