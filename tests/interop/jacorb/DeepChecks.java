package interop;

import Deep.*;
import Deep.ItemPackage.Content;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.omg.CORBA.Any;
import org.omg.CORBA.AnyHolder;
import org.omg.CORBA.ByteHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.StructMember;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;

/** Point for point what deep_client.cc calls. */
final class DeepChecks {
  private static final String TEXT = "gr\u00fc\u00df e, \u00ff\u0080";

  private final Check check;
  private final ORB orb;
  private final Exchange it;
  private final boolean wide;

  DeepChecks(Check check, Peer peer, String reference, boolean wide) {
    this.check = check;
    this.wide = wide;
    orb = peer.orb;
    it = ExchangeHelper.narrow(orb.string_to_object(reference));
  }

  void run() {
    check.step("Anys", this::anys);
    check.step("TypeCodes", this::types);
    check.step("TypeCodes that were made", this::madeTypes);
    check.step("structs", this::structs);
    if (wide) check.step("wide characters", this::wideCharacters);
    // Who has no class for them cannot pass them on in another byte order.
    if (System.getenv("CORBEL_TEST_RELAYED") == null) check.step("custom values", this::customValues);
    check.step("values", this::values);
    check.step("boxes", this::boxes);
    check.step("graphs", this::graphs);
    check.step("exceptions", this::exceptions);
  }

  private static Texts texts(String plain) {
    return new Texts('\u00e4', plain, new String[] {TEXT, "", "ascii"},
        "\u00e4\u00f6\u00fc\u00c4\u00d6\u00dc\u00df\u00e9", new char[] {'\u00e9', ' ', '\u00e8', '\u00ff'});
  }

  private static boolean same(Texts a, Texts b) {
    return a.c == b.c && a.plain.equals(b.plain) && Arrays.equals(a.all, b.all) && a.few.equals(b.few)
        && Arrays.equals(a.four, b.four);
  }

  private static Item leaf(String text) {
    Content body = new Content();
    body.text(text);
    return new Item("leaf", body);
  }

  /** A tree whose branch of the given depth holds an Any that holds a smaller tree. */
  private Item tree(int depth) {
    if (depth == 0) return leaf(TEXT);
    Any inner = orb.create_any();
    ItemHelper.insert(inner, tree(depth - 1));
    Content any = new Content(), body = new Content();
    any.value(inner);
    body.items(new Item[] {leaf("text"), new Item("any", any), tree(depth - 1)});
    return new Item("branch", body);
  }

  private boolean isTree(Item item, int depth) {
    if (depth == 0) return item.body.discriminator() == 2 && item.body.text().equals(TEXT);
    Item[] items = item.body.items();
    return items.length == 3 && items[0].body.text().equals("text")
        && isTree(ItemHelper.extract(items[1].body.value()), depth - 1) && isTree(items[2], depth - 1);
  }

  /** There and back in all modes, at alignments that differ. */
  private void pass(String what, Consumer<Any> insert, Predicate<Any> holds) {
    check.step(what, () -> {
      Any any = orb.create_any(), before = orb.create_any();
      insert.accept(any);
      before.insert_string("before");
      AnyHolder b = new AnyHolder(before), c = new AnyHolder();
      ByteHolder p = new ByteHolder();
      check.that(holds.test(it.pass((byte) 9, any, (short) 1, b, p, c)) && p.value == 9, what);
      check.that(holds.test(b.value), what + ", inout");
      check.that(c.value.extract_string().equals("before"), what + ", out");
      check.that(holds.test(it.pass((byte) 8, b.value, (short) 2, c, p, b)) && p.value == 8 && holds.test(c.value),
          what + ", once more");
      it.held(any);
      check.that(holds.test(it.held()), what + ", attribute");
    });
  }

