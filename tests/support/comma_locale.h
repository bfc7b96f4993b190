// A locale whose decimal point is a comma, as programs with a user interface set it.
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace corbel::testing_support {

// Set while this exists, if it is there.
class CommaLocale {
 public:
  CommaLocale() {
    mkdir(directory_.c_str(), 0700);
    const std::string command = "localedef -i de_DE -f UTF-8 " + directory_ + "/de_DE.UTF-8 >/dev/null 2>&1";
    (void)!std::system(command.c_str());
    setenv("LOCPATH", directory_.c_str(), 1);
    there_ = setlocale(LC_ALL, "de_DE.UTF-8") && *localeconv()->decimal_point == ',';
  }
  ~CommaLocale() {
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;
  bool there() const { return there_; }

 private:
  const std::string directory_ =
      std::filesystem::temp_directory_path() / ("corbel-locale-" + std::to_string(getpid()));
  bool there_ = false;
};

}  // namespace corbel::testing_support
