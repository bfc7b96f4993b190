// The command line of omniORB's omniidl.
#include <fmt/format.h>

#include "compiler/driver/translator.h"

namespace corbel::idl {
namespace {

// One header has stubs, skeletons and, if asked for, TypeCodes, whose code is a source of its own.
constexpr const char* kDefaults[] = {
    "--stub-header=.hh",    "--skel-header=.hh",     "--any-header=.hh", "--stub-source=SK.cc",
    "--skel-source=SK.cc",  "--any-source=DynSK.cc", "--angle-includes", "--no-any",
    "-D__OMNIIDL__=0x2630", "-D__OMNIIDL_CXX__",
};

// Options of a letter; those without a value can stand in one word.
constexpr ForeignOption kOptions[] = {
    {"-D", true, "-D"},
    {"-I", true, "-I"},
    {"-U", true, "-U"},
    {"-E", false, "-E"},
    {"-C", true, "--output-dir="},
    {"-o", true, "--output-dir="},
    {"-d", false, "--dump=aoi"},
    {"-V", false, "--version"},
    {"-u", false, "--help"},
    {"-h", false, "--help"},
    {"-q", false, "--no-warnings"},
    {"-b", true, ""},
    {"-W", true, ""},
    {"-n", true, ""},
    // Comments are kept always, and the preprocessor is no program of its own.
    {"-k", false, ""},
    {"-K", false, ""},
    {"-Y", true, ""},
    {"-N", false, "", "the source is preprocessed all the same"},
    {"-T", false, ""},
    {"-P", false, ""},
    {"-p", true, ""},
    {"-v", false, ""},
    {"-i", false, "", "there is no interactive mode"},
};

constexpr ForeignOption kBackEnd[] = {
    {"a", false, "--any"},
    {"tp", false, "--tie"},
    {"tf", false, "--tie", "ties have the names that -Wbtp gives them"},
    {"h", true, "--stub-header= --skel-header= --any-header="},
    {"s", true, "--stub-source= --skel-source="},
    {"d", true, "--any-source="},
    {"e", true, ""},
    {"use_quotes", false, "--quote-includes"},
    {"keep_inc_path", false, "--keep-include-paths"},
    {"inline", false, "--inline-includes"},
    {"example", false, "", "no example implementations are written"},
    {"ami", false, "", "there are no asynchronous calls yet"},
    {"BOA", false, "", "there is no basic object adapter"},
    {"old", false, "", "signatures are those of CORBA 2.3 and later"},
    {"old_prefix", false, "", "words of C++ have the prefix _cxx_"},
    {"impl_mapping", false, "", "object references have the methods of the standard mapping"},
    {"F", false, "", "whole files are written"},
    // These change how omniORB's own code works inside.
    {"splice_modules", false, ""},
    {"virtual_objref", false, ""},
    {"shortcut", true, ""},
    {"dll_includes", false, ""},
    {"guard_prefix", true, ""},
    {"debug", false, ""},
};

// The options whose values are words of their own meaning.
void use_special(Translator& to, char letter, const std::string& value) {
  if (letter == 'b' && value != "cxx") to.fail(fmt::format("-b{}: only C++ is generated", value));
  if (letter == 'W' && value.starts_with('b')) to.use_list(value.substr(1), kBackEnd, "-Wb");
  else if (letter == 'W' && value.starts_with('p')) to.use_preprocessor_list(value.substr(1));
  else if (letter == 'W') to.unknown("-W" + value, kOptions);
  if (letter == 'n' && value == "c")
    to.use({"-nc", false, "", "identifiers that differ only in case are errors all the same"}, {}, "-nc");
  else if (letter == 'n' && value != "f") to.unknown("-n" + value, kOptions);
}

}  // namespace

void translate_omniidl(const std::vector<std::string>& arguments, Translation& result) {
  Translator to("omniidl", result);
  for (const char* d : kDefaults) to.add(d);
  for (std::size_t i = 0; i < arguments.size() && !to.failed(); ++i) {
    if (to.pass_own(arguments, i)) continue;
    const std::string word = arguments[i];
    for (std::size_t at = 1; at < word.size() && !to.failed(); ++at) {
      const std::string spelling = {'-', word[at]};
      const ForeignOption* const option = Translator::find(kOptions, spelling);
      if (!option) {
        to.unknown(word, kOptions);
        break;
      }
      if (!option->takes_value) {
        to.use(*option, {}, spelling);
        continue;
      }
      const std::string value = to.value(arguments, i, word.substr(at + 1));
      if (to.failed()) break;
      use_special(to, word[at], value);
      to.use(*option, value, spelling);
      break;
    }
  }
}

bool is_omniidl_option(const std::string& option) {
  return option.size() > 1 && (option.starts_with("-b") || option.starts_with("-Wb") ||
                               Translator::find(kOptions, option.substr(0, 2)));
}

}  // namespace corbel::idl
