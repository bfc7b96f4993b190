"""One-way calls go by a transport that the example brings along."""

import random
import socket
import subprocess
import time
import unittest

from tests.examples.programs import programs
from tests.support import cdr, giop, ior
from tests.support.giop import Message, Request, Type, fragmented
from tests.support.processes import PATIENCE, Child

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

    def test_datagrams_of_others_that_make_no_sense_take_nothing_from_those_that_do(self):
        child, reference = self.collector(*ENDPOINTS[:2])
        profile = ior.Ior.parse(reference).iiop()[0]
        host, port = ior.endpoints(profile)["udp"].rsplit(":", 1)
        rng = random.Random(20261128)
        request = Request(1, "reading", profile.key, 0, arguments=rng.randbytes(900)).message(2, cdr.LITTLE)
        whole = request.bytes()
        senseless = [b"", b"G", whole[:11], whole[:12], whole[:-1], whole + b"x", request.bytes(0x7FFFFFFF),
                     request.bytes(0), fragmented(request, 300)[0].bytes(), fragmented(request, 300)[1].bytes(),
                     Message(Type.REPLY, 2, cdr.LITTLE, bytes(12)).bytes(), giop.cancel(2, cdr.LITTLE, 1).bytes(),
                     Message(Type.CLOSE, 2, cdr.LITTLE, b"").bytes(), rng.randbytes(65000), whole]
        descriptors = child.descriptors()
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as hostile:
            hostile.connect((host, int(port)))
            for _ in range(5):
                for datagram in senseless:
                    hostile.send(datagram)
                    self.assertEqual(0, self.send(reference).returncode)
                    self.assertEqual([f"temperature {v}" for v in ("20.25", "20.5", "20.75")],
                                     [child.line(PATIENCE) for _ in range(3)], datagram[:40])
        until = time.monotonic() + PATIENCE
        while child.descriptors() > descriptors and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual(descriptors, child.descriptors())


if __name__ == "__main__":
    unittest.main()
