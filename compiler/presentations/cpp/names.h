// How the classic C++ mapping spells types and parameters (OMG C++ mapping 1.3).
#pragma once

#include <string>

#include "compiler/aoi/aoi.h"
#include "compiler/pres/pres.h"

namespace corbel::idl::cpp {

// The identifier, with _cxx_ before it if it is a C++ keyword.
std::string identifier(const std::string& name);
// Whether it is declared in a class: in an interface, a value type, a structure or a union.
bool in_class(const aoi::Decl& decl);
// "'c'"
std::string character(std::int64_t value);
// "L'c'"
std::string wide_character(std::int64_t value);
// "L\"text\""
std::string wide_text(const std::u32string& text);
// "::M::I"
std::string qualified(const aoi::Decl& decl);
// The class of a basic type: "CORBA::Long".
std::string basic_name(aoi::Basic basic);
// The unsigned number of so many bits.
std::string unsigned_name(std::uint32_t bits);
std::string bit_field_type(const aoi::Bitset::Bits& field);
// A value as it is stored in a struct, array or sequence; arrays give their element.
std::string stored_type(const aoi::Type* type);
// "[2][3]" of an anonymous array.
std::string dimensions(const aoi::Type* type);
// The same without the first: "[3]".
std::string slice_dimensions(const aoi::Type* type);
// The template class of a sequence.
std::string sequence_class(const aoi::Type* sequence);
std::string interface_name(const aoi::Type* type);  // class of a reference type
// The type of an array's single elements, through arrays of arrays.
std::string array_scalar(const aoi::Type* type);
// "POA_M::I"
std::string skel_class(const aoi::Interface& interface);

// What owns a value of variable length.
std::string var_type(const aoi::Type* type);
std::string parameter_type(const aoi::Type* type, aoi::Parameter::Mode mode);
std::string result_type(const aoi::Type* type);
// "const char* text, CORBA::Long n"
std::string parameters(const aoi::Operation& operation);
// "text, n": of a call with the parameters
std::string argument_names(const pres::Operation& operation);
std::string argument_names(const aoi::Operation& operation);
bool is_void(const aoi::Type* type);
// Whether some interface that it derives from, or it itself, is abstract.
bool is_abstract(const aoi::Interface& interface);

// Operations of an interface, those behind attributes included.
std::vector<aoi::Operation> operations(const aoi::Interface& interface);
// The method's name: attributes lose their _get_ and _set_.
std::string method_name(const aoi::Operation& operation);

}  // namespace corbel::idl::cpp
