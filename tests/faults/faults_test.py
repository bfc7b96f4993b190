"""Faults between real processes: nothing acknowledged is lost, nothing is done twice, and calls go on afterwards."""

import collections
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from tests.support import ior
from tests.support.certificates import Authority
from tests.support.lossy_link import FAR, NEAR, LossyLink
from tests.support.namespace import in_namespace
from tests.support.processes import Child
from tests.support.proxy import Proxy

PATIENCE = 30
SERVER, CLIENT = os.environ["FAULTS_SERVER"], os.environ["FAULTS_CLIENT"]
SERVER_OPTIONS = os.environ.get("FAULTS_SERVER_OPTIONS", "").split()
TRANSPORT = os.environ.get("FAULTS_TRANSPORT", "tcp")
TLS, OF_ONE_HOST = TRANSPORT == "ssl", TRANSPORT in ("unix", "shm")
BETWEEN = 40  # calls that have to succeed between two faults
_authority = Authority() if TLS else None
# Of no other process: a port of it is not taken while a server is away.
OWN_HOST = f"127.79.{os.getpid() >> 8 & 255}.{os.getpid() & 255 or 1}"
_key = _authority.issue("server", ",".join(f"IP:{h}" for h in ("127.0.0.1", NEAR, FAR, OWN_HOST))) if TLS else None


def tearDownModule():
    if TLS:
        _authority.__exit__()


class Ledger:
    """A server process, and the file that outlives it."""

    def __init__(self, folder, *options, host="127.0.0.1"):
        self.file, self.options, self.host = pathlib.Path(folder, "ledger"), options, host
        self.start()

    def start(self, port=0):
        at = {"unix": self.file.with_suffix(".socket"), "shm": self.file.parent.name}.get(TRANSPORT, f"{self.host}:{port}")
        tls = ("-ORBsslKeyFile", _key, "-ORBsslClientCertificates", "none") if TLS else ()
        self.child = Child(SERVER, self.file, "-ORBendPoint", f"giop:{TRANSPORT}:{at}", *tls, *SERVER_OPTIONS, *self.options)
        self.port, self._reference = int(self.child.line()), self.child.line()
        if TLS:
            components = ior.Ior.parse(self._reference).iiop()[0].components
            self.port = next(ior.ssl_port(data) for tag, data in components if tag == ior.SSL)

    def reference(self, port=None, host=None):
        """Leads to it by this port and this host, or directly."""
        if OF_ONE_HOST:
            return self._reference
        return f"corbaloc:{'ssliop:' if TLS else ':'}{host or self.host}:{port or self.port}/Ledger"

    def entries(self):
        return collections.Counter(int(line) for line in self.file.read_text().split())


class Calls:
    """A client process under load; what it says of each call."""

    def __init__(self, reference, *options, first=1, threads=4):
        own = ("-ORBsslCAFile", _authority.ca) if TLS else ("-ORBtransports", TRANSPORT) if OF_ONE_HOST else ()
        self.child = Child(CLIENT, reference, threads, first, *own, *options)
        self.fates = collections.defaultdict(set)
        self.reasons = collections.Counter()

    def read(self, wanted, *fates):
        """Until so many more have met one of these fates, else have been done."""
        fates = fates or ("done",)
        until = time.monotonic() + PATIENCE
        while wanted > 0:
            if time.monotonic() > until:
                raise TimeoutError(f"{wanted} more should have been {' or '.join(fates)}: {dict(self.reasons)}")
            wanted -= self._take() in fates

    def _take(self):
        fate, *words = self.child.line(PATIENCE).split(" ")
        if fate != "end":
            self.fates[fate].add(int(words[0]))
            self.reasons[" ".join([fate, *words[1:]])] += 1
        return fate

    def end(self):
        self.child.process.stdin.close()
        while self._take() != "end":
            pass
        self.child.process.wait(PATIENCE)
        self.child.kill()


class FaultsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="corbel-faults-")
        self.addCleanup(shutil.rmtree, self.folder)

    def start(self, server=(), client=(), **more):
        self.ledger = Ledger(self.folder, *server)
        self.addCleanup(lambda: self.ledger.child.kill())
        self.proxy = Proxy(self.ledger.port)
        self.addCleanup(self.proxy.__exit__)
        self.calls = Calls(self.ledger.reference(self.proxy.port), *client, **more)
        self.addCleanup(self.calls.child.kill)
        self.calls.read(BETWEEN)

    def check(self):
        """Ends the load and compares what callers were told with what was done."""
        self.calls.read(BETWEEN)  # it goes on
        self.calls.end()
        done, fates = self.ledger.entries(), self.calls.fates
        self.assertEqual({}, {e: n for e, n in done.items() if n > 1}, "done twice")
        self.assertEqual(set(), fates["done"] - set(done), "acknowledged and lost")
        self.assertEqual(set(), fates["no"] & set(done), "said not to be done, and done")
        self.assertEqual(set(), set(done) - fates["done"] - fates["sent"] - fates["maybe"] - fates["yes"],
                         "done and never told")
        self.assertEqual(set(), fates["wrong"], "results that are another's")


class Faults(FaultsTest):
    """Of processes. Whatever the transport is, a server that comes back is found where it was."""

    def test_servers_that_are_killed(self):
        """Most of them with calls that have been carried out and not been answered."""
        self.start(server=("2000",))
        for _ in range(5):
            self.ledger.child.kill()
            time.sleep(0.05)
            self.ledger.start()
            self.proxy.target = self.ledger.port
            self.calls.read(BETWEEN)
        self.check()

    def test_servers_that_are_stopped_for_a_while(self):
        self.start(client=("-ORBclientCallTimeOutPeriod", "100"))
        for _ in range(5):
            self.ledger.child.process.send_signal(signal.SIGSTOP)
            self.calls.read(4, "maybe")
            self.ledger.child.process.send_signal(signal.SIGCONT)
            self.calls.read(BETWEEN)
        self.check()
        self.assertGreater(self.calls.reasons["maybe TIMEOUT"], 0)

    def test_clients_that_are_stopped_for_a_while(self):
        self.start()
        for _ in range(3):
            self.calls.child.process.send_signal(signal.SIGSTOP)
            time.sleep(0.2)
            self.calls.child.process.send_signal(signal.SIGCONT)
            self.calls.read(BETWEEN)
        self.check()
        self.assertEqual({"done", "sent"}, {f for f, entries in self.calls.fates.items() if entries})

    def test_clients_that_are_killed(self):
        self.start()
        descriptors, mappings = self.ledger.child.descriptors(), self.ledger.child.mappings()
        for i in range(5):
            with Proxy(self.ledger.port) as link:
                other = Calls(self.ledger.reference(link.port), first=10**9 * (i + 1))
                other.read(BETWEEN)
                other.child.kill()
        self.calls.read(BETWEEN)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and (self.ledger.child.descriptors() > descriptors or
                                            self.ledger.child.mappings() > mappings):
            time.sleep(0.02)
        self.assertLessEqual(self.ledger.child.descriptors(), descriptors)
        self.assertLessEqual(self.ledger.child.mappings(), mappings)
        self.assertEqual({}, {e: n for e, n in self.ledger.entries().items() if n > 1}, "done twice")

    def test_servers_that_shut_down_in_good_order(self):
        """Without a link that may fail by itself, and where no other process takes the port of one that comes back."""
        self.ledger = Ledger(self.folder, host=OWN_HOST)
        self.addCleanup(lambda: self.ledger.child.kill())
        self.calls = Calls(self.ledger.reference())
        self.addCleanup(self.calls.child.kill)
        for _ in range(5):
            self.calls.read(BETWEEN)
            self.assertEqual(0, self.ledger.child.end_of_input())
            self.ledger.child.kill()
            self.ledger.start(self.ledger.port)
        self.check()
        self.assertEqual(set(), self.calls.fates["maybe"], f"a server that says goodbye leaves nobody in doubt: {dict(self.calls.reasons)}")


