"""Threads of the pool stay with connections that were just in use, but only for a moment, and one connection more than there
are threads never waits for that."""

import concurrent.futures
import ctypes
import functools
import os
import pathlib
import socket
import struct
import threading
import time
import unittest

from tests.scripted.programs import TRANSPORT, ScriptedTest, Server
from tests.scripted.server import PATIENCE
from tests.support import cdr
from tests.support.giop import Request, Status

ROUNDS = 20
CALLS = 200  # of the one more
# Calls that busy connections make together between two answers to the one more. It is about their number where nobody is
# preferred; a thousand times as many are what a busy machine may do to a thread of this test, and far fewer than they make
# in the time after which the one more gives up.
MOST_BETWEEN = 10_000
MOST_STAY_MS = 50
PIDFD_GETFD = 438  # the system call, which has one number everywhere


class Caller:
    def __init__(self, server):
        self.server, self.peer, self.calls = server, server.connect(), 0

    def call(self):
        self.peer.send(Request(self.calls, "ping", self.server.key).message(2, cdr.LITTLE))
        reply = self.peer.reply()
        if (reply.request_id, reply.status) != (self.calls, Status.NO_EXCEPTION):
            raise AssertionError(f"call {self.calls} was answered by {reply}")
        self.calls += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.peer.close()


def with_each_pool(test):
    """Runs a test that takes a server and the size of its pool with several: such that may have other threads besides, as they
    do by default, and such that may not."""

    @functools.wraps(test)
    def run(self):
        for size, most in [(1, 256), (4, 256), (2, 2), (4, 4)]:
            options = "-ORBthreadPoolSize", str(size), "-ORBmaxThreads", str(most)
            with self.subTest(size=size, most=most), Server(*options) as server:
                try:
                    test(self, server, size)
                finally:
                    self.doCleanups()
                self.assertEqual(0, server.finish())

    return run


class OneMore(ScriptedTest):
    def callers(self, server, count):
        return [self.enterContext(Caller(server)) for _ in range(count)]

    @with_each_pool
    def test_a_call_is_answered_beside_connections_that_have_just_fallen_silent(self, server, size):
        silent = self.callers(server, size)
        for _ in range(ROUNDS):
            for caller in silent:
                caller.call()
            with Caller(server) as one_more:
                one_more.call()

    @with_each_pool
    def test_calls_are_answered_beside_connections_that_go_on_calling(self, server, size):
        busy, (one_more,), enough = self.callers(server, size), self.callers(server, 1), threading.Event()

        def go_on(caller):
            while not enough.is_set():
                caller.call()

        def wait_for(calls):
            """Until each of the busy has made so many more."""
            wanted = [caller.calls + calls for caller in busy]
            until = time.monotonic() + PATIENCE
            while any(caller.calls < n for caller, n in zip(busy, wanted)):
                self.assertLess(time.monotonic(), until, "a busy connection does not go on")
                time.sleep(0.001)

        with concurrent.futures.ThreadPoolExecutor(size) as threads:
            try:
                running = [threads.submit(go_on, caller) for caller in busy]
                wait_for(10)
                before = sum(caller.calls for caller in busy)
                for _ in range(CALLS):
                    one_more.call()
                    now = sum(caller.calls for caller in busy)
                    self.assertLess(now - before, MOST_BETWEEN)
                    before = now
                wait_for(10)
            finally:
                enough.set()
            for caller in running:
                caller.result()


class Moment(ScriptedTest):
    """How long a thread stays."""

    CONNECTIONS = 12

    def setUp(self):
        self.server = self.enterContext(Server())
        for _ in range(self.CONNECTIONS):
            self.enterContext(Caller(self.server)).call()

    def test_threads_go_back_from_connections_that_fall_silent(self):
        until = time.monotonic() + PATIENCE / 2
        while self.server.status("Threads") > self.CONNECTIONS / 2:
            self.assertLess(time.monotonic(), until, "threads stay with silent connections")
            time.sleep(0.01)

    @unittest.skipIf(TRANSPORT == "shm", "what is read is no socket")
    def test_no_read_that_a_thread_stays_in_takes_more_than_50_ms(self):
        server, looked_at = os.pidfd_open(self.server.pid), 0
        self.addCleanup(os.close, server)
        for descriptor in pathlib.Path(f"/proc/{self.server.pid}/fd").iterdir():
            if not os.readlink(descriptor).startswith("socket:"):
                continue
            copy = ctypes.CDLL(None, use_errno=True).syscall(PIDFD_GETFD, server, int(descriptor.name), 0)
            self.assertGreaterEqual(copy, 0, os.strerror(ctypes.get_errno()))
            with socket.socket(fileno=copy) as its:
                if its.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
                    continue
                seconds, microseconds = struct.unpack("@ll", its.getsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, 16))
            self.assertTrue(0 < seconds * 1000 + microseconds / 1000 <= MOST_STAY_MS, f"{seconds} s, {microseconds} us")
            looked_at += 1
        self.assertEqual(self.CONNECTIONS, looked_at)


if __name__ == "__main__":
    unittest.main()
