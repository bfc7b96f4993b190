#include "compiler/source/standard_idl.h"

#include <map>
#include <string_view>

namespace corbel::idl {
namespace {

// Under whose name others have what is here.
const std::map<std::string_view, std::string_view> kOtherNames = {
    {"corbaidl", "orb"},
    {"boxes", "orb"},
    {"orb_types", "orb"},
    {"Current", "orb"},
    {"Policy", "orb"},
    {"Policy_Current", "orb"},
    {"Policy_Manager", "orb"},
    {"ParameterMode", "orb"},
    {"Services", "orb"},
    {"StringValue", "orb"},
    {"Typecode_types", "orb"},
    {"ValueModifier", "orb"},
    {"Visibility", "orb"},
    {"WrongTransaction", "orb"},
    {"poa", "PortableServer"},
    {"poa_include", "PortableServer"},
    {"PortableServer_include", "PortableServer"},
    {"IFR_Basic", "ir"},
    {"IFR_Extended", "ir"},
    {"Pollable", "pollable"},
    {"messaging", "Messaging"},
    {"messaging_policy", "Messaging"},
    {"Messaging_SyncScope", "Messaging"},
    {"IOP_Codec", "IOP"},
    {"CodeSetContext", "CONV_FRAME"},
    {"CosProperty", "CosPropertyService"},
    {"TimeService", "CosTime"},
};

bool belongs_to_others(std::string_view folder) {
  for (const std::string_view f : {"COS/", "omniORB/", "orbsvcs/", "tao/"})
    if (folder.starts_with(f)) return true;
  return false;
}

}  // namespace

std::string standard_file(const std::string& written) {
  const auto slash = written.rfind('/');
  const std::string_view file = std::string_view(written).substr(slash == written.npos ? 0 : slash + 1);
  if (slash != written.npos && !belongs_to_others(written)) return {};
  const auto dot = file.rfind('.');
  const std::string_view extension = dot == file.npos ? std::string_view() : file.substr(dot);
  if (extension != ".idl" && extension != ".pidl") return {};
  std::string_view name = file.substr(0, dot);
  if (const auto other = kOtherNames.find(name); other != kOtherNames.end()) name = other->second;
  // TAO has a file for each sequence of a basic type.
  if (extension == ".pidl" && name.ends_with("Seq")) name = "orb";
  return std::string(name) + ".idl";
}

}  // namespace corbel::idl
