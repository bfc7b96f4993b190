package interop;

import java.util.Properties;
import org.omg.BiDirPolicy.BIDIRECTIONAL_POLICY_TYPE;
import org.omg.BiDirPolicy.BOTH;
import org.omg.BiDirPolicy.BidirectionalPolicyValueHelper;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.Policy;
import org.omg.PortableServer.ImplicitActivationPolicyValue;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;
import org.omg.PortableServer.Servant;

/** A JacORB of the GIOP version and at the address that its command line says, in the words of the C++ programs. */
final class Peer {
  final ORB orb;
  final POA poa;
  /** The arguments that are no options. */
  final String[] words;

  Peer(String[] args) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("org.omg.CORBA.ORBClass", "org.jacorb.orb.ORB");
    properties.setProperty("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    // Without a name of the server JacORB makes no persistent references.
    properties.setProperty("jacorb.implname", "interop");
    int at = 0;
    boolean bidirectional = false;
    for (; at + 1 < args.length && args[at].startsWith("-ORB"); at += 2) {
      String value = args[at + 1];
      if (args[at].equals("-ORBmaxGIOPVersion")) {
        properties.setProperty("jacorb.giop_minor_version", value.substring(value.indexOf('.') + 1));
      } else if (args[at].equals("-ORBendPoint")) {
        String[] parts = value.split(":");
        properties.setProperty("OAIAddr", parts[2]);
        properties.setProperty(parts[1].equals("ssl") ? "OASSLPort" : "OAPort", parts[3]);
      } else if (args[at].equals("-ORBproperties")) {
        try (java.io.Reader in = new java.io.FileReader(value)) {
          properties.load(in);
        }
      } else if (args[at].equals("-ORBbidirectional")) {
        bidirectional = true;
        properties.setProperty("org.omg.PortableInterceptor.ORBInitializerClass.bidir_init",
            "org.jacorb.orb.giop.BiDirConnectionInitializer");
      } else {
        throw new IllegalArgumentException(args[at]);
      }
    }
    words = java.util.Arrays.copyOfRange(args, at, args.length);
    System.setProperty("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    orb = ORB.init(new String[0], properties);
    POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    root.the_POAManager().activate();
    poa = bidirectional ? bidirectionalAdapter(root) : root;
    Values.register(orb);
  }

  private POA bidirectionalAdapter(POA root) throws Exception {
    Any both = orb.create_any();
    BidirectionalPolicyValueHelper.insert(both, BOTH.value);
    Policy[] policies = {
      orb.create_policy(BIDIRECTIONAL_POLICY_TYPE.value, both),
      root.create_implicit_activation_policy(ImplicitActivationPolicyValue.IMPLICIT_ACTIVATION),
    };
    return root.create_POA("bidirectional", root.the_POAManager(), policies);
  }

  /** Whether its compiler gives a union's default member another discriminator than the first that is free. */
  static final boolean MISCOUNTS_DEFAULTS = false;

  /** Whether the object is said not to exist, in whatever way the ORB says so. */
  static boolean isGone(org.omg.CORBA.Object object) {
    return object._non_existent();
  }

  /** The union without a member; the compilers name this differently. */
  static void leaveOut(Contract.Maybe union) {
    union.__default();
  }

  org.omg.CORBA.Object activate(Servant servant) throws Exception {
    return poa.servant_to_reference(servant);
  }
}
