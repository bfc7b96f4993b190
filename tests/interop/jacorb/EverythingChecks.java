package interop;

import Contract.*;
import java.util.Arrays;
import org.omg.CORBA.BAD_OPERATION;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.DoubleHolder;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.NO_PERMISSION;
import org.omg.CORBA.OBJECT_NOT_EXIST;
import org.omg.CORBA.StringHolder;

/** Point for point what client.cc calls. */
final class EverythingChecks {
  /** What large strings have, less where messages must not be large. */
  private static final int LARGE = Integer.parseInt(System.getenv().getOrDefault("CORBEL_TEST_LARGE", "3000000"));

  private final Check check;
  private final Peer peer;
  private final Everything it;
  private final String server;

  EverythingChecks(Check check, Peer peer, String reference, String server) {
    this.check = check;
    this.peer = peer;
    this.server = server;
    it = EverythingHelper.narrow(peer.orb.string_to_object(reference));
  }

  void run() {
    check.step("scalars", this::scalars);
    check.step("strings", this::strings);
    check.step("sequences", this::sequences);
    check.step("structs", this::structs);
    check.step("unions", this::unions);
    check.step("arrays", this::arrays);
    check.step("exceptions", this::exceptions);
    check.step("oneways", this::oneways);
    check.step("references", this::references);
    check.step("questions", this::questions);
    check.step("plain keys", this::plainKeys);
  }

  private void scalars() {
    IntHolder m = new IntHolder(41);
    DoubleHolder n = new DoubleHolder();
    long sum = it.numbers((short) -1, (short) 0xfffe, -3, 0xfffffffc, -5, 6, 0.5F, 0.25, (byte) 0xf9, 'A', true, m, n);
    check.that(sum == -1 + 0xfffe - 3 + 0xfffffffcL - 5 + 6 + 0xf9 + 'A' + 1 && m.value == 42 && n.value == 0.75,
        "numbers");
    it.label("set");
    check.that(it.count() == 7 && it.label().equals("set"), "attributes");
    it.ping();
    check.that(it.minus(5) == 4 && it.plus(5) == 6, "inherited operations");
    ColorHolder b = new ColorHolder(Color.green), c = new ColorHolder();
    check.that(it.give_color(Color.blue, b, c) == Color.blue && b.value == Color.blue && c.value == Color.green, "enum");
  }

  private void text(String in, String inout, String what) {
    StringHolder b = new StringHolder(inout), c = new StringHolder();
    String result = it.text(in, b, c);
    check.that(result.equals(in) && b.value.equals(in) && c.value.equals(inout), what);
  }

  private static String everyCharacter(int first) {
    StringBuilder all = new StringBuilder();
    for (char i = (char) first; i < 256; ++i) all.append(i);
    return all.toString();
  }

  private void strings() {
    String all = everyCharacter(1), large = "x".repeat(LARGE);
    text(all, "before", "string of all characters");
    text("small", large, "large string at the end");
    text(large, "small", "large string at the beginning");
    text("", large, "empty string");
    check.that(it.bounded("12345").equals("12345"), "bounded string");
    char[] chars = everyCharacter(0).toCharArray();
    check.that(Arrays.equals(it.give_chars(chars), chars), "characters 0 to 255");
    String[] words = {"one", "", all};
    StringsHolder b = new StringsHolder(new String[0]), c = new StringsHolder();
    check.that(Arrays.equals(it.give_strings(words, b, c), words) && Arrays.equals(b.value, words)
        && c.value.length == 0, "sequence of strings");
  }

  private void sequences() {
    for (int n : new int[] {0, 1, 9, 2047, LARGE / 30, LARGE / 4}) {
      int[] longs = new int[n];
      byte[] octets = new byte[n];
      for (int i = 0; i < n; ++i) {
        longs[i] = i * 3;
        octets[i] = (byte) i;
      }
      LongsHolder b = new LongsHolder(new int[1]), c = new LongsHolder();
      check.that(Arrays.equals(it.give_longs(longs, b, c), longs) && Arrays.equals(b.value, longs)
          && c.value.length == 1, "sequence of " + n + " longs");
      OctetsHolder d = new OctetsHolder(new byte[0]), e = new OctetsHolder();
      check.that(Arrays.equals(it.give_octets(octets, d, e), octets) && Arrays.equals(d.value, octets)
          && e.value.length == 0, "sequence of " + n + " octets");
    }
    double[] few = {0, 0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75};
    check.that(Arrays.equals(it.few(few), few), "bounded sequence");
    boolean[] flags = {true, false, true};
    check.that(Arrays.equals(it.give_booleans(flags), flags), "booleans");
    int[][] matrix = {{}, {}, {0, -7}};
    check.that(Arrays.deepEquals(it.give_matrix(matrix), matrix), "matrix");
  }

