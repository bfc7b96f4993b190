"""Object URLs that lead to a naming service, which is a script."""

import socket
import sys
import unittest

from tests.scripted.programs import KEY, Client, Raised, ScriptedTest
from tests.support import cdr, giop, ior
from tests.support.giop import Reply, Status
from tests.support.peer import Listener

NATIVE = cdr.LITTLE if sys.byteorder == "little" else cdr.BIG
NOT_FOUND = "IDL:omg.org/CosNaming/NamingContext/NotFound:1.0"


class NamingService(ScriptedTest):
    def setUp(self):
        self.listener = self.enterContext(Listener())
        self.address = f"127.0.0.1:{self.listener.port}"
        self.options = ()
        self.order = NATIVE

    def asked(self, url, results, status=Status.NO_EXCEPTION, key=b"NameService"):
        """What the client makes of the URL when the naming service answers so; its question is in `names`."""
        client = self.enterContext(Client(*self.options))
        tag = client.ask("use", url)
        peer = self.enterContext(self.listener.accept())
        message = peer.receive()
        request = giop.Request.decode(message)
        self.assertEqual(("resolve", key), (request.operation, request.key))
        self.names = [(request.reader.string(), request.reader.string())
                      for _ in range(request.reader.get("ulong"))]
        peer.send(Reply(request.request_id, status, results=results).message(message.minor, self.order))
        outcome = client.result(tag)
        if isinstance(outcome, Raised):
            return outcome
        tag = client.ask("ping")
        message = peer.receive()  # the object is where the naming service is
        request = giop.Request.decode(message)
        self.assertEqual(("ping", KEY), (request.operation, request.key))
        peer.send(Reply(request.request_id).message(message.minor, self.order))
        return client.result(tag)

    def dead_port(self):
        """Bound and never listening, so that it stays nobody's."""
        bound = self.enterContext(socket.socket())
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]

    def found(self):
        return lambda w: self.listener.reference(KEY, self.order).encode(w)

    def test_is_asked_for_the_name_of_a_corbaname(self):
        for order in cdr.ORDERS:
            self.order = order
            self.assertEqual("", self.asked(f"corbaname::{self.address}#here", self.found()))
            self.assertEqual([("here", "")], self.names)
            self.doCleanups()
            self.setUp()

    def test_names_may_have_kinds_escapes_and_keys(self):
        url = f"corbaname:iiop:1.2@{self.address}/Naming%20Context#a.b/c%5c.d/.e"
        self.assertEqual("", self.asked(url, self.found(), key=b"Naming Context"))
        self.assertEqual([("a", "b"), ("c.d", ""), ("", "e")], self.names)

    def test_is_an_initial_reference_by_rir(self):
        self.options = ("-ORBInitRef", f"NameService=corbaloc::{self.address}/Elsewhere")
        self.assertEqual("", self.asked("corbaname:rir:#here", self.found(), key=b"Elsewhere"))

    def test_is_the_default_of_initial_references(self):
        for path, names in [("#services", [("services", ""), ("Mine", "")]), ("", [("Mine", "")])]:
            self.options = ("-ORBDefaultInitRef", f"corbaname::{self.address}{path}")
            self.assertEqual("", self.asked("corbaloc:rir:/Mine", self.found()))
            self.assertEqual(names, self.names)
            self.doCleanups()
            self.setUp()

    def test_may_have_the_second_address_only(self):
        url = f"corbaname::127.0.0.1:{self.dead_port()},:{self.address}#here"
        self.assertEqual("", self.asked(url, self.found()))

    def test_that_does_not_know_the_name_is_no_internal_error(self):
        outcome = self.asked(f"corbaname::{self.address}#here", lambda w: w.string(NOT_FOUND), Status.USER_EXCEPTION)
        self.assert_raised(outcome, "BAD_PARAM", "NO", 0x4F4D000A)

    def test_that_fails_or_lies_is_told_from_a_bad_url(self):
        url = f"corbaname::{self.address}#here"
        results = lambda w: w.string("IDL:omg.org/CORBA/NO_PERMISSION:1.0").put("ulong", 7, 1)
        outcome = self.asked(url, results, Status.SYSTEM_EXCEPTION)
        self.assert_raised(outcome, "NO_PERMISSION", "NO", 7)
        self.doCleanups()
        self.setUp()
        self.assert_raised(self.asked(f"corbaname::{self.address}#here", b"\xff" * 9), "MARSHAL", "YES")

    def test_that_is_not_there_is_transient(self):
        with Client() as client:
            self.assert_raised(client.use(f"corbaname::127.0.0.1:{self.dead_port()}#here"), "TRANSIENT", "NO")


class BadUrls(ScriptedTest):
    def test_are_refused_with_the_minor_code_of_their_part(self):
        client = self.enterContext(Client("-ORBInitRef", "A=corbaloc:rir:/B", "-ORBInitRef", "B=corbaname:rir:/A#x"))
        for url, minor in [("gopher://h", 7), ("corbanam:", 7), ("corbaloc:", 8), ("corbaloc:spx:h/k", 8),
                           ("corbaloc::h:70000/k", 8), ("corbaname:iiop:1.x@h#a", 8), ("corbaloc::h/%zz", 9),
                           ("corbaname::h#a//b", 9), ("corbaname::h#%", 9), ("corbaloc:rir:/None", 9),
                           ("corbaname:rir:/None#a", 9), ("corbaloc:rir:/A", 9), ("file:///no/such/file", 9),
                           ("IOR:0", 10), ("IOR:zz", 10)]:
            self.assert_raised(client.use(url), "BAD_PARAM", "NO", 0x4F4D0000 | minor)


if __name__ == "__main__":
    unittest.main()
