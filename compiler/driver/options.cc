#include "compiler/driver/options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <set>

#include "compiler/driver/choices.h"
#include "compiler/driver/nearest.h"
#include "compiler/driver/output.h"
#include "compiler/driver/presets.h"

namespace corbel::idl {
namespace {

constexpr const char* kHeader =
    R"(Compiles OMG IDL, the language of CORBA contracts, into C++ (the classic OMG mapping).

For bank.idl come
  bank.stub.h, .stub.cc   types, and proxies through which clients call
  bank.skel.h, .skel.cc   POA_... classes, from which a server's objects derive
  bank.any.h, .any.cc     TypeCodes, and operators that put the types into an Any
Compile them as C++17 or later, link libcorbel (clients), libcorbel-poa (servers) and libcorbel-any (bank.any.cc). With
CMake: corbel_add_idl(bank-idl FILES bank.idl).
)";

constexpr const char* kFooter = R"(
Examples:
  corbel-idl -o out bank.idl                  write out/bank.stub.h, .stub.cc and the others
  corbel-idl --no-skeleton --no-any bank.idl  write what a client needs that uses no Any
  corbel-idl --check -I idl bank.idl          say what is wrong with bank.idl, write nothing
  corbel-idl --dump=aoi bank.idl              show the contract as the compiler understands it
  corbel-idl --dump=plan bank.idl             show sizes, alignments and chunks of its messages
  corbel-idl -E -DDEBUG bank.idl              show the source after #include, #define and #if
  corbel-idl -MD -MP bank.idl                 write bank.d too, for "include bank.d" in a makefile
  corbel-idl --preset omniidl -Wba bank.idl   write bank.hh, bankSK.cc and bankDynSK.cc
  corbel-idl --preset tao -GT bank.idl        write bankC.h, bankC.cpp, bankS.h and bankS.cpp

--preset takes the place of omniidl or tao_idl in a build: it gives the names of their files, their way to include one
header in another and their defaults, defines the macro __OMNIIDL__ or __TAO_IDL, and understands their options beside
those above. A note names what such an option asks for and Corbel does not have.

--format json writes each diagnostic as one line to standard error, an object with file, line, column, end_line,
end_column, severity (error or warning), kind, message, and notes: objects with the same place and a message. Lines and
columns count from 1, columns in bytes; the end is behind the last byte.

Optimisations that --no-opt leaves out, to see what each buys:
  chunks        values of fixed layout one behind the other are reserved and checked once
  copy-runs     what wire and memory have in common is copied at once
  inlining      structs of fixed layout inside others are marshaled in place
  views         in-parameters of servants stay in the received message
  word-switch   operations are found by a switch over words of their names: as --dispatch linear

How a skeleton finds the operation of a request, by --dispatch:
  words         a switch on the name's length, then on words of it, nested where one does not tell all apart; many words
                go by a hash
  active        by the number that clients send whose stubs were made so, if the name agrees; else by words
  perfect       a hash function without collisions, which is made for the names
  hash          a hash table, which is made when the first request comes
  binary        binary search
  linear        one comparison after the other
SCOPE is the whole name of an interface or of a module, for all that is in it, as in --dispatch Bank::Account=perfect;
what is said for a scope wins over what is said for those around it. In the contract, @corbel_dispatch(perfect) before
an interface or module says the same, and an option for the same scope wins over it. Skeletons of every kind can be
linked together, and no client sees a difference.

How stubs and skeletons marshal, by --stubs:
  compiled      by code of their own
  interpretive  by programs, constant octets that the run time carries out: a third of the size or less for stubs
  hybrid        operations by programs, types by code
SCOPE is the whole name of an operation, a type, an interface or a module; the innermost one decides. In the contract,
@corbel_stubs(interpretive) before one of these says the same; an option for the same scope wins over it. Bitsets
and the state of valuetypes are always compiled.

With --profile the operations are compiled that carry the load, and the types that they carry: the fewest that together
make 90 % of the calls, and the fewest that make 90 % of the octets. The others are as --stubs says of all, or
interpretive; what is said of a scope, by option or annotation, wins. What carries the load is chosen over all FILEs: a
contract whose types others' operations carry is compiled together with those, or names them by --profile-contract.
Programs started with -ORBprofileCalls FILE append to the file what they have called and served, when they end: lines
of "calls octets operation interface", which add up.

Exit status: 0 done, 1 errors in the IDL, 2 wrong use of the command, or files that cannot be read or written.
Unless it is 0, no file has been written or changed, however many contracts there were.)";

