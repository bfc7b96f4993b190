#include "orb/cpp/local_references.h"

#include <corbel/cpp/orb.h>

#include <cstring>
#include <map>
#include <mutex>
#include <utility>

#include "orb/base/mutex.h"
#include "orb/core/orb.h"
#include "orb/core/reference.h"
#include "orb/ior/assigned.h"

namespace corbel::cpp {
namespace {

class Table final : public LocalReferences {
 public:
  enum class Added { Yes, Taken, Ended };
  Added add(const char* name, CORBA::Object_ptr object) {
    CORBA::Object_var counted = CORBA::Object::_duplicate(object);
    std::lock_guard lock(mutex_);
    if (ended_) return Added::Ended;
    return objects_.try_emplace(name, counted).second ? Added::Yes : Added::Taken;
  }
  CORBA::Object_ptr find(const char* name) override {
    std::lock_guard lock(mutex_);
    const auto found = objects_.find(name);
    return found == objects_.end() ? nullptr : CORBA::Object::_duplicate(found->second);
  }
  void list(std::vector<std::string>& names) override {
    std::lock_guard lock(mutex_);
    for (const auto& [name, object] : objects_) names.push_back(name);
  }
  void end() override {
    decltype(objects_) objects;  // go after the lock
    std::lock_guard lock(mutex_);
    ended_ = true;
    objects.swap(objects_);
  }

 private:
  base::Mutex mutex_;  // guards what follows
  bool ended_ = false;
  std::map<std::string, CORBA::Object_var, std::less<>> objects_;
};

Table& table(LocalReferences*& place) {
  LocalReferences* present = __atomic_load_n(&place, __ATOMIC_ACQUIRE);
  if (present) return static_cast<Table&>(*present);
  auto* const made = new Table;
  if (__atomic_compare_exchange_n(&place, &present, static_cast<LocalReferences*>(made), false,
                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return *made;
  delete made;
  return static_cast<Table&>(*present);
}

}  // namespace
}  // namespace corbel::cpp

namespace CORBA {

void ORB::register_initial_reference(const char* name, Object_ptr object) {
  using corbel::cpp::Table;
  ObjectIdList_var taken = list_initial_services();
  if (!name || *name == '\0') throw InvalidName();
  if (!object)
    corbel::cpp::raise({corbel::SystemErrorId::BAD_PARAM, corbel::Completion::No,
                        corbel::assigned::kOmgMinor | 27, "an initial reference must not be nil"});
  for (ULong i = 0; i < taken->length(); ++i)
    if (std::strcmp(taken[i], name) == 0) throw InvalidName();
  corbel::core::Reference* const reference = object->_corbel_reference();
  if (reference) {
    bool known = false;
    const corbel::SystemError error =
        core_->register_initial(name, corbel::base::Ref<corbel::core::Reference>::share(reference), known);
    if (error) corbel::cpp::raise(error);
    if (known) throw InvalidName();
    return;
  }
  switch (corbel::cpp::table(locals_).add(name, object)) {
    case Table::Added::Yes:
      return;
    case Table::Added::Taken:
      throw InvalidName();
    case Table::Added::Ended:
      throw OBJECT_NOT_EXIST(0, COMPLETED_NO);
  }
}

}  // namespace CORBA
