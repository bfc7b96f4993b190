"""CDR, the encoding of everything in GIOP, in both byte orders. LITTLE and BIG are those of struct."""

import struct

LITTLE, BIG = "<", ">"
ORDERS = (LITTLE, BIG)
FORMATS = {
    "short": "h", "ushort": "H", "long": "i", "ulong": "I", "longlong": "q", "ulonglong": "Q", "float": "f",
    "double": "d", "octet": "B", "boolean": "?",
}


def padding(offset, alignment):
    return -offset % alignment


class Writer:
    """Writes values one after the other; each method gives the writer back. `offset`: where the first octet stands."""

    def __init__(self, order, offset=0):
        self.order, self.offset, self.data = order, offset, bytearray()

    def align(self, alignment):
        self.data += bytes(padding(self.offset + len(self.data), alignment))
        return self

    def put(self, kind, *values):
        letter = FORMATS[kind]
        if values:
            self.align(struct.calcsize(letter))  # after one all others stand right
        self.data += struct.pack(f"{self.order}{len(values)}{letter}", *values)
        return self

    def raw(self, data):
        self.data += data
        return self

    def octets(self, data):
        return self.put("ulong", len(data)).raw(data)

    def string(self, text):
        return self.octets(text.encode("latin-1") + b"\0")

    def sequence(self, kind, values):
        return self.put("ulong", len(values)).put(kind, *values)

    def bytes(self):
        return bytes(self.data)


class Malformed(Exception):
    pass


class Reader:
    """Reads what Writer writes; raises Malformed at the end of the data."""

    def __init__(self, order, data, offset=0):
        self.order, self.data, self.offset, self.at = order, bytes(data), offset, 0

    def align(self, alignment):
        self.raw(padding(self.offset + self.at, alignment))
        return self

    def raw(self, size):
        if self.at + size > len(self.data):
            raise Malformed(f"{size} octets wanted at {self.at} of {len(self.data)}")
        self.at += size
        return self.data[self.at - size : self.at]

    def get(self, kind):
        letter = FORMATS[kind]
        self.align(struct.calcsize(letter))
        return struct.unpack(self.order + letter, self.raw(struct.calcsize(letter)))[0]

    def octets(self):
        return self.raw(self.get("ulong"))

    def string(self):
        text = self.octets()
        if text[-1:] != b"\0":
            raise Malformed(f"a string without its end: {text!r}")
        return text[:-1].decode("latin-1")

    def sequence(self, kind):
        count, letter = self.get("ulong"), FORMATS[kind]
        if count:
            self.align(struct.calcsize(letter))
        return list(struct.unpack(f"{self.order}{count}{letter}", self.raw(count * struct.calcsize(letter))))

    def remaining(self):
        return len(self.data) - self.at


def encapsulation(order):
    """A writer for an encapsulation, which begins with its byte order."""
    return Writer(order).put("octet", order == LITTLE)


def open_encapsulation(data):
    if not data or data[0] > 1:
        raise Malformed("an encapsulation without a byte order")
    reader = Reader(LITTLE if data[0] else BIG, data)
    reader.raw(1)
    return reader