class Links(FaultsTest):
    def test_connections_that_are_reset_at_any_octet(self):
        self.start()
        rng = random.Random(4)
        for _ in range(20):
            time.sleep(rng.random() * 0.05)
            self.proxy.reset()
            self.calls.read(4)
        self.check()

    def test_a_network_that_is_slow(self):
        self.start()
        self.proxy.delay = 0.02
        self.calls.read(20)
        self.check()
        self.assertEqual({"done", "sent"}, {f for f, entries in self.calls.fates.items() if entries})

    def test_partitions_that_heal(self):
        self.start(client=("-ORBclientCallTimeOutPeriod", "100"))
        for _ in range(5):
            self.proxy.held = True
            self.calls.read(4, "maybe")
            self.proxy.held = False
            self.calls.read(BETWEEN)
        self.check()

    def test_partitions_that_end_in_resets(self):
        self.start(client=("-ORBclientCallTimeOutPeriod", "100"))
        for _ in range(5):
            self.proxy.held = True
            self.calls.read(4, "maybe")
            self.proxy.reset()
            self.proxy.held = False
            self.calls.read(BETWEEN)
        self.check()


class Namespace(FaultsTest):
    """With timeouts, "no" is the fate of calls of which no octet fitted into the socket any more."""

    def call_over_a_link(self, *client):
        self.ledger = Ledger(self.folder, host=NEAR)
        self.addCleanup(self.ledger.child.kill)
        self.calls = Calls(self.ledger.reference(host=FAR), *client)
        self.addCleanup(self.calls.child.kill)
        self.calls.read(BETWEEN)

    def link(self):
        link = LossyLink(seed=4)
        self.addCleanup(link.close)
        return link

    @in_namespace
    def test_an_interface_that_goes_down_for_a_while(self):
        self.ledger = Ledger(self.folder)
        self.addCleanup(self.ledger.child.kill)
        self.calls = Calls(self.ledger.reference(), "-ORBclientCallTimeOutPeriod", "150")
        self.addCleanup(self.calls.child.kill)
        self.calls.read(BETWEEN)
        for _ in range(3):
            subprocess.run(["ip", "link", "set", "lo", "down"], check=True)
            self.calls.read(8, "maybe", "no")
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
            self.calls.read(BETWEEN)
        self.check()

    @in_namespace
    def test_packets_that_are_lost(self):
        link = self.link()
        link.delay = 0.001
        self.call_over_a_link()
        for link.loss in 0.01, 0.05:
            self.calls.read(2 * BETWEEN)
        self.check()
        self.assertGreater(link.lost, 0)
        self.assertEqual({"done", "sent"}, {f for f, entries in self.calls.fates.items() if entries})

    @in_namespace
    def test_packets_that_are_late_doubled_and_out_of_order(self):
        link = self.link()
        link.delay, link.late, link.doubled = 0.005, 0.2, 0.1
        self.call_over_a_link()
        self.calls.read(2 * BETWEEN)
        self.check()
        self.assertEqual({"done", "sent"}, {f for f, entries in self.calls.fates.items() if entries})

    @in_namespace
    def test_a_link_that_loses_so_much_that_calls_time_out(self):
        link = self.link()
        link.delay = 0.001
        self.call_over_a_link("-ORBclientCallTimeOutPeriod", "150")
        for _ in range(3):
            link.loss = 0.5
            self.calls.read(4, "maybe")
            link.loss = 0.02
            self.calls.read(BETWEEN)
        self.check()

    @in_namespace
    def test_a_link_that_is_cut_for_a_while(self):
        link = self.link()
        self.call_over_a_link("-ORBclientCallTimeOutPeriod", "150")
        for _ in range(3):
            link.loss = 1
            self.calls.read(8, "maybe", "no")
            link.loss = 0
            self.calls.read(BETWEEN)
        self.check()

    @in_namespace
    def test_calls_into_a_cut_link_end_without_limits_of_time(self):
        """What keeps an idle connection alive ends one on which nothing is acknowledged, too."""
        link = self.link()
        self.call_over_a_link("-ORBtcpKeepAlive", "1", "-ORBtcpKeepAliveInterval", "1", "-ORBtcpKeepAliveProbes", "1")
        link.loss = 1
        self.calls.read(2, "maybe")  # of 4 threads, which send one-ways, too
        link.loss = 0
        self.calls.read(BETWEEN)
        self.check()


if __name__ == "__main__":
    unittest.main()
