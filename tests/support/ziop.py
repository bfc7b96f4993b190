"""Compressed messages as TAO writes them: "ZIOP" in place of "GIOP", and for a body the compressor's id, the size of the body
that was, and the data. By Python's zlib, so that no code is shared with what is tested."""

import struct
import zlib

from . import cdr, giop, peer

TAG_POLICIES, INVOCATION_POLICIES = 2, 7
ENABLING, COMPRESSORS = 64, 65
GZIP, ZLIB, ZSTD = 1, 4, 0x4342
WINDOW = {ZLIB: 15, GZIP: 31}


def policies(order, compressors, enabled=True, as_omniorb=False):
    """What a reference has in TAG_POLICIES, or a request in INVOCATION_POLICIES: pairs of id and level. TAO has the compressors
    first, omniORB last."""
    ids = cdr.encapsulation(order).put("ulong", len(compressors))
    for pair in compressors:
        ids.put("ushort", *pair)
    values = [(COMPRESSORS, ids.bytes()), (ENABLING, cdr.encapsulation(order).put("boolean", enabled).bytes())]
    w = cdr.encapsulation(order).put("ulong", len(values))
    for kind, value in values[::-1] if as_omniorb else values:
        w.put("ulong", kind).octets(value)
    return w.bytes()


def read_policies(data):
    """(whether it is enabled, pairs of id and level) as TAO would find them."""
    r = cdr.open_encapsulation(data)
    values = {r.get("ulong"): cdr.open_encapsulation(r.octets()) for _ in range(r.get("ulong"))}
    ids = values[COMPRESSORS]
    return values[ENABLING].get("boolean"), [(ids.get("ushort"), ids.get("ushort")) for _ in range(ids.get("ulong"))]


def deflated(data, compressor=ZLIB):
    packer = zlib.compressobj(9, zlib.DEFLATED, WINDOW.get(compressor, 15))
    return packer.compress(data) + packer.flush()


def inflated(data, compressor):
    unpacker = zlib.decompressobj(WINDOW[compressor])
    body = unpacker.decompress(data)
    if not unpacker.eof or unpacker.unused_data:
        raise cdr.Malformed("not one whole stream")
    return body


def zipped(message, compressor=ZLIB, data=None, original=None, size=None):
    """The octets of a message compressed; the other arguments are for those that lie."""
    data = deflated(message.body, compressor) if data is None else data
    w = giop.writer(message.order).put("ushort", compressor)
    w.put("ulong", len(message.body) if original is None else original)
    w.put("ulong", len(data) if size is None else size).raw(data)
    octets = giop.Message(message.type, message.minor, message.order, w.bytes(), message.more).bytes()
    return b"Z" + octets[1:]


class Peer(peer.Peer):
    """One that takes compressed messages, and notes for the last one its compressor, or None, and octets on the wire."""

    compressor = wire_size = None

    def receive(self):
        header = self._exactly(giop.HEADER)
        if not header:
            return None
        message, size = giop.Message.from_header(b"G" + header[1:])
        message.body = self._exactly(size)
        self.compressor, self.wire_size = None, giop.HEADER + size
        if header[:1] == b"Z":
            self.compressor, reserved, original, count = struct.unpack(message.order + "HHII", message.body[:12])
            if reserved or count != len(message.body) - 12:
                raise cdr.Malformed("the compressed data and the message do not end together")
            message.body = inflated(message.body[12:], self.compressor)
            if len(message.body) != original:
                raise cdr.Malformed(f"{len(message.body)} octets where {original} were announced")
        message.compressor, message.wire_size = self.compressor, self.wire_size
        return message
