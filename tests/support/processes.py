"""Child processes that die with the test."""

import ctypes
import pathlib
import queue
import signal
import subprocess
import threading

PATIENCE = 60
_libc = ctypes.CDLL(None)


def _die_with_parent():
    _libc.prctl(1, signal.SIGKILL)


class Child:
    """A process whose lines of output are read as they come."""

    def __init__(self, *command):
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, bufsize=1, preexec_fn=_die_with_parent)
        self.pid = self.process.pid
        self._lines = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def line(self, patience=PATIENCE):
        line = self._lines.get(timeout=patience)
        if line is None:
            raise EOFError(f"{self.process.args[0]} ended with {self.process.wait()}")
        return line

    def waiting_line(self):
        """A line that is there already, or None."""
        try:
            line = self._lines.get_nowait()
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)  # line() says that there is no more
        return line

    def write(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end_of_input(self):
        """Ends its input; gives its exit status."""
        self.process.stdin.close()
        return self.process.wait(PATIENCE)

    def alive(self):
        return self.process.poll() is None

    def status(self, field):
        """A number of /proc/PID/status: Threads, VmRSS (in kB) ..."""
        for line in pathlib.Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith(field + ":"):
                return int(line.split()[1])
        raise KeyError(field)

    def descriptors(self):
        """How many files it has open."""
        return len(list(pathlib.Path(f"/proc/{self.pid}/fd").iterdir()))

    def mappings(self):
        """How many it has of memory that it shares with others."""
        return pathlib.Path(f"/proc/{self.pid}/maps").read_text().count("/memfd:")

    def kill(self):
        self.process.kill()
        self.process.wait()
        self._reader.join()
        self.process.stdin.close()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()
