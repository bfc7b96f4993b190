// What language.idl calls native, as an application declares it before the generated headers.
#pragma once

namespace Lang {

struct CookieData {
  int crumbs;
};
typedef CookieData* Cookie;

}  // namespace Lang
