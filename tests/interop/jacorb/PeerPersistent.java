package interop;

import org.omg.CORBA.LocalObject;
import org.omg.PortableServer.IdAssignmentPolicyValue;
import org.omg.PortableServer.IdUniquenessPolicyValue;
import org.omg.PortableServer.LifespanPolicyValue;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.RequestProcessingPolicyValue;
import org.omg.PortableServer.Servant;
import org.omg.PortableServer.ServantActivator;

/**
 * Prints the references that persistent_server.cc prints, in its order, and runs until its input ends. JacORB's servants
 * and their managers cannot forward: in these places stands a dash.
 */
final class PeerPersistent {
  private static final String TYPE = "IDL:Contract/Everything:1.0";

  private static final class Making extends LocalObject implements ServantActivator {
    public Servant incarnate(byte[] id, POA adapter) {
      return new EverythingServant();
    }

    public void etherealize(byte[] id, POA adapter, Servant servant, boolean ends, boolean remaining) {}
  }

  private static POA persistent(POA parent, String name, boolean userId, RequestProcessingPolicyValue processing)
      throws Exception {
    org.omg.CORBA.Policy[] policies = {
      parent.create_lifespan_policy(LifespanPolicyValue.PERSISTENT),
      parent.create_id_assignment_policy(userId ? IdAssignmentPolicyValue.USER_ID : IdAssignmentPolicyValue.SYSTEM_ID),
      parent.create_id_uniqueness_policy(IdUniquenessPolicyValue.MULTIPLE_ID),
      parent.create_request_processing_policy(processing),
    };
    return parent.create_POA(name, parent.the_POAManager(), policies);
  }

  private static org.omg.CORBA.Object activated(POA poa, byte... id) throws Exception {
    poa.activate_object_with_id(id, new EverythingServant());
    return poa.id_to_reference(id);
  }

  public static void main(String[] args) throws Exception {
    Peer peer = new Peer(args);
    POA alpha = persistent(peer.poa, "Alpha", true, RequestProcessingPolicyValue.USE_ACTIVE_OBJECT_MAP_ONLY);
    POA beta = persistent(alpha, "Beta", true, RequestProcessingPolicyValue.USE_ACTIVE_OBJECT_MAP_ONLY);
    org.omg.CORBA.Object first = activated(alpha, "one".getBytes());
    POA all = persistent(peer.poa, "Default", false, RequestProcessingPolicyValue.USE_DEFAULT_SERVANT);
    all.set_servant(new EverythingServant());
    POA late = persistent(peer.poa, "Late", true, RequestProcessingPolicyValue.USE_SERVANT_MANAGER);
    late.set_servant_manager(new Making());
    org.omg.CORBA.Object[] objects = {
      first,
      activated(beta, (byte) 0xff, (byte) 0xfe, (byte) 0, (byte) 1, (byte) 'z'),
      activated(beta),
      all.create_reference(TYPE),
      null,
      null,
      late.create_reference_with_id("made".getBytes(), TYPE),
      null,
      peer.activate(new EverythingServant()),
    };
    for (org.omg.CORBA.Object object : objects) {
      System.out.println(object == null ? "-" : peer.orb.object_to_string(object));
    }
    System.out.flush();
    while (System.in.read() >= 0) {}
    peer.orb.shutdown(true);
    System.exit(0);
  }
}
