"""Compressed messages between Corbel and omniORB, as they pass on the wire.

INTEROP_PROGRAMS is the folder of the programs. Clients call zipped_server, and the servers of the first contract, through a
recorder, which expands what is compressed by Python's zlib.
"""
import contextlib
import os
import subprocess
import unittest
import unittest.mock
import zlib

from tests.interop import pair
from tests.support import giop, ziop
from tests.support.giop import Status, Type
from tests.support.processes import Child
from tests.support.recorder import Recorder

RULES = ["-ORBclientTransportRule", "* tcp,bidir,ziop", "-ORBserverTransportRule", "* tcp,bidir,ziop"]
ON = ["-ORBcompression", "1"]
LOWEST = ["-ORBcompressionLowValue", "0"]
LOW = 1024  # of either ORB, where nothing else is said


def program(orb, name):
    return os.path.join(os.environ["INTEROP_PROGRAMS"], f"interop-{orb}-{name}")


class Talk:
    """A client that calls what it is told, its server, and what passes between them."""

    def __init__(self, stack, server, client, minor=2):
        (server_orb, server_options), (client_orb, client_options) = server, client
        started = pair.server(program(server_orb, "zipped-server"), minor, options=server_options)
        _, reference, _ = stack.enter_context(started)
        self.recorder = stack.enter_context(Recorder(reference))
        words = [*pair.arguments(program(client_orb, "zipped-client"), minor, "127.0.0.1"), *client_options]
        self.client = stack.enter_context(Child(*words, self.recorder.reference))
        self.problems = self.recorder.problems

    def say(self, words):
        """What the client prints."""
        self.client.write(words)
        return self.client.line()

    def call(self, words):
        """What the client prints, and what has passed since the last call."""
        said = self.say(words)
        return said, [p for p in self.recorder.take() if p.message.type not in (Type.LOCATE_REQUEST, Type.LOCATE_REPLY)]


def requests(passed):
    return [p for p in passed if p.to_server]


def replies(passed):
    return [p for p in passed if not p.to_server]


def wire(passed):
    return sum(p.size for p in passed)


class CompressionTest(unittest.TestCase):
    """`talk` starts a pair in which the client is of one ORB and the server of the other."""

    def talk(self, server=None, client=None, minor=2):
        self.exits = self.enterContext(contextlib.ExitStack())
        talk = Talk(self.exits, (self.SERVER, self.options(self.SERVER, server)),
                    (self.CLIENT, self.options(self.CLIENT, client)), minor)
        self.addCleanup(self.assertEqual, [], talk.problems)
        return talk

    @staticmethod
    def options(orb, given):
        if given is None:
            return RULES if orb == "omniorb" else ON
        return given

    def conversation(self, kind, server=(), client=(), arguments=lambda port: ()):
        """What passes between other programs; the client says by its exit that all was right."""
        server = self.options(self.SERVER, None) + [*server]
        client = self.options(self.CLIENT, None) + [*client]
        with pair.server(program(self.SERVER, f"ziop-{kind}server"), 2, options=server) as (process, reference, _), \
                Recorder(reference) as recorder:
            words = pair.arguments(program(self.CLIENT, f"ziop-{kind}client"), 2, "127.0.0.1")
            done = subprocess.run([*words, *client, recorder.reference, *arguments(recorder.port)], timeout=60,
                                  preexec_fn=pair.die_with_parent)
            self.assertEqual((0, None, []), (done.returncode, process.poll(), recorder.problems))
            return recorder.take()

    def check(self, passed, compressed):
        """Each of these is compressed by zlib, or none is."""
        self.assertNotEqual([], passed)
        self.assertEqual({ziop.ZLIB if compressed else None}, {p.compressor for p in passed})

    def check_call(self, talk, words, answer, request, reply):
        """A call, and whether its request and its reply are compressed."""
        with self.subTest(words):
            said, passed = talk.call(words)
            self.assertEqual(answer, said)
            self.check(requests(passed), request)
            self.check(replies(passed), reply)
            return passed

    def offers(self, passed):
        """What requests say of compressed replies, None where nothing: (whether it is enabled, pairs of id and level)."""
        said = []
        for p in requests(passed):
            if p.message.type == Type.REQUEST:
                request = giop.Request.decode(p.message)
                data = dict(request.contexts).get(ziop.INVOCATION_POLICIES)
                said.append(ziop.read_policies(data) if data else None)
        return said


