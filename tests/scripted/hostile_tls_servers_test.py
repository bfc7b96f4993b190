"""Servers that break TLS under their clients: garbage, handshakes that stop, drip, never end or ask for less, silent records."""

import contextlib
import functools
import itertools
import random
import socket
import ssl
import struct
import threading
import time
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor

from tests.scripted.hostile import FAR, one_by_one
from tests.scripted.programs import KEY, MEDIUM, Client, ScriptedTest
from tests.scripted.rogues import LIMIT, ORDER, HostileServers, Rogue, id_of, number
from tests.scripted.server import PATIENCE
from tests.support.giop import Type
from tests.support.media import Ssl, Tcp
from tests.support.peer import Listener
from tests.support.tls import ALERT, CHANGE_CIPHER, DATA, HANDSHAKE, MOST_RECORD, VERSIONS, Talk, record

PROTOCOL_VERSION, ILLEGAL_PARAMETER = 70, 47  # alerts
OLD_VERSIONS = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1


class BelowTls(Ssl):
    """A reference to it says that there is TLS; the test's end has the plain connection."""

    listen = Tcp.listen


class PlainListener(Listener):
    medium = BelowTls()


class PlainRogue(Rogue):
    medium = PlainListener.medium

    def _serve(self, peer):
        with contextlib.suppress(OSError, EOFError), peer:
            self.behave(peer.socket)


@functools.cache
def context_of(version, tickets=0):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(MEDIUM.key)
    context.num_tickets = tickets
    context.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = context.maximum_version = version
    return context


def first_flight(plain, version, **more):
    """A server's talk, and what it says to the client's hello."""
    talk = Talk(plain, context_of(version, **more), server_side=True)
    return talk, talk.flight()


def until_gone(plain):
    """What the client says until it ends the connection; by itself the server does so later than a call may take."""
    plain.settimeout(2 * PATIENCE)
    said = b""
    while more := plain.recv(65536):
        said += more
    return said


def end(plain, by_reset):
    if by_reset:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    else:
        plain.shutdown(socket.SHUT_WR)
        until_gone(plain)


class TlsServers(HostileServers):
    OPTIONS = "-ORBclientConnectTimeOutPeriod", str(FAR)
    ROGUE = PlainRogue