  private static Point point(int n) {
    return new Point((short) n, (char) (n & 0xff), n * 70000, (byte) n, n / 8.0);
  }

  private static boolean same(Point a, Point b) {
    return a.x == b.x && a.tag == b.tag && a.y == b.y && a.o == b.o && a.z == b.z;
  }

  private static Person person(String name, int age, String... nicknames) {
    return new Person(name, age, nicknames);
  }

  private static boolean same(Person a, Person b) {
    return a.name.equals(b.name) && a.age == b.age && Arrays.equals(a.nicknames, b.nicknames);
  }

  private void structs() {
    PointHolder pb = new PointHolder(point(2)), pc = new PointHolder();
    Point p = it.give_point(point(-1), pb, pc);
    check.that(same(p, point(-1)) && same(pb.value, point(-1)) && same(pc.value, point(2)), "fixed struct");
    FlagsHolder fb = new FlagsHolder(new Flags(false, Color.red)), fc = new FlagsHolder();
    Flags f = it.give_flags(new Flags(true, Color.blue), fb, fc);
    check.that(f.on && f.hue == Color.blue && fb.value.on && !fc.value.on && fc.value.hue == Color.red, "flags");
    Point[] points = new Point[2000];
    for (int i = 0; i < points.length; ++i) points[i] = point(i);
    PointsHolder sb = new PointsHolder(new Point[0]), sc = new PointsHolder();
    Point[] back = it.give_points(points, sb, sc);
    boolean right = back.length == points.length && sb.value.length == points.length && sc.value.length == 0;
    for (int i = 0; right && i < points.length; ++i) right = same(back[i], points[i]);
    check.that(right, "sequence of structs");
    Person ada = person("Ada", 36, "", "Countess"), bob = person("Bob", 1);
    PersonHolder nb = new PersonHolder(bob), nc = new PersonHolder();
    check.that(same(it.give_person(ada, nb, nc), ada) && same(nb.value, ada) && same(nc.value, bob), "variable struct");
    Person[] people = new Person[50];
    Arrays.fill(people, ada);
    PeopleHolder mb = new PeopleHolder(new Person[0]), mc = new PeopleHolder();
    Person[] all = it.give_people(people, mb, mc);
    check.that(all.length == 50 && same(all[49], ada) && mb.value.length == 50 && mc.value.length == 0,
        "sequence of variable structs");
    Tree leaf = new Tree(3, new Tree[0]);
    Tree tree = it.give_tree(new Tree(1, new Tree[] {new Tree(0, new Tree[0]), new Tree(2, new Tree[] {leaf})}));
    check.that(tree.children.length == 2 && tree.children[1].children[0].label == 3, "recursive struct");
  }

  private void unions() {
    Value text = new Value(), number = new Value(), spot = new Value();
    text.text("in the union");
    number.number(12);
    spot.spot(point(3));
    ValueHolder b = new ValueHolder(number), c = new ValueHolder();
    Value value = it.give_value(text, b, c);
    check.that(value.discriminator() == Color.green && value.text().equals("in the union"), "union");
    check.that(c.value.discriminator() == Color.red && c.value.number() == 12, "union, out");
    if (!Peer.MISCOUNTS_DEFAULTS) {
      b.value = text;
      value = it.give_value(spot, b, c);
      check.that(value.discriminator() == Color.blue && same(value.spot(), point(3))
          && c.value.discriminator() == Color.green, "union, default");
    }
    Maybe some = new Maybe(), none = new Maybe();
    some.some(new int[] {0, 5});
    Peer.leaveOut(none);
    Maybe maybe = it.give_maybe(some);
    check.that(maybe.discriminator() && maybe.some()[1] == 5, "union with a member");
    check.that(!it.give_maybe(none).discriminator(), "union without a member");
  }

