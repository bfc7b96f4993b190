package interop;

import Dynamic.*;
import java.util.Arrays;
import org.omg.CORBA.Any;
import org.omg.CORBA.AnyHolder;
import org.omg.CORBA.StringHolder;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.TypeCode;
import org.omg.CORBA.TypeCodeHolder;

/** Point for point what dynamic_client.cc calls. */
final class DynamicChecks {
  private final Check check;
  private final Peer peer;
  private final Maker maker;
  private final Samples samples;
  private final boolean wide;

  DynamicChecks(Check check, Peer peer, String reference, boolean wide) {
    this.check = check;
    this.peer = peer;
    this.wide = wide;
    maker = MakerHelper.narrow(peer.orb.string_to_object(reference));
    samples = new Samples(peer.orb);
  }

  void run() {
    for (int i = 0; i < (wide ? Samples.KINDS : Samples.FIRST_WIDE); ++i) {
      int number = i;
      check.step("sample " + number, () -> sample(number));
    }
    check.step("an empty any", () -> {
      AnyHolder b = new AnyHolder(peer.orb.create_any()), c = new AnyHolder();
      check.that(maker.pass(peer.orb.create_any(), b, c).type().kind() == TCKind.tk_null, "an empty any");
    });
    check.step("sizes", this::sizes);
    check.step("TypeCodes", this::typeCodes);
    if (wide) check.step("wide strings", this::wideStrings);
    check.step("an exception", this::exceptions);
  }

  private void sample(int number) throws Refused {
    Any mine = samples.make(number, maker), made = maker.make(number);
    check.that(samples.holds(number, made), "made there: " + number);
    check.that(maker.holds(number, mine), "made here: " + number);
    check.that(maker.holds(number, made), "made there and sent back: " + number);
    AnyHolder b = new AnyHolder(made), c = new AnyHolder();
    Any result = maker.pass(mine, b, c);
    check.that(samples.holds(number, b.value) && samples.holds(number, c.value) && samples.holds(number, result),
        "passed: " + number);
    // JacORB lists the labels of a union's member backwards.
    check.that((number == 7 || mine.type().equal(made.type())) && mine.type().equivalent(made.type()),
        "type: " + number);
  }

  private Any passed(Any mine) {
    AnyHolder b = new AnyHolder(peer.orb.create_any()), c = new AnyHolder();
    Any result = maker.pass(mine, b, c);
    return maker.pass(result, b, c);
  }

  private void sizes() {
    for (int octets = 1024; octets <= 65536; octets *= 2) {
      for (int more : new int[] {-8, -2, -1, 0, 1}) {
        double[] d = Samples.doubles(octets / 8 + more);
        check.that(Arrays.equals(maker.pass_doubles((byte) 1, d), d), d.length + " doubles");
        Any any = peer.orb.create_any();
        DoublesHelper.insert(any, d);
        check.that(Arrays.equals(DoublesHelper.extract(passed(any)), d), d.length + " doubles in an any");
        int n = octets / 24 + more;
        check.that(Samples.areFlats(maker.pass_flats((byte) 1, Samples.flats(n)), n), n + " structs");
        FlatsHelper.insert(any, Samples.flats(n));
        check.that(Samples.areFlats(FlatsHelper.extract(passed(any)), n), n + " structs in an any");
      }
    }
  }

  private void typeCodes() {
    TypeCode[] all = {ColorHelper.type(), FlatHelper.type(), TreeHelper.type(), PlantHelper.type(),
        ChoiceHelper.type(), RestHelper.type(), WordsHelper.type(), MatrixHelper.type(), WideHelper.type(),
        RefusedHelper.type(), OtherHelper.type(), peer.orb.get_primitive_tc(TCKind.tk_any)};
    for (TypeCode t : all) {
      check.step("TypeCode " + t, () -> {
        TypeCodeHolder b = new TypeCodeHolder(TreeHelper.type()), c = new TypeCodeHolder();
        TypeCode result = maker.pass_code(t, b, c);
        check.that(result.equal(t) && b.value.equal(t) && c.value.equal(TreeHelper.type()), "TypeCode " + t);
      });
    }
  }

  private void wideStrings() {
    StringHolder b = new StringHolder("b"), c = new StringHolder();
    String result = maker.pass_wide("\u00e4 \u20ac", b, c);
    check.that(result.equals("\u00e4 \u20ac") && b.value.equals("\u00e4 \u20ac") && c.value.equals("b"),
        "wide strings");
  }

  private void exceptions() {
    try {
      maker.make(-3);
      check.that(false, "an exception");
    } catch (Refused e) {
      check.that(e.why.equals("no such number") && e.what.n() == -3, "an exception's members");
    }
  }
}
