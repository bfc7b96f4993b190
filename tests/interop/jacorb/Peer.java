package interop;

import java.util.Properties;
import org.omg.CORBA.ORB;
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
    // At its default JacORB throws requests away when many come at once.
    properties.setProperty("jacorb.poa.queue_wait", "on");
    int at = 0;
    for (; at + 1 < args.length && args[at].startsWith("-ORB"); at += 2) {
      String value = args[at + 1];
      if (args[at].equals("-ORBmaxGIOPVersion")) {
        properties.setProperty("jacorb.giop_minor_version", value.substring(value.indexOf('.') + 1));
      } else if (args[at].equals("-ORBendPoint")) {
        String[] parts = value.split(":");
        properties.setProperty("OAIAddr", parts[2]);
        properties.setProperty("OAPort", parts[3]);
      } else {
        throw new IllegalArgumentException(args[at]);
      }
    }
    words = java.util.Arrays.copyOfRange(args, at, args.length);
    System.setProperty("org.omg.CORBA.ORBSingletonClass", "org.jacorb.orb.ORBSingleton");
    orb = ORB.init(new String[0], properties);
    poa = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
    poa.the_POAManager().activate();
    Values.register(orb);
  }

  org.omg.CORBA.Object activate(Servant servant) throws Exception {
    return poa.servant_to_reference(servant);
  }
}