// What CLI11 fills in on the way to Options.
struct Raw {
  // Between the contract's name and the endings of headers and sources; whole endings win.
  std::string stub = ".stub", skel = ".skel", any = ".any", header = ".h", source = ".cc";
  cpp::FileNames stub_names, skel_names, any_names;
  std::vector<std::string> no_opt, dispatch, stubs;
  std::vector<std::string> targets;
  std::string format = "text", preset;
};

constexpr const char* kShort[] = {"-MD", "-MF", "-MT", "-MP"};

// Long options by CLI11's rules that have one dash in the tradition of compilers.
std::string spelled(const std::string& long_name) {
  for (const char* s : kShort)
    if (long_name == s + 1) return s;
  return "--" + long_name;
}

// "-o, --output-dir DIR", and nothing of CLI11's own notation.
class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() { column_width(31); }
  std::string make_option_name(const CLI::Option* option, bool positional) const override {
    if (positional) return option->get_name(true);
    std::string all;
    const auto add = [&all](const std::string& name) { all += (all.empty() ? "" : ", ") + name; };
    for (const std::string& n : option->get_snames()) add("-" + n);
    for (const std::string& n : option->get_lnames()) add(spelled(n));
    return all;
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_positional() || option->get_type_size() == 0 ? "" : " " + option->get_type_name();
  }
};

class Declarer {
 public:
  Declarer(CLI::App& app, Options& options, Raw& raw) : app_(app), o_(options), raw_(raw) {}

  void all() {
    input();
    what();
    names();
    headers();
    dependencies();
    messages();
  }

 private:
  static constexpr auto kLast = CLI::MultiOptionPolicy::TakeLast;

  void group(const char* name) { group_ = name; }
  CLI::Option* flag(const char* name, bool& value, const char* text) {
    return app_.add_flag(name, value, text)->group(group_)->multi_option_policy(kLast);
  }
  CLI::Option* one(const char* name, std::string& value, const char* type, const char* text) {
    return app_.add_option(name, value, text)->group(group_)->type_name(type)->multi_option_policy(kLast);
  }
  CLI::Option* many(const char* name, std::vector<std::string>& values, const char* type, const char* text) {
    return app_.add_option(name, values, text)->group(group_)->type_name(type)->allow_extra_args(false);
  }

  void input() {
    group("Reading");
    app_.add_option("FILE", o_.files, "OMG IDL files, each a contract of its own; - is standard input")
        ->group(group_);
    many("-I", o_.compile.include_dirs, "DIR",
         "Directory in which #include looks, after the file's own; CORBA's IDL comes last");
    many("-D", o_.compile.defines, "NAME[=TEXT]", "Define a macro, NAME or NAME(A,B); without =TEXT it is 1");
    many("-U", o_.compile.undefines, "NAME", "Undefine a macro");
    flag("--inline-includes", o_.compile.inline_includes,
         "Write code for included contracts too, into the same files");
    app_.add_option("--max-errors", o_.compile.most_errors, "Stop after so many errors (default: 50)")
        ->group(group_)
        ->type_name("N")
        ->check(CLI::Range(1, std::numeric_limits<int>::max()).description(""));
    app_.add_option("--max-file-size", o_.compile.largest_file, "Refuse larger files (default: 16 MiB)")
        ->group(group_)
        ->type_name("BYTES");
  }

