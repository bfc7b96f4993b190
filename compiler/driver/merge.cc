#include "compiler/driver/merge.h"

#include <algorithm>
#include <string_view>

namespace corbel::idl {
namespace {

// A generated file: its first line says where it comes from, then "#pragma once" in headers and the includes.
struct Parts {
  std::string head;
  std::vector<std::string> includes;
  std::string body;
};

Parts split(std::string_view text) {
  Parts parts;
  const auto line_end = [&] { return std::min(text.find('\n'), text.size() - 1) + 1; };
  const auto take = [&] {
    const std::string line(text.substr(0, line_end()));
    text.remove_prefix(line.size());
    return line;
  };
  if (!text.empty()) parts.head = take();
  while (!text.empty()) {
    if (text.starts_with("#include ")) parts.includes.push_back(take());
    else if (text.starts_with("#pragma once\n")) parts.head += take();
    else if (text.starts_with('\n')) take();
    else break;
  }
  parts.body = text;
  return parts;
}

std::string join(const std::vector<const GeneratedFile*>& files, const std::vector<std::string>& own) {
  std::string head, bodies;
  std::vector<std::string> includes;
  for (const GeneratedFile* f : files) {
    Parts parts = split(f->text);
    if (head.empty()) head = parts.head;
    for (std::string& i : parts.includes)
      if (std::find(own.begin(), own.end(), i) == own.end() &&
          std::find(includes.begin(), includes.end(), i) == includes.end())
        includes.push_back(std::move(i));
    bodies += parts.body;
    if (!bodies.empty() && !bodies.ends_with("\n\n")) bodies += '\n';
  }
  std::string text = head;
  if (head.ends_with("#pragma once\n")) text += '\n';
  for (const std::string& i : includes) text += i;
  return text + '\n' + bodies;
}

}  // namespace

std::vector<GeneratedFile> merge(std::vector<GeneratedFile> files, const MergeNames& names) {
  std::vector<GeneratedFile> merged;
  for (const GeneratedFile& f : files) {
    const auto same = [&](const GeneratedFile& g) { return g.suffix == f.suffix; };
    if (std::any_of(merged.begin(), merged.end(), same)) continue;
    std::vector<const GeneratedFile*> group;
    std::size_t crowded_out = 0;
    for (const GeneratedFile& g : files) {
      if (!same(g)) continue;
      group.push_back(&g);
      crowded_out += g.crowded_out;
    }
    if (group.size() == 1) {
      merged.push_back(f);
      continue;
    }
    std::vector<std::string> own = {"#include \"" + names.base_name + f.suffix + "\"\n"};
    if (names.stub_header.ends_with(names.base_name + f.suffix))
      own.push_back("#include \"" + names.stub_header + "\"\n");
    merged.push_back({f.suffix, join(group, own), crowded_out});
  }
  return merged;
}

}  // namespace corbel::idl
