"""memory_test.py PROGRAM: a message of a million strings takes its sender the memory of a few fragments."""
import os
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop()
COUNT = 1_000_000
MESSAGE = 40_000  # KiB, about
BOUND = 1024  # KiB: two fragments, what a thread and the C library want at times
SMALL_BOUND = 256
OPTIONS = ["-ORBtransports", os.environ.get("CORBEL_TRANSPORTS", "tcp")]


class Memory(unittest.TestCase):
    def measured(self, *options):
        """KiB by what was sent."""
        endpoint = os.environ.get("CORBEL_TEST_ENDPOINT", "giop:tcp:127.0.0.1:0")
        server = subprocess.Popen([PROGRAM, "server", "-ORBendPoint", endpoint, *options], stdout=subprocess.PIPE, text=True)
        try:
            reference = server.stdout.readline().strip()
            found = subprocess.run([PROGRAM, "client", reference, str(COUNT), *OPTIONS, *options], stdout=subprocess.PIPE,
                                   text=True, timeout=100, check=True).stdout
        finally:
            server.kill()
            server.wait()
            server.stdout.close()
        return {line.split()[0]: int(line.split()[1]) for line in found.splitlines()}

    def test_what_is_marshaled_takes_little_memory(self):
        for bound, size in (BOUND, []), (SMALL_BOUND, ["-ORBgiopFragmentSize", "16384"]):
            found = self.measured(*size)
            self.assertLess(found["request"], bound, found)
            self.assertLess(found["reply"], bound, found)

    def test_it_is_all_there_where_fragments_are_turned_off(self):
        found = self.measured("-ORBgiopFragmentSize", "0")
        self.assertGreater(found["request"], MESSAGE / 2, found)
        self.assertGreater(found["reply"], MESSAGE / 2, found)


if __name__ == "__main__":
    unittest.main()
