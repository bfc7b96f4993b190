package interop;

/** Prints the reference of an Everything, which "Everything" names, too, and runs until its input ends. */
final class PeerServer {
  public static void main(String[] args) throws Exception {
    Peer peer = new Peer(args);
    org.omg.CORBA.Object everything = peer.activate(new EverythingServant());
    ((com.sun.corba.ee.spi.orb.ORB) peer.orb).register_initial_reference("Everything", everything);
    System.out.println(peer.orb.object_to_string(everything));
    System.out.flush();
    while (System.in.read() >= 0) {}
    peer.orb.shutdown(true);
    System.exit(0);
  }
}
