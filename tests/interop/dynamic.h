// Values of every kind in Anys, made and recognised by either ORB's code. Not exceptions: omniORB writes them
// into an Any without their repository id, and takes only such.
#pragma once

#include <cstring>
#include <cwchar>

#include "dynamic.any.h"
#include "dynamic.skel.h"

namespace dynamic {

constexpr CORBA::Long kKinds = 17;      // of values
constexpr CORBA::Long kFirstWide = 15;  // those from here on need GIOP 1.2

inline Dynamic::Tree tree(CORBA::ULong depth) {
  Dynamic::Tree t;
  t.name = "a branch that is longer than the shortest strings";
  t.branches.length(depth);
  for (CORBA::ULong i = 0; i < depth; ++i) t.branches[i] = tree(i);
  return t;
}

inline bool same(const Dynamic::Tree& a, const Dynamic::Tree& b) {
  if (std::strcmp(a.name, b.name) != 0 || a.branches.length() != b.branches.length()) return false;
  for (CORBA::ULong i = 0; i < a.branches.length(); ++i)
    if (!same(a.branches[i], b.branches[i])) return false;
  return true;
}

inline Dynamic::Flat flat() {
  Dynamic::Flat f;
  f.o = 255, f.d = -0.125, f.b = true;
  return f;
}

inline bool same(const Dynamic::Flat& a, const Dynamic::Flat& b) {
  return a.o == b.o && a.d == b.d && a.b == b.b;
}

inline CORBA::Any make(CORBA::Long number, Dynamic::Maker_ptr maker) {
  CORBA::Any any;
  switch (number) {
    case 0:
      any <<= CORBA::Short{-7};
      break;
    case 1:
      any <<= CORBA::Any::from_boolean(true);
      break;
    case 2:
      any <<= 0.5;
      break;
    case 3:
      any <<= "text";
      break;
    case 4:
      any <<= Dynamic::blue;
      break;
    case 5:
      any <<= flat();
      break;
    case 6:
      any <<= tree(4);
      break;
    case 7: {
      Dynamic::Choice c;
      c.text("chosen");
      c._d(Dynamic::blue);
      any <<= c;
      break;
    }
    case 8: {
      Dynamic::Rest r;
      r.many(tree(2));
      r._d('z');
      any <<= r;
      break;
    }
    case 9: {
      Dynamic::Flats f;
      f.length(3);
      f[0] = f[1] = f[2] = flat();
      any <<= f;
      break;
    }
    case 10: {
      Dynamic::Words w;
      w.length(2);
      w[0] = CORBA::string_dup("");
      w[1] = CORBA::string_dup("four");
      any <<= w;
      break;
    }
    case 11: {
      Dynamic::Anys a;
      a.length(2);
      a[0] <<= tree(1);
      a[1] <<= 3.25;
      any <<= a;
      break;
    }
    case 12: {
      Dynamic::Matrix m = {{1, 2, 3}, {4, 5, -6}};
      any <<= Dynamic::Matrix_forany(m);
      break;
    }
    case 13:
      any <<= maker;
      break;
    case 14:
      any <<= Dynamic::_tc_Rest;
      break;
    case 15:
      any <<= L"wide \u20ac";
      break;
    case 16:
      any <<= CORBA::Any::from_wchar(L'\u20ac');
      break;
  }
  return any;
}

template <typename T>
const T* found(const CORBA::Any& any) {
  const T* value = nullptr;
  return (any >>= value) ? value : nullptr;
}

inline bool holds(CORBA::Long number, const CORBA::Any& any) {
  switch (number) {
    case 0: {
      CORBA::Short n = 0;
      return (any >>= n) && n == -7;
    }
    case 1: {
      CORBA::Boolean b = false;
      return (any >>= CORBA::Any::to_boolean(b)) && b;
    }
    case 2: {
      CORBA::Double d = 0;
      return (any >>= d) && d == 0.5;
    }
    case 3: {
      const char* text = nullptr;
      return (any >>= text) && std::strcmp(text, "text") == 0;
    }
    case 4: {
      Dynamic::Color c = Dynamic::red;
      return (any >>= c) && c == Dynamic::blue;
    }
    case 5: {
      const auto* const f = found<Dynamic::Flat>(any);
      return f && same(*f, flat());
    }
    case 6: {
      const auto* const t = found<Dynamic::Tree>(any);
      return t && same(*t, tree(4));
    }
    case 7: {
      const auto* const c = found<Dynamic::Choice>(any);
      return c && c->_d() == Dynamic::blue && std::strcmp(c->text(), "chosen") == 0;
    }
    case 8: {
      const auto* const r = found<Dynamic::Rest>(any);
      return r && r->_d() == 'z' && same(r->many(), tree(2));
    }
    case 9: {
      const auto* const f = found<Dynamic::Flats>(any);
      return f && f->length() == 3 && same((*f)[2], flat());
    }
    case 10: {
      const auto* const w = found<Dynamic::Words>(any);
      return w && w->length() == 2 && std::strcmp((*w)[1], "four") == 0;
    }
    case 11: {
      const auto* const a = found<Dynamic::Anys>(any);
      CORBA::Double d = 0;
      return a && a->length() == 2 && found<Dynamic::Tree>((*a)[0]) && ((*a)[1] >>= d) && d == 3.25;
    }
    case 12: {
      Dynamic::Matrix_forany m;
      return (any >>= m) && m[1][2] == -6 && m[0][0] == 1;
    }
    case 13: {
      Dynamic::Maker_ptr m = Dynamic::Maker::_nil();
      return (any >>= m) && !CORBA::is_nil(m) && m->_is_a("IDL:Dynamic/Maker:1.0");
    }
    case 14: {
      CORBA::TypeCode_ptr t = CORBA::TypeCode::_nil();
      return (any >>= t) && t->equal(Dynamic::_tc_Rest);
    }
    case 15: {
      const CORBA::WChar* w = nullptr;
      return (any >>= w) && std::wcscmp(w, L"wide \u20ac") == 0;
    }
    case 16: {
      CORBA::WChar w = 0;
      return (any >>= CORBA::Any::to_wchar(w)) && w == L'\u20ac';
    }
  }
  return false;
}

}  // namespace dynamic
