// What the presets have in common: tables of options, and how an option becomes corbel-idl's own.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/presets.h"

namespace corbel::idl {

// An option of another compiler. What it becomes are words of our own; one that ends with '=' gets the value,
// one of a letter has the value behind it. Without such words the option changes nothing that matters here;
// `missing` then says what somebody may look for in vain.
struct ForeignOption {
  std::string_view name;
  bool takes_value;
  std::string_view own;
  std::string_view missing = {};
};

using ForeignOptions = std::span<const ForeignOption>;

class Translator {
 public:
  // `program` as its users call it.
  Translator(std::string_view program, Translation& result) : program_(program), result_(result) {}

  // The option of that name, null if there is none.
  static const ForeignOption* find(ForeignOptions options, std::string_view name);

  bool failed() const { return !result_.error.empty(); }
  void fail(std::string why);
  // There is no such option; names what may have been meant.
  void unknown(const std::string& option, ForeignOptions options);
  // Adds what `option`, written as `spelling`, comes to.
  void use(const ForeignOption& option, const std::string& value, const std::string& spelling);
  void add(std::string own) { result_.arguments.push_back(std::move(own)); }
  // "name,name=value": options of the back end, which are written behind `prefix`.
  void use_list(std::string_view list, ForeignOptions options, const std::string& prefix);
  // "-DNAME,-IDIR": options of the preprocessor.
  void use_preprocessor_list(std::string_view list);
  // The value of an option that stands in `arguments[i]`: its rest, or else the next argument.
  std::string value(const std::vector<std::string>& arguments, std::size_t& i, std::string_view rest);
  // Whether `arguments[i]` is our own option, or a file; it goes through with its value.
  bool pass_own(const std::vector<std::string>& arguments, std::size_t& i);

 private:
  const std::string_view program_;
  Translation& result_;
};

// A preset: what it adds to the arguments that it is given.
void translate_omniidl(const std::vector<std::string>& arguments, Translation& result);
void translate_tao(const std::vector<std::string>& arguments, Translation& result);
bool is_omniidl_option(const std::string& option);
bool is_tao_option(const std::string& option);

}  // namespace corbel::idl
