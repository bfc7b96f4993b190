package interop;

/** Prints the references of an Everything, a Rich::Server, a Dynamic::Maker and a Deep::Exchange, and runs until its input ends. */
final class PeerServer {
  public static void main(String[] args) throws Exception {
    Peer peer = new Peer(args);
    org.omg.CORBA.Object everything = peer.activate(new EverythingServant());
    ((org.jacorb.orb.ORB) peer.orb).addObjectKey("Everything", peer.orb.object_to_string(everything));
    System.out.println(peer.orb.object_to_string(everything));
    System.out.println(peer.orb.object_to_string(peer.activate(new RichServant())));
    System.out.println(peer.orb.object_to_string(peer.activate(new MakerServant(peer.orb))));
    System.out.println(peer.orb.object_to_string(peer.activate(new DeepServant())));
    System.out.flush();
    while (System.in.read() >= 0) {}
    peer.orb.shutdown(true);
    System.exit(0);
  }
}
