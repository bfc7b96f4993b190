"""A server that others attack: whatever they do, others are served, and what they cost is given back when they are gone."""

import contextlib
import functools
import os
import time

from tests.scripted import contract
from tests.scripted.programs import TRANSPORT
from tests.scripted.server import PATIENCE, ServerTest
from tests.support import cdr
from tests.support.giop import Request

MEASURED = "HOSTILE_MEMORY" not in os.environ  # sanitizers keep what is freed
FEW = 100 if MEASURED else 25
ROUNDS = 25  # more than it takes to fill what keeps the texts of exceptions: 1,024 of them
LITTLE_HEAP = 2048  # octets: less than a few for each of an attack's connections
LITTLE_MEMORY = 1024  # kB: how the C library cuts it up is not the same in every round
FEW_THREADS = 5  # the pool has those of the last burst for a moment
A_MOMENT = 0.4  # seconds: longer than a server keeps what it may soon need again
LIE = 0x7FFFFF00 if MEASURED else 0x1000000  # a message's size; sanitizers write shadow memory for all of it


def one_by_one(said):
    return (said[i : i + 1] for i in range(len(said)))


def octets(size):
    return contract.writing([contract.Sequence("octet")], [bytes(size)])


def round_after_round(attack, has):
    """Runs an attack until a round of it leaves what a program has as it was, or no more than an earlier one: what is lost is lost
    in each, but pools keep what the first ones needed, and threads come and go. `has` gives the octets of the heap that are in
    use, kB of memory, and threads."""
    found = [has()]

    def same():
        heap, memory, threads = [now - before for now, before in zip(found[-1], found[-2])]
        no_more = abs(heap) < LITTLE_HEAP or found[-1][0] < min(h for h, *_ in found[1:-1] or found)
        return no_more and (not MEASURED or memory < LITTLE_MEMORY) and threads < FEW_THREADS

    for _ in range(ROUNDS):
        attack()
        found.append(has())
        if not same():
            time.sleep(A_MOMENT)
            found[-1] = has()
        if same():
            return
    raise AssertionError(f"every round leaves some of heap (octets), memory (kB) or threads: {found}")


def in_rounds(attack):
    @functools.wraps(attack)
    def run(self):
        def once():
            attack(self)
            self.assert_serves()
            self.settle_all()
            self.assertLessEqual(self.server.descriptors(), self.descriptors, "descriptors were left open")
            self.assertLessEqual(self.server.mappings(), self.mapped, "shared memory was left mapped")
            self.assertTrue(self.server.alive())

        round_after_round(once, self.has)
    return run


FAR = 600_000


def limits(milliseconds, handshake=FAR):
    """Options of a server that waits so long for the rest of a message or of a handshake, and for room for replies."""
    return ("-ORBmessageTimeout", str(milliseconds), "-ORBwriteTimeout", str(milliseconds),
            *(("-ORBsslAcceptTimeOut", str(handshake)) if TRANSPORT == "ssl" else ()))


class HostileTest(ServerTest):
    OPTIONS = limits(FAR)  # nothing ends because it takes long

    def __init_subclass__(cls, attacks=True):
        if not attacks:
            return
        for name in [n for n in vars(cls) if n.startswith("test_")]:
            setattr(cls, name, in_rounds(getattr(cls, name)))

    def setUp(self):
        super().setUp()
        self.call("ping")
        self.descriptors, self.mapped = self.server.descriptors(), self.server.mappings()

    def has(self):
        return self.server.has()

    def settle_all(self):
        """Waits until the server has closed what it will close, and given back what clients have passed to it."""
        self.settle(self.descriptors)
        until = time.monotonic() + PATIENCE
        while self.server.mappings() > self.mapped and time.monotonic() < until:
            time.sleep(0.005)

    @contextlib.contextmanager
    def attack(self):
        """A connection of its own; what the server does to it does not matter."""
        with self.server.connect() as peer, contextlib.suppress(OSError, EOFError):
            yield peer

    def ping(self, request_id=1):
        return Request(request_id, "ping", self.server.key).message(2, cdr.LITTLE)

    def large(self, request_id=1, size=3000):
        return Request(request_id, "give_chars", self.server.key, arguments=octets(size)).message(2, cdr.LITTLE)

    def ends(self, peer, seconds):
        """Whether the server ends the connection, without a word, within this time."""
        peer.socket.settimeout(seconds)
        try:
            self.assertEqual(b"", peer.socket.recv(1))
            return True
        except TimeoutError:
            return False
        except OSError:
            return True
        finally:
            peer.socket.settimeout(PATIENCE)

    def assert_cut_off(self, drips, pause):
        """The server ends each of these connections, to which the pieces are sent in turns with a pause behind each turn."""
        begin = time.monotonic()
        while drips:
            for name, (peer, pieces) in list(drips.items()):
                try:
                    peer.send(next(pieces, b""))
                    if pause and self.ends(peer, pause / len(drips)):
                        del drips[name]
                except OSError:
                    del drips[name]
            self.assertLess(time.monotonic() - begin, PATIENCE, f"nobody minds {', '.join(drips)}")
