// Values of every kind in Anys, made and recognised by either ORB's code. Not exceptions: omniORB writes them
// into an Any without their repository id, and takes only such.
#pragma once

#include <cstring>
#include <cwchar>

#include "dynamic.any.h"
#include "dynamic.skel.h"

namespace dynamic {

constexpr CORBA::Long kKinds = 24;      // of values
constexpr CORBA::Long kFirstWide = 22;  // those from here on need GIOP 1.2

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

inline Dynamic::Doubles doubles(CORBA::ULong length) {
  Dynamic::Doubles d;
  d.length(length);
  for (CORBA::ULong i = 0; i < length; ++i) d[i] = i * 0.5;
  return d;
}

inline bool same(const Dynamic::Doubles& a, const Dynamic::Doubles& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

inline Dynamic::Flats flats(CORBA::ULong length) {
  Dynamic::Flats f;
  f.length(length);
  for (CORBA::ULong i = 0; i < length; ++i) f[i].o = i % 256, f[i].d = i, f[i].b = i % 2 != 0;
  return f;
}

inline bool same(const Dynamic::Flats& a, const Dynamic::Flats& b) {
  if (a.length() != b.length()) return false;
  for (CORBA::ULong i = 0; i < a.length(); ++i)
    if (!same(a[i], b[i])) return false;
  return true;
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
      any <<= Dynamic::Other::_nil();
      break;
    case 16: {
      const CORBA::Fixed price("-1234567.89");
      any <<= CORBA::Any::from_fixed(price, 9, 2);
      break;
    }
    case 17:
      any <<= tree(2);
      any.type(Dynamic::_tc_Plant);
      break;
    case 18: {
      CORBA::Any inner, middle;
      inner <<= tree(3);
      middle <<= inner;
      any <<= middle;
      break;
    }
    case 19:
      any <<= CORBA::Any::from_char('c');
      break;
    case 20:
      any <<= CORBA::ULongLong{0xfffffffffffffffe};
      break;
    case 21:
      any <<= doubles(1000);
      break;
    case 22:
      any <<= L"wide \u20ac";
      break;
    case 23:
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
      Dynamic::Other_ptr o = Dynamic::Other::_nil();
      return (any >>= o) && CORBA::is_nil(o);
    }
    case 16: {
      CORBA::Fixed price;
      return (any >>= CORBA::Any::to_fixed(price, 9, 2)) && price == CORBA::Fixed("-1234567.89");
    }
    case 17: {
      const auto* const t = found<Dynamic::Tree>(any);
      CORBA::TypeCode_var type = any.type();
      return t && same(*t, tree(2)) && type->kind() == CORBA::tk_alias &&
             std::strcmp(type->name(), "Plant") == 0;
    }
    case 18: {
      const auto* const middle = found<CORBA::Any>(any);
      const auto* const inner = middle ? found<CORBA::Any>(*middle) : nullptr;
      const auto* const t = inner ? found<Dynamic::Tree>(*inner) : nullptr;
      return t && same(*t, tree(3));
    }
    case 19: {
      CORBA::Char c = 0;
      return (any >>= CORBA::Any::to_char(c)) && c == 'c';
    }
    case 20: {
      CORBA::ULongLong n = 0;
      return (any >>= n) && n == 0xfffffffffffffffe;
    }
    case 21: {
      const auto* const d = found<Dynamic::Doubles>(any);
      return d && same(*d, doubles(1000));
    }
    case 22: {
      const CORBA::WChar* w = nullptr;
      return (any >>= w) && std::wcscmp(w, L"wide \u20ac") == 0;
    }
    case 23: {
      CORBA::WChar w = 0;
      return (any >>= CORBA::Any::to_wchar(w)) && w == L'\u20ac';
    }
  }
  return false;
}

}  // namespace dynamic
