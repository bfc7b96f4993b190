// The command line of TAO's tao_idl.
#include <algorithm>
#include <cctype>

#include "compiler/driver/translator.h"

namespace corbel::idl {
namespace {

constexpr const char* kDefaults[] = {
    "--stub-header=C.h",   "--stub-source=C.cpp",  "--skel-header=S.h",
    "--skel-source=S.cpp", "--keep-include-paths", "-D__TAO_IDL=0x020201",
};

constexpr std::string_view kNoImplementations = "no example implementations are written";
constexpr std::string_view kNoComponents = "neither executors nor containers of components are generated";
constexpr std::string_view kNoAmi = "there are no asynchronous calls yet";
constexpr std::string_view kAlways = "the file is written all the same";

constexpr ForeignOption kOptions[] = {
    {"-I", true, "-I"},
    {"-D", true, "-D"},
    {"-U", true, "-U"},
    {"-E", false, "-E"},
    {"-V", false, "--version"},
    {"-u", false, "--help"},
    {"-w", false, "--no-warnings"},
    {"-W", true, ""},
    {"-o", true, "--output-dir="},
    {"-oS", true, "--skel-dir="},
    {"-oA", true, "--any-dir="},
    {"-iC", true, "--stub-include-dir="},
    {"-hc", true, "--stub-header="},
    {"-cs", true, "--stub-source="},
    {"-hs", true, "--skel-header="},
    {"-ss", true, "--skel-source="},
    {"-Sa", false, "--no-any"},
    {"-St", false, "--no-any"},
    {"-SS", false, "--no-skeleton"},
    {"-GT", false, "--tie"},
    {"-H", true, "--dispatch="},
    {"-GA", false, "--any-header=A.h --any-source=A.cpp"},
    // Files that exist for the sake of build rules only: see at the end of translate_tao.
    {"-ci", true, ""},
    {"-Sci", false, ""},
    {"-si", true, ""},
    {"-st", true, ""},
    {"-hT", true, ""},
    {"-sT", true, ""},
    {"-Ssi", false, ""},
    {"-Scc", false, "", kAlways},
    {"-Ssc", false, "", kAlways},
    {"-GX", false, ""},
    // Examples, which are written once and then changed by hand.
    {"-GI", false, "", kNoImplementations},
    {"-hI", true, ""},
    {"-sI", true, ""},
    // What there is more than one way for in TAO, and one here.
    {"-g", true, ""},
    {"-t", true, ""},
    {"-A", true, ""},
    {"-Y", true, ""},
    {"-v", false, ""},
    {"-b", false, ""},
    {"-Ge", true, ""},
    {"-Gt", false, ""},
    {"-Gp", false, ""},
    {"-Gd", false, ""},
    {"-Gv", false, ""},
    {"-Gi", false, ""},
    {"-Gc", false, ""},
    {"-Gse", false, ""},
    {"-Guc", false, ""},
    {"-Gce", false, ""},
    {"-Gmc", false, ""},
    {"-Sp", false, ""},
    {"-Sd", false, ""},
    {"-Sm", false, ""},
    {"-Sc", false, ""},
    {"-Se", false, ""},
    {"-Sg", false, ""},
    {"-Sal", false, ""},
    {"-Sat", false, ""},
    {"-Scdr", false, ""},
    {"-Sorb", false, ""},
    {"-Sfr", false, ""},
    {"-in", false, ""},
    {"-ic", false, ""},
    {"-ae", false, ""},
    {"-aw", false, ""},
    {"-as", false, ""},
    {"-Ce", false, ""},
    {"-Cw", false, "", "identifiers that differ only in case are errors all the same"},
    // All versions of IDL are one language here, with all annotations.
    {"--idl-version", true, ""},
    {"--unknown-annotations", true, ""},
    {"--syntax-only", false, "--check"},
    {"-d", false, "", "corbel-idl --dump=aoi shows the contract"},
    {"-GC", false, "", kNoAmi},
    {"-GM", false, "", kNoAmi},
    {"-GH", false, "", kNoAmi},
    {"-Gsp", false, "", "there are no smart proxies"},
    {"-Gos", false, "", "no operators for output streams are written"},
    {"-Gstl", false, "", "strings and sequences are those of the classic mapping"},
    {"-Gsv", false, "", kNoComponents},
    {"-Gex", false, "", kNoComponents},
    {"-Gexr", false, "", kNoComponents},
    {"-Gcn", false, "", kNoComponents},
    {"-Gcl", false, "", kNoComponents},
    {"-Gcm", false, "", kNoComponents},
    {"-Glem", false, "", kNoComponents},
    {"-Glfa", false, "", kNoComponents},
    {"-Gts", false, "", "no contracts for DDS are written"},
    {"-Gxhst", false, "", "no header of an export macro is written"},
    {"-Gxhsk", false, "", "no header of an export macro is written"},
};

constexpr ForeignOption kBackEnd[] = {
    {"export_macro", true, "--export-macro= --skel-export-macro= --any-export-macro="},
    {"stub_export_macro", true, "--export-macro="},
    {"skel_export_macro", true, "--skel-export-macro="},
    {"anyop_export_macro", true, "--any-export-macro="},
    {"export_include", true, "--export-include="},
    {"stub_export_include", true, "--export-include="},
    {"skel_export_include", true, "--skel-export-include="},
    {"anyop_export_include", true, "--export-include="},
    {"pre_include", true, "--pre-include="},
    {"post_include", true, "--post-include="},
    {"pch_include", true, "--source-include="},
    {"obv_opt_accessor", false, ""},
    {"no_fixed_err", false, ""},
    {"tab_size", true, ""},
    {"include_guard", true, ""},
    {"safe_include", true, ""},
    {"unique_include", true, ""},
    {"versioning_begin", true, "", "names are in no namespace of a version"},
    {"versioning_end", true, ""},
    {"svnt_export_macro", true, "", kNoComponents},
    {"svnt_export_include", true, ""},
    {"exec_export_macro", true, "", kNoComponents},
    {"exec_export_include", true, ""},
    {"conn_export_macro", true, "", kNoComponents},
    {"conn_export_include", true, ""},
};

const std::string* last(const std::vector<std::string>& arguments, const std::string& option) {
  const auto found = std::find_if(arguments.rbegin(), arguments.rend(),
                                  [&](const std::string& a) { return a.starts_with(option); });
  return found == arguments.rend() ? nullptr : &*found;
}

class Tao {
 public:
  explicit Tao(Translation& result) : to_("tao_idl", result), result_(result) {}

