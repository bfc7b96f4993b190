"""GIOP messages 1.0 to 1.2, written and read octet by octet in both byte orders."""

import dataclasses
import enum
import struct

from . import cdr, ior

HEADER = 12
VERSIONS = (0, 1, 2)


class Type(enum.IntEnum):
    REQUEST, REPLY, CANCEL, LOCATE_REQUEST, LOCATE_REPLY, CLOSE, ERROR, FRAGMENT = range(8)


class Status(enum.IntEnum):
    NO_EXCEPTION, USER_EXCEPTION, SYSTEM_EXCEPTION, FORWARD, FORWARD_PERM, NEEDS_ADDRESSING_MODE = range(6)


class Locate(enum.IntEnum):
    UNKNOWN, HERE, FORWARD, FORWARD_PERM, SYSTEM_EXCEPTION, NEEDS_ADDRESSING_MODE = range(6)


class Addressing(enum.IntEnum):
    KEY, PROFILE, REFERENCE = range(3)


class Completion(enum.IntEnum):
    YES, NO, MAYBE = range(3)


@dataclasses.dataclass
class Message:
    """A message as it stands on the wire; `body` is all behind the twelve octets of the header."""

    type: int
    minor: int
    order: str
    body: bytes = b""
    more: bool = False

    def bytes(self, size=None):
        flags = (self.order == cdr.LITTLE) + 2 * self.more
        head = struct.pack("4sBBBB", b"GIOP", 1, self.minor, flags, self.type)
        return head + struct.pack(self.order + "I", len(self.body) if size is None else size) + self.body

    @classmethod
    def from_header(cls, header):
        magic, major, minor, flags, kind = struct.unpack("4sBBBB", header[:8])
        if magic != b"GIOP" or major != 1 or minor > 2 or kind > 7 or flags > (1 if minor == 0 else 3):
            raise cdr.Malformed(f"not a GIOP header: {header.hex()}")
        order = cdr.LITTLE if flags & 1 else cdr.BIG
        return cls(Type(kind), minor, order, more=bool(flags & 2)), struct.unpack(order + "I", header[8:])[0]

    def reader(self):
        return cdr.Reader(self.order, self.body, HEADER, self.minor)


def writer(order, minor=2):
    """Writes what follows a message header."""
    return cdr.Writer(order, HEADER, minor)


def values(order):
    """A writer of arguments or results: they begin at a multiple of 8."""
    return cdr.Writer(order)


@dataclasses.dataclass
class Request:
    request_id: int
    operation: str
    key: bytes = b""
    expected: int = 3  # response flags of 1.2; of 1.0 and 1.1 its lowest bit
    contexts: list = dataclasses.field(default_factory=list)
    addressing: int = Addressing.KEY
    profile: tuple = ()  # (tag, octets)
    reference: object = None  # (index of the selected profile, Ior)
    arguments: object = b""  # octets, or a function that writes them where they come to stand
    principal: bytes = b""  # until 1.1
    reader: object = None  # of the arguments; only of requests that were read

    def message(self, minor, order):
        w = writer(order, minor)
        if minor < 2:
            _put_contexts(w, self.contexts).put("ulong", self.request_id).put("boolean", self.expected & 1)
            if minor == 1:
                w.raw(bytes(3))
            w.octets(self.key).string(self.operation).octets(self.principal)
        else:
            w.put("ulong", self.request_id).put("octet", self.expected).raw(bytes(3))
            _put_target(w, self).string(self.operation)
            _put_contexts(w, self.contexts)
        _put_body(w, self.arguments, minor)
        return Message(Type.REQUEST, minor, order, w.bytes())

    @classmethod
    def decode(cls, message):
        r = message.reader()
        request = cls(0, "")
        if message.minor < 2:
            request.contexts = _get_contexts(r)
            request.request_id, request.expected = r.get("ulong"), 3 * r.get("boolean")
            if message.minor == 1:
                r.raw(3)
            request.key, request.operation, request.principal = r.octets(), r.string(), r.octets()
        else:
            request.request_id, request.expected = r.get("ulong"), r.get("octet")
            r.raw(3)
            _get_target(r, request)
            request.operation = r.string()
            request.contexts = _get_contexts(r)
            if r.remaining():
                r.align(8)
        request.reader = r
        return request


def _put_body(w, body, minor):
    """From 1.2 on a body stands at a multiple of 8, if there is one; before it follows the header as it is."""
    if body:
        w.align(8 if minor >= 2 else 1)
        w.raw(body) if isinstance(body, bytes) else body(w)


