package interop;

import Rich.*;
import java.math.BigDecimal;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.omg.CORBA.Any;
import org.omg.CORBA.AnyHolder;
import org.omg.CORBA.CharHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.StringHolder;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;

/** Point for point what rich_client.cc calls. */
final class RichChecks {
  private final Check check;
  private final ORB orb;
  private final Server it;
  private final boolean wide;

  RichChecks(Check check, Peer peer, String reference, boolean wide) {
    this.check = check;
    this.wide = wide;
    orb = peer.orb;
    it = ServerHelper.narrow(orb.string_to_object(reference));
  }

  void run() {
    check.step("basic types in any", this::basics);
    check.step("constructed types in any", this::constructed);
    check.step("TypeCodes", this::types);
    check.step("fixed", this::money);
    if (wide) check.step("wide characters", this::wideCharacters);
    check.step("values", this::values);
    check.step("truncated values", this::truncation);
    check.step("boxed values", this::boxes);
  }

  /** Sends it there and back in all modes; each that comes must hold what was put in. */
  private void pass(String what, Consumer<Any> insert, Predicate<Any> holds) {
    check.step(what, () -> {
      Any any = orb.create_any(), before = orb.create_any();
      insert.accept(any);
      before.insert_long(77);
      AnyHolder b = new AnyHolder(before), c = new AnyHolder();
      Any r = it.pass_any(any, b, c);
      check.that(holds.test(r), what);
      check.that(holds.test(b.value), what + ", inout");
      check.that(c.value.extract_long() == 77, what + ", out");
      check.that(any.type().equivalent(r.type()), what + ", type");
    });
  }

  private void basics() {
    pass("empty any", a -> {}, a -> a.type().kind() == TCKind.tk_null);
    pass("any of short", a -> a.insert_short((short) -5), a -> a.extract_short() == -5);
    pass("any of unsigned long long", a -> a.insert_ulonglong(1L << 63), a -> a.extract_ulonglong() == 1L << 63);
    pass("any of double", a -> a.insert_double(2.5), a -> a.extract_double() == 2.5);
    pass("any of boolean", a -> a.insert_boolean(true), Any::extract_boolean);
    pass("any of char", a -> a.insert_char('\u00e4'), a -> a.extract_char() == '\u00e4');
    pass("any of string", a -> a.insert_string("text"), a -> a.extract_string().equals("text"));
  }

  private static Point[] points() {
    Point[] all = new Point[100];
    for (int i = 0; i < all.length; ++i) all[i] = new Point(i, "p", i / 2.0);
    return all;
  }

  static Tree tree() {
    Tree leaf = new Tree("leaf", new Tree[0]);
    return new Tree("root", new Tree[] {new Tree("left", new Tree[0]), new Tree("right", new Tree[] {leaf})});
  }

  private static boolean isTree(Tree tree) {
    return tree.kids.length == 2 && tree.kids[1].kids[0].name.equals("leaf");
  }

  private void constructed() {
    pass("any of enum", a -> ColorHelper.insert(a, Color.blue), a -> ColorHelper.extract(a) == Color.blue);
    pass("any of struct", a -> PointHelper.insert(a, new Point(-1, "point", 0.5)), a -> {
      Point p = PointHelper.extract(a);
      return p.x == -1 && p.y == 0.5 && p.name.equals("point");
    });
    pass("any of sequence", a -> PointsHelper.insert(a, points()), a -> {
      Point[] p = PointsHelper.extract(a);
      return p.length == 100 && p[99].x == 99 && p[99].y == 49.5;
    });
    pass("any of array", a -> RowHelper.insert(a, new int[] {1, 2, 3}), a -> RowHelper.extract(a)[2] == 3);
    Choice text = new Choice(), all = new Choice();
    text.s("chosen");
    all.p(points());
    pass("any of union", a -> ChoiceHelper.insert(a, text), a -> ChoiceHelper.extract(a).s().equals("chosen"));
    pass("any of union's default", a -> ChoiceHelper.insert(a, all), a -> ChoiceHelper.extract(a).p().length == 100);
    pass("any of recursive struct", a -> TreeHelper.insert(a, tree()), a -> isTree(TreeHelper.extract(a)));
    pass("any in any", a -> {
      Any inner = orb.create_any();
      TreeHelper.insert(inner, tree());
      a.insert_any(inner);
    }, a -> isTree(TreeHelper.extract(a.extract_any())));
    pass("any of exception", a -> BadHelper.insert(a, new Bad("because", 9)), a -> {
      Bad bad = BadHelper.extract(a);
      return bad.code == 9 && bad.why.equals("because");
    });
    pass("any of TypeCode", a -> a.insert_TypeCode(TreeHelper.type()),
        a -> a.extract_TypeCode().equal(TreeHelper.type()));
    pass("any of reference", a -> ServerHelper.insert(a, it), a -> ServerHelper.extract(a)._is_equivalent(it)
        && a.extract_Object()._is_equivalent(it));
  }

