package interop;

import Dynamic.*;
import java.util.Arrays;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.portable.InputStream;
import org.omg.CORBA.portable.OutputStream;

/** Values of every kind in Anys, by number: dynamic.h makes and recognises the same. */
final class Samples {
  static final int KINDS = 17;
  static final int FIRST_WIDE = 15; // those from here on need GIOP 1.2

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
      case 15 -> any.insert_wstring("wide \u20ac");
      case 16 -> any.insert_wchar('\u20ac');
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
        return any.extract_wstring().equals("wide \u20ac");
      case 16:
        return any.extract_wchar() == '\u20ac';
      default:
        return any.type().kind() == TCKind.tk_null;
    }
  }
}