  void what() {
    group("What is written");
    one("-o,--output-dir", o_.output_dir, "DIR",
        "Directory for what is written; it is made where there is none (default: here)");
    flag("!--no-skeleton", o_.generate.skeletons, "Write stubs only");
    flag("--any,!--no-any", o_.generate.presentation.with_any,
         "Write TypeCodes and operators of Any, or not (default: write)");
    flag("--tie", o_.generate.presentation.tie, "Write POA_X_tie classes, which delegate to any class");
    many("--no-opt", raw_.no_opt, "NAME", "Leave out an optimisation, see below")
        ->check(CLI::IsMember({"chunks", "copy-runs", "inlining", "views", "word-switch"}).description(""));
    many("--dispatch", raw_.dispatch, "[SCOPE=]NAME",
         "How skeletons find operations, see below (default: words)");
    many("--stubs", raw_.stubs, "[SCOPE=]NAME",
         "How stubs and skeletons marshal, see below (default: compiled)");
    one("--profile", o_.profile_file, "FILE",
        "Make code of what carries the load by this profile, programs of the rest; see below");
    many("--profile-contract", o_.profile_contracts, "FILE",
         "Look for the profile's operations in this contract, too, and write nothing for it");
    app_.add_option("--profile-share", o_.profile_share, "How much of the load, in percent (default: 90)")
        ->group(group_)
        ->type_name("N")
        ->check(CLI::Range(0, 100).description(""));
    one("--preset", raw_.preset, "NAME", "Do as another compiler does, see below: omniidl or tao");
    group("Instead of writing code");
    flag("--check", o_.check, "Only check the IDL");
    flag("-E", o_.preprocess, "Only preprocess, to standard output");
    one("--dump", o_.dump, "STAGE",
        "Print aoi (contract), equivalents (of its components), mint (messages), pres or plan")
        ->check(CLI::IsMember({"aoi", "equivalents", "mint", "pres", "plan"}).description(""));
    flag("--list-diagnostics", o_.list_diagnostics, "Print the kinds of diagnostics");
  }

  void names() {
    group("Names of files");
    one("--stub-suffix", raw_.stub, "TEXT", "Between the name and .h or .cc of stubs (default: .stub)");
    one("--skel-suffix", raw_.skel, "TEXT", "The same of skeletons (default: .skel)");
    one("--any-suffix", raw_.any, "TEXT", "The same of TypeCodes and Any (default: .any)");
    one("--header-suffix", raw_.header, "TEXT", "End of all headers' names (default: .h)");
    one("--source-suffix", raw_.source, "TEXT", "End of all sources' names (default: .cc)");
    one("--stub-header", raw_.stub_names.header, "TEXT",
        "All that follows NAME in the stubs' header; parts of one ending share a file");
    one("--stub-source", raw_.stub_names.source, "TEXT", "The same of the stubs' source");
    one("--skel-header", raw_.skel_names.header, "TEXT", "The same of the skeletons' header");
    one("--skel-source", raw_.skel_names.source, "TEXT", "The same of the skeletons' source");
    one("--any-header", raw_.any_names.header, "TEXT", "The same of the header of TypeCodes and Any");
    one("--any-source", raw_.any_names.source, "TEXT", "The same of their source");
    one("--skel-dir", o_.skel_dir, "DIR", "Directory for skeletons (default: that of -o)");
    one("--any-dir", o_.any_dir, "DIR", "Directory for TypeCodes and Any (default: that of -o)");
    many("--empty-file", o_.empty_files, "TEXT",
         "Also write a file of this ending with nothing in it, for build rules that name it");
  }

  void headers() {
    cpp::Options& how = o_.generate.presentation;
    group("In the generated code");
    flag("--angle-includes,!--quote-includes", how.angle_includes,
         "Name headers of included contracts <x> or \"x\" (default: quotes)");
    flag("--keep-include-paths", how.keep_include_paths,
         "Name them with the directory that the contract's #include has");
    one("--stub-include-dir", how.stub_include_dir, "DIR",
        "Directory before the stubs' header where others include it");
    one("--export-macro", how.export_macro, "NAME",
        "Written before every class, for code in shared libraries");
    one("--skel-export-macro", how.skel_export_macro, "NAME",
        "The same of skeletons (default: that of --export-macro)");
    one("--any-export-macro", how.any_export_macro, "NAME",
        "The same of TypeCodes and operators of Any (default: that of --export-macro)");
    many("--export-include", how.export_includes, "FILE", "Header that defines these macros");
    many("--skel-export-include", how.skel_export_includes, "FILE", "Header that only skeletons need");
    many("--pre-include", o_.generate.pre_includes, "FILE", "Include it at the begin of every header");
    many("--post-include", o_.generate.post_includes, "FILE", "Include it at the end of every header");
    many("--source-include", o_.generate.source_includes, "FILE",
         "Include it at the begin of every source, a precompiled header for instance");
  }

