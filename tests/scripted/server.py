"""A server process of Corbel that a script calls."""

import itertools
import time

from tests.scripted import contract
from tests.scripted.programs import ScriptedTest, Server
from tests.support import cdr, giop
from tests.support.giop import Request, Status

PATIENCE = 60  # seconds for what takes a moment


class ServerTest(ScriptedTest):
    """A server process, and a connection to it. `variant` is the GIOP version and byte order that calls use."""

    OPTIONS = ()
    MINORS = giop.VERSIONS

    def setUp(self):
        self.server = Server(*self.OPTIONS)
        self.peer = self.connect()
        self.ids = itertools.count(1)
        self.variant = 2, cdr.BIG

    def tearDown(self):
        """Whatever has happened, the server ends in order; under a sanitizer it says then what it has lost."""
        self.peer.close()
        try:
            self.doCleanups()  # other peers and what they hold
            if self.server.alive():
                self.assertEqual(0, self.server.finish())
        finally:
            self.server.__exit__()

    def connect(self):
        return self.server.connect()

    def call(self, operation, arguments=b"", **fields):
        """Sends a request; gives the reply, whose version is checked."""
        minor, order = self.variant
        request = Request(next(self.ids), operation, fields.pop("key", self.server.key), arguments=arguments, **fields)
        self.peer.send(request.message(minor, order))
        message = self.peer.whole()
        self.assertIsNotNone(message, "the server has ended the connection")
        self.assertEqual((giop.Type.REPLY, minor, False), (message.type, message.minor, message.more))
        reply = giop.Reply.decode(message)
        self.assertEqual(request.request_id, reply.request_id)
        self.reply_message = message
        return reply

    def system_exception(self, operation, arguments=b"", **fields):
        reply = self.call(operation, arguments, **fields)
        self.assertEqual(Status.SYSTEM_EXCEPTION, reply.status)
        name, minor, completed = giop.get_system_exception(reply.reader)
        return name.removeprefix("IDL:omg.org/CORBA/").removesuffix(":1.0"), minor, completed.name

    def results(self, operation, in_kinds, in_values, out_kinds):
        """Calls; gives the results, having checked that the reply is what this ORB's peer would have written."""
        reply = self.call(operation, contract.writing(in_kinds, in_values))
        self.assertEqual(Status.NO_EXCEPTION, reply.status)
        found = [contract.get(reply.reader, kind) for kind in out_kinds]
        wanted = giop.Reply(reply.request_id, results=contract.writing(out_kinds, found))
        self.assertEqual(wanted.message(self.variant[0], self.reply_message.order).bytes().hex(" "),
                         self.reply_message.bytes().hex(" "))
        return found

    def assert_noted(self, total):
        """One-ways have added up to it: another thread may run them behind later calls."""
        until = time.monotonic() + PATIENCE
        while (noted := self.results("noted", [], [], ["long"])) != [total] and time.monotonic() < until:
            time.sleep(0.005)
        self.assertEqual([total], noted)

    def reconnect(self):
        self.peer.close()
        self.peer = self.connect()

    def settle(self, descriptors):
        """Waits until the server has closed what it will close."""
        until = time.monotonic() + PATIENCE
        while self.server.descriptors() > descriptors and time.monotonic() < until:
            time.sleep(0.02)

    def assert_serves(self):
        """On this connection, and on a new one."""
        self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        kept = self.peer
        try:
            with self.connect() as self.peer:
                self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        finally:
            self.peer = kept

    def assert_refused(self, *octets):
        """Sends these on a new connection, which the server ends: in order, and with MessageError at most."""
        with self.server.connect() as peer:
            peer.send(*octets)
            message = peer.receive()
            if message is not None:
                self.assertEqual((giop.Type.ERROR, b""), (message.type, message.body))
                self.assertTrue(peer.ended())
            return message
