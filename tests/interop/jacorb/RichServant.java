package interop;

import Rich.*;
import java.math.BigDecimal;
import org.omg.CORBA.Any;
import org.omg.CORBA.AnyHolder;
import org.omg.CORBA.CharHolder;
import org.omg.CORBA.StringHolder;
import org.omg.CORBA.TypeCode;

/** Gives back what it is given. */
final class RichServant extends ServerPOA {
  public Any pass_any(Any a, AnyHolder b, AnyHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public TypeCode pass_type(TypeCode a) {
    return a;
  }

  public char pass_wchar(char a, CharHolder b, CharHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public String pass_wstring(String a, StringHolder b, StringHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public BigDecimal pass_money(BigDecimal a, MoneyHolder b, MoneyHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public Node pass_node(Node a, NodeHolder b, NodeHolder c) {
    c.value = b.value;
    b.value = a;
    return a;
  }

  public int count(Node a, Node b) {
    return Values.count(a, b);
  }

  public Base pass_base(Base a, Base b) {
    if (b != null) a.a += b.a;
    return a;
  }

  public String pass_name(String a) {
    return a;
  }
}
