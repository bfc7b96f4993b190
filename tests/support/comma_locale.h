// A locale whose decimal point is a comma.
#pragma once

#include "tests/support/other_locale.h"

namespace corbel::testing_support {

struct CommaLocale : OtherLocale {
  CommaLocale() : OtherLocale("de_DE") {}
  bool there() const { return OtherLocale::there() && *localeconv()->decimal_point == ','; }
};

}  // namespace corbel::testing_support
