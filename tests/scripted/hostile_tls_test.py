"""Clients that break TLS itself: garbage, handshakes that stop, drip or ask for less, records out of turn."""

import contextlib
import random
import socket
import ssl
import struct
import subprocess
import time
import unittest
import warnings

from tests.scripted.hostile import FAR, FEW, HostileTest, limits, one_by_one
from tests.scripted.programs import MEDIUM
from tests.scripted.server import PATIENCE
from tests.support.peer import Peer
from tests.support.tls import ALERT, CHANGE_CIPHER, DATA, HANDSHAKE, MOST_RECORD, VERSIONS, Talk, record


def hello_of_a_client():
    return Talk(None, MEDIUM.context()).step()[0]


class TlsTest(HostileTest):
    @contextlib.contextmanager
    def plain(self):
        """A connection on which no TLS has been spoken; what the server does to it does not matter."""
        with socket.create_connection(MEDIUM.address(self.server.profile), timeout=PATIENCE) as plain:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with contextlib.suppress(OSError, EOFError):
                yield plain

    @contextlib.contextmanager
    def talk(self, version, open_already=True):
        with self.plain() as plain:
            context = MEDIUM.context()
            context.maximum_version = context.minimum_version = version
            talk = Talk(plain, context)
            if open_already:
                try:
                    talk.shake_hands()
                except (OSError, EOFError) as error:
                    raise AssertionError("no handshake") from error
            yield talk

    @staticmethod
    def assert_gone(plain):
        """Waits until the server has ended the connection; gives what it says before."""
        said = b""
        try:
            with contextlib.suppress(ConnectionError):
                while more := plain.recv(65536):
                    said += more
        except TimeoutError:
            raise AssertionError("the server leaves the connection open") from None
        return said

    def assert_ended(self, plain):
        """The same; it says no more than an alert."""
        self.assertLess(len(self.assert_gone(plain)), 200)

    def ends(self, peer, seconds):
        """As it says; tickets and alerts may come before."""
        peer.socket.settimeout(seconds)
        with contextlib.suppress(TimeoutError):
            with contextlib.suppress(ConnectionError):
                while peer.socket.recv(65536):
                    pass
            return True
        return False

    def assert_refused(self, *octets):
        with self.plain() as plain:
            for part in octets:
                plain.sendall(part)
            self.assert_ended(plain)


