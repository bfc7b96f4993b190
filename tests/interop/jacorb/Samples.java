package interop;

import Dynamic.*;
import java.math.BigDecimal;
import java.util.Arrays;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.portable.InputStream;
import org.omg.CORBA.portable.OutputStream;

/** Values of every kind in Anys, by number: dynamic.h makes and recognises the same. */
final class Samples {
  static final int KINDS = 24;
  static final int FIRST_WIDE = 22; // those from here on need GIOP 1.2

  private static final BigDecimal PRICE = new BigDecimal("-1234567.89");

  private final ORB orb;

  Samples(ORB orb) {
    this.orb = orb;
  }

  private static Tree tree(int depth) {
    Tree[] branches = new Tree[depth];
    for (int i = 0; i < depth; ++i) branches[i] = tree(i);
    return new Tree("a branch that is longer than the shortest strings", branches);
  }

  private static boolean same(Tree a, Tree b) {
    if (!a.name.equals(b.name) || a.branches.length != b.branches.length) return false;
    for (int i = 0; i < a.branches.length; ++i) {
      if (!same(a.branches[i], b.branches[i])) return false;
    }
    return true;
  }

  private static Flat flat() {
    return new Flat((byte) 255, -0.125, true);
  }

  private static boolean isFlat(Flat f) {
    return f.o == (byte) 255 && f.d == -0.125 && f.b;
  }

  static double[] doubles(int length) {
    double[] d = new double[length];
    for (int i = 0; i < length; ++i) d[i] = i * 0.5;
    return d;
  }

  static Flat[] flats(int length) {
    Flat[] f = new Flat[length];
    for (int i = 0; i < length; ++i) f[i] = new Flat((byte) i, i, i % 2 != 0);
    return f;
  }

  static boolean areFlats(Flat[] f, int length) {
    if (f.length != length) return false;
    for (int i = 0; i < length; ++i) {
      if (f[i].o != (byte) i || f[i].d != i || f[i].b != (i % 2 != 0)) return false;
    }
    return true;
  }

  Any make(int number, Maker maker) {
    Any any = orb.create_any();
    switch (number) {
      case 0 -> any.insert_short((short) -7);
      case 1 -> any.insert_boolean(true);
      case 2 -> any.insert_double(0.5);
      case 3 -> any.insert_string("text");
      case 4 -> ColorHelper.insert(any, Color.blue);
      case 5 -> FlatHelper.insert(any, flat());
      case 6 -> TreeHelper.insert(any, tree(4));
      case 7 -> {
        Choice c = new Choice();
        c.text(Color.blue, "chosen");
        ChoiceHelper.insert(any, c);
      }
      case 8 -> { // JacORB's union takes no other discriminator for its default member than the first free one
        any.type(RestHelper.type());
        OutputStream out = any.create_output_stream();
        out.write_char('z');
        TreeHelper.write(out, tree(2));
      }
      case 9 -> FlatsHelper.insert(any, new Flat[] {flat(), flat(), flat()});
      case 10 -> WordsHelper.insert(any, new String[] {"", "four"});
      case 11 -> {
        Any[] inner = {orb.create_any(), orb.create_any()};
        TreeHelper.insert(inner[0], tree(1));
        inner[1].insert_double(3.25);
        AnysHelper.insert(any, inner);
      }
      case 12 -> MatrixHelper.insert(any, new short[][] {{1, 2, 3}, {4, 5, -6}});
      case 13 -> MakerHelper.insert(any, maker);
      case 14 -> any.insert_TypeCode(RestHelper.type());
      case 15 -> any.insert_Object(null, OtherHelper.type());
      case 16 -> any.insert_fixed(PRICE, orb.create_fixed_tc((short) 9, (short) 2));
      case 17 -> PlantHelper.insert(any, tree(2));
      case 18 -> {
        Any inner = orb.create_any(), middle = orb.create_any();
        TreeHelper.insert(inner, tree(3));
        middle.insert_any(inner);
        any.insert_any(middle);
      }
      case 19 -> any.insert_char('c');
      case 20 -> any.insert_ulonglong(-2);
      case 21 -> DoublesHelper.insert(any, doubles(1000));
      case 22 -> any.insert_wstring("wide \u20ac");
      case 23 -> any.insert_wchar('\u20ac');
      default -> throw new IllegalArgumentException("no sample " + number);
    }
    return any;
  }

  boolean holds(int number, Any any) {
    switch (number) {
      case 0:
        return any.extract_short() == -7;
      case 1:
        return any.extract_boolean();
      case 2:
        return any.extract_double() == 0.5;
      case 3:
        return any.extract_string().equals("text");
      case 4:
        return ColorHelper.extract(any) == Color.blue;
      case 5:
        return isFlat(FlatHelper.extract(any));
      case 6:
        return same(TreeHelper.extract(any), tree(4));
      case 7: {
        Choice c = ChoiceHelper.extract(any);
        return c.discriminator() == Color.blue && c.text().equals("chosen");
      }
      case 8: {
        InputStream in = any.create_input_stream();
        return any.type().equal(RestHelper.type()) && in.read_char() == 'z' && same(TreeHelper.read(in), tree(2));
      }
      case 9: {
        Flat[] f = FlatsHelper.extract(any);
        return f.length == 3 && isFlat(f[2]);
      }
      case 10:
        return Arrays.equals(WordsHelper.extract(any), new String[] {"", "four"});
      case 11: {
        Any[] inner = AnysHelper.extract(any);
        return inner.length == 2 && same(TreeHelper.extract(inner[0]), tree(1)) && inner[1].extract_double() == 3.25;
      }
      case 12:
        return Arrays.deepEquals(MatrixHelper.extract(any), new short[][] {{1, 2, 3}, {4, 5, -6}});
      case 13:
        return MakerHelper.extract(any)._is_a("IDL:Dynamic/Maker:1.0");
      case 14:
        return any.extract_TypeCode().equal(RestHelper.type());
      case 15:
        return OtherHelper.extract(any) == null;
      case 16:
        return any.extract_fixed().compareTo(PRICE) == 0;
      case 17:
        return any.type().kind() == TCKind.tk_alias && same(PlantHelper.extract(any), tree(2));
      case 18:
        return same(TreeHelper.extract(any.extract_any().extract_any()), tree(3));
      case 19:
        return any.extract_char() == 'c';
      case 20:
        return any.extract_ulonglong() == -2;
      case 21:
        return Arrays.equals(DoublesHelper.extract(any), doubles(1000));
      case 22:
        return any.extract_wstring().equals("wide \u20ac");
      case 23:
        return any.extract_wchar() == '\u20ac';
      default:
        return any.type().kind() == TCKind.tk_null;
    }
  }
}
