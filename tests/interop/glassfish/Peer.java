package interop;

import com.sun.corba.ee.spi.extension.ZeroPortPolicy;
import java.util.Properties;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.PortableServer.ImplicitActivationPolicyValue;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import org.omg.PortableServer.Servant;

/** A GlassFish ORB of the GIOP version and at the address that its command line says, in the words of the C++ programs. */
final class Peer {
  final ORB orb;
  final POA poa;
  /** The arguments that are no options. */
  final String[] words;

  Peer(String[] args) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("org.omg.CORBA.ORBClass", "com.sun.corba.ee.impl.orb.ORBImpl");
    properties.setProperty("org.omg.CORBA.ORBSingletonClass", "com.sun.corba.ee.impl.orb.ORBSingleton");
    boolean tls = false;
    int at = 0;
    for (; at + 1 < args.length && args[at].startsWith("-ORB"); at += 2) {
      String value = args[at + 1];
      if (args[at].equals("-ORBmaxGIOPVersion")) {
        properties.setProperty("com.sun.corba.ee.giop.ORBGIOPVersion", value);
      } else if (args[at].equals("-ORBendPoint")) {
        String[] parts = value.split(":");
        properties.setProperty("com.sun.corba.ee.ORBServerHost", parts[2]);
        properties.setProperty("com.sun.corba.ee.ORBServerPort", parts[3]);
      } else if (args[at].equals("-ORBkeyStore")) {
        tls = true;
        Tls.use(properties, value);
      } else {
        throw new IllegalArgumentException(args[at]);
      }
    }
    words = java.util.Arrays.copyOfRange(args, at, args.length);
    System.setProperty("org.omg.CORBA.ORBSingletonClass", "com.sun.corba.ee.impl.orb.ORBSingleton");
    orb = ORB.init(new String[0], properties);
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    poa = tls ? withoutPlainPort(root) : root;
  }

  private static POA withoutPlainPort(POA root) throws Exception {
    return root.create_POA("protected", root.the_POAManager(), new Policy[] {ZeroPortPolicy.getPolicy(),
        root.create_implicit_activation_policy(ImplicitActivationPolicyValue.IMPLICIT_ACTIVATION)});
  }

  /** Whether its compiler gives a union's default member another discriminator than the first that is free. */
  static final boolean MISCOUNTS_DEFAULTS = true;

  /** Whether the object is said not to exist, in whatever way the ORB says so. */
  static boolean isGone(org.omg.CORBA.Object object) {
    try {
      return object._non_existent();
    } catch (org.omg.CORBA.OBJECT_NOT_EXIST e) {
      return true;
    }
  }

  /** The union without a member; the compilers name this differently. */
  static void leaveOut(Contract.Maybe union) {
    union._default();
  }

  org.omg.CORBA.Object activate(Servant servant) throws Exception {
    return poa.servant_to_reference(servant);
  }
}
