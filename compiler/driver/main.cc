// corbel-idl: carries out what the command line asks for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compiler/aoi/dump.h"
#include "compiler/aoi/equivalents.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/generate.h"
#include "compiler/driver/options.h"
#include "compiler/driver/output.h"
#include "compiler/driver/profile.h"
#include "compiler/presentations/cpp/presentation.h"

namespace {

using namespace corbel::idl;

void say(const std::string& line) { fmt::print(stderr, "corbel-idl: {}\n", line); }

// To standard output, which may be a full disk.
Status print(const std::string& text) {
  const bool written =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!written) say(fmt::format("cannot write to standard output: {}", std::strerror(errno)));
  return written ? Done : Misuse;
}

void show(const Compilation& c, const Options& o) {
  fmt::print(stderr, "{}", o.json ? c.messages_as_json(o.warnings) : c.messages(o.warnings));
}

// Where a generated file goes. Parts that share a file go where the first of them goes.
std::string place(const Options& o, const std::string& file, const std::string& suffix) {
  const cpp::Options& how = o.generate.presentation;
  const auto is = [&suffix](const cpp::FileNames& n) { return suffix == n.header || suffix == n.source; };
  const bool skel = !is(how.stub) && is(how.skel), any = !is(how.stub) && !is(how.skel) && is(how.any);
  const std::string& own = skel ? o.skel_dir : any ? o.any_dir : o.output_dir;
  return output_path(own.empty() ? o.output_dir : own, file, suffix);
}

std::vector<std::string> targets(const Options& o, const std::string& file) {
  std::vector<std::string> all = o.dependency_targets;
  if (!all.empty()) return all;
  for (const std::string& s : generated_suffixes(o.generate))
    all.push_back(escaped_for_make(place(o, file, s)));
  for (const std::string& s : o.empty_files) all.push_back(escaped_for_make(place(o, file, s)));
  return all;
}

using Compilations = std::vector<std::unique_ptr<Compilation>>;

// The profile that options name, and what became of it.
struct ProfileInUse {
  Profile profile;
  Compilations others;          // contracts for which nothing is written
  std::set<std::size_t> known;  // lines whose operations a contract has
  std::set<std::string> loaded;
};

bool uses_profile(const Options& o) { return !o.profile_file.empty() && o.writes_code(); }

// What a contract's files depend on.
std::vector<std::string> files_read(const Options& o, const Compilation& c, const ProfileInUse& in_use) {
  std::vector<std::string> all = c.files_read;
  if (!uses_profile(o)) return all;
  all.push_back(o.profile_file);
  for (const auto& other : in_use.others)
    for (const std::string& f : other->files_read)
      if (std::find(all.begin(), all.end(), f) == all.end()) all.push_back(f);
  return all;
}

bool shows_notes(const Options& o) { return o.warnings && !o.json; }

void note_crowded(const Options& o, const std::string& path, std::size_t count) {
  if (count > 0 && shows_notes(o))
    say(fmt::format(
        "note: {}: {} compiled, for which this file has no room as programs", path,
        count == 1 ? "one type or operation is" : fmt::format("{} types and operations are", count)));
}

// Code and make rule of one contract.
std::vector<OutputFile> outputs(const Options& o, const std::string& file, const Compilation& c,
                                const ProfileInUse& in_use) {
  std::vector<OutputFile> all;
  const std::string base = base_name(file);
  if (o.writes_code()) {
    GenerateOptions how = o.generate;
    how.styles.loaded = in_use.loaded;
    for (GeneratedFile& f : generate(c.contract, base, how)) {
      all.push_back({place(o, file, f.suffix), std::move(f.text)});
      note_crowded(o, all.back().path, f.crowded_out);
    }
    for (const std::string& s : o.empty_files)
      all.push_back({place(o, file, s), fmt::format("// Made by corbel-idl from {}.idl; do not edit.\n"
                                                    "// Nothing needs to stand here.\n",
                                                    base)});
  }
  if (o.dependencies)
    all.push_back({o.dependency_file.empty() ? output_path(o.output_dir, file, ".d") : o.dependency_file,
                   dependency_rule(targets(o, file), files_read(o, c, in_use), o.phony_dependencies)});
  return all;
}

// What options name; that of a contract is taken out.
struct Unknown {
  std::set<std::string> dispatch;  // interfaces and modules
  std::set<std::string> stubs;     // operations and types, too
  bool empty() const { return dispatch.empty() && stubs.empty(); }
};

