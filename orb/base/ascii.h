// Letters and digits of ASCII, whatever locale the program has set: in a Turkish one "i" and "I" are two
// letters to the C library.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace corbel::base {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }
constexpr bool is_letter(char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Upper and lower case do not differ. Negative where `a` comes first, 0 where both are the same.
int compare_without_case(std::string_view a, std::string_view b);
bool same_without_case(std::string_view a, std::string_view b);
bool begins_without_case(std::string_view text, std::string_view prefix);

// What std::to_string() says, without its table of digits, of which programs carry one for each type that it
// is called with.
std::string decimal(std::int64_t number);

}  // namespace corbel::base
