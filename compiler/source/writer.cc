#include "compiler/source/writer.h"

#include <algorithm>

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

// How many octets of UTF-8 the character at `at` has; 0 if it is none.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (at + length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) return 0;
  // Neither too long for what it says, nor a surrogate, nor beyond the last character.
  const auto second = length > 2 ? static_cast<unsigned char>(text[at + 1]) : 0;
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
    return 0;
  return length;
}

// Text whose encoding nobody said: what is no UTF-8 is taken for ISO 8859-1.
std::string as_utf8(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = utf8_length(text, i);
    if (length == 0) {
      const auto octet = static_cast<unsigned char>(text[i++]);
      out += static_cast<char>(0xc0 | octet >> 6);
      out += static_cast<char>(0x80 | (octet & 0x3f));
      continue;
    }
    out += text.substr(i, length);
    i += length;
  }
  return out;
}

}  // namespace

// The text of an annotation may have several lines. A backslash at the end of one, with blanks behind it or
// without, would make the next line a part of the comment.
void Writer::comments(const std::vector<std::string>& lines) {
  for (const std::string& text : lines) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find_first_of("\n\r", begin), text.size());
      std::string_view l = std::string_view(text).substr(begin, end - begin);
      l = l.substr(0, l.find_last_not_of(" \t\v\f") + 1);
      const bool goes_on = l.ends_with('\\') || l.ends_with("?\?/");
      put(l.empty() ? "//" : "// " + as_utf8(l) + (goes_on ? " ." : ""));
      begin = end + 1;
    }
  }
}

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
