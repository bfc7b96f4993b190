"""Several addresses in one reference: the next is tried where nothing can have been done at the one before."""

import os
import pathlib
import socket
import struct
import threading
import time
import types
import unittest

from tests.scripted.programs import KEY, Client, Raised, ScriptedTest, in_every_variant
from tests.support import cdr, giop, ior
from tests.support.giop import Reply
from tests.support.media import MEDIA, PATIENCE
from tests.support.namespace import in_namespace
from tests.support.peer import Answering, Listener, silent, unreachable

TLS = MEDIA["ssl"]() if "SCRIPTED_TLS" in os.environ else None


def done(request):
    return Reply(request.request_id).message(request.message_read.minor, cdr.BIG)


class AnsweringAt(Answering):
    """At a port that is known before."""

    def __init__(self, port):
        self.medium = types.SimpleNamespace(listen=lambda host: (socket.create_server((host, port)), port))
        super().__init__(done)


class AnsweringTls(Answering):
    medium = TLS


class Addresses(ScriptedTest):
    def use(self, *profiles):
        """A client with a reference of these profiles."""
        client = self.client_of(self.enterContext(Listener()), cdr.LITTLE)
        client.use(ior.Ior("IDL:X:1.0", [(0, profile) for profile in profiles]))
        return client

    @in_every_variant
    def test_the_second_profile_is_used_where_the_first_cannot_be_reached(self, minor, order):
        second = self.enterContext(Answering(done))
        with unreachable() as (host, port):
            client = self.use(ior.Profile(host, port, b"first", minor).encode(order),
                              second.profile(b"second", minor).encode(order))
            self.assertEqual(["", ""], [client.call("ping"), client.call("ping")])
        self.assertEqual([b"second"] * 2, [r.key for r in second.received])
        self.assertEqual(1, second.connections)

    @in_every_variant(versions=[1, 2])
    def test_alternate_addresses_lead_to_the_same_key(self, minor, order):
        second = self.enterContext(Answering(done))
        with unreachable() as (host, port):
            components = [(99, b""), ior.alternate_address(order, host, port),
                          ior.alternate_address(order, second.host, second.port)]
            client = self.use(ior.Profile(host, port, KEY, minor, components).encode(order))
            self.assertEqual("", client.call("ping"))
        self.assertEqual([KEY], [r.key for r in second.received])

    @in_every_variant(versions=[2])
    def test_each_profile_speaks_its_own_version(self, minor, order):
        for later in giop.VERSIONS:
            server = self.enterContext(Answering(done))
            with unreachable() as (host, port):
                client = self.use(ior.Profile(host, port, KEY, minor).encode(order),
                                  server.profile(KEY, later).encode(order))
                self.assertEqual("", client.call("ping"))
            self.assertEqual(later, server.received[0].message_read.minor)

    @in_every_variant
    def test_where_none_can_be_reached_nothing_is_done(self, minor, order):
        with unreachable() as (host, port), unreachable() as (other_host, other_port):
            client = self.use(ior.Profile(host, port, b"first", minor).encode(order),
                              ior.Profile(other_host, other_port, b"second", minor).encode(order))
            self.assert_raised(client.call("ping"), "TRANSIENT", "NO")

    @in_every_variant(versions=[1, 2])
    def test_an_address_that_is_silent_leaves_time_for_the_next(self, minor, order):
        good = self.enterContext(Answering(done))
        with silent() as (host, port):
            for profiles in ([ior.Profile(host, port, KEY, minor), good.profile(KEY, minor)],
                             [ior.Profile(host, port, KEY, minor, [ior.alternate_address(order, good.host, good.port)])]):
                client = self.client_of(good, order, options=["-ORBclientCallTimeOutPeriod", "3000"])
                client.use(ior.Ior("", [(0, profile.encode(order)) for profile in profiles]))
                self.assertEqual("", client.call("ping"))

    def test_an_address_that_was_silent_is_tried_behind_the_others(self):
        first, second = self.enterContext(Answering(done)), self.enterContext(Answering(done))
        with silent() as (host, port):
            dead = ior.Profile(host, port, KEY)
            client = self.client_of(first, cdr.BIG, options=["-ORBclientCallTimeOutPeriod", "10000"])
            took = []
            for good in (first, second):
                client.use(ior.Ior("", [(0, profile.encode(cdr.BIG)) for profile in (dead, good.profile(KEY))]))
                begin = time.monotonic()
                self.assertEqual("", client.call("ping"))
                took.append(time.monotonic() - begin)
        self.assertGreater(took[0], 4)
        self.assertLess(took[1], 4)

    def test_an_address_that_a_caller_had_no_time_for_is_no_silent_one(self):
        def impatient():
            """Whether the address is tried before the other once it answers."""
            with silent() as (host, port):
                first = ior.Profile(host, port, KEY)
                client = self.client_of(other, cdr.BIG, options=["-ORBclientCallTimeOutPeriod", "20"])
                both = ior.Ior("", [(0, profile.encode(cdr.BIG)) for profile in (first, other.profile(KEY))])
                client.use(both)
                client.call("ping")
            with AnsweringAt(port) as late:
                for _ in range(50):  # that no call of 20 ms gets through says nothing
                    other.received.clear()
                    client.use(both)
                    client.call("ping")
                    if late.connections or other.received:
                        break
                return late.connections != 0

        other = self.enterContext(Answering(done))
        # One whose thread is kept from running has waited for long.
        self.assertTrue(any(impatient() for _ in range(5)))

    def test_a_caller_that_had_little_time_does_not_forget_that_an_address_was_silent(self):
        other = self.enterContext(Answering(done))
        with silent() as (host, port):
            dead = ior.Profile(host, port, KEY)
            client = self.client_of(other, cdr.BIG, options=["-ORBclientCallTimeOutPeriod", "2000"])
            client.use(ior.Ior("", [(0, dead.encode(cdr.BIG))]))
            tags = [client.begin("ping")]
            time.sleep(0.1)  # which is all that the second one has behind the first
            tags.append(client.begin("ping"))
            for tag in tags:
                self.assertEqual("NO", client.result(tag).completed)
        with AnsweringAt(port) as late:
            client.use(ior.Ior("", [(0, profile.encode(cdr.BIG)) for profile in (dead, other.profile(KEY))]))
            self.assertEqual("", client.call("ping"))
            self.assertEqual((0, 1), (late.connections, len(other.received)))

    @unittest.skipIf(TLS is None, "this build has no TLS")
    def test_one_of_tls_that_is_silent_is_passed_over_and_keeps_its_place(self):
        first, second = self.enterContext(AnsweringTls(done)), self.enterContext(AnsweringTls(done))
        with socket.create_server(("127.0.0.1", 0)) as mute:
            mute.settimeout(PATIENCE)
            dead = TLS.profile("127.0.0.1", mute.getsockname()[1], KEY, 2, [])
            client = self.client_of(first, cdr.BIG, options=[*TLS.client_options, "-ORBclientCallTimeOutPeriod", "3000"])
            for good in (first, second):
                client.use(ior.Ior("", [(0, profile.encode(cdr.BIG)) for profile in (dead, good.profile(KEY))]))
                self.assertEqual("", client.call("ping"))
                mute.accept()[0].close()
            self.assertEqual((1, 1), (len(first.received), len(second.received)))

    @unittest.skipIf(TLS is None, "this build has no TLS")
    def test_silence_does_not_lead_from_tls_to_what_does_not_protect(self):
        plain = self.enterContext(Answering(done))
        with socket.create_server(("127.0.0.1", 0)) as mute:
            both = ior.Profile(plain.host, plain.port, KEY, 2, [ior.ssl_component(mute.getsockname()[1])])
            client = self.client_of(plain, cdr.BIG, options=[*TLS.client_options, "-ORBtransports", "ssl,tcp",
                                                                "-ORBclientCallTimeOutPeriod", "1000"])
            for _ in range(2):
                client.use(ior.Ior("", [(0, both.encode(cdr.BIG))]))
                self.assertEqual("NO", client.call("ping").completed)
        self.assertEqual([], plain.received)

    @in_every_variant
    def test_a_host_that_cannot_be_found_is_passed_over(self, minor, order):
        server = self.enterContext(Answering(done))
        client = self.use(ior.Profile("no such host", 1, KEY, minor).encode(order),
                          ior.Profile("", 1, KEY, minor).encode(order), server.profile(KEY, minor).encode(order))
        self.assertEqual("", client.call("ping"))

    @in_every_variant
    def test_a_malformed_profile_is_passed_over(self, minor, order):
        server = self.enterContext(Answering(done))
        good = server.profile(KEY, minor).encode(order)
        client = self.use(b"", b"\2", good[:-5] if minor else good[:-1], b"\xff" * 40, good)
        self.assertEqual("", client.call("ping"))

    @in_every_variant
    def test_a_request_of_which_octets_left_does_not_go_elsewhere(self, minor, order):
        first, second = self.enterContext(Answering(lambda request: None)), self.enterContext(Answering(done))
        client = self.use(first.profile(KEY, minor).encode(order), second.profile(KEY, minor).encode(order))
        self.assert_raised(client.call("ping"), "COMM_FAILURE", "MAYBE")
        self.assertEqual((1, 0), (len(first.received), len(second.received)))

    @in_every_variant
    def test_a_request_that_was_not_processed_goes_elsewhere(self, minor, order):
        second = self.enterContext(Answering(done))
        first = self.enterContext(Answering(None))

        def close(request):
            first.socket.shutdown(socket.SHUT_RDWR)
            return giop.close(minor, order)

        first.answer = close
        client = self.use(first.profile(KEY, minor).encode(order), second.profile(KEY, minor).encode(order))
        self.assertEqual("", client.call("ping"))
        self.assertEqual((1, 1), (len(first.received), len(second.received)))

    def test_references_to_one_address_share_a_connection(self):
        server = self.enterContext(Answering(done))
        client = self.client_of(server, cdr.LITTLE)
        for key in [b"one", b"two", b"three"]:
            client.use(server.reference(key, cdr.LITTLE))
            self.assertEqual("", client.call("ping"))
        self.assertEqual([b"one", b"two", b"three"], [r.key for r in server.received])
        self.assertEqual(1, server.connections)

    def test_a_name_and_a_literal_address_are_reached(self):
        for host in ["localhost", "127.0.0.1"]:
            server = self.enterContext(Answering(done))
            client = self.use(ior.Profile(host, server.port, KEY).encode(cdr.BIG))
            self.assertEqual("", client.call("ping"))

    def test_object_urls_lead_to_plain_keys(self):
        server = self.enterContext(Answering(done))
        client = self.client_of(server, cdr.LITTLE)
        with unreachable() as (host, port):
            for url, key, minor in [("corbaloc::127.0.0.1:{}/Name", b"Name", 2),
                                    ("corbaloc:iiop:1.2@localhost:{}/a/b%20%ff", b"a/b \xff", 2),
                                    (f"corbaloc:iiop:1.1@{host}:{port},:1.1@127.0.0.1:{{}}/x", b"x", 1)]:
                client.use(url.format(server.port))
                self.assertEqual("", client.call("ping"), url)
                self.assertEqual((key, minor), (server.received[-1].key, server.received[-1].message_read.minor))


