"""Connections between a client and a server of Corbel that are reset at every octet of their conversation."""

import time
import unittest

from tests.scripted.hostile import FAR, MEASURED, HostileTest
from tests.scripted.programs import MEDIUM, TRANSPORT, Client, Raised
from tests.scripted.server import PATIENCE
from tests.support import cdr, ior
from tests.support.cutting import TO_CLIENT, TO_SERVER, CuttingProxy

WAYS = TO_SERVER, TO_CLIENT
STEP = 1 if MEASURED else 10  # of the octets of a connection from its beginning
VARYING = 16  # octets: signatures have not all the same size


class Resets(HostileTest):
    def setUp(self):
        super().setUp()
        self.proxy = self.enterContext(CuttingProxy(MEDIUM, self.server.profile))
        self.client = self.enterContext(Client("-ORBclientCallTimeOutPeriod", str(FAR)))
        profile = MEDIUM.profile("127.0.0.1", self.proxy.at, self.server.key, 2, [])
        self.client.use(ior.Ior("IDL:Contract/Everything:1.0", [(ior.TAG_INTERNET_IOP, profile.encode(cdr.LITTLE))]))
        self.whole = self.octets_of("plus")  # with the beginning of the connection
        self.client_descriptors, self.descriptors = self.client.descriptors(), self.server.descriptors()
        self.client_mapped, self.mapped = self.client.mappings(), self.server.mappings()

    def has(self):
        return [sum(both) for both in zip(super().has(), self.client.has())]

    def settle_all(self):
        super().settle_all()
        self.until(lambda: self.client.descriptors() <= self.client_descriptors)
        self.until(lambda: self.client.mappings() <= self.client_mapped)

    def until(self, condition):
        until = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.001)

    def octets_of(self, *operations):
        """How many pass each way."""
        before = list(self.proxy.passed)
        for operation in operations:
            self.client.call(operation, 1)
        return [now - then for now, then in zip(self.proxy.passed, before)]

    def assert_goes_on(self):
        self.assertEqual("2", self.client.call("plus", 1))

    def test_calls(self):
        for way, size in zip(WAYS, self.octets_of("plus")):
            for end in range(size):
                self.proxy.cut_after(end, way)
                self.assert_raised(self.client.call("plus", 1), "COMM_FAILURE", "MAYBE")
                self.assert_goes_on()

    def test_one_ways_are_carried_out_once_where_they_are_whole_and_else_never(self):
        before = self.client.call("noted")
        size = self.octets_of("note", "plus")[TO_SERVER] - self.octets_of("plus")[TO_SERVER]
        self.until(lambda: self.client.call("noted") != before)
        noted = int(self.client.call("noted"))
        for end in [*range(size), *[size] * VARYING]:
            cuts = self.proxy.cuts
            self.proxy.cut_after(end, TO_SERVER)
            self.client.call("note", 1)
            self.until(lambda: self.proxy.cuts > cuts)
            outcome = self.client.call("plus", 1)
            if TRANSPORT == "shm" and outcome != "2":  # who dies at work, not waiting, is missed by those that wait for it
                self.assert_raised(outcome, "COMM_FAILURE", "MAYBE")
                outcome = self.client.call("plus", 1)
            self.assertEqual("2", outcome)
            if end < size:
                self.assertEqual(noted, int(self.client.call("noted")))
        self.assertLessEqual(int(self.client.call("noted")), noted + VARYING)

    def test_connections_from_their_beginning(self):
        for way, size in zip(WAYS, self.whole):
            outcome = self.client.call("plus", 1)
            for end in range(0, size - VARYING, STEP):
                if outcome == "2":  # on a connection that is still there: one was cut before anything had been sent on it
                    self.proxy.cut_after(0, way)
                    self.assertIsInstance(self.client.call("plus", 1), Raised)
                cuts = self.proxy.cuts
                self.proxy.cut_after(end, way)
                outcome = self.client.call("plus", 1)
                self.until(lambda: self.proxy.cuts > cuts)
                if outcome != "2":
                    self.assertIn((outcome.name, outcome.completed), [("TRANSIENT", "NO"), ("COMM_FAILURE", "MAYBE")])
            self.assert_goes_on()



if __name__ == "__main__":
    unittest.main()
