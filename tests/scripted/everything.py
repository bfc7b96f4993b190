"""The Everything of tests/calls/contract.idl as a script: a server that answers in any byte order, in fragments too."""

from tests.scripted import contract
from tests.scripted.contract import writing
from tests.support import giop
from tests.support.giop import HEADER, Completion, Locate, LocateRequest, Reply, Request, Status, Type
from tests.support.peer import Answering, connect

TYPES = ["IDL:Contract/Everything:1.0", "IDL:Contract/Left:1.0", "IDL:Contract/Right:1.0", "IDL:Contract/Base:1.0",
         "IDL:omg.org/CORBA/Object:1.0"]


class Refusal(Exception):
    """A reply that is an exception: its status, and a function that writes it."""


def system_exception(name, minor, completed):
    return Refusal(Status.SYSTEM_EXCEPTION, lambda w: w.string(f"IDL:omg.org/CORBA/{name}:1.0").put(
        "ulong", minor, completed))


class Everything(Answering):
    """`order` is that of the replies; `fragment` the size of the parts that they come in, if the version has any."""

    def __init__(self, keys, order, fragment=None):
        super().__init__(self.respond)
        self.keys, self.order, self.fragment = keys, order, fragment
        self.label, self.sum = "none", 0
        self.calls = set()

    def respond(self, request):
        minor = request.message_read.minor
        if isinstance(request, LocateRequest):
            status = Locate.HERE if request.key in self.keys else Locate.UNKNOWN
            return giop.locate_reply(minor, self.order, request.request_id, status)
        if not isinstance(request, Request):
            return [] if request.type == Type.CANCEL else None
        self.calls.add(request.operation)
        try:
            if request.key not in self.keys:
                raise system_exception("OBJECT_NOT_EXIST", 1, Completion.NO)
            status, results = Status.NO_EXCEPTION, writing(*self.carry_out(request.operation, request.reader))
        except Refusal as refusal:
            status, results = refusal.args
        if not request.expected:
            return []
        reply = Reply(request.request_id, status, results).message(minor, self.order)
        if minor == 0 or not self.fragment or len(reply.body) <= self.fragment:
            return reply
        return giop.fragmented(reply, *range(HEADER + self.fragment, HEADER + len(reply.body), self.fragment))

    def carry_out(self, operation, r):
        """Types and values of the results."""
        if kind := contract.GIVE.get(operation):
            a, b = contract.get(r, kind), contract.get(r, kind)
            return [kind] * 3, [a, a, b]
        if kind := contract.SAME.get(operation):
            return [kind], [contract.get(r, kind)]
        method = getattr(self, "do_" + operation.lstrip("_"), None)
        if method is None:
            raise system_exception("BAD_OPERATION", 0, Completion.NO)
        return method(r) or ([], [])

    def do_ping(self, r):
        pass

    def do_get_count(self, r):
        return ["long"], [7]

    def do_get_label(self, r):
        return ["string"], [self.label]

    def do_set_label(self, r):
        self.label = r.string()

    def do_minus(self, r):
        return ["long"], [r.get("long") - 1]

    def do_plus(self, r):
        return ["long"], [r.get("long") + 1]

    def do_numbers(self, r):
        a, b, c, d, e, f, g, h, i, j, k, m = [contract.get(r, kind) for kind in contract.NUMBERS]
        return ["longlong", "long", "double"], [a + b + c + d + e + f + i + j + k, m + 1, g + h]

    def do_reference(self, r):
        a, b = [contract.get(r, "reference") for _ in range(2)]
        return ["reference"] * 3, [a, b, b]

    def do_refuse(self, r):
        if code := r.get("long"):
            raise Refusal(Status.USER_EXCEPTION, lambda w: w.string("IDL:Contract/Refused:1.0").string("because").put(
                "long", code))
        raise Refusal(Status.USER_EXCEPTION, lambda w: w.string("IDL:Contract/Empty:1.0"))

    def do_fail(self, r):
        raise system_exception("NO_PERMISSION", 5, Completion.YES)

    def do_note(self, r):
        self.sum += r.get("long")

    def do_noted(self, r):
        return ["long"], [self.sum]

    def do_call_back(self, r):
        profile, n = contract.get(r, "reference").iiop()[0], r.get("long")
        with connect(profile.host, profile.port) as peer:
            peer.send(Request(1, "twice", profile.key, arguments=writing(["long"], [n])).message(2, self.order))
            return ["long"], [peer.reply().reader.get("long") + 1]

    def do_is_a(self, r):
        return ["boolean"], [r.string() in TYPES]

    def do_non_existent(self, r):
        return ["boolean"], [False]
