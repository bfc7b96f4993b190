// Values without components, and runs of numbers: compared, and carried to and from Anys.
#include <corbel/cpp/fixed.h>
#include <corbel/cpp/object.h>
#include <corbel/cpp/wide.h>

#include <cstring>

#include "orb/dynamic_any/written.h"

namespace corbel::dynamic_any {
namespace {

// In one form, at the beginning of memory.
Octets plain(Node& node) {
  return written([&](cdr::Encoder& out) { node.write(out); });
}

// The same for equal texts, which peers may have written in several ways.
Octets in_one_form(Node& node) {
  const Octets* const mine = node.octets();
  if (!mine) return plain(node);
  return written([&](cdr::Encoder& out) {
    cdr::Decoder in = mine->decoder(nullptr);
    const cpp::ReadValues scope(in);
    if (!types::transcode(in, out, node.type())) throw CORBA::INTERNAL();
  });
}

template <typename T, typename Get>
bool equal_numbers(cdr::Decoder& a, cdr::Decoder& b, std::uint32_t count, Get get) {
  for (std::uint32_t i = 0; i < count; ++i) {
    T x{}, y{};
    if (!get(a, x) || !get(b, y)) return false;
    if (!(x == y) && (x == x || y == y)) return false;  // what is no number is equal to its like
  }
  return true;
}

bool equal_floats(const types::TypeCode& type, const Octets& a, const Octets& b) {
  const types::TypeCode& t = *types::resolve(&type);
  const bool run = t.kind == Kind::Sequence || t.kind == Kind::Array;
  cdr::Decoder x = a.decoder(nullptr), y = b.decoder(nullptr);
  std::uint32_t n = run ? t.length : 1, m = n;
  if (t.kind == Kind::Sequence && (!x.get(n) || !y.get(m) || n != m)) return false;
  const auto plain_get = [](cdr::Decoder& in, auto& v) { return in.get(v); };
  switch (run ? types::resolve(t.content)->kind : t.kind) {
    case Kind::Float:
      return equal_numbers<CORBA::Float>(x, y, n, plain_get);
    case Kind::Double:
      return equal_numbers<CORBA::Double>(x, y, n, plain_get);
    case Kind::LongDouble:
      return equal_numbers<CORBA::LongDouble>(
          x, y, n, [](cdr::Decoder& in, CORBA::LongDouble& v) { return cpp::get_long_double(in, v); });
    default:
      return false;
  }
}

bool unpack(cdr::Decoder& in, const types::TypeCode& type, CORBA::Fixed& value) {
  const char* const packed = in.chunk<1>(type.length / 2 + 1);
  return packed && value._corbel_unpack(reinterpret_cast<const unsigned char*>(packed),
                                        static_cast<int>(type.length), type.special);
}

// Values in Anys may hold themselves, and each level has a tree of its own.
constexpr std::uint32_t kDeepestAnys = 128;

bool equal_anys(Tree& tree, const Octets& a, const Octets& b, const Compared& outer) {
  if (outer.anys == kDeepestAnys)
    cpp::raise({SystemErrorId::IMP_LIMIT, Completion::No, 0, "Anys nest too deep to be compared"});
  CORBA::Any x, y;
  cdr::Decoder in_a = a.decoder(&tree.orb()), in_b = b.decoder(&tree.orb());
  if (!x._corbel_unmarshal(in_a) || !y._corbel_unmarshal(in_b)) return false;
  const CORBA::TypeCode& type = x._corbel_type();
  if (!types::equivalent(type, y._corbel_type())) return false;
  const base::Ref<Tree> inner = base::Ref<Tree>::adopt(new Tree(tree.orb()));
  Node &left = inner->add_root(type), &right = inner->add_root(type);
  Octets of_x, of_y;
  if (!octets_of(x, of_x) || !octets_of(y, of_y) || !left.replace(of_x) || !right.replace(of_y)) return false;
  Compared compared;
  compared.depth = outer.depth;
  compared.anys = outer.anys + 1;
  return left.equals(right, true, compared);
}

}  // namespace

bool equal_leaves(Node& a, Node& b, const Compared& compared) {
  const Octets x = in_one_form(a), y = in_one_form(b);
  const types::TypeCode& t = a.resolved();
  cdr::Decoder in_x = x.decoder(&a.tree().orb()), in_y = y.decoder(&a.tree().orb());
  switch (t.kind) {
    case Kind::Fixed: {
      CORBA::Fixed f, g;
      return x.same(y) || (unpack(in_x, t, f) && unpack(in_y, t, g) && f == g);
    }
    case Kind::ObjRef:
    case Kind::Component:
    case Kind::Home: {
      if (x.same(y)) return true;
      CORBA::Object_var o, p;
      return cpp::get_reference(in_x, o) && cpp::get_reference(in_y, p) && !CORBA::is_nil(o) &&
             !CORBA::is_nil(p) && o->_is_equivalent(p);
    }
    case Kind::TypeCode: {
      CORBA::TypeCode_var c, d;
      return cdr::unmarshal(in_x, c) && cdr::unmarshal(in_y, d) && c->equal(d);
    }
    case Kind::WChar: {
      CORBA::WChar c, d;
      return x.same(y) || (cpp::get_wchar(in_x, c) && cpp::get_wchar(in_y, d) && c == d);
    }
    case Kind::Any:
      return x.same(y) || equal_anys(a.tree(), x, y, compared);
    default:
      return x.same(y) || equal_floats(t, x, y);
  }
}

bool octets_of(const CORBA::Any& any, Octets& octets) {
  return try_written([&](cdr::Encoder& out) { any._corbel_marshal_value(out); }, octets);
}

void to_any(Node& node, CORBA::Any& any) {
  const Octets octets = plain(node);
  cdr::Decoder in = octets.decoder(&node.tree().orb());
  auto& type = const_cast<CORBA::TypeCode&>(node.type());
  if (!any._corbel_unmarshal_value(in, type)) throw CORBA::MARSHAL();
}

}  // namespace corbel::dynamic_any
