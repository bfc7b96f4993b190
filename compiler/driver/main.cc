// corbel-idl: the command line. Exit status: 0 done, 1 errors in the IDL, 2 wrong use or files that cannot be
// used.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <set>
#include <string>
#include <vector>

#include "compiler/aoi/dump.h"
#include "compiler/driver/compile.h"
#include "compiler/driver/generate.h"
#include "compiler/driver/output.h"
#include "compiler/driver/presets.h"

namespace {

using namespace corbel::idl;

enum Status { Done = 0, Errors = 1, Misuse = 2 };

struct Options {
  CompileOptions compile;
  std::vector<std::string> files;
  std::string output_dir = ".";
  std::string dump;
  std::string dependency_file;
  std::string preset;
  std::string format = "text";
  GenerateOptions generate;
  std::vector<std::string> no_opt;
  bool no_skeleton = false;
  bool list_diagnostics = false, preprocess = false, check = false, dependencies = false;
};

constexpr const char* kHeader =
    R"(Compiles OMG IDL, the language of CORBA contracts, into C++ (the classic OMG mapping).

For bank.idl come bank.stub.h and bank.stub.cc: types, and proxies through which clients call; bank.skel.h and
bank.skel.cc: POA_... classes from which a server's objects derive; bank.any.h and bank.any.cc: TypeCodes, and operators
that put its types into an Any. Compile them as C++17 or later, link libcorbel (clients), libcorbel-poa (servers) and
libcorbel-any (bank.any.cc). With CMake: corbel_add_idl(bank-idl FILES bank.idl).
)";

constexpr const char* kFooter = R"(
Examples:
  corbel-idl -o out bank.idl             write out/bank.stub.h, .stub.cc and the others
  corbel-idl --preset=omniidl bank.idl   also write bank.hh, and the sources as bankSK.cc and bankDynSK.cc
  corbel-idl --check -I idl bank.idl     say what is wrong with bank.idl, write nothing
  corbel-idl --dump=aoi bank.idl         show the contract as the compiler understands it
  corbel-idl --dump=plan bank.idl        show sizes, alignments and chunks of its messages
  corbel-idl -E -DDEBUG bank.idl         show the source after #include, #define and #if

--format json writes each diagnostic as one line to standard error, an object with file, line, column, end_line,
end_column, severity (error or warning), kind, message, and notes: objects with the same place and a message. Lines and
columns count from 1, columns in bytes; the end is behind the last byte.

Optimisations that --no-opt leaves out, to see what each buys:
  chunks        values of fixed layout one behind the other are reserved and checked once
  copy-runs     what wire and memory have in common is copied at once
  inlining      structs of fixed layout inside others are marshaled in place
  views         in-parameters of servants stay in the received message
  word-switch   operations are found by a switch over words of their names

Exit status: 0 done, 1 errors in the IDL, 2 wrong use of the command, or files that cannot be read or written.
Either all files of a contract are written or none.)";

void declare(CLI::App& app, Options& o) {
  app.footer(kFooter);
  app.set_version_flag("--version", "corbel-idl " + version());
  app.add_option("FILE", o.files, "OMG IDL files, each compiled on its own");
  const auto one = CLI::MultiOptionPolicy::TakeLast;
  app.add_option("-I", o.compile.include_dirs, "Directory in which #include looks, after the file's own")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("-D", o.compile.defines, "Define a macro; without =TEXT it is 1")
      ->type_name("NAME[=TEXT]")
      ->allow_extra_args(false);
  app.add_option("-U", o.compile.undefines, "Undefine a macro")->type_name("NAME")->allow_extra_args(false);
  app.add_option("-o", o.output_dir, "Directory for what is written (default: here)")
      ->type_name("DIR")
      ->multi_option_policy(one);
  app.add_option(
         "--dump", o.dump,
         "Print a representation instead of writing code: aoi, the network contract; mint, the messages; "
         "pres, their C++ forms; plan, their layout on the wire")
      ->check(CLI::IsMember({"aoi", "mint", "pres", "plan"}))
      ->multi_option_policy(one);
  app.add_option("--stub-suffix", o.generate.presentation.stub_suffix,
                 "Between the name and .h or .cc of stubs")
      ->capture_default_str();
  app.add_option("--skel-suffix", o.generate.presentation.skel_suffix, "The same of skeletons")
      ->capture_default_str();
  app.add_option("--any-suffix", o.generate.presentation.any_suffix, "The same of TypeCodes and Any")
      ->capture_default_str();
  app.add_option("--export-macro", o.generate.presentation.export_macro,
                 "Written before every class, for stubs in shared libraries")
      ->type_name("NAME");
  app.add_option("--export-include", o.generate.presentation.export_includes,
                 "Header that defines this macro")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--preset", o.preset,
                 "File names as another compiler has them: omniidl (NAME.hh, NAMESK.cc, NAMEDynSK.cc) or tao "
                 "(NAMEC.h, "
                 "NAMES.h, NAMEC.cpp, NAMES.cpp)")
      ->check(CLI::IsMember({"omniidl", "tao"}))
      ->multi_option_policy(one);
  app.add_flag("--keep-include-paths", o.generate.presentation.keep_include_paths,
               "Include what is made of other IDL files by the folders that they are included by "
               "(default: by name only)");
  app.add_flag("--no-skeleton", o.no_skeleton, "Write stubs only");
  app.add_flag("!--no-any", o.generate.presentation.any, "Write no TypeCodes and operators of Any");
  app.add_flag("--tie", o.generate.presentation.tie, "Write POA_X_tie classes, which delegate to any class");
  app.add_option("--no-opt", o.no_opt, "Leave out an optimisation, see below")
      ->type_name("NAME")
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"chunks", "copy-runs", "inlining", "views", "word-switch"}));
  app.add_option("--format", o.format, "Diagnostics as text or as json, see below (default: text)")
      ->check(CLI::IsMember({"text", "json"}))
      ->multi_option_policy(one);
  app.add_flag("-E", o.preprocess, "Only preprocess, to standard output");
  app.add_option("--max-errors", o.compile.most_errors, "Stop after so many errors")
      ->type_name("N")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--max-file-size", o.compile.largest_file, "Refuse larger files")
      ->type_name("BYTES")
      ->capture_default_str();
  app.add_flag("--list-diagnostics", o.list_diagnostics, "Print the kinds of diagnostics and exit");
  app.add_flag("--check", o.check, "Only check the IDL; write nothing");
  app.add_flag("--MD", o.dependencies, "Write a make rule that names every file read (also -MD)");
  app.add_option("--MF", o.dependency_file,
                 "Where that rule goes (also -MF; default: FILE.d in the output directory)")
      ->type_name("FILE")
      ->multi_option_policy(one);
}

