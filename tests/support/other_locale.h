// A locale other than "C", as programs with a user interface set it.
#pragma once

#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace corbel::testing_support {

// Set while this exists, if it is there.
class OtherLocale {
 public:
  explicit OtherLocale(const std::string& name) {
    const std::string full = name + ".UTF-8";
    mkdir(directory_.c_str(), 0700);
    const std::string command =
        "localedef -i " + name + " -f UTF-8 " + directory_ + "/" + full + " >/dev/null 2>&1";
    (void)!std::system(command.c_str());
    setenv("LOCPATH", directory_.c_str(), 1);
    there_ = setlocale(LC_ALL, full.c_str());
  }
  ~OtherLocale() {
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  OtherLocale(const OtherLocale&) = delete;
  OtherLocale& operator=(const OtherLocale&) = delete;
  bool there() const { return there_; }

 private:
  const std::string directory_ =
      std::filesystem::temp_directory_path() / ("corbel-locale-" + std::to_string(getpid()));
  bool there_ = false;
};

// One in which "i" and "I" are two letters.
struct TurkishLocale : OtherLocale {
  TurkishLocale() : OtherLocale("tr_TR") {}
  bool there() const { return OtherLocale::there() && strcasecmp("i", "I") != 0; }
};

}  // namespace corbel::testing_support
