package interop;

/** Counts what was wrong, and says it. */
final class Check {
  interface Step {
    void run() throws Exception;
  }

  private int failures;

  int failures() {
    return failures;
  }

  void that(boolean right, String what) {
    if (right) return;
    System.err.println("wrong: " + what);
    ++failures;
  }

  /** A step that raises what nobody expected fails, and those after it are taken all the same. */
  void step(String name, Step step) {
    try {
      step.run();
    } catch (Throwable problem) {
      System.err.println("wrong: " + name + ": " + problem + where(problem));
      ++failures;
    }
  }

  /** The line of the tests that met it. */
  private static String where(Throwable problem) {
    for (StackTraceElement at : problem.getStackTrace()) {
      if (at.getClassName().startsWith("interop.")) return " (" + at.getFileName() + ":" + at.getLineNumber() + ")";
    }
    return "";
  }

  void raises(Class<? extends Throwable> expected, Step step, String what) {
    try {
      step.run();
    } catch (Throwable problem) {
      that(expected.isInstance(problem), what + " raised " + problem);
      return;
    }
    that(false, what + " raised nothing");
  }
}
