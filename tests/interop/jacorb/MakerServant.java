package interop;

import Dynamic.*;
import org.omg.CORBA.Any;
import org.omg.CORBA.AnyHolder;
import org.omg.CORBA.ORB;
import org.omg.CORBA.StringHolder;
import org.omg.CORBA.TypeCode;
import org.omg.CORBA.TypeCodeHolder;

/** Makes and recognises the samples. */
final class MakerServant extends MakerPOA {
  private final Samples samples;

  MakerServant(ORB orb) {
    samples = new Samples(orb);
  }

  public Any make(int number) throws Refused {
    if (number < 0) {
      Choice what = new Choice();
      what.n(number);
      throw new Refused("no such number", what);
    }
    return samples.make(number, _this());
  }

  public boolean holds(int number, Any value) {
    return samples.holds(number, value);
  }

  public Any pass(Any a, AnyHolder b, AnyHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public TypeCode pass_code(TypeCode a, TypeCodeHolder b, TypeCodeHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public double[] pass_doubles(byte o, double[] a) {
    return a;
  }

  public Flat[] pass_flats(byte o, Flat[] a) {
    return a;
  }

  public String pass_wide(String a, StringHolder b, StringHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public String known(String name) {
    return name;
  }
}
