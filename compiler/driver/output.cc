#include "compiler/driver/output.h"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace corbel::idl {
namespace {

namespace fs = std::filesystem;

// Removes what it knows of when it goes.
class Leftovers {
 public:
  ~Leftovers() {
    std::error_code ignored;
    for (const std::string& p : paths_) fs::remove(p, ignored);
  }
  void add(std::string path) { paths_.push_back(std::move(path)); }

 private:
  std::vector<std::string> paths_;
};

// A device, a pipe or a link is written to where it stands, not replaced.
bool stays(const std::string& path) {
  std::error_code error;
  const fs::file_type type = fs::symlink_status(path, error).type();
  return type != fs::file_type::not_found && type != fs::file_type::regular;
}

// Names of this process alone: make starts the same command twice where a rule has two targets.
std::string name_beside(const std::string& path, const char* kind) {
  return path + '.' + std::to_string(getpid()) + kind;
}

// No error when all is well.
std::error_code write(const OutputFile& file, const std::string& path) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(file.text.data(), static_cast<std::streamsize>(file.text.size()));
  out.close();
  return {out.fail() ? (errno ? errno : EIO) : 0, std::generic_category()};
}

// Keeps what stands in `path` under another name too.
std::error_code keep(const std::string& path, const std::string& kept, Leftovers& leftovers) {
  std::error_code error;
  fs::create_hard_link(path, kept, error);
  if (error) fs::copy_file(path, kept, error);
  if (!error) leftovers.add(kept);
  return error;
}

}  // namespace

std::string base_name(const std::string& source) { return fs::path(source).stem().string(); }

std::string output_path(const std::string& directory, const std::string& source, const std::string& suffix) {
  const std::string name = base_name(source) + suffix;
  return directory.empty() || directory == "." ? name : (fs::path(directory) / name).string();
}

bool same_file(const std::string& a, const std::string& b) {
  const fs::path one = a, other = b;
  const auto directory = [](const fs::path& p) {
    return p.has_parent_path() ? p.parent_path() : fs::path(".");
  };
  std::error_code error;
  if (fs::equivalent(one, other, error) && !error) return true;  // by a link perhaps
  return one.filename() == other.filename() &&
         (a == b || (fs::equivalent(directory(one), directory(other), error) && !error));
}

std::optional<std::string> make_directory(const std::string& path) {
  std::error_code error;
  if (path.empty() || fs::is_directory(path, error)) return std::nullopt;
  fs::create_directories(path, error);
  return error ? std::optional(error.message()) : std::nullopt;
}

std::optional<WriteFailure> write_files(const std::vector<OutputFile>& files) {
  Leftovers leftovers;
  for (const OutputFile& f : files) {
    if (stays(f.path)) continue;
    const std::string part = name_beside(f.path, ".part");
    leftovers.add(part);
    if (const std::error_code error = write(f, part)) return WriteFailure{f.path, error.message()};
  }
  std::vector<bool> existed;
  for (const OutputFile& f : files) {
    const std::string old = name_beside(f.path, ".old");
    std::error_code error, ignored;
    existed.push_back(fs::exists(f.path, ignored));
    if (stays(f.path)) {
      error = write(f, f.path);
    } else {
      if (existed.back()) error = keep(f.path, old, leftovers);
      if (!error) fs::rename(name_beside(f.path, ".part"), f.path, error);
    }
    if (!error) continue;
    for (std::size_t i = 0; i + 1 < existed.size(); ++i) {
      const std::string& path = files[i].path;
      if (stays(path)) continue;
      if (existed[i]) fs::rename(name_beside(path, ".old"), path, ignored);
      else fs::remove(path, ignored);
    }
    return WriteFailure{f.path, error.message()};
  }
  return std::nullopt;
}

std::string escaped_for_make(const std::string& path) {
  std::string out;
  for (const char c : path) {
    if (c == ' ' || c == '#' || c == '\\') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

std::string dependency_rule(const std::vector<std::string>& targets, const std::vector<std::string>& sources,
                            bool phony) {
  std::string rule;
  for (const std::string& t : targets) rule += (rule.empty() ? "" : " ") + t;
  rule += ':';
  for (const std::string& s : sources) rule += " \\\n  " + escaped_for_make(s);
  rule += '\n';
  for (std::size_t i = 1; phony && i < sources.size(); ++i) rule += escaped_for_make(sources[i]) + ":\n";
  return rule;
}

}  // namespace corbel::idl
