#include "compiler/driver/profile.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>

namespace corbel::idl {
namespace {

// An operation, or an attribute's, where it is declared.
struct Found {
  const aoi::Interface* interface = nullptr;
  const aoi::Operation* operation = nullptr;
  const aoi::Attribute* attribute = nullptr;
};

Found own(const aoi::Interface& i, std::string_view name) {
  for (const auto& m : i.members) {
    if (const auto* const op = std::get_if<const aoi::Operation*>(&m); op && (*op)->name == name)
      return {&i, *op, nullptr};
    if (const auto* const a = std::get_if<const aoi::Attribute*>(&m);
        a && (name == "_get_" + (*a)->name || name == "_set_" + (*a)->name))
      return {&i, nullptr, *a};
  }
  return {};
}

Found own_or_inherited(const aoi::Interface& i, std::string_view name) {
  if (const Found found = own(i, name); found.interface) return found;
  for (const aoi::Interface* const a : aoi::ancestors(i))
    if (const Found found = own(*a, name); found.interface) return found;
  return {};
}

void collect(const std::vector<const aoi::Decl*>& declarations, std::vector<const aoi::Interface*>& all) {
  for (const aoi::Decl* const d : declarations) {
    if (d->kind == aoi::Decl::Kind::Module) collect(static_cast<const aoi::Module*>(d)->declarations, all);
    if (d->kind == aoi::Decl::Kind::Interface) all.push_back(static_cast<const aoi::Interface*>(d));
  }
}

// Names of declared types. Contracts may have one each of a name, of which some are only declared.
struct Types {
  std::set<std::string> names;
  std::set<const aoi::Decl*> seen;

  // Those that it is made of.
  void add(const aoi::Type* type) {
    for (; type; type = type->element) {
      if (type->key) add(type->key);
      if (type->kind != aoi::Type::Kind::Named || type->decl->kind == aoi::Decl::Kind::Interface) continue;
      names.insert(type->decl->scoped_name.substr(2));
      if (seen.insert(type->decl).second)
        aoi::for_each_type(*type->decl, [this](const aoi::Type& t) { add(&t); });
    }
  }
  void add(const Found& found) {
    if (found.attribute) return add(found.attribute->type);
    add(found.operation->result);
    for (const aoi::Parameter& p : found.operation->parameters) add(p.type);
  }
};

// What lines of one operation say together.
struct Load {
  std::uint64_t calls = 0, octets = 0;
  std::vector<Found> operations;
  std::string name;  // on the wire
};

// Adds the fewest that make the share.
template <std::uint64_t Load::*Part>
void choose(std::vector<const Load*> all, unsigned share, std::set<const Load*>& chosen) {
  std::stable_sort(all.begin(), all.end(), [](const Load* a, const Load* b) { return a->*Part > b->*Part; });
  long double total = 0, so_far = 0;
  for (const Load* const l : all) total += static_cast<long double>(l->*Part);
  for (const Load* const l : all) {
    if (so_far * 100 >= total * share) return;
    so_far += static_cast<long double>(l->*Part);
    chosen.insert(l);
  }
}

// "12 345": up to the next space.
bool take_number(std::string_view& line, std::uint64_t& number) {
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (error != std::errc() || end == line.data() + line.size() || *end != ' ') return false;
  line.remove_prefix(static_cast<std::size_t>(end - line.data()) + 1);
  return true;
}

bool read_line(std::string_view text, Profile& profile) {
  Profile::Line line;
  if (!take_number(text, line.calls) || !take_number(text, line.octets)) return false;
  const std::size_t space = std::min(text.find(' '), text.size());
  line.operation = text.substr(0, space);
  if (space != text.size()) line.interface = text.substr(space + 1);
  const bool whole = !line.operation.empty() && (space == text.size() || !line.interface.empty());
  profile.lines.push_back(std::move(line));
  return whole;
}

}  // namespace

bool read_profile(const std::string& text, Profile& profile, std::size_t& wrong) {
  std::string_view rest = text;
  for (wrong = 1; !rest.empty(); ++wrong) {
    const std::size_t end = rest.find('\n');
    if (end == rest.npos) return false;  // its process ended before all of it was written
    const std::string_view line = rest.substr(0, end);
    if (!line.empty() && line[0] != '#' && !read_line(line, profile)) return false;
    rest.remove_prefix(end + 1);
  }
  return true;
}

std::set<std::string> choose_by_profile(const std::vector<const aoi::Contract*>& contracts,
                                        const Profile& profile, unsigned share,
                                        std::set<std::size_t>& known) {
  std::vector<const aoi::Interface*> interfaces;
  for (const aoi::Contract* const c : contracts) collect(c->declarations, interfaces);
  // By name and interface that declares it, or what the line says of one that is declared elsewhere.
  std::map<std::string, Load> loads;
  for (std::size_t n = 0; n < profile.lines.size(); ++n) {
    const Profile::Line& line = profile.lines[n];
    std::string key = line.operation + ' ' + line.interface;
    std::vector<Found> operations;
    for (const aoi::Interface* const i : interfaces) {
      if (!line.interface.empty() && i->repository_id != line.interface) continue;
      const Found found =
          line.interface.empty() ? own(*i, line.operation) : own_or_inherited(*i, line.operation);
      if (!found.interface) continue;
      if (!line.interface.empty()) key = line.operation + ' ' + found.interface->repository_id;
      operations.push_back(found);
    }
    if (!operations.empty()) known.insert(n);
    Load& load = loads[key];
    load.calls += line.calls;
    load.octets += line.octets;
    load.name = line.operation;
    load.operations = std::move(operations);
  }
  std::vector<const Load*> all;
  for (const auto& [key, load] : loads) all.push_back(&load);
  std::set<const Load*> chosen;
  choose<&Load::calls>(all, share, chosen);
  choose<&Load::octets>(all, share, chosen);
  Types types;
  std::set<std::string> operations;
  for (const Load* const l : chosen)
    for (const Found& found : l->operations) {
      operations.insert(found.interface->scoped_name.substr(2) + "::" + l->name);
      types.add(found);
    }
  operations.merge(types.names);
  return operations;
}

}  // namespace corbel::idl
