package interop;

import java.io.Serializable;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.omg.CORBA.portable.StreamableValue;

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

  private Values() {}

  private static void register(org.omg.CORBA.ORB orb, String id, Supplier<StreamableValue> maker) {
    ((org.omg.CORBA_2_3.ORB) orb).register_value_factory(id, in -> {
      StreamableValue value = maker.get();
      return (Serializable) ((org.omg.CORBA_2_3.portable.InputStream) in).read_value(value);
    });
  }

  static void register(org.omg.CORBA.ORB orb) {
    register(orb, "IDL:Rich/Node:1.0", Node::new);
    register(orb, "IDL:Rich/Base:1.0", Base::new);
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
