// Local interfaces, and what holds them, never travel (CORBA 3.4 part 1, "Local Interface").
#include <fmt/format.h>

#include "compiler/frontends/omg/parser.h"

namespace corbel::idl::omg {

bool Parser::is_local(const aoi::Type* type) const {
  for (; type; type = type->element) {
    if (is_local(type->key)) return true;
    if (type->kind != aoi::Type::Kind::Named) continue;
    if (type->decl->kind == aoi::Decl::Kind::Interface)
      return static_cast<const aoi::Interface*>(type->decl)->is_local;
    return local_types_.contains(type->decl);
  }
  return false;
}

// Whether the operations of this scope send what they are given.
bool Parser::sends() const {
  return scope_->decl && scope_->decl->kind == aoi::Decl::Kind::Interface &&
         !static_cast<const aoi::Interface*>(scope_->decl)->is_local;
}

void Parser::refuse_local(const aoi::Type* type, Span span, std::string_view what) {
  if (is_local(type))
    report(Kind::LocalType, span,
           fmt::format("{} is local, so it cannot travel; only local interfaces have it", what));
}

// Of an interface that is not local.
void Parser::check_local(const aoi::Operation& op) {
  refuse_local(op.result, op.span, fmt::format("the result of '{}'", op.name));
  for (const aoi::Parameter& p : op.parameters)
    refuse_local(p.type, p.span, fmt::format("the type of '{}'", p.name));
  for (const aoi::Exception* e : op.raises)
    if (local_types_.contains(e))
      report(Kind::LocalType, op.span,
             fmt::format(
                 "'{}' holds what is local, so '{}' cannot raise it; only operations of local interfaces can",
                 e->name, op.name),
             {{e->span, "declared here"}});
}

}  // namespace corbel::idl::omg
