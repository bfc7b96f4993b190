"""How many connections a server takes, of all its clients and of each of them, over every transport."""

import contextlib
import os
import time
import unittest

from tests.scripted.programs import TRANSPORT
from tests.scripted.server import PATIENCE, ServerTest
from tests.support import cdr
from tests.support.giop import Request, Type

MOST = 5
NOBODY = 65534  # a user that is not this one


@contextlib.contextmanager
def another_user():
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


class Bounded(ServerTest):
    def serves(self, peer):
        peer.send(Request(7, "ping", self.server.key).message(2, cdr.LITTLE))
        message = peer.receive()
        if message is None:
            return False
        self.assertIn(message.type, [Type.REPLY, Type.CLOSE])
        return message.type == Type.REPLY

    def serves_one_more(self):
        try:
            with self.server.connect() as peer:
                return self.serves(peer)
        except (OSError, EOFError):
            return False  # it has ended before anything could be said

    def take_all(self):
        """As many connections as the server takes; another is there already."""
        self.assertTrue(self.serves(self.peer))
        peers = [self.enterContext(self.server.connect()) for _ in range(MOST - 1)]
        for peer in peers:
            self.assertTrue(self.serves(peer))
        return peers

    def assert_bounded(self):
        peers = self.take_all()
        for _ in range(10):
            self.assertFalse(self.serves_one_more())
        for peer in peers:
            self.assertTrue(self.serves(peer))
        peers[0].close()
        until = time.monotonic() + PATIENCE
        while not self.serves_one_more():
            self.assertLess(time.monotonic(), until, "nobody is served in the place of one that has left")
            time.sleep(0.01)


class OfAllClients(Bounded):
    OPTIONS = "-ORBmaxServerConnections", str(MOST)

    def test_those_beyond_the_limit_are_turned_away_until_others_leave(self):
        self.assert_bounded()


class OfOneClient(Bounded):
    OPTIONS = "-ORBmaxConnectionsPerPeer", str(MOST)

    def test_those_beyond_the_limit_are_turned_away_until_others_leave(self):
        self.assert_bounded()

    @unittest.skipUnless(TRANSPORT == "unix" and os.geteuid() == 0, "there is one user only")
    def test_each_user_of_the_host_has_a_limit_of_its_own(self):
        self.take_all()
        self.assertFalse(self.serves_one_more())
        with another_user():
            self.assertTrue(self.serves_one_more())
        self.assertFalse(self.serves_one_more())


if __name__ == "__main__":
    unittest.main()