// The name, and those of all around it.
void take_out(std::set<std::string>& unknown, const std::string& scoped_name) {
  const std::string name = scoped_name.substr(2) + "::";
  for (std::size_t end = name.find("::"); end != name.npos; end = name.find("::", end + 2))
    unknown.erase(name.substr(0, end));
}

void take_out(Unknown& unknown, const aoi::Contract& contract) {
  if (unknown.empty()) return;
  cpp::for_each_declaration(contract, [&](const aoi::Decl& d) {
    take_out(unknown.stubs, d.scoped_name);
    if (d.kind != aoi::Decl::Kind::Interface) return;
    take_out(unknown.dispatch, d.scoped_name);
    for (const auto& m : static_cast<const aoi::Interface&>(d).members) {
      if (const auto* const op = std::get_if<const aoi::Operation*>(&m))
        unknown.stubs.erase(d.scoped_name.substr(2) + "::" + (*op)->name);
      if (const auto* const a = std::get_if<const aoi::Attribute*>(&m))
        for (const char* const access : {"::_get_", "::_set_"})
          unknown.stubs.erase(d.scoped_name.substr(2) + access + (*a)->name);
    }
  });
}

// Adds to `all` what is to be written for a contract.
Status add_outputs(const Options& o, const std::string& file, const Compilation& c,
                   std::vector<OutputFile>& all, const ProfileInUse& in_use) {
  for (OutputFile& f : outputs(o, file, c, in_use)) {
    for (const std::string& read : files_read(o, c, in_use))
      if (same_file(f.path, read)) {
        say(fmt::format("'{}' would be written over, and is read for '{}'", read, file));
        return Misuse;
      }
    all.push_back(std::move(f));
  }
  return Done;
}

Status preprocess_file(const Options& o, const std::string& file, Compilation& c) {
  const std::string text = preprocess(file, o.compile, c);
  show(c, o);
  const Status printed = print(text);
  if (!c.readable) return Misuse;
  return c.ok() ? printed : Errors;
}

// Checks it for its code, and shows what else is asked for.
Status compile_file(const Options& o, const std::string& file, std::unique_ptr<Compilation>& c,
                    Unknown& unknown) {
  c = compile(file, o.compile);
  if (c->ok() && o.dump.empty()) check_sizes(c->contract, c->diagnostics);
  if (c->ok() && o.writes_code()) prepare_generation(c->contract, c->diagnostics, o.generate);
  if (c->ok() && !o.dump.empty() && o.dump != "aoi") aoi::make_equivalents(c->contract, c->diagnostics);
  show(*c, o);
  if (!c->readable) return Misuse;
  if (!c->ok()) return Errors;
  take_out(unknown, c->contract);
  if (o.dump.empty()) return Done;
  return print(o.dump == "aoi"           ? aoi::dump(c->contract)
               : o.dump == "equivalents" ? aoi::dump(c->contract, false)
                                         : dump(c->contract, o.dump, o.generate.plan));
}

// A contract for whose sake nothing but the profile is read.
Status compile_for_profile(const Options& o, const std::string& file, Compilations& all) {
  all.push_back(compile(file, o.compile));
  Compilation& c = *all.back();
  if (c.ok()) aoi::make_equivalents(c.contract, c.diagnostics);
  if (c.ok()) return Done;  // who compiles it is warned
  show(c, o);
  return c.readable ? Errors : Misuse;
}

void choose_by_profile(const Options& o, const Compilations& compilations, ProfileInUse& in_use) {
  std::vector<const aoi::Contract*> contracts;
  for (const auto& c : compilations) contracts.push_back(&c->contract);
  for (const auto& c : in_use.others) contracts.push_back(&c->contract);
  in_use.loaded = choose_by_profile(contracts, in_use.profile, o.profile_share, in_use.known);
}

Status write_all(const Options& o, const std::vector<OutputFile>& all) {
  if (all.empty()) return Done;
  for (const std::string& d : {o.output_dir, o.skel_dir, o.any_dir})
    if (const auto why = make_directory(d)) {
      say(fmt::format("cannot make the directory '{}': {}", d, *why));
      return Misuse;
    }
  if (const auto failed = write_files(all)) {
    say(fmt::format("cannot write '{}': {}; nothing has been changed", failed->path, failed->why));
    return Misuse;
  }
  return Done;
}

// An editor's text that is not saved yet has no name.
std::optional<std::string> read(const std::string& path) {
  if (path != kStandardInput) return read_from_disk(path);
  std::string text;
  std::array<char, 65536> part;
  while (text.size() <= SourceManager::kLargestFile) {
    const std::size_t n = std::fread(part.data(), 1, part.size(), stdin);
    if (n == 0) break;
    text.append(part.data(), n);
  }
  return text;
}