class Calls:
    """The same both ways."""

    def test_the_reference_says_what_the_server_has(self):
        self.assertEqual((True, self.OFFERED), ziop.read_policies(self.talk().recorder.components[ziop.TAG_POLICIES]))

    def test_small_messages_are_plain_and_large_ones_compressed(self):
        talk = self.talk()
        self.check_call(talk, "echo even 10", "ok", False, False)
        for _ in range(2):
            passed = self.check_call(talk, "echo even 3000", "ok", True, True)
            self.assertLess(wire(requests(passed)), 400)
            self.assertLess(wire(replies(passed)), 300)
            self.check_call(talk, "echo uneven 3000", "ok", False, False)

    def test_the_first_messages_of_a_connection_may_be_compressed(self):
        self.check_call(self.talk(), "echo even 3000", "ok", True, True)

    def test_the_low_value_is_where_compression_begins(self):
        talk = self.talk()
        for size in (LOW - 300, LOW + 100):
            self.check_call(talk, f"echo even {size}", "ok", size > LOW, size > LOW)

    def test_messages_of_many_fragments(self):
        talk = self.talk()
        for size in (20_000, 100_000, 1_900_000):
            with self.subTest(size):
                said, passed = talk.call(f"echo even {size}")
                self.assertEqual("ok", said)
                self.assertLess(wire(passed), size // 10)
                for all_of, orb in ((requests(passed), self.CLIENT), (replies(passed), self.SERVER)):
                    # omniORB compresses each fragment by itself, but for a last one below the low value.
                    fragments = [p for p in all_of if p.message.type == Type.FRAGMENT]
                    self.assertEqual(orb == "omniorb", len(fragments) > 0)
                    self.check([p for p in all_of if p.message.more or len(p.message.body) >= LOW], True)
        self.check_call(talk, "echo uneven 100000", "ok", False, False)

    def test_each_direction_by_itself(self):
        talk = self.talk()
        self.check_call(talk, "make even 30000", "ok", False, True)
        self.check_call(talk, "count even 30000", "30000", True, False)

    def test_exceptions(self):
        talk = self.talk()
        for _ in range(2):
            passed = self.check_call(talk, "refuse even 5000", "refused", True, True)
            self.assertEqual(Status.USER_EXCEPTION, giop.Reply.decode(replies(passed)[0].message).status)
            passed = self.check_call(talk, "fail even 5000", "IDL:omg.org/CORBA/NO_PERMISSION:1.0 5 YES", True, False)
            self.assertEqual(Status.SYSTEM_EXCEPTION, giop.Reply.decode(replies(passed)[0].message).status)

    def test_oneways(self):
        talk = self.talk()
        for sum_of_all in ("5000", "10000"):
            self.assertEqual("ok", talk.say("note even 5000"))
            # omniORB's server may take requests of one connection out of order.
            for _ in range(1000):
                if (noted := talk.say("noted")) == sum_of_all:
                    break
            self.assertEqual(sum_of_all, noted)
            passed = talk.recorder.take()
            oneways = [p for p in requests(passed) if len(p.message.body) > 5000]
            self.assertEqual([ziop.ZLIB], [p.compressor for p in oneways])
            self.check([p for p in passed if p not in oneways], False)

    def test_low_values_of_nothing(self):
        with unittest.mock.patch.dict(os.environ, OMNIORB_ZIOP="0 1"):
            talk = self.talk(**{self.CORBEL: [*ON, *LOWEST]})
            # omniORB does not count its own overhead: where little is to be had, its messages grow.
            omniorb = self.SERVER == "omniorb"
            self.check_call(talk, "count even 10", "10", True, omniorb)
            for _ in range(2):
                self.check_call(talk, "refuse even 200", "refused", True, True)
                passed = self.check_call(talk, "fail even 10", "IDL:omg.org/CORBA/NO_PERMISSION:1.0 5 YES", True, omniorb)
                self.assertEqual(Status.SYSTEM_EXCEPTION, giop.Reply.decode(replies(passed)[0].message).status)
            # A last fragment of next to nothing, plain behind compressed ones.
            for size in range(8100, 8260, 4):
                self.assertEqual("ok", talk.say(f"echo even {size}"))

    def test_all_operations_of_a_contract(self):
        passed = self.conversation("", arguments=lambda port: (f"127.0.0.1:{port}", "1.2"))
        for all_of in (requests(passed), replies(passed)):
            self.assertGreaterEqual(sum(p.compressor == ziop.ZLIB for p in all_of), 20)
            self.assertGreaterEqual(sum(p.compressor is None for p in all_of), 40)
        for p in passed:
            size = len(p.message.body)
            if size < LOW - giop.HEADER:
                self.assertIsNone(p.compressor, p)
            elif size > LOW and len(zlib.compress(p.message.body)) < size // 2:
                self.assertEqual(ziop.ZLIB, p.compressor, p)

    def test_callbacks_over_the_connection(self):
        if self.SERVER == "omniorb" and "CORBEL_FULL" not in os.environ:
            self.skipTest("omniORB's server takes tens of milliseconds for each callback: ./run test --full")
        ours = [*LOWEST, "-ORBtransports", "tcp"]
        accept, offer = ["-ORBacceptBiDirectionalGIOP", "1"], ["-ORBofferBiDirectionalGIOP", "1"]
        corbel = self.CORBEL == "server"
        passed = self.conversation("bidir-", accept + ours * corbel, offer + ours * (not corbel))
        kinds = [(p.to_server, p.compressor) for p in passed if p.message.type == Type.REQUEST]
        # Callbacks are small, so that omniORB's are plain; what Corbel sends becomes smaller.
        self.assertEqual(250, kinds.count((False, ziop.ZLIB if corbel else None)))
        self.assertIn((True, ziop.ZLIB), kinds)
        self.assertEqual({1}, {p.connection for p in passed})
        self.assertIn(ziop.ZLIB, {p.compressor for p in passed if not p.to_server and p.message.type == Type.REPLY})

    def test_threads(self):
        talk = self.talk()
        for _ in range(5):
            said, passed = talk.call("echo even 3000 4")
            self.assertEqual("ok", said)
            self.assertEqual(4, len(requests(passed)))
            self.check(passed, True)

    def test_versions_before_1_2_are_not_compressed(self):
        for minor in (0, 1):
            talk = self.talk(minor=minor)
            self.assertNotIn(ziop.TAG_POLICIES, talk.recorder.components)
            self.check_call(talk, "echo even 3000", "ok", False, False)

    def test_corbels_other_compressors_are_not_omniorbs(self):
        for only in ("zstd", "gzip"):
            talk = self.talk(**{self.CORBEL: [*ON, "-ORBcompressors", only]})
            self.check_call(talk, "echo even 3000", "ok", False, False)

    def test_corbel_without_compression(self):
        talk = self.talk(**{self.CORBEL: []})
        for _ in range(2):
            self.check_call(talk, "echo even 3000", "ok", False, False)

    def test_omniorb_without_the_rule(self):
        talk = self.talk(**{self.OMNIORB: []})
        serves = self.SERVER == "omniorb"
        for _ in range(2):
            self.check_call(talk, "make even 3000", "ok", False, False)
        # Its references say that it takes compressed requests all the same. It does, and compresses from then on.
        for _ in range(2):
            self.check_call(talk, "echo even 3000", "ok", serves, serves)


class CorbelCallsOmniorb(Calls, CompressionTest):
    SERVER, CLIENT = "omniorb", "corbel"
    CORBEL, OMNIORB = "client", "server"
    OFFERED = [(ziop.ZLIB, 6)]

    def test_each_request_says_what_its_reply_may_be(self):
        talk = self.talk()
        for _ in range(3):
            self.assertEqual([(True, [(ziop.ZLIB, 6), (ziop.ZSTD, 3)])], self.offers(talk.call("echo even 10")[1]))


class OmniorbCallsCorbel(Calls, CompressionTest):
    SERVER, CLIENT = "corbel", "omniorb"
    CORBEL, OMNIORB = "server", "client"
    OFFERED = [(ziop.ZSTD, 3), (ziop.ZLIB, 6)]

    def test_what_the_first_request_says_holds_for_those_that_follow(self):
        talk = self.talk()
        offer = True, [(ziop.ZLIB, 6)]
        self.assertEqual([[offer], [None], [None]], [self.offers(talk.call("echo even 10")[1]) for _ in range(3)])
        self.check_call(talk, "make even 3000", "ok", False, True)


if __name__ == "__main__":
    unittest.main()
