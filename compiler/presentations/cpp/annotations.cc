#include "compiler/presentations/cpp/annotations.h"

#include <fmt/format.h>

#include "compiler/presentations/cpp/presentation.h"

namespace corbel::idl::cpp {
namespace {

bool is_for_cpp(const std::string& language) {
  return language == "*" || language == "c++" || language == "C++";
}

bool has_literal(const aoi::Type& type) {
  using K = aoi::Type::Kind;
  if (type.kind != K::Named)
    return type.kind == K::Basic || type.kind == K::String || type.kind == K::WString ||
           type.kind == K::Fixed;
  return type.decl->kind == aoi::Decl::Kind::Enum || type.decl->kind == aoi::Decl::Kind::Bitmask;
}

class Check {
 public:
  explicit Check(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void declaration(const aoi::Decl& d) {
    using K = aoi::Decl::Kind;
    if (d.kind == K::Struct) fields(static_cast<const aoi::Struct&>(d).fields);
    if (d.kind == K::Exception) fields(static_cast<const aoi::Exception&>(d).fields);
    if (d.kind == K::Enum) numbers(static_cast<const aoi::Enum&>(d));
    if (d.kind == K::Union)
      for (const auto& c : static_cast<const aoi::Union&>(d).cases) late_field(c.field);
    if (d.kind == K::Value)
      for (const auto& m : static_cast<const aoi::Value&>(d).members)
        if (const auto* const* s = std::get_if<const aoi::Value::State*>(&m)) late_field((*s)->field);
  }

 private:
  void fields(const std::vector<aoi::Field>& all) {
    for (const aoi::Field& f : all) field(f);
  }

  void field(const aoi::Field& f) {
    const auto is_set = [&](const char* name) -> const aoi::Annotation* {
      const aoi::Annotation* const a = aoi::find_standard(f.annotations, name);
      return a && std::get<bool>(a->arguments[0].value) ? a : nullptr;
    };
    if (const auto* const a = is_set("optional")) ignored(*a, "messages of CORBA always hold the member");
    if (const auto* const a = is_set("external")) ignored(*a, "the member is held as without it");
    for (const char* const name : {"range", "min", "max"})
      if (const aoi::Annotation* const a = aoi::find_standard(f.annotations, name))
        ignored(*a, "values are not checked");
  }

  // What has no constructor that could give it a value.
  void late_field(const aoi::Field& f) {
    field(f);
    if (const aoi::Annotation* const a = aoi::find_standard(f.annotations, "default"))
      ignored(*a, "only members of structs and exceptions begin with a value");
  }

  void numbers(const aoi::Enum& e) {
    if (const aoi::Annotation* const a = aoi::find_standard(e.annotations, "bit_bound"))
      ignored(*a, "enums have 32 bits in messages and in C++");
    for (const auto& item : e.enumerators)
      if (const aoi::Annotation* const a = aoi::find_standard(item.annotations, "value");
          a && item.number != item.value)
        ignored(*a, "enumerators are numbered from 0 in messages and in C++");
  }

  void ignored(const aoi::Annotation& a, std::string_view why) {
    diagnostics_.report(Kind::IgnoredAnnotation, a.span, fmt::format("@{} is ignored: {}", a.name, why));
  }

  Diagnostics& diagnostics_;
};

}  // namespace

aoi::Constant initial_value(const aoi::Field& field) {
  aoi::Constant c;
  c.type = field.type;
  const aoi::Type* const real = aoi::resolve(field.type);
  if (!has_literal(*real)) return c;
  if (real->kind == aoi::Type::Kind::Named && real->decl->kind == aoi::Decl::Kind::Enum)
    c.enum_type = static_cast<const aoi::Enum*>(real->decl);
  const aoi::Annotation* given = aoi::find_standard(field.annotations, "default");
  for (const aoi::Type* t = field.type; !given && t != real;
       t = static_cast<const aoi::Typedef*>(t->decl)->type)
    given = aoi::find_standard(t->decl->annotations, "default");
  if (given) c.value = given->arguments[0].value;
  if (given || !c.enum_type) return c;
  for (const auto& item : c.enum_type->enumerators)
    if (aoi::find_standard(item.annotations, "default_literal")) c.value = std::int64_t{item.value};
  return c;
}

std::vector<std::string> verbatim_lines(const aoi::Decl& decl, std::string_view placement) {
  std::vector<std::string> lines;
  for (const aoi::Annotation& a : decl.annotations) {
    if (!a.is_standard || a.name != "verbatim" || a.arguments[1].text != placement ||
        !is_for_cpp(std::get<std::string>(a.arguments[0].value)))
      continue;
    std::string_view text = std::get<std::string>(a.arguments[2].value);
    while (!text.empty()) {
      const auto end = std::min(text.find('\n'), text.size());
      lines.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }
  return lines;
}

std::vector<std::string> verbatim_lines(const aoi::Contract& contract, std::string_view placement) {
  std::vector<std::string> lines;
  const auto add = [&](const aoi::Decl& d) {
    for (std::string& l : verbatim_lines(d, placement)) lines.push_back(std::move(l));
  };
  for (const aoi::Decl* d : contract.declarations)
    if (d->in_main_file && d->kind == aoi::Decl::Kind::Module) add(*d);
  for_each_declaration(contract, add);
  return lines;
}

std::vector<std::string> member_comments(const aoi::Field& field) {
  std::vector<std::string> lines = field.comments;
  if (const aoi::Annotation* const unit = aoi::find_standard(field.annotations, "unit"))
    lines.push_back("Unit: " + std::get<std::string>(unit->arguments[0].value));
  return lines;
}

void check_annotations(const aoi::Contract& contract, Diagnostics& diagnostics) {
  Check check(diagnostics);
  for_each_declaration(contract, [&](const aoi::Decl& d) { check.declaration(d); });
}

}  // namespace corbel::idl::cpp