class OwnPort(ScriptedTest):
    @in_namespace
    def test_a_client_is_not_connected_to_itself(self):
        """Where nobody listens at a port that the system gives to clients, TCP connects one that gets it to itself."""
        port = 40000
        pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range").write_text(f"{port} {port}")
        with socket.socket() as client:
            client.connect(("127.0.0.1", port))
            self.assertEqual(client.getsockname(), client.getpeername())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client = self.enterContext(Client("-ORBclientCallTimeOutPeriod", "20000"))
        client.use(f"corbaloc:iiop:127.0.0.1:{port}/key")
        self.assert_raised(client.call("ping"), "TRANSIENT", "NO")


def has_ipv6():
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@unittest.skipUnless(has_ipv6(), "this machine has no IPv6")
class Ipv6(ScriptedTest):
    def test_ipv6_addresses_are_reached(self):
        server = self.enterContext(Answering(done, "::1"))
        for host in ["::1", "0:0:0:0:0:0:0:1"]:
            client = self.client_of(server, cdr.LITTLE)
            client.use(ior.Ior("", [(0, ior.Profile(host, server.port, KEY).encode(cdr.BIG))]))
            self.assertEqual("", client.call("ping"))
        client.use(f"corbaloc::[::1]:{server.port}/Name")
        self.assertEqual("", client.call("ping"))

    @in_namespace(files={"/etc/hosts": "::1 both.example\n127.0.0.1 both.example\n"})
    def test_an_address_of_a_name_that_is_silent_leaves_time_for_the_next(self):
        server = self.enterContext(Answering(done))
        with silent(server.port, "::1"):
            client = self.client_of(server, cdr.LITTLE, options=["-ORBclientCallTimeOutPeriod", "3000"])
            client.use(ior.Ior("", [(0, ior.Profile("both.example", server.port, KEY).encode(cdr.BIG))]))
            self.assertEqual("", client.call("ping"))


