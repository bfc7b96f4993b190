"""One-way calls go by a transport that the example brings along."""

import subprocess
import unittest

from tests.examples.programs import programs
from tests.support.processes import Child

COLLECTOR, SENSOR = programs()
ENDPOINTS = ["-ORBendPoint", "giop:udp:127.0.0.1:0", "-ORBendPoint", "giop:tcp:127.0.0.1:0"]


class Udp(unittest.TestCase):
    def collector(self, *endpoints):
        child = Child(COLLECTOR, *endpoints)
        self.addCleanup(child.kill)
        return child, child.line()

    def send(self, reference, *options):
        return subprocess.run([SENSOR, reference, *options], capture_output=True, text=True, timeout=30, check=False)

    def test_readings_arrive_as_datagrams(self):
        child, reference = self.collector(*ENDPOINTS[:2])
        self.assertEqual(0, self.send(reference).returncode)
        self.assertEqual([f"temperature {v}" for v in ("20.25", "20.5", "20.75")], [child.line() for _ in range(3)])

    def test_it_is_preferred_where_the_reference_has_others(self):
        child, reference = self.collector(*ENDPOINTS)
        self.send(reference)
        self.assertEqual("temperature 20.25", child.line())
        child.kill()
        # Datagrams to nobody are lost without an error, a connection to nobody would have been refused.
        self.assertEqual(0, self.send(reference).returncode)
        refused = self.send(reference, "-ORBtransports", "tcp")
        self.assertEqual(1, refused.returncode)
        self.assertIn("TRANSIENT", refused.stderr)


if __name__ == "__main__":
    unittest.main()