  void dependencies() {
    group("Dependencies, for make and ninja");
    flag("--MD", o_.dependencies, "Also write a rule that names every file read");
    one("--MF", o_.dependency_file, "FILE", "Where that rule goes (default: NAME.d in the output directory)");
    many("--MT", raw_.targets, "TARGET", "What the rule is for (default: all files written)");
    flag("--MP", o_.phony_dependencies, "Let the rule bear that included files are gone one day");
  }

  void messages() {
    group("Messages");
    one("--format", raw_.format, "FORM", "Diagnostics as text or as json, see below (default: text)")
        ->check(CLI::IsMember({"text", "json"}).description(""));
    flag("!-w,!--no-warnings", o_.warnings, "Show errors only");
    app_.set_help_flag("--help", "Also -h: print this and exit")->group(group_);
    app_.set_version_flag("--version", "corbel-idl " + version(), "Print the version and exit")
        ->group(group_);
  }

  CLI::App& app_;
  Options& o_;
  Raw& raw_;
  const char* group_ = "";
};

// What the options about names come to.
cpp::FileNames names(const cpp::FileNames& whole, const std::string& suffix, const Raw& raw) {
  return {whole.header.empty() ? suffix + raw.header : whole.header,
          whole.source.empty() ? suffix + raw.source : whole.source};
}

void leave_out(const std::string& optimisation, plan::Options& options) {
  if (optimisation == "chunks") options.chunks = false;
  if (optimisation == "copy-runs") options.copy_runs = false;
  if (optimisation == "inlining") options.inlining = false;
  if (optimisation == "views") options.views = false;
}

// [SCOPE=]NAME
template <typename Choices, typename Find>
void choose(const char* option, const std::string& text, const char* names, Choices& choices, Find find) {
  const std::size_t equals = text.rfind('=');
  const auto found = find(equals == text.npos ? text : text.substr(equals + 1));
  if (!found) throw CLI::ValidationError(option, fmt::format("'{}' is none of {}", text, names));
  if (equals == text.npos) choices.usual = *found;
  else {
    const std::size_t begin = text.starts_with("::") ? 2 : 0;
    choices.scopes[text.substr(begin, equals - begin)] = *found;
  }
}

void complete(Options& o, const Raw& raw) {
  cpp::Options& how = o.generate.presentation;
  how.stub = names(raw.stub_names, raw.stub, raw);
  how.skel = names(raw.skel_names, raw.skel, raw);
  how.any = names(raw.any_names, raw.any, raw);
  if (how.skel_export_macro.empty()) how.skel_export_macro = how.export_macro;
  if (how.any_export_macro.empty()) how.any_export_macro = how.export_macro;
  if (!how.stub_include_dir.empty() && how.stub_include_dir.back() != '/') how.stub_include_dir += '/';
  for (const std::string& n : raw.no_opt) {
    leave_out(n, o.generate.plan);
    if (n == "word-switch") o.generate.dispatch.usual = compiled::Dispatch::Linear;
  }
  for (const std::string& d : raw.dispatch)
    choose("--dispatch", d, "words, active, perfect, hash, binary and linear", o.generate.dispatch,
           find_dispatch);
  if (!o.profile_file.empty()) o.generate.styles.usual = interpretive::Style::Interpretive;
  for (const std::string& s : raw.stubs)
    choose("--stubs", s, "compiled, interpretive and hybrid", o.generate.styles, find_style);
  for (const std::string& t : raw.targets) o.dependency_targets.push_back(escaped_for_make(t));
  if (!o.dependency_file.empty()) o.dependencies = true;
  o.json = raw.format == "json";
}