class NameServer:
    """Names are asked for here; it is silent until it is told to answer: IPv4 addresses of this host, no others."""

    def __init__(self):
        self.socket = socket.socket(type=socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 53))
        self.asked, self.came, self.answers = [], threading.Semaphore(0), threading.Event()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            query, client = self.socket.recvfrom(512)
            end = query.index(b"\0", 12) + 5
            question = query[12:end]
            self.asked.append(question)
            self.came.release()
            threading.Thread(target=self._answer, args=(query[:2], question, client), daemon=True).start()

    def _answer(self, number, question, client):
        self.answers.wait()
        wanted = struct.unpack(">H", question[-4:-2])[0] == 1
        answer = struct.pack(">HHHIH4s", 0xC00C, 1, 1, 0, 4, socket.inet_aton("127.0.0.1")) if wanted else b""
        self.socket.sendto(number + struct.pack(">HHHHH", 0x8180, 1, int(wanted), 0, 0) + question + answer, client)


FAR = {"/etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:30 attempts:1\n", "/etc/hosts": "127.0.0.1 localhost\n",
       "/etc/nsswitch.conf": "hosts: files dns\n"}


class SilentNameServer(ScriptedTest):
    """A host's name is known to a name server that does not answer for longer than calls may take."""

    def setUp(self):
        if os.environ.get("TEST_NAMESPACE"):
            self.names = NameServer()
            self.server = self.enterContext(Answering(done))

    def use(self, *options):
        client = self.client_of(self.server, cdr.LITTLE, options=options)
        client.use(ior.Ior("", [(0, ior.Profile("far.example", self.server.port, KEY).encode(cdr.BIG))]))
        return client

    def asked_for(self):
        """Waits until it is: its IPv4 and its IPv6 addresses."""
        for _ in range(2):
            self.assertTrue(self.names.came.acquire(timeout=PATIENCE))

    @in_namespace(files=FAR)
    def test_a_call_with_a_deadline_does_not_wait_for_it(self):
        self.assertEqual("TIMEOUT", self.use("-ORBclientCallTimeOutPeriod", "300").call("ping").name)
        self.asked_for()

    @in_namespace(files=FAR)
    def test_a_connection_is_given_up_when_the_time_for_connecting_is_over(self):
        self.assertEqual("TRANSIENT", self.use("-ORBclientConnectTimeOutPeriod", "300").call("ping").name)
        self.asked_for()

    @in_namespace(files=FAR)
    def test_later_calls_wait_for_the_answer_to_the_same_question(self):
        client = self.use("-ORBclientCallTimeOutPeriod", "300")
        self.assertEqual("TIMEOUT", client.call("ping").name)
        threads = client.status("Threads")
        for _ in range(4):
            self.assertEqual("TIMEOUT", client.call("ping").name)
        self.assertEqual(threads, client.status("Threads"))
        self.asked_for()
        self.assertEqual(2, len(self.names.asked))
        self.names.answers.set()
        while isinstance(client.call("ping"), Raised):  # the answer may take longer than one call has
            pass

    @in_namespace(files=FAR)
    def test_a_reference_with_many_names_does_not_have_them_all_asked_for(self):
        client = self.client_of(self.server, cdr.LITTLE, options=["-ORBclientCallTimeOutPeriod", "1000"])
        threads = client.status("Threads")
        profiles = [(0, ior.Profile(f"far{i}.example", self.server.port, KEY).encode(cdr.BIG)) for i in range(300)]
        client.use(ior.Ior("", profiles))
        self.assertEqual("TIMEOUT", client.call("ping").name)
        self.assertLessEqual(client.status("Threads") - threads, 64)
        client.use(ior.Ior("", [(0, ior.Profile("last.example", self.server.port, KEY).encode(cdr.BIG))]))
        self.assertEqual("TIMEOUT", client.call("ping").name)
        self.names.answers.set()
        while isinstance(client.call("ping"), Raised):  # until some of them are known
            pass

    @in_namespace(files=FAR)
    def test_a_call_without_a_deadline_waits_for_it(self):
        client = self.use()
        call = client.begin("ping")
        self.asked_for()
        self.names.answers.set()
        self.assertEqual("", client.result(call))

    @in_namespace(files=FAR)
    def test_the_client_ends_while_it_is_asked(self):
        client = self.use("-ORBclientCallTimeOutPeriod", "300")
        self.assertEqual("TIMEOUT", client.call("ping").name)
        self.assertEqual(0, client.finish())


if __name__ == "__main__":
    unittest.main()