void leave_out(const std::string& optimisation, plan::Options& options) {
  if (optimisation == "chunks") options.chunks = false;
  if (optimisation == "copy-runs") options.copy_runs = false;
  if (optimisation == "inlining") options.inlining = false;
  if (optimisation == "views") options.views = false;
  if (optimisation == "word-switch") options.word_switch = false;
}

// Code and make rule of one file.
std::vector<OutputFile> outputs(const Options& o, const std::string& file, const Compilation& c) {
  std::vector<OutputFile> all;
  const auto slash = file.rfind('/');
  std::string base = file.substr(slash == file.npos ? 0 : slash + 1);
  base = base.substr(0, base.rfind('.'));
  GenerateOptions options = o.generate;
  options.skeletons = !o.no_skeleton;
  if (!o.check)
    for (GeneratedFile& f : arrange(generate(c.contract, base, options), o.preset, base, options))
      all.push_back({output_path(o.output_dir, file, f.suffix), std::move(f.text)});
  if (o.dependencies || !o.dependency_file.empty()) {
    const std::string target = output_path(o.output_dir, file, options.presentation.stub_suffix + ".h");
    all.push_back({o.dependency_file.empty() ? output_path(o.output_dir, file, ".d") : o.dependency_file,
                   dependency_rule(target, c.files_read)});
  }
  return all;
}

void show(const Compilation& c, const Options& o) {
  fmt::print(stderr, "{}", o.format == "json" ? c.messages_as_json() : c.messages());
}

int compile_file(const Options& o, const std::string& file) {
  if (o.preprocess) {
    Compilation c;
    const std::string text = preprocess(file, o.compile, c);
    show(c, o);
    fmt::print("{}", text);
    return !c.readable ? Misuse : c.ok() ? Done : Errors;
  }
  const auto c = compile(file, o.compile);
  if (c->ok() && o.dump.empty()) check_sizes(c->contract, c->diagnostics);
  if (c->ok() && o.dump.empty() && !o.check) check_generation(c->contract, c->diagnostics);
  show(*c, o);
  if (!c->readable) return Misuse;
  if (!c->ok()) return Errors;
  if (!o.dump.empty()) {
    fmt::print("{}", o.dump == "aoi" ? aoi::dump(c->contract) : dump(c->contract, o.dump, o.generate.plan));
    return Done;
  }
  if (const auto failed = write_files(outputs(o, file, *c))) {
    fmt::print(stderr, "corbel-idl: cannot write '{}'; does the directory exist?\n", *failed);
    return Misuse;
  }
  return Done;
}

// What several files cannot share; empty if there is nothing.
std::string clash(const Options& o) {
  if (o.files.size() > 1 && !o.dependency_file.empty())
    return "-MF is for one FILE; leave it out to have a rule for each";
  if (o.preprocess || o.check || !o.dump.empty()) return {};
  std::set<std::string> made;
  for (const std::string& file : o.files) {
    const std::string header = output_path(o.output_dir, file, o.generate.presentation.stub_suffix + ".h");
    if (!made.insert(header).second) return fmt::format("two files would be written as '{}'", header);
  }
  return {};
}

int run(int argc, char** argv) {
  // CLI11 knows long options by two dashes; compilers spell these with one.
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) {
    const std::string a = argv[i];
    arguments.push_back(a == "-MD" || a == "-MF" ? "-" + a : a);
  }
  Options o;
  CLI::App app(kHeader, "corbel-idl");
  declare(app, o);
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? Done : Misuse;
  }
  if (o.list_diagnostics) {
    fmt::print("{}", diagnostic_kinds());
    return Done;
  }
  if (o.files.empty()) {
    fmt::print(stderr, "corbel-idl: no FILE to compile; corbel-idl --help shows how it is used\n");
    return Misuse;
  }
  for (const std::string& n : o.no_opt) leave_out(n, o.generate.plan);
  if (const std::string why = clash(o); !why.empty()) {
    fmt::print(stderr, "corbel-idl: {}\n", why);
    return Misuse;
  }
  int status = Done;
  std::size_t failed = 0;
  for (const std::string& file : o.files) {
    const int one = compile_file(o, file);
    status = std::max(status, one);
    if (one != Done) ++failed;
  }
  if (failed > 0 && o.files.size() > 1 && o.format == "text")
    fmt::print(stderr, "corbel-idl: {} of {} files could not be compiled\n", failed, o.files.size());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "corbel-idl: {}\n", e.what());
    return Misuse;
  }
}