// What cannot be carried out; empty if all can.
std::string contradiction(const Options& o) {
  if (o.list_diagnostics) return {};
  if (o.files.empty()) return "no FILE to compile; corbel-idl --help shows how it is used";
  if (o.files.size() > 1 && !o.dependency_file.empty())
    return "-MF is for one FILE; leave it out to have a rule for each";
  if (o.preprocess + o.check + !o.dump.empty() > 1) return "-E, --check and --dump exclude each other";
  if (!o.writes_code() && !o.dependencies) return {};
  if (std::find(o.files.begin(), o.files.end(), kStandardInput) != o.files.end())
    return "standard input has no name for files; it can be read with --check, -E and --dump";
  if (!o.writes_code()) return {};
  const cpp::Options& how = o.generate.presentation;
  for (const std::string& h : {how.stub.header, how.skel.header, how.any.header})
    for (const std::string& s : {how.stub.source, how.skel.source, how.any.source})
      if (h == s) return fmt::format("a header and a source would both end with '{}'", h);
  std::set<std::string> made;
  for (const std::string& file : o.files) {
    const std::string header = output_path(o.output_dir, file, how.stub.header);
    if (!made.insert(header).second) return fmt::format("two files would be written as '{}'", header);
  }
  return {};
}

std::string unknown(const std::string& option, const CLI::App& app) {
  std::vector<std::string> known;
  for (const CLI::Option* o : app.get_options()) {
    for (const std::string& n : o->get_lnames()) known.push_back(spelled(n));
    for (const std::string& n : o->get_snames()) known.push_back("-" + n);
  }
  const std::string meant = nearest(option.substr(0, option.find('=')), known), preset = presets_with(option);
  return fmt::format("unknown option '{}'{}{}", option,
                     meant.empty() ? "" : fmt::format("; did you mean '{}'?", meant),
                     preset.empty() ? "" : fmt::format("; it is understood with {}", preset));
}

void parse(const std::vector<std::string>& arguments, CommandLine& line) {
  std::vector<std::string> reversed;
  for (auto a = arguments.rbegin(); a != arguments.rend(); ++a) {
    const bool is_long = std::find(std::begin(kShort), std::end(kShort), *a) != std::end(kShort);
    reversed.push_back(is_long ? "-" + *a : *a == "-h" ? "--help" : *a);
  }
  CLI::App app(kHeader, "corbel-idl");
  Raw raw;
  Declarer(app, line.options, raw).all();
  app.footer(kFooter);
  app.formatter(std::make_shared<HelpFormat>());
  app.allow_extras();
  try {
    app.parse(reversed);
    const std::vector<std::string> extras = app.remaining();
    if (!extras.empty()) throw CLI::ExtrasError("", {extras.front()});
    complete(line.options, raw);
    if (const std::string why = contradiction(line.options); !why.empty())
      throw CLI::ValidationError("", why);
  } catch (const CLI::CallForHelp&) {
    line.output = app.help();
    line.ends = true;
  } catch (const CLI::CallForVersion&) {
    line.output = "corbel-idl " + version() + "\n";
    line.ends = true;
  } catch (const CLI::ExtrasError&) {
    line.complaints.push_back(unknown(app.remaining().front(), app));
    line.ends = true;
    line.status = Misuse;
  } catch (const CLI::ParseError& e) {
    const std::string why = e.what();
    line.complaints.push_back(why.starts_with(": ") ? why.substr(2) : why);
    line.ends = true;
    line.status = Misuse;
  }
}

}  // namespace

CommandLine parse_command_line(const std::vector<std::string>& arguments) {
  CommandLine line;
  const Translation translated = translate(arguments);
  for (const std::string& n : translated.notes) line.complaints.push_back("note: " + n);
  if (!translated.error.empty()) {
    line.complaints.push_back(translated.error);
    line.ends = true;
    line.status = Misuse;
    return line;
  }
  parse(translated.arguments, line);
  return line;
}

}  // namespace corbel::idl
