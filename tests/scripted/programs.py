"""The programs of these tests: a client that calls what it is told, and a server."""

import dataclasses
import functools
import itertools
import os
import unittest

from tests.support import cdr, giop, ior, peer
from tests.support.media import MEDIA
from tests.support.processes import Child

# The transport by which the test's own end and Corbel's meet: tcp unless CTest says otherwise.
TRANSPORT = os.environ.get("SCRIPTED_TRANSPORT", "tcp")
MEDIUM = MEDIA[TRANSPORT]()
peer.Listener.medium = MEDIUM
LOOPBACK = MEDIUM.server_options
KEY = b"\x01\0key of the test\xff"


@dataclasses.dataclass
class Raised:
    """A system exception, its name without prefix and version."""

    name: str
    minor: int
    completed: str


class Client:
    """A client process of Corbel; `call` calls an operation of the present reference and waits for its end."""

    def __init__(self, *options):
        self._child = Child(os.environ["SCRIPTED_CLIENT"], *MEDIUM.client_options, *options,
                            *os.environ.get("SCRIPTED_CLIENT_OPTIONS", "").split())
        self._results = {}
        self._tags = 0
        self.status = self._child.status
        self.descriptors = self._child.descriptors
        self.mappings = self._child.mappings

    def begin(self, operation, argument=""):
        """Calls in a thread of its own; gives what `result` takes."""
        return self._command("&", operation, argument)

    def call(self, operation, argument=""):
        return self.result(self.ask(operation, argument))

    def ask(self, operation, argument=""):
        """Like call, but does not wait; calls that are asked for come one after the other."""
        return self._command("", operation, argument)

    def _command(self, prefix, operation, argument):
        self._tags += 1
        tag = f"{prefix}{self._tags}"
        self._child.write(f"{tag} {operation} {argument}")
        return tag

    def result(self, tag):
        """The words of the result, or Raised."""
        while tag not in self._results:
            answer, kind, *words = self._child.line().split(" ")
            self._results[answer] = self._raised(words) if kind == "raised" else " ".join(words)
        return self._results.pop(tag)

    @staticmethod
    def _raised(words):
        name = words[0].removeprefix("IDL:omg.org/CORBA/").removesuffix(":1.0")
        return Raised(name, int(words[1]), words[2]) if len(words) == 3 else Raised(name, 0, "")

    def use(self, reference):
        """Makes this the present reference."""
        return self.call("use", reference if isinstance(reference, str) else str(reference))

    def has(self):
        """Octets of the heap that are in use, kB of memory, threads."""
        return int(self.call("heap")), self.status("VmRSS"), self.status("Threads")

    def finish(self):
        """Lets it end in order; gives its exit status."""
        return self._child.end_of_input()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._child.kill()


class Server:
    """A server process of Corbel: its object's key, that of an object that is gone, and that of one whose adapter holds
    requests until `activate`."""

    def __init__(self, *options):
        self._child = Child(os.environ["SCRIPTED_SERVER"], *LOOPBACK, *options,
                            *os.environ.get("SCRIPTED_SERVER_OPTIONS", "").split())
        self.reference = ior.Ior.parse(self._child.line())
        self.profile = self.reference.iiop()[0]
        self.key = self.profile.key
        self.gone = ior.Ior.parse(self._child.line()).iiop()[0].key
        self.held = ior.Ior.parse(self._child.line()).iiop()[0].key
        self.status = self._child.status
        self.descriptors = self._child.descriptors
        self.mappings = self._child.mappings
        self.pid = self._child.pid
        self.alive = self._child.alive

    def has(self):
        """Octets of the heap that are in use, kB of memory, threads."""
        self._child.write("heap")
        return int(self._child.line()), self.status("VmRSS"), self.status("Threads")

    def finish(self):
        """Lets it end in order; gives its exit status."""
        return self._child.end_of_input()

    def activate(self):
        self._child.write("activate")

    def discard(self):
        self._child.write("discard")

    def connect(self):
        return peer.Peer(MEDIUM.connect(self.profile))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._child.kill()


def in_every_variant(test=None, versions=giop.VERSIONS):
    """Runs a test that takes version and byte order with each, as subtests."""
    if test is None:
        return functools.partial(in_every_variant, versions=versions)

    @functools.wraps(test)
    def run(self):
        for minor, order in itertools.product([v for v in versions if v in self.MINORS], cdr.ORDERS):
            with self.subTest(giop=f"1.{minor}", order="little" if order == cdr.LITTLE else "big"):
                try:
                    test(self, minor, order)
                finally:
                    self.doCleanups()

    return run


class ScriptedTest(unittest.TestCase):
    MINORS = MEDIUM.minors  # what clients can be asked to speak by a reference

    def client_of(self, listener, order, minor=2, options=(), components=()):
        """A client whose reference leads to the listener."""
        client = self.enterContext(Client(*options))
        client.use(listener.reference(KEY, order, minor, components).text(order))
        return client

    def enterContext(self, context):  # unittest has it from Python 3.11 on
        result = context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        return result

    def assert_raised(self, outcome, name, completed, minor=None):
        self.assertIsInstance(outcome, Raised, f"expected {name}")
        self.assertEqual((name, completed), (outcome.name, outcome.completed))
        if minor is not None:
            self.assertEqual(minor, outcome.minor)
