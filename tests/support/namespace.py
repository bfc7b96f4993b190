"""Tests in a network of their own."""

import functools
import os
import subprocess

UNSHARE = ("unshare", *([] if os.geteuid() == 0 else ["-r"]), "-n")  # before a command's words


def in_namespace(test):
    """Runs it once more, as another process in a network of its own where nothing else is."""

    @functools.wraps(test)
    def run(self):
        if os.environ.get("TEST_NAMESPACE"):
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
            return test(self)
        done = subprocess.run([*UNSHARE, "python3", "-B", "-m", "unittest", "-v", self.id()],
                              env={**os.environ, "TEST_NAMESPACE": "1"}, capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)

    return run