  private void anys() {
    pass("any of a recursive type that holds Anys", a -> ItemHelper.insert(a, tree(3)),
        a -> isTree(ItemHelper.extract(a), 3));
    pass("any of an alias of an alias", a -> RenamedAgainHelper.insert(a, tree(2)), a -> {
      try {
        return isTree(RenamedAgainHelper.extract(a), 2) && a.type().kind() == TCKind.tk_alias
            && a.type().name().equals("RenamedAgain");
      } catch (org.omg.CORBA.TypeCodePackage.BadKind e) {
        return false;
      }
    });
    pass("an any, twenty levels deep", a -> {
      Any inner = orb.create_any();
      TextsHelper.insert(inner, texts(TEXT));
      for (int i = 1; i < 20; ++i) {
        Any outer = orb.create_any();
        outer.insert_any(inner);
        inner = outer;
      }
      a.insert_any(inner);
    }, a -> {
      for (int i = 0; i < 20; ++i) a = a.extract_any();
      return same(TextsHelper.extract(a), texts(TEXT));
    });
    pass("a table of Anys", a -> {
      Any[] first = new Any[5];
      for (int i = 0; i < 5; ++i) first[i] = orb.create_any();
      first[0].insert_string(TEXT);
      first[1].insert_octet((byte) 3);
      first[2].insert_double(2.5);
      first[3].insert_TypeCode(ItemHelper.type());
      Any last = orb.create_any();
      ItemHelper.insert(last, tree(2));
      TableHelper.insert(a, new Any[][] {first, {}, {last}});
    }, a -> {
      Any[][] t = TableHelper.extract(a);
      return t.length == 3 && t[0].length == 5 && t[1].length == 0 && t[0][0].extract_string().equals(TEXT)
          && t[0][1].extract_octet() == 3 && t[0][2].extract_double() == 2.5
          && t[0][3].extract_TypeCode().equal(ItemHelper.type()) && t[0][4].type().kind() == TCKind.tk_null
          && isTree(ItemHelper.extract(t[2][0]), 2);
    });
    Any noted = orb.create_any();
    noted.insert_string("noted");
    it.note(noted);
    boolean held = false; // a server may take requests of one connection out of order
    for (int i = 0; i < 1000 && !held; ++i) {
      Any any = it.held();
      held = any.type().kind() == TCKind.tk_string && any.extract_string().equals("noted");
    }
    check.that(held, "oneway with an any");
  }

  private void types() {
    TypeCode[] all = {ItemHelper.type(), RenamedAgainHelper.type(), TableHelper.type(), TextHelper.type(),
        NumbersHelper.type(), WideHelper.type(), CarryingHelper.type(), ExchangeHelper.type()};
    for (TypeCode t : all) {
      check.step("TypeCode " + t, () -> {
        TypeCode r = it.pass_type(t);
        check.that(r.equivalent(t) && r.id().equals(t.id()), "TypeCode " + t + " came back as " + r);
      });
    }
    check.that(it.pass_type(ItemHelper.type()).equal(ItemHelper.type()), "TypeCode of a recursive type");
    check.that(it.pass_type(TableHelper.type()).equal(TableHelper.type()), "TypeCode of a table");
  }

  /** Made here: each of two structs contains both of them, and the inner one is there twice. */
  private void madeTypes() throws Exception {
    TypeCode outers = orb.create_sequence_tc(0, orb.create_recursive_tc("IDL:Made/Outer:1.0"));
    TypeCode inners = orb.create_sequence_tc(7, orb.create_recursive_tc("IDL:Made/Inner:1.0"));
    TypeCode inner = orb.create_struct_tc("IDL:Made/Inner:1.0", "Inner",
        new StructMember[] {new StructMember("outers", outers, null), new StructMember("inners", inners, null)});
    TypeCode outer = orb.create_struct_tc("IDL:Made/Outer:1.0", "Outer",
        new StructMember[] {new StructMember("outers", outers, null),
            new StructMember("of_another_size", orb.get_primitive_tc(TCKind.tk_octet), null),
            new StructMember("one", inner, null), new StructMember("two", inner, null)});
    TypeCode back = it.pass_type(outer);
    check.that(back.equal(outer), "TypeCode of two levels of recursion");
    check.that(back.member_type(2).member_type(0).content_type().name().equals("Outer"), "what recursion leads to");
    TypeCode table = orb.create_sequence_tc(0, outer);
    for (int i = 0; i < 10; ++i) table = orb.create_array_tc(2, table);
    check.that(it.pass_type(table).equal(table), "TypeCode of nested arrays");
    TypeCode made = table;
    pass("any of a TypeCode that was made", a -> a.insert_TypeCode(made), a -> a.extract_TypeCode().equal(made));
  }

