"""Connections that nobody uses are closed in good order, by either side, and opened again unnoticed."""

import contextlib
import itertools
import time
import unittest

from tests.scripted import contract
from tests.scripted.programs import Client, ScriptedTest, Server, in_every_variant
from tests.scripted.server import ServerTest
from tests.support import cdr, giop
from tests.support.giop import Reply, Request, Status, Type
from tests.support.peer import PATIENCE, Listener

EVERY_VARIANT = list(itertools.product(giop.VERSIONS, cdr.ORDERS))
QUICKLY = ("-ORBscanGranularity", "1")
SERVER = ("-ORBinConScanPeriod", "1", *QUICKLY)
CLIENT = ("-ORBoutConScanPeriod", "1", *QUICKLY)


class IdleClients(ServerTest):
    """A server that closes the connections of its clients."""

    OPTIONS = SERVER

    def assert_said_goodbye(self, peer, minor):
        message = peer.receive()
        self.assertEqual((Type.CLOSE, minor, b""), (message.type, message.minor, message.body))
        self.assertTrue(peer.ended())

    def test_connections_that_are_not_used_are_closed_with_CloseConnection(self):
        peers = {variant: self.enterContext(self.server.connect()) for variant in EVERY_VARIANT}
        for variant, peer in peers.items():
            peer.send(Request(7, "ping", self.server.key).message(*variant))
            self.assertEqual(7, peer.reply().request_id)
        for variant, peer in peers.items():
            self.assert_said_goodbye(peer, variant[0])

    def test_one_that_never_sent_anything_is_closed_too(self):
        self.assert_said_goodbye(self.peer, 0)

    def test_one_that_is_used_stays(self):
        end = time.monotonic() + 3
        while time.monotonic() < end:
            self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
            time.sleep(0.05)

    def test_one_whose_request_runs_stays(self):
        listener = self.enterContext(Listener())
        target = listener.reference(b"callback", cdr.LITTLE, type_id="IDL:Contract/Callback:1.0")
        arguments = contract.writing(["reference", "long"], [target, 20])
        self.variant = 2, cdr.LITTLE
        self.peer.send(Request(7, "call_back", self.server.key, arguments=arguments).message(*self.variant))
        called = listener.accept()
        inner = called.request()
        self.assertTrue(self.peer.silent(3))
        called.send(Reply(inner.request_id, results=giop.values(cdr.LITTLE).put("long", 40).bytes()).message(2, cdr.LITTLE))
        self.assertEqual(7, self.peer.reply().request_id)
        self.assert_said_goodbye(self.peer, 2)

    def test_one_in_the_middle_of_a_message_stays(self):
        message = Request(7, "ping", self.server.key).message(2, cdr.LITTLE).bytes()
        self.peer.send(message[:20])
        self.assertTrue(self.peer.silent(3))
        self.peer.send(message[20:])
        self.assertEqual(7, self.peer.reply().request_id)

    def test_requests_that_pass_the_goodbye_are_not_carried_out(self):
        """Whoever sent them is told so by CloseConnection, and sends them again elsewhere."""
        peers = {variant: self.enterContext(self.server.connect()) for variant in EVERY_VARIANT}
        note = Request(8, "note", self.server.key, 0, arguments=contract.writing(["long"], [5]))
        for variant, peer in peers.items():
            self.assertEqual(Type.CLOSE, peer.receive().type)
            with contextlib.suppress(OSError):
                peer.send(note.message(*variant))
                self.assertTrue(peer.ended())
        self.reconnect()
        self.variant = 2, cdr.LITTLE
        self.assertEqual([0], self.results("noted", [], [], ["long"]))

    def test_a_client_that_does_not_end_a_closed_connection_loses_it(self):
        self.assert_said_goodbye(self.peer, 0)
        with self.assertRaises(OSError):
            for _ in range(200):
                self.peer.send(Request(8, "ping", self.server.key).message(2, cdr.LITTLE))
                time.sleep(0.05)

    def test_others_are_served_while_idle_ones_go(self):
        idle = [self.enterContext(self.server.connect()) for _ in range(50)]
        end = time.monotonic() + 4
        while time.monotonic() < end:
            self.assertEqual(Status.NO_EXCEPTION, self.call("ping").status)
        for peer in idle:
            self.assert_said_goodbye(peer, 0)


class IdleServers(ScriptedTest):
    """A client that closes its connections to servers."""

    def test_connections_that_are_not_used_are_closed_and_opened_again(self):
        servers = []
        for minor, order in EVERY_VARIANT:
            listener = self.enterContext(Listener())
            servers.append((listener, minor, order, self.client_of(listener, order, minor, CLIENT)))
        for _ in range(2):
            peers = []
            for listener, minor, order, client in servers:
                tag = client.begin("ping")
                peers.append((listener.accept(), minor))
                peers[-1][0].send(Reply(peers[-1][0].request().request_id).message(minor, order))
                self.assertEqual("", client.result(tag))
            for peer, minor in peers:
                if minor == 2:
                    self.assertEqual(Type.CLOSE, peer.receive().type)
                self.assertTrue(peer.ended())

    def test_one_that_waits_for_a_reply_stays(self):
        listener = self.enterContext(Listener())
        client = self.client_of(listener, cdr.LITTLE, 2, CLIENT)
        tag = client.begin("ping")
        peer = listener.accept()
        request = peer.request()
        self.assertTrue(peer.silent(3))
        peer.send(Reply(request.request_id).message(2, cdr.LITTLE))
        self.assertEqual("", client.result(tag))

    def test_without_the_option_connections_stay(self):
        listener = self.enterContext(Listener())
        client = self.client_of(listener, cdr.LITTLE, 2)
        tag = client.begin("ping")
        peer = listener.accept()
        peer.send(Reply(peer.request().request_id).message(2, cdr.LITTLE))
        self.assertEqual("", client.result(tag))
        self.assertTrue(peer.silent(2))

    @in_every_variant
    def test_a_oneway_after_the_servers_goodbye_goes_out_on_a_new_connection(self, minor, order):
        listener = self.enterContext(Listener())
        client = self.client_of(listener, order, minor)
        tag = client.begin("ping")
        old = listener.accept()
        old.send(Reply(old.request().request_id).message(minor, order), giop.close(minor, order))
        self.assertEqual("", client.result(tag))
        time.sleep(0.1)
        client.call("note", 5)
        new = listener.accept()
        self.assertEqual("note", new.request().operation)


class BothEnds(ScriptedTest):
    def test_calls_meet_the_end_of_idle_connections_and_nobody_notices(self):
        """Pauses around the time at which either side closes: every call is carried out once."""
        with Server(*SERVER) as server, Client(*CLIENT) as client:
            client.use(server.reference.text(cdr.LITTLE))
            sent = 0
            for pause in [0.95, 1.0, 1.05, 2.0, 2.05]:
                time.sleep(pause)
                sent += 1
                self.assertEqual(str(sent + 1), client.call("plus", sent))
                self.assertEqual("", client.call("note", 1))
            until = time.monotonic() + PATIENCE  # the last one may still be on its way to a servant
            while (noted := client.call("noted")) != str(sent) and time.monotonic() < until:
                time.sleep(0.005)
            self.assertEqual(str(sent), noted)


if __name__ == "__main__":
    unittest.main()
