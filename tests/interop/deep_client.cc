// deep-client IOR HOST:PORT GIOP-VERSION exchanges with a Deep::Exchange what has more than one level; exits
// with 0 if all was right.
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <functional>
#include <iostream>
#include <string>

#include <corbel/any.h>

#include "deep.h"

namespace {

int failures = 0;

void check(bool right, const std::string& what) {
  if (right) return;
  std::cerr << "wrong: " << what << '\n';
  ++failures;
}

constexpr const char* kText = "gr\xfc\xdf e, \xff\x80";

Deep::Texts texts(const char* plain) {
  Deep::Texts t;
  t.c = '\xe4';
  t.plain = plain;
  t.all.length(3);
  t.all[0] = kText;
  t.all[2] = "ascii";
  t.few = "\xe4\xf6\xfc\xc4\xd6\xdc\xdf\xe9";
  std::memcpy(t.four, "\xe9 \xe8\xff", 4);
  return t;
}
bool same(const Deep::Texts& a, const Deep::Texts& b) {
  return a.c == b.c && std::strcmp(a.plain, b.plain) == 0 && a.all.length() == b.all.length() &&
         std::strcmp(a.all[0], b.all[0]) == 0 && std::strcmp(a.all[1], b.all[1]) == 0 &&
         std::strcmp(a.all[2], b.all[2]) == 0 && std::strcmp(a.few, b.few) == 0 &&
         std::memcmp(a.four, b.four, 4) == 0;
}

Deep::Item leaf(const char* text) {
  Deep::Item item;
  item.name = "leaf";
  item.body.text(text);
  return item;
}
// A tree whose branch of the given depth holds an Any that holds a smaller tree.
Deep::Item tree(int depth) {
  if (depth == 0) return leaf(kText);
  Deep::Item item;
  item.name = "branch";
  Deep::Item::Content::_items_seq items;
  items.length(3);
  items[0] = leaf("text");
  items[1].name = "any";
  CORBA::Any any;
  any <<= tree(depth - 1);
  items[1].body.value(any);
  items[2] = tree(depth - 1);
  item.body.items(items);
  return item;
}
bool is_tree(const Deep::Item& item, int depth) {
  if (depth == 0) return item.body._d() == 2 && std::strcmp(item.body.text(), kText) == 0;
  if (item.body._d() != 1 || item.body.items().length() != 3) return false;
  const auto& items = item.body.items();
  const Deep::Item* inner = nullptr;
  return std::strcmp(items[0].body.text(), "text") == 0 && (items[1].body.value() >>= inner) &&
         is_tree(*inner, depth - 1) && is_tree(items[2], depth - 1);
}

// There and back in all modes, at alignments that differ.
void pass(Deep::Exchange_ptr it, const std::string& what, const CORBA::Any& any,
          const std::function<bool(const CORBA::Any&)>& holds) {
  try {
    CORBA::Any b;
    b <<= "before";
    CORBA::Any_var c;
    CORBA::Octet p = 0;
    CORBA::Any_var r = it->pass(9, any, 1, b, p, c.out());
    const char* before = nullptr;
    check(p == 9 && holds(r.in()), what);
    check(holds(b), what + ", inout");
    check((c.in() >>= before) && std::strcmp(before, "before") == 0, what + ", out");
    // What came goes once more, undecoded.
    CORBA::Any_var again = it->pass(8, b, 2, c.inout(), p, r.out());
    check(p == 8 && holds(again.in()) && holds(c.in()), what + ", once more");
    it->held(any);
    again = it->held();
    check(holds(again.in()), what + ", attribute");
  } catch (const CORBA::SystemException& e) {
    std::cerr << e._rep_id() << ", minor " << std::hex << e.minor() << std::dec << ": ";
    check(false, what);
  }
}

void anys(Deep::Exchange_ptr it) {
  CORBA::Any any;
  any <<= tree(3);
  pass(it, "any of a recursive type that holds Anys", any, [](const CORBA::Any& a) {
    const Deep::Item* item = nullptr;
    return (a >>= item) && is_tree(*item, 3);
  });
  any.type(Deep::_tc_RenamedAgain);
  pass(it, "any of an alias of an alias", any, [](const CORBA::Any& a) {
    const Deep::Item* item = nullptr;
    CORBA::TypeCode_var type = a.type();
    return (a >>= item) && is_tree(*item, 3) && type->kind() == CORBA::tk_alias &&
           std::strcmp(type->name(), "RenamedAgain") == 0;
  });
  any <<= texts(kText);
  for (int i = 0; i < 20; ++i) {
    CORBA::Any outer;
    outer <<= any;
    any = outer;
  }
  pass(it, "an any, twenty levels deep", any, [](const CORBA::Any& a) {
    const CORBA::Any* inner = &a;
    for (int i = 0; i < 20; ++i)
      if (!(*inner >>= inner)) return false;
    const Deep::Texts* t = nullptr;
    return (*inner >>= t) && same(*t, texts(kText));
  });
  Deep::Table table;
  table.length(3);
  table[0].length(5);
  table[0][0] <<= kText;
  table[0][1] <<= CORBA::Any::from_octet(3);
  table[0][2] <<= 2.5;
  table[0][3] <<= Deep::_tc_Item;
  table[2].length(1);
  table[2][0] <<= tree(2);
  any <<= table;
  pass(it, "a table of Anys", any, [](const CORBA::Any& a) {
    const Deep::Table* t = nullptr;
    if (!(a >>= t) || t->length() != 3 || (*t)[0].length() != 5 || (*t)[1].length() != 0) return false;
    const char* text = nullptr;
    CORBA::Octet octet = 0;
    CORBA::Double number = 0;
    CORBA::TypeCode_ptr type = nullptr;
    const Deep::Item* item = nullptr;
    CORBA::TypeCode_var none = (*t)[0][4].type();
    return ((*t)[0][0] >>= text) && std::strcmp(text, kText) == 0 &&
           ((*t)[0][1] >>= CORBA::Any::to_octet(octet)) && octet == 3 && ((*t)[0][2] >>= number) &&
           number == 2.5 && ((*t)[0][3] >>= type) && type->equal(Deep::_tc_Item) &&
           none->kind() == CORBA::tk_null && ((*t)[2][0] >>= item) && is_tree(*item, 2);
  });
  any <<= "noted";
  it->note(any);
  bool noted = false;  // a server may take requests of one connection out of order
  for (int i = 0; i < 1000 && !noted; ++i) {
    CORBA::Any_var held = it->held();
    const char* text = nullptr;
    noted = (held.in() >>= text) && std::strcmp(text, "noted") == 0;
  }
  check(noted, "oneway with an any");
}

void types(Deep::Exchange_ptr it) {
  for (CORBA::TypeCode_ptr t : {Deep::_tc_Item, Deep::_tc_RenamedAgain, Deep::_tc_Table, Deep::_tc_Wide,
                                Deep::_tc_Blob, Deep::_tc_Pair, Deep::_tc_Numbers, Deep::_tc_Text,
                                Deep::_tc_Graph, Deep::_tc_Carrying, Deep::_tc_Exchange}) {
    CORBA::TypeCode_var r = it->pass_type(t);
    // JacORB reads no bounds of strings.
    check(t == Deep::_tc_Wide || t == Deep::_tc_Pair || t == Deep::_tc_Text || t == Deep::_tc_Carrying
              ? r->equivalent(t)
              : r->equal(t),
          std::string("TypeCode ") + t->id());
  }
}

CORBA::StructMember member(const char* name, CORBA::TypeCode_ptr type) {
  CORBA::StructMember m;
  m.name = name;
  m.type = CORBA::TypeCode::_duplicate(type);
  return m;
}

// Made here: each of two structs contains both of them, and the inner one is there twice.
void made_types(Deep::Exchange_ptr it) {
  CORBA::ORB_var orb = it->_get_orb();
  CORBA::TypeCode_var outer_self = orb->create_recursive_tc("IDL:Made/Outer:1.0");
  CORBA::TypeCode_var inner_self = orb->create_recursive_tc("IDL:Made/Inner:1.0");
  CORBA::TypeCode_var outers = orb->create_sequence_tc(0, outer_self.in());
  CORBA::TypeCode_var inners = orb->create_sequence_tc(7, inner_self.in());
  CORBA::StructMemberSeq members;
  members.length(2);
  members[0] = member("outers", outers.in());
  members[1] = member("inners", inners.in());
  CORBA::TypeCode_var inner = orb->create_struct_tc("IDL:Made/Inner:1.0", "Inner", members);
  members.length(4);
  members[2] = member("one", inner.in());
  members[3] = member("two", inner.in());
  members[1] = member("of_another_size", CORBA::_tc_octet);
  CORBA::TypeCode_var outer = orb->create_struct_tc("IDL:Made/Outer:1.0", "Outer", members);
  CORBA::TypeCode_var back = it->pass_type(outer.in());
  check(back->equal(outer.in()) && outer->equal(back.in()), "TypeCode of two levels of recursion");
  CORBA::TypeCode_var one = back->member_type(2), two = one->member_type(0), three = two->content_type();
  check(three->equal(outer.in()) && std::strcmp(three->name(), "Outer") == 0, "what recursion leads to");
  CORBA::TypeCode_var table = orb->create_sequence_tc(0, outer.in());
  for (int i = 0; i < 10; ++i) table = orb->create_array_tc(2, table.in());
  back = it->pass_type(table.in());
  check(back->equal(table.in()), "TypeCode of nested arrays");
  CORBA::Any any;
  any <<= table.in();
  pass(it, "any of a TypeCode that was made", any, [&](const CORBA::Any& a) {
    CORBA::TypeCode_ptr t = nullptr;
    return (a >>= t) && t->equal(table.in());
  });
}

void structs(Deep::Exchange_ptr it) {
  Deep::Item b = leaf("before");
  Deep::Item_var c, r = it->pass_item(tree(4), b, c.out());
  check(is_tree(r.in(), 4) && is_tree(b, 4) && std::strcmp(c->body.text(), "before") == 0,
        "recursive struct");
  Deep::Texts d = texts("before");
  Deep::Texts_var e, s = it->pass_texts(texts(kText), d, e.out());
  check(same(s.in(), texts(kText)) && same(d, texts(kText)) && same(e.in(), texts("before")),
        "Latin-1 in a struct");
}

Deep::Wide wide(const wchar_t* text) {
  Deep::Wide w;
  w.o = 1;
  w.c = L'\u20ac';
  w.s = text;
  w.all.length(2);
  w.all[1] = L"\u00e4\U0001f600";
  for (CORBA::WChar& c : w.four) c = L'\u4e2d';
  w.some.length(3);
  w.some[0] = w.some[1] = L'x';
  w.some[2] = L'\uffee';
  w.few = L"12345678";
  return w;
}
bool same(const Deep::Wide& a, const Deep::Wide& b) {
  return a.o == b.o && a.c == b.c && std::wcscmp(a.s, b.s) == 0 && a.all.length() == 2 && *a.all[0] == 0 &&
         std::wcscmp(a.all[1], b.all[1]) == 0 && a.four[3] == b.four[3] && a.some.length() == 3 &&
         a.some[2] == b.some[2] && std::wcscmp(a.few, b.few) == 0;
}

void wide_characters(Deep::Exchange_ptr it) {
  Deep::Wide b = wide(L"");
  Deep::Wide_var c, r = it->pass_wide(wide(L"text"), b, c.out());
  check(same(r.in(), wide(L"text")) && same(b, wide(L"text")) && same(c.in(), wide(L"")),
        "wide characters in a struct");
  CORBA::Any any;
  any <<= wide(L"in an any");
  pass(it, "wide characters in an any", any, [](const CORBA::Any& a) {
    const Deep::Wide* w = nullptr;
    return (a >>= w) && same(*w, wide(L"in an any"));
  });
}

void custom_values(Deep::Exchange_ptr it) {
  Deep::Blob_var one = new deep::Blob, two = new deep::Blob, c;
  one->a(5), one->b(kText), two->a(-6), two->b("");
  Deep::Blob_var r = it->pass_blob(one.in(), two.inout(), c.out());
  check(r->a() == 5 && std::strcmp(r->b(), kText) == 0 && two.in() == r.in() && c->a() == -6, "custom value");
  r = it->pass_blob(nullptr, two.inout(), c.out());
  check(!r.in() && !two.in() && c->a() == 5, "custom value, null");
}

void values(Deep::Exchange_ptr it) {
  Deep::Pair_var pair = deep::Pair::of(3, kText, texts(kText)), other = deep::Pair::of(4, "", texts("")), p;
  Deep::Pair_var back = it->pass_pair(pair.in(), other.inout(), p.out());
  check(deep::Pair::holds(back.in(), 3) && std::strcmp(back->b(), kText) == 0 &&
            same(back->c(), texts(kText)) && other.in() == back.in() && deep::Pair::holds(p.in(), 4),
        "value with private state");

  Deep::Numbers_var numbers = new Deep::Numbers;
  numbers->_value().length(1000);
  for (CORBA::ULong i = 0; i < 1000; ++i) numbers->_value()[i] = static_cast<CORBA::Long>(i);
  Deep::Numbers_var same_numbers = it->pass_numbers(numbers.in());
  check(same_numbers->_value().length() == 1000 && same_numbers->_value()[999] == 999, "boxed sequence");
  Deep::Text_var text = new Deep::Text(texts(kText)), same_text = it->pass_text(text.in());
  check(same(same_text->_value(), texts(kText)), "boxed struct");

  Deep::Graph_var root = new deep::Graph, branch = new deep::Graph;
  CORBA::Any any;
  any <<= tree(2);
  root->what(any), branch->what(CORBA::Any());
  root->left(branch.in()), root->right(branch.in()), branch->left(root.in());
  Deep::Graph_var graph = it->pass_graph(root.in());
  const Deep::Item* item = nullptr;
  check((graph->what() >>= item) && is_tree(*item, 2) && graph->left() == graph->right() &&
            graph->left()->left() == graph.in() && !graph->left()->right(),
        "graph of values that hold Anys");
  branch->left(nullptr);
  graph->left()->left(nullptr);
}

// Undecoded by who passes them on, or of a class that marshals itself.
void values_in_anys(Deep::Exchange_ptr it) {
  CORBA::Any any;
  Deep::Pair_var pair = deep::Pair::of(3, kText, texts(kText));
  any <<= pair.in();
  pass(it, "any of a value", any, [](const CORBA::Any& a) {
    Deep::Pair* p = nullptr;
    return (a >>= p) && deep::Pair::holds(p, 3) && same(p->c(), texts(kText));
  });
  Deep::Blob_var blob = new deep::Blob;
  blob->a(5), blob->b(kText);
  any <<= blob.in();
  pass(it, "any of a custom value", any, [](const CORBA::Any& a) {
    Deep::Blob* b = nullptr;
    return (a >>= b) && b && b->a() == 5 && std::strcmp(b->b(), kText) == 0;
  });
  Deep::Numbers_var numbers = new Deep::Numbers;
  numbers->length(1000);
  for (CORBA::ULong i = 0; i < 1000; ++i) (*numbers)[i] = static_cast<CORBA::Long>(i);
  any <<= numbers.in();
  pass(it, "any of a boxed sequence", any, [](const CORBA::Any& a) {
    Deep::Numbers* n = nullptr;
    return (a >>= n) && n && n->length() == 1000 && (*n)[999] == 999;
  });
  any <<= static_cast<Deep::Pair*>(nullptr);
  pass(it, "any of null", any, [](const CORBA::Any& a) {
    Deep::Pair* p = nullptr;
    return (a >>= p) && !p;
  });
  Deep::Graph_var root = new deep::Graph, branch = new deep::Graph;
  CORBA::Any inner;
  inner <<= pair.in();
  root->what(inner), branch->what(inner);
  root->left(branch.in()), root->right(branch.in());
  any <<= root.in();
  pass(it, "any of a graph that holds Anys of a value", any, [](const CORBA::Any& a) {
    Deep::Graph* g = nullptr;
    Deep::Pair *p = nullptr, *q = nullptr;
    return (a >>= g) && g && g->left() && g->left() == g->right() && (g->what() >>= p) &&
           (g->left()->what() >>= q) && deep::Pair::holds(p, 3) && p == q;
  });
}

void exceptions(Deep::Exchange_ptr it) {
  CORBA::Any any;
  any <<= tree(1);
  Deep::Pair_var pair = deep::Pair::of(3, kText, texts(kText));
  try {
    it->refuse(any, Deep::_tc_Table, pair.in());
    check(false, "no exception");
  } catch (const Deep::Carrying& e) {
    const Deep::Item* item = nullptr;
    check((e.what >>= item) && is_tree(*item, 1) && e.type->equal(Deep::_tc_Table) &&
              deep::Pair::holds(e.value.in(), 3),
          "an exception's any, TypeCode and value");
  }
}

void step(const char* name, void (*run)(Deep::Exchange_ptr), Deep::Exchange_ptr it) {
  try {
    run(it);
  } catch (const CORBA::Exception& e) {
    std::cerr << name << ": " << e._rep_id() << '\n';
    ++failures;
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 4) return 2;
    deep::know_values(orb.in());
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Deep::Exchange_var it = Deep::Exchange::_narrow(object.in());
    if (CORBA::is_nil(it.in())) return 2;
    step("Anys", anys, it.in());
    step("TypeCodes", types, it.in());
    step("TypeCodes that were made", made_types, it.in());
    step("structs", structs, it.in());
    if (std::strcmp(argv[3], "1.2") == 0) step("wide characters", wide_characters, it.in());
    // Who has no class for them cannot pass them on in another byte order.
    if (!std::getenv("CORBEL_TEST_RELAYED")) step("custom values", custom_values, it.in());
    step("values", values, it.in());
    // JacORB has values in Anys only with classes of Java EE.
    if (!std::getenv("CORBEL_TEST_JACORB")) step("values in Anys", values_in_anys, it.in());
    step("exceptions", exceptions, it.in());
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "client: " << e._rep_id() << '\n';
    return 1;
  }
  return failures == 0 ? 0 : 1;
}
