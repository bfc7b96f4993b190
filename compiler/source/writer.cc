#include "compiler/source/writer.h"

namespace corbel::idl {
namespace {

// The last place before `limit` where a line may be broken, outside literals; 0 if there is none.
std::size_t break_before(std::string_view line, std::size_t limit) {
  std::size_t best = 0, alternative = 0;  // behind a comma, behind "||"
  bool literal = false;
  for (std::size_t i = 0; i + 1 < line.size() && (i < limit || best == 0); ++i) {
    if (literal && line[i] == '\\') ++i;
    else if (line[i] == '"') literal = !literal;
    else if (!literal && line[i] == ' ' && i > 0 && line[i - 1] == ',') best = i + 1;
    else if (!literal && line[i] == ' ' && i > 0 && line[i - 1] == '|') best = alternative = i + 1;
  }
  return alternative != 0 ? alternative : best;
}

}  // namespace

void Writer::function(const std::string& signature, const std::string& body) {
  const std::string line = signature + " { " + body + " }";
  if (static_cast<std::size_t>(level_) * 2 + line.size() <= kMostColumns) return put(line);
  put(signature + " {");
  indent();
  put(body);
  close();
}

void Writer::put(std::string_view text) {
  while (true) {
    const auto newline = text.find('\n');
    put_line(text.substr(0, newline));
    if (newline == text.npos) return;
    text.remove_prefix(newline + 1);
  }
}

void Writer::put_line(std::string_view line) {
  std::size_t indentation = static_cast<std::size_t>(level_) * 2;
  const bool whole = line.starts_with('#') || line.find("//") != line.npos;
  if (line.starts_with('#')) indentation = 0;
  const std::size_t first = line.find_first_not_of(' ');
  const std::size_t continued = indentation + (first == line.npos ? 0 : first) + 4;
  while (!whole && indentation + line.size() > kMostColumns) {
    const std::size_t at = break_before(line, kMostColumns - indentation);
    if (at == 0) break;
    text_.append(indentation, ' ').append(line.substr(0, at - 1)) += '\n';
    line.remove_prefix(at);
    indentation = continued;
  }
  if (!line.empty()) text_.append(indentation, ' ').append(line);
  text_ += '\n';
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') out += std::string("\\") + c;
    else if (c == '?' && out.back() == '?') out += "\\?";  // two would begin a trigraph
    else if (u < 32 || u > 126) out += fmt::format("\\{:03o}", u);
    else out += c;
  }
  return out + '"';
}

}  // namespace corbel::idl