// Where CORBA's own IDL stands: beside the installed compiler, or in its build directory.
std::string standard_directory() {
  std::error_code error;
  const auto home = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  if (error) return {};
  for (const char* const up : {"..", "."}) {
    const auto directory = (home / up / "share/idl/corbel").lexically_normal();
    if (std::filesystem::is_directory(directory, error)) return directory.string();
  }
  return {};
}

bool read_profile(const Options& o, Profile& profile) {
  if (!uses_profile(o)) return true;
  const std::optional<std::string> text = read(o.profile_file);
  std::size_t wrong;
  if (text && read_profile(*text, profile, wrong)) return true;
  say(text ? fmt::format("{}:{}: this is no line of a profile: CALLS OCTETS OPERATION INTERFACE",
                         o.profile_file, wrong)
           : fmt::format("cannot read the profile '{}': {}", o.profile_file, std::strerror(errno)));
  return false;
}

// What a profile says of operations that no contract has; what every object answers is nobody's.
void note_unknown(const Options& o, const ProfileInUse& in_use) {
  const Profile::Line* first = nullptr;
  std::size_t count = 0;
  for (std::size_t n = 0; n < in_use.profile.lines.size(); ++n) {
    const Profile::Line& line = in_use.profile.lines[n];
    const bool of_contract = line.operation[0] != '_' || line.operation.starts_with("_get_") ||
                             line.operation.starts_with("_set_");
    if (!of_contract || in_use.known.count(n) != 0) continue;
    if (++count == 1) first = &line;
  }
  if (first && shows_notes(o))
    say(fmt::format("note: {}: ignored {} for operations that are declared nowhere here: '{}'{}",
                    o.profile_file, count == 1 ? "a line" : fmt::format("{} lines", count), first->operation,
                    first->interface.empty() ? "" : " of " + first->interface));
}

Status run(const std::vector<std::string>& arguments) {
  CommandLine line = parse_command_line(arguments);
  line.options.compile.standard_dir = standard_directory();
  line.options.compile.read_file = read;
  const Options& o = line.options;
  // Programs that read diagnostics have no use for notes on options.
  if (line.ends || !o.json)
    for (const std::string& c : line.complaints) say(c);
  if (line.ends) return line.output.empty() ? line.status : print(line.output);
  if (o.list_diagnostics) return print(diagnostic_kinds());
  ProfileInUse profile;
  if (!read_profile(o, profile.profile)) return Misuse;
  Status status = Done;
  std::size_t failed = 0;
  std::vector<OutputFile> all;
  Unknown unknown;
  if (o.writes_code()) {
    for (const auto& [name, dispatch] : o.generate.dispatch.scopes) unknown.dispatch.insert(name);
    for (const auto& [name, style] : o.generate.styles.scopes) unknown.stubs.insert(name);
  }
  const auto note = [&](Status one) {
    status = std::max(status, one);
    if (one != Done) ++failed;
  };
  Compilations compilations;
  for (const std::string& file : o.files) {
    std::unique_ptr<Compilation>& c = compilations.emplace_back(std::make_unique<Compilation>());
    note(o.preprocess ? preprocess_file(o, file, *c) : compile_file(o, file, c, unknown));
  }
  if (uses_profile(o)) {
    for (const std::string& file : o.profile_contracts)
      status = std::max(status, compile_for_profile(o, file, profile.others));
    if (status == Done) choose_by_profile(o, compilations, profile);
  }
  if (status == Done)
    for (std::size_t i = 0; i < compilations.size(); ++i)
      note(add_outputs(o, o.files[i], *compilations[i], all, profile));
  if (failed > 0 && o.files.size() > 1 && !o.json)
    say(fmt::format("{} of {} files could not be compiled{}", failed, o.files.size(),
                    o.writes_code() ? "; nothing has been written" : ""));
  if (status != Done) return status;
  for (const std::string& name : unknown.dispatch)
    say(fmt::format("--dispatch: no interface is, or is in, '{}'", name));
  for (const std::string& name : unknown.stubs)
    say(fmt::format(
        "--stubs: no operation or type is, or is in, '{}'; attributes are _get_NAME and _set_NAME", name));
  if (!unknown.empty()) return Misuse;
  note_unknown(o, profile);
  return write_all(o, all);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    say(e.what());
    return Misuse;
  }
}
