package interop;

/**
 * PeerClient IOR HOST:PORT GIOP-VERSION: calls every operation of an Everything of either ORB and checks the answers;
 * exits with 0 if all were right.
 */
final class PeerClient {
  public static void main(String[] args) throws Exception {
    Peer peer = new Peer(args);
    Check check = new Check();
    new EverythingChecks(check, peer, peer.words[0], peer.words[1]).run();
    peer.orb.shutdown(true);
    System.exit(check.failures() == 0 ? 0 : 1);
  }
}
