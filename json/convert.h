// Values of JSON to and from Anys.
#pragma once

#include <corbel/json.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "json/contract.h"
#include "json/path.h"

namespace corbel::json {

using Json = nlohmann::ordered_json;

// What may nest in a text, and in what is made of a value: stops those that would exhaust the stack.
inline constexpr int kDeepest = 200;
// Members of one object, which are looked for one after the other: stops those that would take time without
// end.
inline constexpr std::size_t kMostMembers = 4096;

// Error for what is no JSON, and for what nests too deep.
Json parse(const std::string& text);
std::string text_of(const Json& json);

// Error where it is no value of the type.
CORBA::Any any_of(const Json& json, CORBA::TypeCode& type, const Contract::Parts& contract,
                  CORBA::ORB_ptr orb, const Path& path);
// The same to be sent. It reaches any peer as it is, where an Any with values of derived types that went
// through octets could be cut off.
CORBA::Any argument_of(const Json& json, CORBA::TypeCode& type, const Contract::Parts& contract,
                       CORBA::ORB_ptr orb, const Path& path);
// Error for values of valuetypes that the contract does not have.
Json json_of(const CORBA::Any& any, const Contract::Parts& contract, CORBA::ORB_ptr orb, const Path& path);

// ---- what both directions know of types
// Types as JSON: a name of IDL's own ("unsigned long"), a scoped name or a repository id, or an object:
// {"sequence": T, "bound": N}, {"array": T, "length": N}, {"string": N}, {"wstring": N}, {"fixed": [D, S]}.
CORBA::TypeCode_ptr type_of(const Json& json, const Contract::Parts& contract, const Path& path);
Json json_of(const types::TypeCode& type, int depth = 0);

// The member of a union that a label selects, or its member_count.
std::uint32_t selected(const types::TypeCode& type, std::int64_t label);
// The name of a member; "_3" where its TypeCode came without names.
std::string member_name(const types::TypeCode& type, std::uint32_t index);
// A valuetype and the concrete ones that it derives from, itself first.
std::vector<const types::TypeCode*> chain_of(const types::TypeCode& type);
inline constexpr int kCustom = 1, kAbstract = 2, kTruncatable = 3;

// What encoders and decoders of this form are told (set_text) while they have JSON's text, which is UTF-8,
// whatever the program has.
std::uint32_t utf8_in(std::uint32_t form, CORBA::ORB_ptr orb);

std::string base64(const std::string& octets);
bool from_base64(const std::string& text, std::string& octets);
// Code points of UTF-8 that is known to be good, and back.
std::u32string code_points(const std::string& utf8);
void append_utf8(std::string& to, char32_t point);

}  // namespace corbel::json
