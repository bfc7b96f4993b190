"""Operations with Anys, values and the like are the same octets as code and as marshal programs, keep what is shared, and refuse
what a hostile peer sends alike: STYLES_PEERS are programs whose types are code, or marshal programs, too."""

import os
import struct
import unittest
from pathlib import Path

from tests.scripted.programs import KEY, LOOPBACK
from tests.support import cdr, giop, ior
from tests.support.giop import LocateRequest, Reply, Request, Status, Type
from tests.support.peer import Answering, connect
from tests.support.processes import Child

PEERS = os.environ["STYLES_PEERS"].split(";")
STYLES = ("Code", "Programs")
STEPS = 150  # of damage to a reply
INDIRECTION = 0xFFFFFFFF
# What comes of each call, in order. A value has the same number wherever it is met again in one line.
RESULTS = (Path(__file__).parent / "styles.results").read_text(encoding="utf-8").splitlines()


def body(reader):
    return bytes(reader.raw(reader.remaining()))


class Relay(Answering):
    """Passes requests on to a server's object, and replies back, or those of `replaced`; `exchanges` keeps both."""

    def __init__(self, profile):
        super().__init__(self.respond)
        self.target, self.exchanges, self.replaced = profile, [], None
        self.onwards = connect(profile.host, profile.port)

    def respond(self, request):
        if isinstance(request, LocateRequest):
            return giop.locate_reply(2, request.message_read.order, request.request_id, giop.Locate.HERE)
        if not isinstance(request, Request):
            return [] if request.type == Type.CANCEL else None
        order, arguments = request.message_read.order, body(request.reader)
        expected = bool(request.expected)
        if self.replaced:
            if not expected:
                return []
            status, results = next(self.replaced)
        else:
            status, results = exchange(self.onwards, self.target.key, request.operation, arguments, order)
            self.exchanges.append((request.operation, expected, arguments, status, results))
        return Reply(request.request_id, status, results).message(2, order) if expected else []

    def close(self):
        super().close()
        self.onwards.close()


def exchange(peer, key, operation, arguments, order=cdr.LITTLE):
    peer.send(Request(1, operation, key, arguments=arguments).message(2, order))
    reply = peer.reply()
    return reply.status, body(reply.reader)


def damaged(octets):
    """The octets cut off at each place, and with each indirection leading elsewhere: before the message, behind it, to where
    no value begins, to itself."""
    for end in range(len(octets)):
        yield octets[:end]
    for at in range(0, len(octets) - 7, 4):
        tag, back = struct.unpack_from("<Ii", octets, at)
        if tag == INDIRECTION and -at - 4 <= back < -4:  # else it ends a value
            for offset in (-at - 4000, 4000, -(1 << 31), (1 << 31) - 1, 0, -4, -5, 4):
                yield octets[: at + 4] + struct.pack("<i", offset) + octets[at + 8 :]


class StylesTest(unittest.TestCase):
    def setUp(self):
        self.servers = [self.enterContext(Child(program, *LOOPBACK, "serve")) for program in PEERS]
        self.profiles = [[ior.Ior.parse(server.line()).iiop()[0] for _ in STYLES] for server in self.servers]

    def client(self, program, style, profile):
        relay = self.enterContext(Relay(profile))
        reference = relay.reference(KEY, cdr.LITTLE, type_id=f"IDL:Styles/{style}:1.0")
        return relay, self.enterContext(Child(program, *LOOPBACK, "call", style, reference.text(cdr.LITTLE)))

    @staticmethod
    def called(client):
        """Lines of what comes of each call."""
        client.write("all")
        lines = []
        while line := client.line():
            lines.append(line)
        return lines

    def each(self):
        for program, profiles in zip(PEERS, self.profiles):
            for style, profile in zip(STYLES, profiles):
                yield program, style, profile

    def ended(self):
        """How the servers end; under a sanitizer that says what they leak, too."""
        return {server.end_of_input() for server in self.servers}

    def exchanges(self):
        program, style, profile = next(self.each())
        relay, client = self.client(program, style, profile)
        return relay.exchanges, self.called(client)

    def test_octets_and_what_is_shared_are_the_same(self):
        first, lines = self.exchanges()
        self.assertEqual([line.split(" ")[0] for line in lines], [operation.removeprefix("pass_") for operation, *_ in first])
        for program, style, profile in self.each():
            with self.subTest(os.path.basename(program), style=style):
                relay, client = self.client(program, style, profile)
                self.assertEqual(RESULTS, self.called(client))
                for wanted, found in zip(first, relay.exchanges, strict=True):
                    self.assertEqual(wanted, found)
        self.assertEqual({0}, self.ended())

    def test_damaged_requests_are_refused_alike(self):
        exchanges, _ = self.exchanges()
        peers = [(self.enterContext(connect(profile.host, profile.port)), profile.key) for _, _, profile in self.each()]
        tried = 0
        for operation, _, arguments, *_ in exchanges:
            for octets in damaged(arguments):
                answers = [exchange(peer, key, operation, octets) for peer, key in peers]
                tried += 1
                self.assertEqual(1, len(set(answers)), (operation, octets.hex(), answers))
                self.assertEqual(Status.SYSTEM_EXCEPTION, answers[0][0], (operation, octets.hex()))
        self.assertGreater(tried, 4000)
        self.assertEqual({0}, self.ended())

    def test_damaged_replies_are_refused_alike(self):
        exchanges, _ = self.exchanges()
        answered = [(status, list(damaged(results))) for _, expected, _, status, results in exchanges if expected]
        found = set()
        for program, style, profile in self.each():
            relay, client = self.client(program, style, profile)
            lines = []
            for step in range(STEPS):
                relay.replaced = ((status, bad[len(bad) * step // STEPS]) for status, bad in answered)
                lines += self.called(client)
            self.assertEqual([], [line for line in lines if not line.endswith(("MARSHAL", " sent"))])
            found.add("\n".join(lines))
            self.assertEqual(0, client.end_of_input())
        self.assertEqual(1, len(found))


if __name__ == "__main__":
    unittest.main()
