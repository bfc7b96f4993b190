#include "compiler/driver/json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace corbel::idl {
namespace {

using Json = nlohmann::ordered_json;

Json place(Span span, const SourceManager& sources) {
  const auto begin = sources.position(span.file, span.begin);
  const auto end = sources.position(span.file, std::max(span.begin, span.end));
  return {{"file", begin.path},
          {"line", begin.line},
          {"column", begin.column},
          {"end_line", end.line},
          {"end_column", end.column}};
}

}  // namespace

std::string render_json(const Diagnostic& d, const SourceManager& sources) {
  Json all = place(d.span, sources);
  all["severity"] = kind_severity(d.kind) == Severity::Error ? "error" : "warning";
  all["kind"] = kind_name(d.kind);
  all["message"] = d.message;
  all["notes"] = Json::array();
  for (const Note& n : d.notes) {
    Json note = place(n.span, sources);
    note["message"] = n.message;
    all["notes"].push_back(std::move(note));
  }
  // Names come from the source, which may hold any bytes.
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace corbel::idl