  private void arrays() {
    int[] a = {1, 2, 3, 4}, before = {5, 6, 7, 8};
    RowHolder b = new RowHolder(before), c = new RowHolder();
    check.that(Arrays.equals(it.give_row(a, b, c), a) && Arrays.equals(b.value, a) && Arrays.equals(c.value, before),
        "array");
    String[] names = {"left", "right"}, others = {"up", "down"};
    NamesHolder d = new NamesHolder(others), e = new NamesHolder();
    check.that(Arrays.equals(it.give_names(names, d, e), names) && Arrays.equals(d.value, names)
        && Arrays.equals(e.value, others), "array of strings");
  }

  private void exceptions() throws Exception {
    try {
      it.refuse(9);
      check.that(false, "no user exception");
    } catch (Refused refused) {
      check.that(refused.code == 9 && refused.why.equals("because"), "members of the user exception");
    }
    check.raises(Empty.class, () -> it.refuse(0), "empty user exception");
    try {
      it.fail();
      check.that(false, "no system exception");
    } catch (NO_PERMISSION error) {
      check.that(error.minor == 5 && error.completed == CompletionStatus.COMPLETED_YES, "system exception");
    }
  }

  private void oneways() {
    int before = it.noted();
    it.note(4);
    boolean noted = false; // a server may take requests of one connection out of order
    for (int i = 0; i < 1000 && !noted; ++i) noted = it.noted() == before + 4;
    check.that(noted, "oneway");
  }

  private void references() throws Exception {
    Callback callback = CallbackHelper.narrow(peer.activate(new CallbackPOA() {
      public int twice(int n) {
        return 2 * n;
      }
    }));
    check.that(it.call_back(callback, 20) == 41, "callback");
    CallbackHolder b = new CallbackHolder(callback), c = new CallbackHolder();
    org.omg.CORBA.Object back = it.reference(it, b, c);
    check.that(back._is_equivalent(it) && c.value.twice(4) == 8, "references");
    b.value = null;
    check.that(it.reference(null, b, c) == null && c.value == null, "nil references");
    Callback[] several = it.give_callbacks(new Callback[] {callback, null});
    check.that(several.length == 2 && several[0].twice(5) == 10 && several[1] == null, "sequence of references");
  }

  private void questions() {
    check.that(!it._non_existent(), "existence");
    check.that(it._is_a("IDL:Contract/Base:1.0") && it._is_a("IDL:omg.org/CORBA/Object:1.0")
        && !it._is_a("IDL:Contract/Callback:1.0") && !it._is_a("IDL:None:1.0"), "_is_a");
    check.raises(org.omg.CORBA.BAD_PARAM.class, () -> CallbackHelper.narrow(it), "narrowing to another type");
    Callback wrong = CallbackHelper.unchecked_narrow(it);
    check.raises(BAD_OPERATION.class, () -> wrong.twice(1), "unknown operation");
  }

  private void plainKeys() {
    if (server.equals("-")) return;  // URLs cannot lead there
    for (String version : new String[] {"", "1.0@", "1.1@", "1.2@"}) {
      String url = "corbaloc:iiop:" + version + server + "/Everything";
      Everything named = EverythingHelper.narrow(peer.orb.string_to_object(url));
      check.that(named.minus(8) == 7 && !named._non_existent(), url);
    }
    org.omg.CORBA.Object object = peer.orb.string_to_object("corbaloc::" + server + "/Every%74hing");
    check.that(object._is_a("IDL:Contract/Everything:1.0"), "an escape in the key");
    org.omg.CORBA.Object nobody = peer.orb.string_to_object("corbaloc::" + server + "/Nobody");
    check.raises(OBJECT_NOT_EXIST.class, () -> EverythingHelper.narrow(nobody), "narrowing what does not exist");
    check.that(Peer.isGone(nobody), "existence of what does not exist");
    Everything none = EverythingHelper.unchecked_narrow(nobody);
    check.raises(OBJECT_NOT_EXIST.class, none::ping, "calling what does not exist");
  }
}