  void all(const std::vector<std::string>& arguments) {
    for (const char* d : kDefaults) to_.add(d);
    for (std::size_t i = 0; i < arguments.size() && !to_.failed(); ++i)
      if (Translator::find(kOptions, arguments[i]) || !to_.pass_own(arguments, i)) one(arguments, i);
    place_any();
    if (inlines_) to_.add("--empty-file=" + client_inline_);
    if (std::find(result_.arguments.begin(), result_.arguments.end(), "--tie") != result_.arguments.end())
      for (const std::string& s : {tie_header_, tie_source_, tie_inline_}) to_.add("--empty-file=" + s);
  }

 private:
  void one(const std::vector<std::string>& arguments, std::size_t& i) {
    const std::string word = arguments[i];
    // -GIhs: letters that say which values follow.
    if (word.starts_with("-GI")) {
      to_.use(*Translator::find(kOptions, "-GI"), {}, word);
      for (const char letter : word.substr(3))
        if (std::string_view("hsbe").find(letter) != std::string_view::npos) to_.value(arguments, i, {});
      return;
    }
    const ForeignOption* option = Translator::find(kOptions, word);
    std::string value;
    if (!option && word.size() > 2) {
      // Only these have their values in the same word.
      static constexpr std::string_view attached = "IDUWAY";
      option =
          attached.find(word[1]) == attached.npos ? nullptr : Translator::find(kOptions, word.substr(0, 2));
      value = word.substr(2);
    }
    if (!option) return to_.unknown(word, kOptions);
    if (option->takes_value) value = to_.value(arguments, i, value);
    if (to_.failed()) return;
    if (option->name == "-W") return list(value);
    if (option->name == "-ci") client_inline_ = value;
    if (option->name == "-Sci") inlines_ = false;
    if (option->name == "-hT") tie_header_ = value;
    if (option->name == "-sT") tie_source_ = value;
    if (option->name == "-st") tie_inline_ = value;
    to_.use(*option, value, word);
  }

  void list(const std::string& value) {
    if (value.starts_with("b,")) to_.use_list(value.substr(2), kBackEnd, "-Wb,");
    else if (value.starts_with("p,")) to_.use_preprocessor_list(value.substr(2));
    else to_.unknown("-W" + value, kOptions);
  }

  // TypeCodes and operators stand in the stubs' files, whatever these are called, unless told otherwise.
  void place_any() {
    for (const std::string part : {"header=", "source="}) {
      const std::string stub = "--stub-" + part, any = "--any-" + part;
      if (!last(result_.arguments, any)) to_.add(any + last(result_.arguments, stub)->substr(stub.size()));
    }
  }

  Translator to_;
  Translation& result_;
  bool inlines_ = true;
  std::string client_inline_ = "C.inl";
  std::string tie_header_ = "S_T.h", tie_source_ = "S_T.cpp", tie_inline_ = "S_T.inl";
};

}  // namespace

void translate_tao(const std::vector<std::string>& arguments, Translation& result) {
  Tao(result).all(arguments);
}

bool is_tao_option(const std::string& option) {
  return option.starts_with("-GI") || option.starts_with("-Wb,") || Translator::find(kOptions, option);
}

}  // namespace corbel::idl
