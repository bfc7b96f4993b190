// IOR interceptors: what they add to the references of adapters, and what they are told of adapters.
#include "orb/interceptors/ior.h"

#include <corbel/any.h>
#include <corbel/interceptors.h>

#include "orb/core/adapter_policies.h"
#include "orb/cpp/kept_policies.h"
#include "orb/interceptors/octets.h"
#include "orb/interceptors/raise.h"
#include "orb/interceptors/state.h"

namespace corbel::interceptors {
namespace {

using namespace PortableInterceptor;

// Makes the references of the adapter of its names, as the ORB does. It never travels.
class Template final : public ObjectReferenceTemplate, public CORBA::DefaultValueRefCountBase {
 public:
  Template(core::Orb& orb, std::vector<std::string> names)
      : orb_(base::Ref<core::Orb>::share(&orb)), names_(std::move(names)) {}

  char* server_id() override { return CORBA::string_dup(orb_->options().server_id.c_str()); }
  char* orb_id() override { return CORBA::string_dup(orb_->options().orb_id.c_str()); }
  AdapterName* adapter_name() override {
    CORBA::StringSeq_var list = new CORBA::StringSeq;
    list->length(static_cast<CORBA::ULong>(names_.size()));
    for (CORBA::ULong i = 0; i < names_.size(); ++i) list[i] = names_[i].c_str();
    return list._retn();
  }
  CORBA::Object_ptr make_object(const char* repository_id, const ObjectId& id) override {
    return cpp::make_plain_reference(*orb_, names_, repository_id, text(id));
  }

  CORBA::ValueBase* _copy_value() override { return new Template(*orb_, names_); }
  void _corbel_put_state(cdr::Encoder& out) const override {
    out.fail({SystemErrorId::MARSHAL, Completion::No, 0, "an adapter's template does not leave its process"});
  }
  bool _corbel_get_state(cdr::Decoder& in) override { return in.fail(); }

 private:
  const base::Ref<core::Orb> orb_;
  const std::vector<std::string> names_;
};

// For the time of the calls; at each other time it is of no use.
class Info final : public IORInfo {
 public:
  enum class Step { Establish, Established, Over };
  Info(core::Orb& orb, const cpp::AdapterFacts& adapter, core::AdapterPolicies& own)
      : orb_(orb), adapter_(adapter), own_(own), template_(new Template(orb, adapter.names)) {}

  char* manager_id() override {
    require(step_ != Step::Over);
    return CORBA::string_dup(adapter_.manager_id.c_str());
  }
  AdapterState state() override {
    require(step_ != Step::Over);
    return static_cast<AdapterState>(adapter_.state);
  }
  ObjectReferenceTemplate* adapter_template() override {
    require(step_ == Step::Established);
    return ObjectReferenceTemplate::_duplicate(template_);
  }
  ObjectReferenceFactory* current_factory() override {
    require(step_ == Step::Established);
    return ObjectReferenceFactory::_duplicate(factory_.in() ? factory_.in() : template_.in());
  }
  void current_factory(ObjectReferenceFactory* factory) override {
    require(step_ == Step::Established);
    if (!factory)
      cpp::raise({SystemErrorId::BAD_PARAM, Completion::No, 0, "an adapter's factory must not be null"});
    factory_ = ObjectReferenceFactory::_duplicate(factory);
  }
  CORBA::Policy_ptr get_effective_policy(CORBA::PolicyType type) override {
    require(step_ != Step::Over);
    CORBA::Policy_var found = cpp::find_policy(own_, type);
    if (!found.in() && !messaging::knows_policy(type) && !State::of(orb_).has_factory(type))
      raise(SystemErrorId::INV_POLICY, 3, "the ORB knows no policies of this type");
    return found._retn();
  }
  void add_ior_component(const IOP::TaggedComponent& component) override {
    require(step_ == Step::Establish);
    own_.components.push_back({component.tag, text(component.component_data)});
  }
  void add_ior_component_to_profile(const IOP::TaggedComponent& component, IOP::ProfileId profile) override {
    require(step_ == Step::Establish);
    if (profile != IOP::TAG_INTERNET_IOP)
      raise(SystemErrorId::BAD_PARAM, 29, "the references of this ORB have IIOP profiles only");
    add_ior_component(component);
  }

  // ---- for establish()
  void at(Step step) { step_ = step; }
  ObjectReferenceFactory* factory() const { return factory_.in(); }

 private:
  static void require(bool here) {
    if (!here) raise_not_here();
  }

  core::Orb& orb_;
  const cpp::AdapterFacts& adapter_;
  core::AdapterPolicies& own_;
  ObjectReferenceTemplate_var template_;
  ObjectReferenceFactory_var factory_;
  Step step_ = Step::Establish;
};

template <typename Function>
void for_each_newer(core::Orb& orb, Function function) {
  State* const state = State::find(orb);
  if (!state) return;
  for (const auto& registered : state->interceptors()->ior) {
    IORInterceptor_3_0_var newer = IORInterceptor_3_0::_narrow(registered.interceptor);
    if (newer.in()) function(*newer.in());
  }
}

// What they are only told may be told in vain.
template <typename Function>
void tell(core::Orb& orb, Function function) {
  for_each_newer(orb, [&](IORInterceptor_3_0& interceptor) {
    try {
      function(interceptor);
    } catch (...) {
    }
  });
}

}  // namespace

void establish(core::Orb& orb, const cpp::AdapterFacts& adapter, core::AdapterPolicies& own) {
  State* const state = State::find(orb);
  const auto all = state ? state->interceptors() : nullptr;
  if (!all || all->ior.empty()) return;
  Info* const info = new Info(orb, adapter, own);
  const IORInfo_var owner = info;
  for (const auto& registered : all->ior) {
    try {
      registered.interceptor->establish_components(info);
    } catch (...) {  // one that fails adds nothing more; the adapter is made all the same
    }
  }
  info->at(Info::Step::Established);
  try {
    for_each_newer(orb, [&](IORInterceptor_3_0& newer) { newer.components_established(info); });
  } catch (...) {
    info->at(Info::Step::Over);
    raise(SystemErrorId::OBJ_ADAPTER, 6, "an IORInterceptor refuses the adapter");
  }
  info->at(Info::Step::Over);
  if (ObjectReferenceFactory* const factory = info->factory())
    own.factory =
        std::make_shared<const ObjectReferenceFactory_var>(ObjectReferenceFactory::_duplicate(factory));
}

CORBA::Object_ptr make_object(const void* factory, const char* repository_id, const std::string& id) {
  ObjectReferenceFactory* const made_by = static_cast<const ObjectReferenceFactory_var*>(factory)->in();
  ObjectId_var octets = make_octets<ObjectId>(id);
  return made_by->make_object(repository_id, octets.in());
}

void manager_changed(core::Orb& orb, const char* id, int state) {
  tell(orb, [&](IORInterceptor_3_0& interceptor) {
    interceptor.adapter_manager_state_changed(id, static_cast<AdapterState>(state));
  });
}

void adapters_gone(core::Orb& orb, const std::vector<std::vector<std::string>>& names) {
  tell(orb, [&](IORInterceptor_3_0& interceptor) {
    ObjectReferenceTemplateSeq templates;
    templates.length(static_cast<CORBA::ULong>(names.size()));
    for (CORBA::ULong i = 0; i < names.size(); ++i) templates[i] = new Template(orb, names[i]);
    interceptor.adapter_state_changed(templates, NON_EXISTENT);
  });
}

}  // namespace corbel::interceptors