class NoHandshake(TlsTest):
    OPTIONS = limits(FAR, handshake=1500)

    def connect(self):
        """The limit is meant for others: on a machine that is busy a good handshake, too, may be late."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return super().connect()
            except OSError:
                if time.monotonic() > until:
                    raise

    def test_what_is_not_tls(self):
        rng = random.Random(20261121)
        self.assert_refused(self.ping().bytes())
        self.assert_refused(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        for kind in (ALERT, HANDSHAKE, DATA, CHANGE_CIPHER, 24, 0, 255):
            for size in (1, 2, 100, MOST_RECORD):
                # A record that says that a whole handshake message is to come waits for it.
                self.assert_refused(record(kind, rng.randbytes(size)), record(kind, bytes(size)))
        for _ in range(FEW):
            with self.plain() as plain:
                plain.sendall(rng.randbytes(rng.randrange(1, 3000)))
                plain.shutdown(socket.SHUT_WR)
                self.assert_ended(plain)

    def test_a_hello_with_single_octets_changed(self):
        rng, hello = random.Random(20261121), hello_of_a_client()
        for _ in range(3 * FEW):
            changed = bytearray(hello)
            changed[rng.randrange(len(changed))] = rng.randrange(256)
            with self.plain() as plain:
                plain.sendall(changed)
                plain.shutdown(socket.SHUT_WR)
                self.assert_gone(plain)

    def test_silence_and_a_hello_that_drips_run_out_of_time(self):
        hello, begun = hello_of_a_client(), record(HANDSHAKE, b"\1\0\x3f\xf0" + bytes(0x3ff0))
        with self.plain() as silent, self.plain() as half, self.plain() as slow:
            half.sendall(hello[: len(hello) // 2])
            self.assert_cut_off({"a slow hello": (Peer(slow), one_by_one(begun[:-1]))}, 0.1)
            self.assert_ended(silent)
            self.assert_ended(half)
        with self.plain() as quick:
            self.assert_cut_off({"a quick hello": (Peer(quick), one_by_one(begun[:-1]))}, 0.003)

    def test_a_hello_that_is_never_whole(self):
        # 16 MB are announced, which no hello has.
        self.assert_refused(record(HANDSHAKE, b"\1\xff\xff\xff" + bytes(1000)), record(HANDSHAKE, bytes(MOST_RECORD)))
        # In records of an octet each.
        with self.plain() as plain:
            plain.sendall(b"".join(record(HANDSHAKE, bytes([octet]), b"\3\1") for octet in hello_of_a_client()[5:200]))
            self.assert_ended(plain)

    def test_old_versions_and_weak_ciphers(self):
        version = ssl.TLSVersion
        for least, most, ciphers in [(version.TLSv1, version.TLSv1, "ALL:@SECLEVEL=0"),
                                     (version.TLSv1_1, version.TLSv1_1, "ALL:@SECLEVEL=0"),
                                     (version.TLSv1, version.TLSv1_1, "ALL:@SECLEVEL=0"),
                                     (version.TLSv1_2, version.TLSv1_2, "eNULL:aNULL:@SECLEVEL=0"),
                                     (version.TLSv1_2, version.TLSv1_2, "AES128-SHA:AES256-SHA256:@SECLEVEL=0")]:
            context = MEDIUM.context()
            context.set_ciphers(ciphers)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                context.minimum_version, context.maximum_version = least, most
            with self.plain() as plain, self.assertRaises((ssl.SSLError, ConnectionError), msg=ciphers):
                context.wrap_socket(plain)
        self.assert_refused(b"\x80\x2e\1\0\2\0\x15\0\0\0\x10\1\0\x80" + bytes(34))  # SSL 2
        self.assert_refused(record(HANDSHAKE, b"\1\0\0\x2d\3\0" + bytes(32) + b"\0\0\4\0\5\0\x0a\1\0", b"\3\0"))  # SSL 3
        # "I have tried a newer version in vain": not with a server that speaks it (RFC 7507).
        hello = bytearray(hello_of_a_client())
        at = 5 + 4 + 2 + 32
        at += 1 + hello[at]
        hello[at + 2 : at + 4] = b"\x56\x00"
        self.assert_refused(bytes(hello).replace(b"\0\x2b\0", b"\xff\x2b\0"))  # without "supported versions": 1.2


class Handshakes(TlsTest):
    def test_many_at_once_leave_room_for_others(self):
        hello = hello_of_a_client()
        with contextlib.ExitStack() as stack:
            for i in range(2 * FEW):
                plain = stack.enter_context(self.plain())
                plain.sendall(hello[: i % len(hello)] if i % 4 else hello)
            self.assert_serves()

    @contextlib.contextmanager
    def at_flight(self, version, second):
        """A handshake in which the client has its first or its second say; the talk, and what it would say."""
        with self.talk(version, open_already=False) as talk:
            said, _ = talk.step()
            if second:
                talk.plain.sendall(said)
                said = talk.flight()
            yield talk, said

    def test_ends_at_every_octet(self):
        for version in VERSIONS:
            for second in (False, True):
                with self.at_flight(version, second) as (_, said):
                    size = len(said)
                for end in range(0, size, 1 if second else 7):
                    with self.at_flight(version, second) as (talk, said):
                        talk.plain.sendall(said[:end])
                        if end % 2:
                            talk.plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                        else:
                            talk.plain.shutdown(socket.SHUT_WR)
                            self.assert_gone(talk.plain)

    def test_octets_of_the_last_flight_changed(self):
        rng = random.Random(20261121)
        for version in VERSIONS:
            for _ in range(60):
                with self.at_flight(version, True) as (talk, said):
                    changed = bytearray(said)
                    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
                    talk.plain.sendall(changed)
                    talk.plain.shutdown(socket.SHUT_WR)
                    self.assert_gone(talk.plain)

    def test_requests_before_the_handshake_is_over(self):
        for version in VERSIONS:
            with self.at_flight(version, True) as (talk, _):
                talk.plain.sendall(record(DATA, self.ping().bytes()))
                self.assert_ended(talk.plain)

    def test_floods_of_alerts_and_changes_of_ciphers(self):
        hello = hello_of_a_client()
        for flood in (record(ALERT, b"\1\x5a"), record(CHANGE_CIPHER, b"\1"), record(HANDSHAKE, b""), record(DATA, b"")):
            for before in (b"", hello):
                with self.plain() as plain:
                    with contextlib.suppress(OSError):
                        plain.sendall(before)
                        for _ in range(200):
                            plain.sendall(flood * 100)
                    self.assert_gone(plain)


class SlowRecords(TlsTest):
    OPTIONS = limits(500)

    def test_a_record_that_drips_is_cut_off(self):
        for pause in (0.1, 0.003):  # the second is shorter than a thread stays with a connection
            with contextlib.ExitStack() as stack:
                talks = [stack.enter_context(self.talk(version)) for version in VERSIONS]
                self.assert_cut_off({str(version): (Peer(talk.plain), one_by_one(talk.encrypted(bytes(MOST_RECORD))[:-1]))
                                     for version, talk in zip(VERSIONS, talks)}, pause)


class Records(TlsTest):
    def test_a_record_with_single_octets_changed_ends_the_connection(self):
        rng = random.Random(20261121)
        for version in VERSIONS:
            for _ in range(40):
                with self.talk(version) as talk:
                    said = bytearray(talk.encrypted(self.ping().bytes()))
                    said[rng.choice((0, 5, rng.randrange(5, len(said))))] ^= 1 << rng.randrange(8)
                    talk.plain.sendall(said)
                    talk.plain.shutdown(socket.SHUT_WR)
                    self.assert_gone(talk.plain)

    def test_records_that_come_twice_or_in_another_order_end_the_connection(self):
        for version in VERSIONS:
            with self.talk(version) as talk:
                first = talk.encrypted(self.ping(1).bytes())
                talk.plain.sendall(first + first)
                self.assert_gone(talk.plain)
        for version in VERSIONS:
            with self.talk(version) as talk:
                first, second = talk.encrypted(self.ping(1).bytes()), talk.encrypted(self.ping(2).bytes())
                talk.plain.sendall(second + first)
                self.assert_gone(talk.plain)

    def test_records_after_the_goodbye_are_not_read(self):
        for version in VERSIONS:
            with self.talk(version) as talk:
                after = talk.encrypted(self.ping(1).bytes())
                talk.plain.sendall(talk.goodbye() + after * 1000 + record(DATA, bytes(MOST_RECORD)) * 20)
                self.assert_gone(talk.plain)

    def test_replies_are_still_given_after_the_goodbye(self):
        for version in VERSIONS:
            with self.talk(version) as talk:
                asked = talk.encrypted(b"".join(self.ping(i).bytes() for i in range(5)))
                talk.plain.sendall(asked + talk.goodbye())
                self.assertEqual(list(range(5)), [talk.reply().request_id for _ in range(5)])

    def test_sizes_that_no_record_has(self):
        for version in VERSIONS:
            with self.talk(version) as talk:
                talk.plain.sendall(bytes([DATA, 3, 3]) + b"\xff\xff" + bytes(70_000))
                self.assert_gone(talk.plain)

    def test_floods_of_empty_records(self):
        for version in VERSIONS:
            with self.talk(version) as talk:
                with contextlib.suppress(OSError):
                    for _ in range(100):
                        talk.plain.sendall(record(DATA, b"") * 100)
                self.assert_gone(talk.plain)

    def test_renegotiation_and_key_updates_are_bounded(self):
        address = "%s:%d" % MEDIUM.address(self.server.profile)
        for version, letter in (("-tls1_2", "R"), ("-tls1_3", "K"), ("-tls1_3", "k")):
            words = ["openssl", "s_client", "-connect", address, version]
            done = subprocess.run(words, input=(letter + "\n") * 200, text=True, capture_output=True, timeout=PATIENCE,
                                  check=False)
            self.assertIn("BEGIN CERTIFICATE", done.stdout)

    def test_a_good_conversation_by_the_same_means_is_answered(self):
        for version in VERSIONS:
            with self.talk(version) as talk:
                talk.plain.sendall(talk.encrypted(self.ping(5).bytes()))
                self.assertEqual(5, talk.reply().request_id)


if __name__ == "__main__":
    unittest.main()
