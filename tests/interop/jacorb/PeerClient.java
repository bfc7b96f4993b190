package interop;

/**
 * PeerClient IOR HOST:PORT GIOP-VERSION [RICH-IOR MAKER-IOR EXCHANGE-IOR]: calls every operation of an Everything of either ORB, and of
 * the other three, and checks the answers; exits with 0 if all were right.
 */
final class PeerClient {
  public static void main(String[] args) throws Exception {
    Peer peer = new Peer(args);
    String[] words = peer.words;
    Check check = new Check();
    new EverythingChecks(check, peer, words[0], words[1]).run();
    if (words.length > 3) {
      boolean wide = !words[2].equals("1.0");
      new RichChecks(check, peer, words[3], wide).run();
      new DynamicChecks(check, peer, words[4], wide).run();
      new DeepChecks(check, peer, words[5], words[2].equals("1.2")).run();
    }
    peer.orb.shutdown(true);
    System.exit(check.failures() == 0 ? 0 : 1);
  }
}
