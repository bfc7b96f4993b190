#include "compiler/driver/compile.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <unordered_set>

#include "compiler/driver/json.h"
#include "compiler/frontends/omg/parser.h"
#include "compiler/source/preprocessor.h"
#include "compiler/source/token_printer.h"

namespace corbel::idl {
namespace {

PreprocessorOptions preprocessor_options(const CompileOptions& options) {
  return {options.include_dirs, options.standard_dir, options.defines,
          options.undefines,    options.largest_file, options.read_file ? options.read_file : read_from_disk};
}

void note_files(const Preprocessor& preprocessor, Compilation& c) {
  std::unordered_set<std::string> seen;
  for (const std::string& f : preprocessor.files_read())
    if (seen.insert(f).second) c.files_read.push_back(f);
}

}  // namespace

std::string Compilation::messages(bool warnings) const {
  std::string text;
  for (const Diagnostic& d : diagnostics.all())
    if (warnings || kind_severity(d.kind) == Severity::Error) text += render(d, sources);
  return text;
}

std::string Compilation::messages_as_json(bool warnings) const {
  std::string text;
  for (const Diagnostic& d : diagnostics.all())
    if (warnings || kind_severity(d.kind) == Severity::Error) text += render_json(d, sources) + '\n';
  return text;
}

std::unique_ptr<Compilation> compile(const std::string& path, const CompileOptions& options) {
  auto c = std::make_unique<Compilation>();
  c->diagnostics.limit_errors(options.most_errors);
  Preprocessor preprocessor(c->sources, c->diagnostics, preprocessor_options(options));
  c->contract.main_file = path;
  c->contract.inline_includes = options.inline_includes;
  c->readable = preprocessor.open(path);
  if (c->readable) omg::Parser(preprocessor, c->diagnostics, c->contract).parse();
  note_files(preprocessor, *c);
  return c;
}

std::string preprocess(const std::string& path, const CompileOptions& options, Compilation& c) {
  c.diagnostics.limit_errors(options.most_errors);
  Preprocessor preprocessor(c.sources, c.diagnostics, preprocessor_options(options));
  c.readable = preprocessor.open(path);
  TokenPrinter printer(c.sources);
  if (c.readable)
    for (Token t = preprocessor.next(); t.type != Token::Type::End; t = preprocessor.next()) printer.print(t);
  note_files(preprocessor, c);
  return printer.text();
}

std::string diagnostic_kinds() {
  std::string text;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Kind::Count_); ++i)
    text += std::string(kind_name(static_cast<Kind>(i))) + '\n';
  return text;
}

std::optional<std::string> read_from_disk(const std::string& path) {
  std::error_code error;
  const auto type = std::filesystem::status(path, error).type();
  if (type != std::filesystem::file_type::regular) {
    errno = error ? error.value() : type == std::filesystem::file_type::directory ? EISDIR : EINVAL;
    return std::nullopt;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  // One byte more than is accepted is enough to refuse the file.
  std::string text(
      std::min<std::uintmax_t>(std::filesystem::file_size(path, error), SourceManager::kLargestFile + 1),
      '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

std::string version() { return CORBEL_IDL_VERSION; }

}  // namespace corbel::idl
