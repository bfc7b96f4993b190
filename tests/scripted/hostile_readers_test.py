"""Clients that read no replies: others are served all the same, over every transport and in every server model."""

import contextlib
import threading
import time
import unittest

from tests.scripted.hostile import FAR, HostileTest, limits
from tests.scripted.server import PATIENCE
from tests.support import cdr
from tests.support.giop import LocateRequest, Request, cancel


class DeafReaders(HostileTest):
    OPTIONS = (*limits(FAR), "-ORBthreadPoolSize", "4", "-ORBmaxThreads", "12")

    def assert_others_served(self):
        for i in range(20):
            with self.server.connect() as other:
                other.socket.settimeout(PATIENCE)
                other.send(self.ping(i))
                self.assertEqual(i, other.reply().request_id)

    def test_others_are_served_beside_as_many_as_upcalls_may_run(self):
        with contextlib.ExitStack() as deaf:
            for _ in range(4):
                deaf.enter_context(self.server.connect()).send(self.large(1, 12_000_000))
            self.assert_others_served()

    def test_others_are_served_beside_more_than_there_may_be_threads(self):
        with contextlib.ExitStack() as deaf:
            for _ in range(20):
                deaf.enter_context(self.server.connect()).send(self.large(1, 8_000_000))
            self.assert_others_served()

    def test_others_are_served_beside_one_whose_replies_wait_for_one_another(self):
        with self.server.connect() as peer:
            peer.socket.settimeout(1)
            with contextlib.suppress(OSError):  # the server takes no more
                for i in range(20):
                    peer.send(self.large(i, 1_000_000 if i else 8_000_000))
                    time.sleep(0.01)
            self.assert_others_served()

    def test_others_are_served_beside_floods_of_questions(self):
        locate = LocateRequest(1, self.server.key).message(2, cdr.LITTLE).bytes() * 1000
        with contextlib.ExitStack() as deaf:
            for _ in range(20):
                peer = deaf.enter_context(self.server.connect())
                peer.socket.settimeout(0.2)
                with contextlib.suppress(OSError):
                    while True:
                        peer.socket.sendall(locate)
            self.assert_others_served()

    def test_others_are_served_beside_more_than_there_may_be_threads_and_requests_that_are_held(self):
        with contextlib.ExitStack() as deaf:
            holding = deaf.enter_context(self.server.connect())
            holding.send(*[Request(i, "ping", self.server.held).message(2, cdr.LITTLE) for i in range(6)])
            for _ in range(20):
                deaf.enter_context(self.server.connect()).send(self.large(1, 8_000_000))
            self.assert_others_served()
            holding.send(*[cancel(2, cdr.LITTLE, i) for i in range(6)])
            holding.send(self.ping(7))
            self.assertEqual(7, next(i for i in iter(lambda: holding.reply().request_id, None) if i >= 6))

    def test_others_are_served_beside_those_who_never_stop(self):
        one_ways = Request(1, "ping", self.server.key, 0).message(2, cdr.LITTLE).bytes() * 10_000
        stopped = threading.Event()

        def flood(peer):
            while not stopped.is_set():
                peer.socket.sendall(one_ways)

        with contextlib.ExitStack() as stack:
            threads = [threading.Thread(target=flood, args=[stack.enter_context(self.server.connect())]) for _ in range(6)]
            for thread in threads:
                thread.start()
            try:
                self.assert_others_served()
            finally:
                stopped.set()
                for thread in threads:
                    thread.join()

    def test_replies_that_were_held_back_arrive(self):
        with contextlib.ExitStack() as deaf:
            peers = [deaf.enter_context(self.server.connect()) for _ in range(20)]
            for peer in peers:
                peer.send(*[self.large(i, 200_000) for i in range(15)])
            self.assert_others_served()
            for peer in peers:
                replies = [peer.reply() for _ in range(15)]
                self.assertEqual(set(range(15)), {r.request_id for r in replies})
                for reply in replies:
                    self.assertEqual(200_000, reply.reader.get("ulong"))
                    self.assertFalse(any(reply.reader.raw(reply.reader.remaining())))


if __name__ == "__main__":
    unittest.main()
