package interop;

import Contract.*;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.DoubleHolder;
import org.omg.CORBA.IntHolder;
import org.omg.CORBA.NO_PERMISSION;
import org.omg.CORBA.StringHolder;

/** Gives back what it is given. */
final class EverythingServant extends EverythingPOA {
  private String label = "none";
  private int noted;

  public int count() {
    return 7;
  }

  public synchronized String label() {
    return label;
  }

  public synchronized void label(String value) {
    label = value;
  }

  public void ping() {}

  public int minus(int n) {
    return n - 1;
  }

  public int plus(int n) {
    return n + 1;
  }

  public long numbers(short a, short b, int c, int d, long wide, long f, float g, double h, byte i, char j, boolean k,
      IntHolder m, DoubleHolder n) {
    m.value += 1;
    n.value = g + h;
    return a + (b & 0xffff) + c + (d & 0xffffffffL) + wide + f + (i & 0xff) + j + (k ? 1 : 0);
  }

  public String text(String a, StringHolder b, StringHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public String bounded(String a) {
    return a;
  }

  public Color give_color(Color a, ColorHolder b, ColorHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Point give_point(Point a, PointHolder b, PointHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Flags give_flags(Flags a, FlagsHolder b, FlagsHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Person give_person(Person a, PersonHolder b, PersonHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public byte[] give_octets(byte[] a, OctetsHolder b, OctetsHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public int[] give_longs(int[] a, LongsHolder b, LongsHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public double[] few(double[] a) {
    return a;
  }

  public boolean[] give_booleans(boolean[] a) {
    return a;
  }

  public char[] give_chars(char[] a) {
    return a;
  }

  public String[] give_strings(String[] a, StringsHolder b, StringsHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Point[] give_points(Point[] a, PointsHolder b, PointsHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Person[] give_people(Person[] a, PeopleHolder b, PeopleHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public int[][] give_matrix(int[][] a) {
    return a;
  }

  public int[] give_row(int[] a, RowHolder b, RowHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public String[] give_names(String[] a, NamesHolder b, NamesHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Value give_value(Value a, ValueHolder b, ValueHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Maybe give_maybe(Maybe a) {
    return a;
  }

  public Tree give_tree(Tree a) {
    return a;
  }

  public org.omg.CORBA.Object reference(org.omg.CORBA.Object a, CallbackHolder b, CallbackHolder c) {
    c.value = b.value;
    return a;
  }

  public Callback[] give_callbacks(Callback[] a) {
    return a;
  }

  public int call_back(Callback target, int n) {
    return target.twice(n) + 1;
  }

  public void refuse(int code) throws Empty, Refused {
    if (code == 0) throw new Empty();
    throw new Refused("because", code);
  }

  public void fail() {
    throw new NO_PERMISSION(5, CompletionStatus.COMPLETED_YES);
  }

  public synchronized void note(int n) {
    noted += n;
  }

  public synchronized int noted() {
    return noted;
  }
}
