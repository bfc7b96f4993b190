"""How far clients follow one-ways, and when servers answer those that are followed, as the wire shows it."""

import unittest

from tests.scripted import contract
from tests.scripted.programs import ScriptedTest, in_every_variant
from tests.scripted.server import ServerTest
from tests.support import giop
from tests.support.giop import Reply, Request, Status
from tests.support.peer import Listener

FLAGS = {"none": 0, "transport": 0, "server": 1, "target": 3}


class Clients(ScriptedTest):
    def client_with(self, scope, minor, order, *options):
        self.listener = self.enterContext(Listener())
        return self.client_of(self.listener, order, minor, ["-ORBdefaultSyncScope", scope, *options])

    @in_every_variant
    def test_flags_say_how_far(self, minor, order):
        for scope, flags in FLAGS.items():
            client = self.client_with(scope, minor, order)
            for value in (4, 5):
                tag = client.begin("note", value)
                peer = self.listener.accept() if value == 4 else peer
                request = peer.request()
                # Before 1.2 there is only one kind of answer.
                self.assertEqual(flags if minor == 2 else 3 * bool(flags), request.expected, scope)
                self.assertEqual(value, request.reader.get("long"))
                if flags:
                    peer.send(Reply(request.request_id).message(minor, order))
                self.assertEqual("", client.result(tag))
            tag = client.begin("ping")
            request = peer.request()
            self.assertEqual(3, request.expected)
            peer.send(Reply(request.request_id).message(minor, order))
            self.assertEqual("", client.result(tag))

    @in_every_variant
    def test_what_servers_answer_is_heeded(self, minor, order):
        for scope in ("server", "target"):
            client = self.client_with(scope, minor, order, "-ORBclientCallTimeOutPeriod", "5000")
            other = self.enterContext(Listener())
            tag = client.begin("note", 1)
            peer = self.listener.accept()
            gone = giop.system_exception(order, "OBJECT_NOT_EXIST")
            peer.send(Reply(peer.request().request_id, Status.SYSTEM_EXCEPTION, gone).message(minor, order))
            self.assert_raised(client.result(tag), "OBJECT_NOT_EXIST", "NO")

            tag = client.begin("note", 2)
            target = other.reference(b"there", order, minor)
            peer.send(Reply(peer.request().request_id, Status.FORWARD, target.encode).message(minor, order))
            there = other.accept()
            request = there.request()
            self.assertEqual((b"there", 2), (request.key, request.reader.get("long")))
            there.send(Reply(request.request_id).message(minor, order))
            self.assertEqual("", client.result(tag))

            tag = client.begin("note", 3)
            there.request()
            there.close()
            self.assert_raised(client.result(tag), "COMM_FAILURE", "MAYBE")

    @in_every_variant
    def test_an_answer_that_does_not_come_is_given_up(self, minor, order):
        for scope in ("server", "target"):
            client = self.client_with(scope, minor, order, "-ORBclientCallTimeOutPeriod", "200")
            tag = client.begin("note", 1)
            peer = self.listener.accept()
            late = peer.request()
            self.assert_raised(client.result(tag), "TIMEOUT", "MAYBE")
            self.assertEqual(giop.Type.CANCEL, peer.receive().type)
            tag = client.begin("note", 2)
            request = peer.request()
            peer.send(Reply(late.request_id).message(minor, order), Reply(request.request_id).message(minor, order))
            self.assertEqual("", client.result(tag))


class Servers(ServerTest):
    @in_every_variant
    def test_early_answers_come_of_requests_that_have_arrived(self, minor, order):
        self.variant = minor, order
        note = contract.writing(["long"], [1])
        before = self.results("noted", [], [], ["long"])[0]
        for flags in (1, 3):
            reply = self.call("note", note, expected=flags)
            self.assertEqual((Status.NO_EXCEPTION, 0), (reply.status, reply.reader.remaining()))
        self.assert_noted(before + 2)
        reply = self.call("fail", expected=1)
        self.assertEqual(Status.NO_EXCEPTION if minor == 2 else Status.SYSTEM_EXCEPTION, reply.status)

    @in_every_variant
    def test_early_answers_tell_of_requests_that_have_not(self, minor, order):
        self.variant = minor, order
        for flags in (1, 3):
            self.peer.send(Request(next(self.ids), "note", self.server.gone, flags).message(minor, order))
            reply = self.peer.reply()
            self.assertEqual(Status.SYSTEM_EXCEPTION, reply.status)
            self.assertEqual("IDL:omg.org/CORBA/OBJECT_NOT_EXIST:1.0", giop.get_system_exception(reply.reader)[0])


if __name__ == "__main__":
    unittest.main()
