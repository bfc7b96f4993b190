package interop;

import Deep.*;
import org.omg.CORBA.Any;
import org.omg.CORBA.AnyHolder;
import org.omg.CORBA.ByteHolder;
import org.omg.CORBA.TypeCode;

/** Gives back what it is given. */
final class DeepServant extends ExchangePOA {
  private Any held;

  public synchronized Any held() {
    return held;
  }

  public synchronized void held(Any value) {
    held = value;
  }

  public void note(Any what) {
    held(what);
  }

  public Any pass(byte o, Any a, short s, AnyHolder b, ByteHolder p, AnyHolder c) {
    p.value = o;
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Item pass_item(Item a, ItemHolder b, ItemHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Texts pass_texts(Texts a, TextsHolder b, TextsHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Wide pass_wide(Wide a, WideHolder b, WideHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Blob pass_blob(Blob a, BlobHolder b, BlobHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Pair pass_pair(Pair a, PairHolder b, PairHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public int[] pass_numbers(int[] a) {
    return a;
  }

  public Texts pass_text(Texts a) {
    return a;
  }

  public Graph pass_graph(Graph a) {
    return a;
  }

  public TypeCode pass_type(TypeCode a) {
    return a;
  }

  public void refuse(Any what, TypeCode type, Pair value) throws Carrying {
    throw new Carrying(what, type, value);
  }
}
