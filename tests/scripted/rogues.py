"""A client that servers attack: whatever they do, its calls end, others serve it, and what they cost is given back."""

import contextlib
import time

from tests.scripted.hostile import FAR, round_after_round
from tests.scripted.programs import KEY, Client, Raised, ScriptedTest
from tests.scripted.server import PATIENCE
from tests.support import cdr, giop
from tests.support.giop import Locate, LocateRequest, Message, Reply
from tests.support.peer import Answering

ORDER = cdr.LITTLE
LIMIT = 500  # ms that a call may take whose server never ends it
LARGE = 400_000  # octets: asks where the object is before it goes
VERY_LARGE = 20_000_000  # octets: no socket takes them all


def number(request_id, value):
    return Reply(request_id, results=giop.values(ORDER).put("long", value).bytes()).message(2, ORDER)


class Rogue(Answering):
    """`behave` has each connection and its first message; what it raises ends the connection."""

    def __init__(self, behave):
        super().__init__(None)
        self.behave = behave

    def _serve(self, peer):
        with contextlib.suppress(OSError, EOFError, cdr.Malformed), peer:
            while message := peer.whole():
                self.received.append(message)
                self.behave(peer, message)


def id_of(message):
    return message.reader().get("ulong")


class HostileServers(ScriptedTest):
    LIMIT = FAR  # ms that a call may take
    OPTIONS = ()
    LATE = ("TIMEOUT",)  # what becomes of calls of a good server that is slow
    ROGUE = Rogue

    def setUp(self):
        # A connection that its server has ended is found by the next call on it, or by looking for idle ones.
        self.client = self.enterContext(Client("-ORBclientCallTimeOutPeriod", str(self.LIMIT), "-ORBoutConScanPeriod", "1",
                                               "-ORBscanGranularity", "1", *self.OPTIONS))
        self.good = self.enterContext(Answering(
            lambda r: number(r.request_id, 3) if not isinstance(r, (LocateRequest, Message)) else
            [] if isinstance(r, Message) else giop.locate_reply(2, ORDER, r.request_id, Locate.HERE)))
        self.assert_serves()
        self.descriptors, self.mapped = self.client.descriptors(), self.client.mappings()  # some lead to the good server

    def answer(self):
        """Of the present reference's server, which gives one; where calls are ended early it may take several."""
        until = time.monotonic() + PATIENCE
        outcome = self.client.call("plus", 1)
        while isinstance(outcome, Raised) and outcome.name in self.LATE and time.monotonic() < until:
            outcome = self.client.call("plus", 1)
        return outcome

    def assert_serves(self):
        self.client.use(self.good.reference(KEY, ORDER))
        self.assertEqual("3", self.answer())

    @contextlib.contextmanager
    def rogues(self, *behaviours):
        """A server of each, the first of which is the client's present reference."""
        all_of_them = [self.ROGUE(behave) for behave in behaviours]
        try:
            self.client.use(all_of_them[0].reference(KEY, ORDER))
            yield all_of_them
        finally:
            for rogue in all_of_them:
                rogue.close()
        for rogue in all_of_them:  # lets the client find that their connections have ended
            self.client.use(rogue.reference(KEY, ORDER))
            self.assertIsInstance(self.client.call("plus", 1), Raised)

    def call(self, behave, operation="plus", argument=1):
        """Calls a rogue; gives the outcome and how many messages it took."""
        with self.rogues(behave) as (rogue,):
            begin = time.monotonic()
            outcome = self.client.call(operation, argument)
            self.assertLess(time.monotonic() - begin, PATIENCE)
            self.assert_serves()
        return outcome, len(rogue.received)

    def in_rounds(self, attack):
        def once():
            attack()
            self.assert_serves()
            until = time.monotonic() + PATIENCE
            while time.monotonic() < until and (self.client.descriptors() > self.descriptors or
                                                self.client.mappings() > self.mapped):
                time.sleep(0.005)
            self.assertLessEqual(self.client.descriptors(), self.descriptors, "descriptors were left open")
            self.assertLessEqual(self.client.mappings(), self.mapped, "shared memory was left mapped")

        round_after_round(once, self.client.has)

    def tearDown(self):
        """The client ends in order; under a sanitizer it says then what it has lost."""
        self.assertEqual(0, self.client.finish())

    def assert_ends(self, behave, names, operation="plus", argument=1, most=1000):
        self.assert_each_ends([behave], names, operation, argument, most)

    def assert_each_ends(self, behaviours, names, operation="plus", argument=1, most=1000):
        def attack():
            for behave in behaviours:
                outcome, messages = self.call(behave, operation, argument)
                self.assertIsInstance(outcome, Raised)
                self.assertIn(outcome.name, names)
                self.assertLess(messages, most)

        self.in_rounds(attack)

    def assert_ends_often(self, behave, times, names, answered=False):
        """`answered`: what `behave` says may be an answer by chance."""
        def attack():
            with self.rogues(behave):
                for _ in range(times):
                    outcome = self.client.call("plus", 1)
                    if not answered or isinstance(outcome, Raised):
                        self.assertIsInstance(outcome, Raised)
                        self.assertIn(outcome.name, names)

        self.in_rounds(attack)