  private void structs() {
    ItemHolder b = new ItemHolder(leaf("before")), c = new ItemHolder();
    check.that(isTree(it.pass_item(tree(4), b, c), 4) && isTree(b.value, 4) && c.value.body.text().equals("before"),
        "recursive struct");
    TextsHolder d = new TextsHolder(texts("before")), e = new TextsHolder();
    Texts t = it.pass_texts(texts(TEXT), d, e);
    check.that(same(t, texts(TEXT)) && same(d.value, texts(TEXT)) && same(e.value, texts("before")),
        "Latin-1 in a struct");
  }

  private static Wide wide(String text) {
    return new Wide((byte) 1, '\u20ac', text, new String[] {"", "\u00e4\ud83d\ude00"},
        "\u4e2d\u4e2d\u4e2d\u4e2d".toCharArray(), "xx\uffee".toCharArray(), "12345678");
  }

  private static boolean same(Wide a, Wide b) {
    return a.o == b.o && a.c == b.c && a.s.equals(b.s) && Arrays.equals(a.all, b.all) && Arrays.equals(a.four, b.four)
        && Arrays.equals(a.some, b.some) && a.few.equals(b.few);
  }

  private void wideCharacters() {
    WideHolder b = new WideHolder(wide("")), c = new WideHolder();
    check.that(same(it.pass_wide(wide("text"), b, c), wide("text")) && same(b.value, wide("text"))
        && same(c.value, wide("")), "wide characters in a struct");
    pass("wide characters in an any", a -> WideHelper.insert(a, wide("in an any")),
        a -> same(WideHelper.extract(a), wide("in an any")));
  }

  private void customValues() {
    Blob one = new Values.Blob(), two = new Values.Blob();
    one.a = 5;
    one.b = TEXT;
    two.a = -6;
    BlobHolder b = new BlobHolder(two), c = new BlobHolder();
    Blob r = it.pass_blob(one, b, c);
    check.that(r.a == 5 && r.b.equals(TEXT) && b.value == r && c.value.a == -6, "custom value");
    check.that(it.pass_blob(null, b, c) == null && b.value == null && c.value.a == 5, "custom value, null");
  }

  private void values() {
    PairHolder b = new PairHolder(new Values.Pair(4, "", texts(""))), c = new PairHolder();
    Pair r = it.pass_pair(new Values.Pair(3, TEXT, texts(TEXT)), b, c);
    check.that(((Values.Pair) r).number() == 3 && r.b.equals(TEXT) && same(r.c, texts(TEXT)) && b.value == r
        && ((Values.Pair) c.value).number() == 4, "value with private state");
  }

  private void boxes() {
    int[] numbers = new int[1000];
    for (int i = 0; i < 1000; ++i) numbers[i] = i;
    check.that(Arrays.equals(it.pass_numbers(numbers), numbers), "boxed sequence");
    check.that(same(it.pass_text(texts(TEXT)), texts(TEXT)), "boxed struct");
  }

  private void graphs() {
    Graph root = new Values.Graph(), branch = new Values.Graph();
    root.what = orb.create_any();
    branch.what = orb.create_any();
    ItemHelper.insert(root.what, tree(2));
    root.left = root.right = branch;
    branch.left = root;
    Graph graph = it.pass_graph(root);
    check.that(isTree(ItemHelper.extract(graph.what), 2) && graph.left == graph.right && graph.left.left == graph
        && graph.left.right == null, "graph of values that hold Anys");
  }

  private void exceptions() {
    Any any = orb.create_any();
    ItemHelper.insert(any, tree(1));
    try {
      it.refuse(any, TableHelper.type(), new Values.Pair(3, TEXT, texts(TEXT)));
      check.that(false, "no exception");
    } catch (Carrying e) {
      check.that(isTree(ItemHelper.extract(e.what), 1) && e.type.equal(TableHelper.type())
          && ((Values.Pair) e.value).number() == 3, "an exception's any, TypeCode and value");
    }
  }
}
