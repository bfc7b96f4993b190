package interop;

import java.io.Serializable;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.omg.CORBA.DataInputStream;
import org.omg.CORBA.DataOutputStream;
import org.omg.CORBA.portable.ValueBase;

/** The valuetypes of the contracts, with factories. */
final class Values {
  static final class Node extends Rich.Node {
    Node() {}

    Node(int id, Rich.Node next) {
      this.id = id;
      this.next = next;
    }
  }

  static final class Base extends Rich.Base {
    Base() {}

    Base(int a) {
      this.a = a;
    }
  }

  /** Has no factory: a server cuts it off. */
  static final class Derived extends Rich.Derived {}

  static final class Blob extends Deep.Blob {
    public void marshal(DataOutputStream out) {
      out.write_octet((byte) 7);
      out.write_string(b);
      out.write_long(a);
      out.write_double(a / 4.0);
    }

    public void unmarshal(DataInputStream in) {
      byte seven = in.read_octet();
      b = in.read_string();
      a = in.read_long();
      if (seven != 7 || in.read_double() != a / 4.0) throw new org.omg.CORBA.MARSHAL();
    }
  }

  static final class Pair extends Deep.Pair {
    Pair() {}

    Pair(int a, String b, Deep.Texts c) {
      this.a = a;
      this.b = b;
      this.c = c;
    }

    int number() {
      return a;
    }
  }

  static final class Graph extends Deep.Graph {}

  private Values() {}

  private static void register(org.omg.CORBA.ORB orb, String id, Supplier<ValueBase> maker) {
    ((org.omg.CORBA_2_3.ORB) orb).register_value_factory(id,
        in -> (Serializable) ((org.omg.CORBA_2_3.portable.InputStream) in).read_value(maker.get()));
  }

  static void register(org.omg.CORBA.ORB orb) {
    register(orb, "IDL:Rich/Node:1.0", Node::new);
    register(orb, "IDL:Rich/Base:1.0", Base::new);
    register(orb, "IDL:Deep/Blob:1.0", Blob::new);
    register(orb, "IDL:Deep/Pair:1.0", Pair::new);
    register(orb, "IDL:Deep/Graph:1.0", Graph::new);
  }

  /** How many nodes there are. */
  static int count(Rich.Node... firsts) {
    Set<Rich.Node> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Rich.Node first : firsts) {
      for (Rich.Node n = first; n != null && seen.add(n); n = n.next) {}
    }
    return seen.size();
  }
}