class Handshakes(TlsServers):
    def test_what_is_not_tls(self):
        rng = random.Random(20261121)
        octets = [number(1, 1).bytes(), b"HTTP/1.1 400 Bad Request\r\n\r\n", b"220 here ESMTP\r\n"]
        for kind, size in itertools.product((ALERT, HANDSHAKE, DATA, CHANGE_CIPHER, 24, 0, 255), (1, 100, MOST_RECORD)):
            octets.append(record(kind, rng.randbytes(size)) + record(kind, bytes(size)))
        octets += [rng.randbytes(rng.randrange(1, 3000)) for _ in range(30)]

        def behave(said, plain):
            plain.sendall(said)
            end(plain, False)

        self.assert_each_ends([functools.partial(behave, said) for said in octets], ["TRANSIENT"])

    def test_flights_with_single_octets_changed(self):
        rng, versions = random.Random(20261121), itertools.cycle(VERSIONS)

        def behave(plain):
            changed = bytearray(first_flight(plain, next(versions))[1])
            changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
            plain.sendall(changed)
            end(plain, False)

        self.assert_ends_often(behave, 100, ["TRANSIENT", "NO_PERMISSION", "COMM_FAILURE"])

    def test_first_flights_that_end_at_every_few_octets(self):
        turns = itertools.count()

        def behave(plain):
            turn = next(turns)
            said = first_flight(plain, VERSIONS[turn % 2])[1]
            plain.sendall(said[: 5 * turn % len(said)])
            end(plain, turn // 2 % 2)

        self.assert_ends_often(behave, 400, ["TRANSIENT"])

    def test_last_flights_that_end_at_every_octet(self):
        turns = itertools.count()

        def behave(plain):
            turn = next(turns)
            talk, said = first_flight(plain, ssl.TLSVersion.TLSv1_2)
            plain.sendall(said)
            said = talk.flight()
            plain.sendall(said[: turn // 2 % len(said)])
            end(plain, turn % 2)

        self.assert_ends_often(behave, 120, ["TRANSIENT"])

    def test_a_good_conversation_by_the_same_means_is_answered(self):
        versions = itertools.cycle(VERSIONS)

        def behave(plain):
            talk = Talk(plain, context_of(next(versions)), server_side=True)
            talk.shake_hands()
            plain.sendall(talk.encrypted(number(id_of(talk.message()), 5).bytes()))
            until_gone(plain)

        for _ in VERSIONS:
            with self.rogues(behave):
                self.assertEqual("5", self.client.call("plus", 1))


class SlowHandshakes(TlsServers):
    """They end with the time for connecting."""

    OPTIONS = "-ORBclientConnectTimeOutPeriod", str(LIMIT)
    OUTCOME = "TRANSIENT"
    LATE = "TIMEOUT", "TRANSIENT"

    def test_silence(self):
        self.assert_ends(until_gone, [self.OUTCOME])

    def test_flights_that_drip(self):
        def behave(version, plain):
            for octet in one_by_one(first_flight(plain, version)[1]):
                plain.sendall(octet)
                time.sleep(0.005)
            until_gone(plain)

        self.assert_each_ends([functools.partial(behave, version) for version in VERSIONS], [self.OUTCOME])

    def test_last_flights_that_drip(self):
        def behave(plain):
            talk, said = first_flight(plain, ssl.TLSVersion.TLSv1_2)
            plain.sendall(said)
            for octet in one_by_one(talk.flight()):
                plain.sendall(octet)
                time.sleep(0.05)
            until_gone(plain)

        self.assert_ends(behave, [self.OUTCOME])

    def test_handshakes_without_end(self):
        def behave(part, plain):
            plain.recv(65536)
            while True:
                plain.sendall(part * 10_000)

        for part in (record(HANDSHAKE, b"\0\0\0\0"),  # "begin anew", which a client in its handshake passes over
                     record(HANDSHAKE, b""), record(ALERT, b"\1\x5a"), record(CHANGE_CIPHER, b"\1"), record(DATA, b"")):
            self.assert_ends(functools.partial(behave, part), ["TRANSIENT", self.OUTCOME])


class SlowHandshakesOfCalls(SlowHandshakes):
    """The same with the time for the call."""

    OPTIONS, LIMIT, OUTCOME = TlsServers.OPTIONS, LIMIT, "TIMEOUT"


def hello_of_a_server(version, cipher=b"\xc0\x2b"):
    body = version + bytes(32) + b"\0" + cipher + b"\0"
    return record(HANDSHAKE, b"\2" + len(body).to_bytes(3, "big") + body, version)


class HandMadeHellos(TlsServers):
    def assert_refused(self, say, alert):
        """The client does not take what is said to its hello, and says so."""
        heard = []

        def behave(plain):
            said = say(plain)
            plain.sendall(said)
            heard.append(until_gone(plain))

        def attack():
            with self.rogues(behave):
                self.assert_raised(self.client.call("plus", 1), "TRANSIENT", "NO")
            self.assertEqual((ALERT, bytes([2, alert])), (heard[-1][0], heard[-1][5:]))

        self.in_rounds(attack)

    def hello(self, version, **more):
        def say(plain):
            plain.recv(65536)
            return hello_of_a_server(version, **more)

        return say


class Downgrades(HandMadeHellos):
    BELOW = OLD_VERSIONS
    HELLOS_BELOW = b"\3\0", b"\3\1", b"\3\2"

    def test_hellos_of_older_versions(self):
        for version in self.HELLOS_BELOW:
            self.assert_refused(self.hello(version), PROTOCOL_VERSION)

    def test_servers_that_speak_older_versions_only(self):
        def behave(version, plain):
            context_of(version).wrap_socket(plain, server_side=True)

        for version in self.BELOW:
            def attack(version=version):
                with self.rogues(functools.partial(behave, version)):
                    self.assert_raised(self.client.call("plus", 1), "TRANSIENT", "NO")

            self.in_rounds(attack)


class DowngradesFrom13(Downgrades):
    OPTIONS = (*TlsServers.OPTIONS, "-ORBsslMinVersion", "1.3")
    BELOW = (*OLD_VERSIONS, ssl.TLSVersion.TLSv1_2)
    HELLOS_BELOW = (*Downgrades.HELLOS_BELOW, b"\3\3")


class DowngradesWithinWhatIsOffered(HandMadeHellos):
    def test_a_server_of_1_3_that_was_made_to_speak_1_2(self):
        """It says so in its random octets, which somebody on the way cannot change (RFC 8446, 4.1.3)."""
        def say(plain):
            said = first_flight(plain, ssl.TLSVersion.TLSv1_2)[1]
            at = 5 + 4 + 2 + 24
            return said[:at] + b"DOWNGRD\1" + said[at + 8 :]

        self.assert_refused(say, ILLEGAL_PARAMETER)

    def test_ciphers_that_were_not_offered(self):
        for cipher in (b"\0\0", b"\0\5", b"\0\x2f", b"\x56\0"):  # none, RC4, without forward secrecy, a signal
            self.assert_refused(self.hello(b"\3\3", cipher=cipher), ILLEGAL_PARAMETER)


class SilentRecords(HostileServers):
    """What makes a client's socket readable is no octet of a reply: the call still ends with its time."""

    LIMIT = LIMIT

    def assert_times_out(self, say):
        over = threading.Event()
        self.addCleanup(over.set)

        def behave(peer, _):
            say(peer)
            over.wait()

        def attack():
            over.clear()
            with self.rogues(behave):
                try:
                    outcome = self.client.call("plus", 1)
                finally:
                    over.set()
            self.assert_raised(outcome, "TIMEOUT", "MAYBE")

        self.in_rounds(attack)

    def test_session_tickets(self):
        context = MEDIUM.server_context
        self.addCleanup(setattr, context, "num_tickets", context.num_tickets)
        context.num_tickets = 2
        self.assert_times_out(lambda _: None)

    def test_a_record_that_is_cut_in_its_middle(self):
        self.assert_times_out(lambda peer: peer.socket.below.send(record(DATA, bytes(MOST_RECORD))[:100]))


class LateTickets(ScriptedTest):
    """A server that finishes its handshake late: what it says then comes for a client that has sent one-ways and ends."""

    def test_the_one_ways_arrive(self):
        count = 2000  # more than fits into the server's socket
        client, listening = self.enterContext(Client()), self.enterContext(PlainListener())
        client.use(listening.reference(KEY, ORDER))
        tags = [client.ask("note", 1) for _ in range(count)]
        with listening.accept().socket as plain, ThreadPoolExecutor() as other:
            talk, said = first_flight(plain, ssl.TLSVersion.TLSv1_3, tickets=2)
            plain.sendall(said)
            for tag in tags:
                self.assertEqual("", client.result(tag))
            status = other.submit(client.finish)
            time.sleep(0.2)
            talk.shake_hands()
            self.assertEqual([Type.REQUEST] * count, [talk.message().type for _ in range(count)])
            plain.close()
            self.assertEqual(0, status.result())


if __name__ == "__main__":
    unittest.main()
