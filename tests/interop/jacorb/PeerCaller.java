package interop;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.omg.CORBA.SystemException;

/**
 * PeerCaller URL...: for each line of its input calls an Everything of either ORB once, the one of the number on the line or
 * the first, and prints "ok" or what was raised.
 */
final class PeerCaller {
  private static final String[] COMPLETIONS = {"YES", "NO", "MAYBE"};

  public static void main(String[] args) throws Exception {
    Peer peer = new Peer(args);
    Contract.Everything[] all = new Contract.Everything[peer.words.length];
    for (int i = 0; i < all.length; ++i) {
      all[i] = Contract.EverythingHelper.unchecked_narrow(peer.orb.string_to_object(peer.words[i]));
    }
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Contract.Everything everything = all[line.matches("[0-9]+") ? Integer.parseInt(line) : 0];
      try {
        System.out.println(everything.minus(8) == 7 ? "ok" : "wrong");
      } catch (SystemException e) {
        System.out.println("IDL:omg.org/CORBA/" + e.getClass().getSimpleName() + ":1.0 "
            + COMPLETIONS[e.completed.value()]);
      }
      System.out.flush();
    }
    peer.orb.shutdown(true);
    System.exit(0);
  }
}
