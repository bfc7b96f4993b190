#include "compiler/presentations/cpp/provided.h"

#include <map>
#include <string_view>

namespace corbel::idl::cpp {
namespace {

constexpr const char* kAbstract = "corbel/cpp/abstract.h";
constexpr const char* kAnys = "corbel/cpp/any_seq.h";
constexpr const char* kException = "corbel/cpp/exception.h";
constexpr const char* kMembers = "corbel/cpp/any_members.h";
constexpr const char* kOctets = "corbel/cpp/octet_seq.h";
constexpr const char* kOrb = "corbel/cpp/orb.h";
constexpr const char* kPoa = "corbel/cpp/poa.h";
constexpr const char* kPolicy = "corbel/cpp/policy.h";
constexpr const char* kSequences = "corbel/cpp/basic_seqs.h";
constexpr const char* kStringValue = "corbel/cpp/string_value.h";
constexpr const char* kTypeCode = "corbel/cpp/type_code.h";
constexpr const char* kValue = "corbel/cpp/value.h";

const std::map<std::string_view, const char*> kProvided = {
    {"::CORBA::CompletionStatus", kException},
    {"::CORBA::OctetSeq", kOctets},
    {"::CORBA::AbstractBase", kAbstract},
    {"::CORBA::AnySeq", kAnys},
    {"::CORBA::BooleanSeq", kSequences},
    {"::CORBA::CharSeq", kSequences},
    {"::CORBA::WCharSeq", kSequences},
    {"::CORBA::ShortSeq", kSequences},
    {"::CORBA::UShortSeq", kSequences},
    {"::CORBA::LongSeq", kSequences},
    {"::CORBA::ULongSeq", kSequences},
    {"::CORBA::LongLongSeq", kSequences},
    {"::CORBA::ULongLongSeq", kSequences},
    {"::CORBA::FloatSeq", kSequences},
    {"::CORBA::DoubleSeq", kSequences},
    {"::CORBA::StringValue", kStringValue},
    {"::CORBA::WStringValue", kStringValue},
    {"::CORBA::ORB", kOrb},
    {"::CORBA::Identifier", kMembers},
    {"::CORBA::RepositoryId", kMembers},
    {"::CORBA::VersionSpec", kMembers},
    {"::CORBA::StructMember", kMembers},
    {"::CORBA::StructMemberSeq", kMembers},
    {"::CORBA::UnionMember", kMembers},
    {"::CORBA::UnionMemberSeq", kMembers},
    {"::CORBA::EnumMemberSeq", kMembers},
    {"::CORBA::ValueMember", kMembers},
    {"::CORBA::ValueMemberSeq", kMembers},
    {"::CORBA::PolicyType", kPolicy},
    {"::CORBA::Policy", kPolicy},
    {"::CORBA::PolicyList", kPolicy},
    {"::CORBA::PolicyErrorCode", kPolicy},
    {"::CORBA::BAD_POLICY", kPolicy},
    {"::CORBA::UNSUPPORTED_POLICY", kPolicy},
    {"::CORBA::BAD_POLICY_TYPE", kPolicy},
    {"::CORBA::BAD_POLICY_VALUE", kPolicy},
    {"::CORBA::UNSUPPORTED_POLICY_VALUE", kPolicy},
    {"::CORBA::PolicyError", kPolicy},
    {"::CORBA::Current", kPolicy},
    {"::CORBA::PolicyManager", kPolicy},
    {"::CORBA::PolicyCurrent", kPolicy},
    {"::CORBA::ValueFactory", kValue},
    {"::CORBA::TCKind", kTypeCode},
    {"::CORBA::Visibility", kTypeCode},
    {"::CORBA::PRIVATE_MEMBER", kTypeCode},
    {"::CORBA::PUBLIC_MEMBER", kTypeCode},
    {"::CORBA::ValueModifier", kTypeCode},
    {"::CORBA::VM_NONE", kTypeCode},
    {"::CORBA::VM_CUSTOM", kTypeCode},
    {"::CORBA::VM_ABSTRACT", kTypeCode},
    {"::CORBA::VM_TRUNCATABLE", kTypeCode},
    {"::PortableServer::Servant", kPoa},
    {"::PortableServer::ObjectId", kPoa},
    {"::PortableServer::ThreadPolicyValue", kPoa},
    {"::PortableServer::LifespanPolicyValue", kPoa},
    {"::PortableServer::IdUniquenessPolicyValue", kPoa},
    {"::PortableServer::IdAssignmentPolicyValue", kPoa},
    {"::PortableServer::ImplicitActivationPolicyValue", kPoa},
    {"::PortableServer::ServantRetentionPolicyValue", kPoa},
    {"::PortableServer::RequestProcessingPolicyValue", kPoa},
    {"::PortableServer::ThreadPolicy", kPoa},
    {"::PortableServer::LifespanPolicy", kPoa},
    {"::PortableServer::IdUniquenessPolicy", kPoa},
    {"::PortableServer::IdAssignmentPolicy", kPoa},
    {"::PortableServer::ImplicitActivationPolicy", kPoa},
    {"::PortableServer::ServantRetentionPolicy", kPoa},
    {"::PortableServer::RequestProcessingPolicy", kPoa},
    {"::PortableServer::ForwardRequest", kPoa},
    {"::PortableServer::ServantManager", kPoa},
    {"::PortableServer::ServantActivator", kPoa},
    {"::PortableServer::ServantLocator", kPoa},
    {"::PortableServer::POAManager", kPoa},
    {"::PortableServer::POAManagerFactory", kPoa},
    {"::PortableServer::AdapterActivator", kPoa},
    {"::PortableServer::POAList", kPoa},
    {"::PortableServer::POA", kPoa},
    {"::PortableServer::Current", kPoa},
};

void collect(const std::vector<const aoi::Decl*>& declarations, std::set<std::string>& headers) {
  for (const aoi::Decl* d : declarations) {
    if (d->kind == aoi::Decl::Kind::Module)
      collect(static_cast<const aoi::Module*>(d)->declarations, headers);
    else if (const char* const header = d->in_main_file ? provided_by(*d) : nullptr) headers.insert(header);
  }
}

}  // namespace

const char* provided_by(const aoi::Decl& decl) {
  const auto at = kProvided.find(decl.scoped_name);
  return at == kProvided.end() ? nullptr : at->second;
}

std::set<std::string> provided_headers(const aoi::Contract& contract) {
  std::set<std::string> headers;
  collect(contract.declarations, headers);
  return headers;
}

}  // namespace corbel::idl::cpp