  private void types() {
    TypeCode[] all = {orb.get_primitive_tc(TCKind.tk_long), orb.get_primitive_tc(TCKind.tk_string), PointHelper.type(),
        PointsHelper.type(), RowHelper.type(), ChoiceHelper.type(), TreeHelper.type(), BadHelper.type(),
        ColorHelper.type(), MoneyHelper.type(), ServerHelper.type(), NodeHelper.type(), BaseHelper.type(),
        DerivedHelper.type(), NameHelper.type()};
    for (TypeCode t : all) {
      check.step("TypeCode " + t, () -> {
        TypeCode r = it.pass_type(t);
        check.that(t.kind() == TCKind.tk_value ? sameValue(r, t) : r.equal(t) && t.equal(r),
            "TypeCode " + t + " came back as " + r);
      });
    }
  }

  /** JacORB's own equality holds no TypeCode of a valuetype equal to what it reads of it. */
  private static boolean sameValue(TypeCode a, TypeCode b) throws Exception {
    boolean same = a.kind() == b.kind() && a.id().equals(b.id()) && a.name().equals(b.name())
        && a.type_modifier() == b.type_modifier() && a.member_count() == b.member_count();
    for (int i = 0; same && i < a.member_count(); ++i) {
      same = a.member_name(i).equals(b.member_name(i)) && a.member_visibility(i) == b.member_visibility(i)
          && a.member_type(i).kind() == b.member_type(i).kind();
    }
    return same;
  }

  private void wideCharacters() {
    CharHolder b = new CharHolder('b'), c = new CharHolder();
    check.that(it.pass_wchar('\u20ac', b, c) == '\u20ac' && b.value == '\u20ac' && c.value == 'b', "wchar");
    StringBuilder all = new StringBuilder();
    for (char i = 1; i < 0x2000; ++i) all.append(i);
    for (String text : new String[] {"", "gr\u00fc\u00df e", "\ud83d\ude00 outside of the plane", all.toString()}) {
      StringHolder x = new StringHolder("before"), y = new StringHolder();
      String r = it.pass_wstring(text, x, y);
      check.that(r.equals(text) && x.value.equals(text) && y.value.equals("before"), "wstring");
    }
  }

  /** Numbers that fill their type: JacORB writes no leading zeros, though there are always as many digits as it has. */
  private void money() {
    for (String text : new String[] {"1234567.89", "-9999999.99", "123456.78"}) {
      BigDecimal a = new BigDecimal(text), before = new BigDecimal("1500000.50");
      MoneyHolder b = new MoneyHolder(before), c = new MoneyHolder();
      BigDecimal r = it.pass_money(a, b, c);
      check.that(r.equals(a) && b.value.equals(a) && c.value.equals(before), "fixed " + text + ": " + r);
    }
  }

  private void values() {
    Node tail = new Values.Node(3, null), one = new Values.Node(1, tail), two = new Values.Node(2, tail);
    check.that(it.count(one, two) == 3, "shared values");
    check.that(it.count(null, one) == 2, "null value");
    tail.next = one;
    check.that(it.count(one, one) == 2, "circle of values");
    Node last = new Values.Node(5, null);
    NodeHolder b = new NodeHolder(last), c = new NodeHolder();
    Node r = it.pass_node(one, b, c);
    check.that(r.id == 1 && r.next.next == r && b.value == r && c.value.id == 5, "values in all modes");
  }

  private void truncation() {
    Values.Base inner = new Values.Base(40);
    Values.Derived derived = new Values.Derived();
    derived.a = 2;
    derived.b = "cut off";
    derived.inner = inner;
    derived.c = 1.5;
    check.that(it.pass_base(derived, null).a == 2, "truncated value");
    check.that(it.pass_base(derived, inner).a == 42, "value that was cut off and is referred to");
  }

  private void boxes() {
    check.that(it.pass_name("boxed").equals("boxed"), "boxed value");
    check.that(it.pass_name(null) == null, "null box");
  }
}