def _put_target(w, request):
    w.put("ushort", request.addressing)
    if request.addressing == Addressing.PROFILE:
        return w.put("ulong", request.profile[0]).octets(request.profile[1])
    if request.addressing == Addressing.REFERENCE:
        return request.reference[1].encode(w.put("ulong", request.reference[0]))
    return w.octets(request.key)


def _get_target(r, request):
    request.addressing = Addressing(r.get("ushort"))
    if request.addressing == Addressing.KEY:
        request.key = r.octets()
    elif request.addressing == Addressing.PROFILE:
        request.profile = r.get("ulong"), r.octets()
    else:
        request.reference = r.get("ulong"), ior.Ior.decode(r)


def _put_contexts(w, contexts):
    w.put("ulong", len(contexts))
    for tag, data in contexts:
        w.put("ulong", tag).octets(data)
    return w


def _get_contexts(r):
    return [(r.get("ulong"), r.octets()) for _ in range(r.get("ulong"))]


@dataclasses.dataclass
class Reply:
    request_id: int
    status: int = Status.NO_EXCEPTION
    results: object = b""  # octets, or a function that writes them
    contexts: list = dataclasses.field(default_factory=list)
    reader: object = None

    def message(self, minor, order):
        w = writer(order, minor)
        if minor < 2:
            _put_contexts(w, self.contexts).put("ulong", self.request_id, self.status)
        else:
            _put_contexts(w.put("ulong", self.request_id, self.status), self.contexts)
        _put_body(w, self.results, minor)
        return Message(Type.REPLY, minor, order, w.bytes())

    @classmethod
    def decode(cls, message):
        r = message.reader()
        contexts = _get_contexts(r) if message.minor < 2 else None
        reply = cls(r.get("ulong"), Status(r.get("ulong")), reader=r)
        reply.contexts = _get_contexts(r) if contexts is None else contexts
        if message.minor >= 2 and r.remaining():
            r.align(8)
        return reply


def system_exception(order, repository_id, minor=0, completed=Completion.NO):
    if ":" not in repository_id:
        repository_id = f"IDL:omg.org/CORBA/{repository_id}:1.0"
    return values(order).string(repository_id).put("ulong", minor, completed).bytes()


def get_system_exception(reader):
    return reader.string(), reader.get("ulong"), Completion(reader.get("ulong"))


@dataclasses.dataclass
class LocateRequest:
    request_id: int
    key: bytes = b""
    addressing: int = Addressing.KEY
    profile: tuple = ()
    reference: object = None

    def message(self, minor, order):
        w = writer(order).put("ulong", self.request_id)
        if minor < 2:
            w.octets(self.key)
        else:
            _put_target(w, self)
        return Message(Type.LOCATE_REQUEST, minor, order, w.bytes())

    @classmethod
    def decode(cls, message):
        r = message.reader()
        request = cls(r.get("ulong"))
        if message.minor < 2:
            request.key = r.octets()
        else:
            _get_target(r, request)
        return request


def locate_reply(minor, order, request_id, status, body=lambda writer: writer, padded=False):
    """`body` writes what follows the status; nothing pads it but `padded`, as some ORBs do."""
    w = writer(order).put("ulong", request_id, status)
    body(w.align(8) if padded else w)
    return Message(Type.LOCATE_REPLY, minor, order, w.bytes())


def cancel(minor, order, request_id):
    return Message(Type.CANCEL, minor, order, writer(order).put("ulong", request_id).bytes())


def close(minor, order):
    return Message(Type.CLOSE, minor, order)


def error(minor, order):
    return Message(Type.ERROR, minor, order)


def may_cut(minor, at):
    """Whether a message may be cut there and its values stay as they are: in 1.1 a fragment counts alignment from its own
    header, so that its first octet must have stood at the same alignment before."""
    return minor != 1 or at % 8 == HEADER % 8


def fragmented(message, *cuts):
    """The message cut at these offsets of its whole length, as its first part and its fragments."""
    cuts = [HEADER, *cuts, HEADER + len(message.body)]
    pieces = [message.body[a - HEADER : b - HEADER] for a, b in zip(cuts, cuts[1:])]
    start = message.body[:4] if message.minor >= 2 else b""
    first = Message(message.type, message.minor, message.order, pieces[0], more=True)
    rest = [Message(Type.FRAGMENT, message.minor, message.order, start + p, more=True) for p in pieces[1:]]
    rest[-1].more = False
    return [first, *rest]
