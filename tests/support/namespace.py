"""Tests in a network of their own, and with files of the system that are theirs."""

import functools
import os
import subprocess
import tempfile

UNSHARE = ("unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m", "-n")  # before a command's words


def in_namespace(test=None, *, files=None):
    """Runs it once more, as another process in a network of its own where nothing else is, which finds these texts in
    the place of the files of these names."""
    if test is None:
        return functools.partial(in_namespace, files=files)

    @functools.wraps(test)
    def run(self):
        if os.environ.get("TEST_NAMESPACE"):
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
            for name, text in (files or {}).items():
                with tempfile.NamedTemporaryFile("w") as file:
                    file.write(text)
                    file.flush()
                    subprocess.run(["mount", "--bind", file.name, name], check=True)
            return test(self)
        done = subprocess.run([*UNSHARE, "python3", "-B", "-m", "unittest", "-v", self.id()],
                              env={**os.environ, "TEST_NAMESPACE": "1"}, capture_output=True, text=True, check=False)
        self.assertEqual(0, done.returncode, done.stderr)

    return run
