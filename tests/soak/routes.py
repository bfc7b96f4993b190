"""Which ways the processes' connections really go, as the kernel sees them."""

import os
import re
import subprocess


class Sockets:
    """All connections of this network at one moment."""

    def __init__(self):
        self._peers = {}  # addresses of the other ends, by the number of the socket
        names, ends = {}, {}
        for line in self._ask("-xHn"):
            kind, _, _, _, name, number, _, end = line.split()[:8]
            if kind == "u_str":
                names[number], ends[number] = name, end
        for number, end in ends.items():
            if end in names:
                self._peers[number] = names[end]
        for line in self._ask("-tHne", "state", "established"):
            if number := re.search(r" ino:(\d+)", line):
                self._peers[number[1]] = line.split()[3]

    @staticmethod
    def _ask(*words):
        return subprocess.run(["ss", *words], check=True, capture_output=True, text=True).stdout.splitlines()

    def peers(self, pid):
        """The addresses of whom a process is connected to; "*" is a unix socket without a name."""
        found = set()
        for entry in os.scandir(f"/proc/{pid}/fd"):
            try:
                target = os.readlink(entry.path)
            except FileNotFoundError:  # closed since
                continue
            if target.startswith("socket:[") and target[8:-1] in self._peers:
                found.add(self._peers[target[8:-1]])
        return found
