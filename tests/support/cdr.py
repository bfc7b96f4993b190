"""CDR, the encoding of everything in GIOP, in both byte orders. LITTLE and BIG are those of struct."""

import contextlib
import struct

LITTLE, BIG = "<", ">"
ORDERS = (LITTLE, BIG)
FORMATS = {
    "short": "h", "ushort": "H", "long": "i", "ulong": "I", "longlong": "q", "ulonglong": "Q", "float": "f",
    "double": "d", "octet": "B", "boolean": "?", "int8": "b",
}


def padding(offset, alignment):
    return -offset % alignment


class Shared:
    """What values in one message refer to: what stands where, and how deep in values in chunks one is."""

    def __init__(self):
        self.places, self.level, self.closed = {}, 0, 0
        self.chunk, self.ended = None, None  # where the chunk that is written begins, and the last end tag ends


class Writer:
    """Writes values one after the other; each method gives the writer back. `offset`: where the first octet stands;
    `minor`: the GIOP version in which wide characters are written; `ours`: of what the specification leaves open for
    valuetypes, what Corbel chooses, else something else."""

    def __init__(self, order, offset=0, minor=2, ours=False):
        self.order, self.offset, self.minor, self.data = order, offset, minor, bytearray()
        self.shared, self.ours = Shared(), ours

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

    @contextlib.contextmanager
    def encapsulated(self):
        """What is written meanwhile is an encapsulation, behind its size."""
        self.put("ulong", 0)
        begin, outer = len(self.data), self.offset
        self.offset = -begin
        self.put("octet", self.order == LITTLE)
        yield
        self.offset = outer
        self.data[begin - 4 : begin] = struct.pack(self.order + "I", len(self.data) - begin)

    def bytes(self):
        return bytes(self.data)


class Malformed(Exception):
    pass


class Reader:
    """Reads what Writer writes; raises Malformed at the end of the data."""

    def __init__(self, order, data, offset=0, minor=2):
        self.order, self.data, self.offset, self.minor, self.at = order, bytes(data), offset, minor, 0
        self.shared, self.chunk_end = Shared(), None

    def align(self, alignment):
        self._next_chunk()
        self.raw(padding(self.offset + self.at, alignment))
        return self

    def _next_chunk(self):
        """Inside a value in chunks: steps into the next one where one ends."""
        if self.chunk_end == self.at:
            self.chunk_end = None
            size = self.get("long")
            if not 0 < size < 0x7FFFFF00:
                raise Malformed(f"a chunk of {size} octets")
            self.chunk_end = self.at + size

    def raw(self, size):
        if size and self.chunk_end is not None:
            self._next_chunk()
            here = min(size, self.chunk_end - self.at)
            if here < size:
                return self._take(here) + self.raw(size - here)
        return self._take(size)

    def _take(self, size):
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

    @contextlib.contextmanager
    def encapsulated(self):
        """What is read meanwhile is an encapsulation; it must be read to its end."""
        size, outer = self.get("ulong"), (self.order, self.offset)
        end, self.offset = self.at + size, -self.at
        self.order = LITTLE if self.get("octet") else BIG
        yield
        if self.at != end:
            raise Malformed(f"an encapsulation that ends at {end} was read to {self.at}")
        self.order, self.offset = outer

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
