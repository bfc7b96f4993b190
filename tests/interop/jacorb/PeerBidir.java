package interop;

import Contract.*;

/** PeerBidir IOR: has an Everything of either ORB call an object here before it answers; exits with 0 if all was right. */
final class PeerBidir {
  private static final int THREADS = 4;
  private static volatile boolean right = true;

  private static void call(Everything everything, Callback callback, int from) {
    try {
      for (int n = from; n < from + 50; ++n) {
        right &= everything.call_back(callback, n) == 2 * n + 1;
        right &= everything.plus(n) == n + 1;
      }
      byte[] in = new byte[600000];
      for (int i = 0; i < in.length; ++i) in[i] = (byte) (i * 7);
      OctetsHolder inout = new OctetsHolder(new byte[0]);
      right &= java.util.Arrays.equals(in, everything.give_octets(in, inout, new OctetsHolder()));
      right &= java.util.Arrays.equals(in, inout.value);
    } catch (org.omg.CORBA.SystemException e) {
      e.printStackTrace();
      right = false;
    }
  }

  public static void main(String[] args) throws Exception {
    Peer peer = new Peer(args);
    Callback callback = CallbackHelper.narrow(peer.activate(new CallbackPOA() {
      public int twice(int n) {
        return 2 * n;
      }
    }));
    Everything everything = EverythingHelper.narrow(peer.orb.string_to_object(peer.words[0]));
    call(everything, callback, 0);
    Thread[] threads = new Thread[THREADS];
    for (int t = 0; t < THREADS; ++t) {
      int from = 1000 * (t + 1);
      threads[t] = new Thread(() -> call(everything, callback, from));
      threads[t].start();
    }
    for (Thread thread : threads) thread.join();
    System.exit(right ? 0 : 1);
  }
}
