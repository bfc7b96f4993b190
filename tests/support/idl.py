"""IDL types as data: their values in CDR, in both byte orders and as each GIOP version has them, and their TypeCodes.

Values are Python's: numbers for numbers, characters, enums and bits, str for strings, lists for sequences and arrays, tuples
for structs, (discriminator, member or None) for unions, (type, value) for any, a type for a TypeCode, ior.Ior for references,
the number without its point for fixed, and LongDouble.
"""

import dataclasses
import enum

from . import cdr, ior

INDIRECTION = 0xFFFFFFFF


class Kind(enum.IntEnum):
    (NULL, VOID, SHORT, LONG, USHORT, ULONG, FLOAT, DOUBLE, BOOLEAN, CHAR, OCTET, ANY, TYPE_CODE, PRINCIPAL, REFERENCE, STRUCT,
     UNION, ENUM, STRING, SEQUENCE, ARRAY, ALIAS, EXCEPTION, LONG_LONG, ULONG_LONG, LONG_DOUBLE, WCHAR, WSTRING, FIXED, VALUE,
     BOX, NATIVE, ABSTRACT) = range(33)


class NotInThisVersion(Exception):
    """GIOP 1.0 has no wide characters."""


def _refuse_in_1_0(stream):
    if stream.minor == 0:
        raise NotInThisVersion


class Type:
    """`put` and `get` are of values; a reader's and a writer's `minor` is the GIOP version of wide characters."""

    def parameters(self, codes):
        """Writes what follows the kind in a TypeCode, if it is not in an encapsulation."""

    def describe(self, around=()):
        """What is equal for equal types; `around` are those that this one is inside of."""
        if self in around:
            return "again", len(around) - around.index(self)
        return self._describe((*around, self))

    def _describe(self, _around):
        return (self.kind,)


@dataclasses.dataclass(eq=False)
class Basic(Type):
    idl: str
    kind: int
    format: str

    def put(self, w, value):
        w.put(self.format, value)

    def get(self, r):
        return r.get(self.format)


@dataclasses.dataclass(eq=False)
class Nothing(Type):
    """null and void."""

    kind: int

    def put(self, w, value):
        pass

    def get(self, r):
        return None


SHORT, USHORT = Basic("short", Kind.SHORT, "short"), Basic("unsigned short", Kind.USHORT, "ushort")
LONG, ULONG = Basic("long", Kind.LONG, "long"), Basic("unsigned long", Kind.ULONG, "ulong")
LONG_LONG = Basic("long long", Kind.LONG_LONG, "longlong")
ULONG_LONG = Basic("unsigned long long", Kind.ULONG_LONG, "ulonglong")
FLOAT, DOUBLE = Basic("float", Kind.FLOAT, "float"), Basic("double", Kind.DOUBLE, "double")
BOOLEAN, CHAR, OCTET = (Basic("boolean", Kind.BOOLEAN, "boolean"), Basic("char", Kind.CHAR, "octet"),
                        Basic("octet", Kind.OCTET, "octet"))
INT8, UINT8 = Basic("int8", Kind.OCTET, "int8"), Basic("uint8", Kind.OCTET, "octet")  # no kinds of their own
NULL, VOID = Nothing(Kind.NULL), Nothing(Kind.VOID)


@dataclasses.dataclass(frozen=True)
class LongDouble:
    """mantissa * 2 ** exponent; the mantissa is zero, or its highest bit is the 64th."""

    negative: bool
    mantissa: int
    exponent: int


class _LongDoubleType(Type):
    idl, kind = "long double", Kind.LONG_DOUBLE

    def put(self, w, value):
        bits = value.negative << 127
        if value.mantissa:
            bits |= (value.exponent + 63 + 16383) << 112 | (value.mantissa - (1 << 63)) << 49
        w.align(8).raw(bits.to_bytes(16, "little" if w.order == cdr.LITTLE else "big"))

    def get(self, r):
        r.align(8)
        bits = int.from_bytes(r.raw(16), "little" if r.order == cdr.LITTLE else "big")
        negative, exponent, fraction = bool(bits >> 127), bits >> 112 & 0x7FFF, bits & ((1 << 112) - 1)
        if not bits & ((1 << 127) - 1):
            return LongDouble(negative, 0, 0)
        if fraction & ((1 << 49) - 1) or exponent in (0, 0x7FFF):
            raise cdr.Malformed(f"a long double that x86 has not: {bits:032x}")
        return LongDouble(negative, (fraction >> 49) + (1 << 63), exponent - 63 - 16383)


LONG_DOUBLE = _LongDoubleType()


class _WideCharacter(Type):
    idl, kind = "wchar", Kind.WCHAR

    def put(self, w, value):
        _refuse_in_1_0(w)
        if w.minor < 2:
            w.put("ushort", value)
        else:
            data = chr(value).encode("utf-16-be")
            w.put("octet", len(data)).raw(data)

    def get(self, r):
        if r.minor < 2:
            return r.get("ushort")
        return ord(r.raw(r.get("octet")).decode("utf-16-be"))


WCHAR = _WideCharacter()


@dataclasses.dataclass(eq=False)
class String(Type):
    bound: int = 0
    kind = Kind.STRING

    def put(self, w, value):
        w.string(value)

    def get(self, r):
        return r.string()

    def parameters(self, codes):
        codes.w.put("ulong", self.bound)

    def _describe(self, _around):
        return self.kind, self.bound


class WString(String):
    kind = Kind.WSTRING

    def put(self, w, value):
        _refuse_in_1_0(w)
        data = value.encode("utf-16-be")
        if w.minor < 2:
            units = [int.from_bytes(data[i : i + 2], "big") for i in range(0, len(data), 2)]
            w.sequence("ushort", [*units, 0])
        else:
            # What looks like a byte-order mark stands behind a real one.
            w.octets((b"\xfe\xff" if data[:2] in (b"\xfe\xff", b"\xff\xfe") else b"") + data)

    def get(self, r):
        if r.minor >= 2:
            data = r.octets()
            marked = data[:2] in (b"\xfe\xff", b"\xff\xfe")
            return data.decode("utf-16" if marked else "utf-16-be")
        units = r.sequence("ushort")
        if not units or units[-1]:
            raise cdr.Malformed("a wide string without its end")
        return b"".join(u.to_bytes(2, "big") for u in units[:-1]).decode("utf-16-be")


@dataclasses.dataclass(eq=False)
class Fixed(Type):
    digits: int
    scale: int
    kind = Kind.FIXED

    def put(self, w, value):
        w.raw(bytes.fromhex(f"{abs(value):0{self.digits | 1}d}{'d' if value < 0 else 'c'}"))

    def get(self, r):
        text = r.raw(self.digits // 2 + 1).hex()
        return int(text[:-1]) * {"c": 1, "d": -1}[text[-1]]

    def parameters(self, codes):
        codes.w.put("ushort", self.digits).put("short", self.scale)

    def _describe(self, _around):
        return self.kind, self.digits, self.scale


class _TypeCodeType(Type):
    idl, kind = "CORBA::TypeCode", Kind.TYPE_CODE

    def put(self, w, value):
        TypeCodeWriter(w).put(value)

    def get(self, r):
        return TypeCodeReader(r).get()


TYPE_CODE = _TypeCodeType()


class _AnyType(Type):
    idl, kind = "any", Kind.ANY

    def put(self, w, value):
        TYPE_CODE.put(w, value[0])
        content = resolve(value[0])
        if isinstance(content, Value):
            content.put(w, value[1], alone=True)
        else:
            content.put(w, value[1])

    def get(self, r):
        content = TYPE_CODE.get(r)
        return content, content.get(r)


ANY = _AnyType()


class Constructed(Type):
    """What has its parameters in an encapsulation."""

    def inside(self, codes):
        raise NotImplementedError


@dataclasses.dataclass(eq=False)
class Named(Constructed):
    id: str
    name: str

    def inside(self, codes):
        codes.w.string(self.id).string(self.name)

    def _describe(self, around):
        return self.kind, self.id, self.name


@dataclasses.dataclass(eq=False)
class Reference(Named):
    kind = Kind.REFERENCE

    def put(self, w, value):
        value.encode(w)

    def get(self, r):
        return ior.Ior.decode(r)


OBJECT = Reference("IDL:omg.org/CORBA/Object:1.0", "Object")


@dataclasses.dataclass(eq=False)
class Enum(Named):
    labels: list
    kind = Kind.ENUM

    def put(self, w, value):
        w.put("ulong", value)

    def get(self, r):
        value = r.get("ulong")
        if value >= len(self.labels):
            raise cdr.Malformed(f"{value} is none of {self.name}")
        return value

    def inside(self, codes):
        super().inside(codes)
        codes.w.put("ulong", len(self.labels))
        for label in self.labels:
            codes.w.string(label)

    def _describe(self, around):
        return (*super()._describe(around), tuple(self.labels))


@dataclasses.dataclass(eq=False)
class Struct(Named):
    """`members` are (name, type); a type that contains itself gets them later."""

    members: list = dataclasses.field(default_factory=list)
    kind = Kind.STRUCT

    def put(self, w, value):
        for (_, kind), member in zip(self.members, value, strict=True):
            kind.put(w, member)

    def get(self, r):
        return tuple(kind.get(r) for _, kind in self.members)

    def inside(self, codes):
        super().inside(codes)
        codes.w.put("ulong", len(self.members))
        for name, kind in self.members:
            codes.w.string(name)
            codes.put(kind)

    def _describe(self, around):
        return (*super()._describe(around), tuple((name, kind.describe(around)) for name, kind in self.members))


class Exception_(Struct):
    """In an Any its repository id stands before its members, and so it does in a reply."""

    kind = Kind.EXCEPTION

    def put(self, w, value):
        super().put(w.string(self.id), value)

    def get(self, r):
        if (found := r.string()) != self.id:
            raise cdr.Malformed(f"{found} is not {self.id}")
        return super().get(r)


@dataclasses.dataclass(eq=False)
class Union(Named):
    """`cases` are (labels, name, type), in order; a label None is the default."""

    switch: Type = None
    cases: list = dataclasses.field(default_factory=list)
    kind = Kind.UNION

    def selected(self, discriminator):
        for wanted in (discriminator, None):
            for labels, name, kind in self.cases:
                if wanted in labels:
                    return name, kind
        return None

    def put(self, w, value):
        self.switch.put(w, value[0])
        if chosen := self.selected(value[0]):
            chosen[1].put(w, value[1])

    def get(self, r):
        discriminator = self.switch.get(r)
        chosen = self.selected(discriminator)
        return discriminator, chosen[1].get(r) if chosen else None

    def _entries(self):
        return [(label, name, kind) for labels, name, kind in self.cases for label in labels]

    def inside(self, codes):
        super().inside(codes)
        codes.put(self.switch)
        entries = self._entries()
        default = next((i for i, (label, _, _) in enumerate(entries) if label is None), -1)
        codes.w.put("long", default).put("ulong", len(entries))
        for label, name, kind in entries:
            self.switch.put(codes.w, label or 0)  # that of the default says nothing
            codes.w.string(name)
            codes.put(kind)

    def _describe(self, around):
        entries = tuple((label, name, kind.describe(around)) for label, name, kind in self._entries())
        return (*super()._describe(around), self.switch.describe(around), entries)


@dataclasses.dataclass(eq=False)
class Alias(Named):
    original: Type
    kind = Kind.ALIAS

    def put(self, w, value):
        self.original.put(w, value)

    def get(self, r):
        return self.original.get(r)

    def inside(self, codes):
        super().inside(codes)
        codes.put(self.original)

    def _describe(self, around):
        return (*super()._describe(around), self.original.describe(around))


@dataclasses.dataclass(eq=False)
class Sequence(Constructed):
    element: Type
    bound: int = 0
    kind = Kind.SEQUENCE

    def put(self, w, value):
        w.put("ulong", len(value))
        for element in value:
            self.element.put(w, element)

    def get(self, r):
        return [self.element.get(r) for _ in range(r.get("ulong"))]

    def inside(self, codes):
        codes.put(self.element)
        codes.w.put("ulong", self.bound)

    def _describe(self, around):
        return self.kind, self.element.describe(around), self.bound


@dataclasses.dataclass(eq=False)
class Array(Constructed):
    """Of one dimension; the element of one with more is an Array."""

    element: Type
    size: int
    kind = Kind.ARRAY

    def put(self, w, value):
        if len(value) != self.size:
            raise ValueError(f"{len(value)} elements in an array of {self.size}")
        for element in value:
            self.element.put(w, element)

    def get(self, r):
        return [self.element.get(r) for _ in range(self.size)]

    def inside(self, codes):
        codes.put(self.element)
        codes.w.put("ulong", self.size)

    def _describe(self, around):
        return self.kind, self.element.describe(around), self.size


def resolve(kind):
    """Without aliases."""
    return resolve(kind.original) if isinstance(kind, Alias) else kind


class TypeCodeWriter:
    """Writes one TypeCode; what it says again is an indirection, unless `repeat` says it in full where that is possible."""

    def __init__(self, w, repeat=False):
        self.w, self.repeat, self.said = w, repeat, {}

    def put(self, kind):
        w = self.w.align(4)
        if kind in self.said:
            w.put("ulong", INDIRECTION)
            w.put("long", self.said[kind] - len(w.data))
            return
        if not isinstance(kind, Constructed):
            w.put("ulong", kind.kind)
            kind.parameters(self)
            return
        self.said[kind] = len(w.data)
        w.put("ulong", kind.kind)
        with w.encapsulated():
            kind.inside(self)
        if self.repeat:
            del self.said[kind]


class TypeCodeReader:
    """Reads one TypeCode into a Type, compact ones too."""

    def __init__(self, r):
        self.r, self.read = r, {}

    def get(self):
        r = self.r.align(4)
        at, number = r.at, r.get("ulong")
        if number == INDIRECTION:
            place = r.at
            return self.read[place + r.get("long")]
        kind = Kind(number)
        if kind in SIMPLE:
            return SIMPLE[kind]
        if kind in (Kind.STRING, Kind.WSTRING):
            return (String if kind == Kind.STRING else WString)(r.get("ulong"))
        if kind == Kind.FIXED:
            return Fixed(r.get("ushort"), r.get("short"))
        with r.encapsulated():
            return getattr(self, "_" + kind.name.lower())(at)

    def _reference(self, at):
        return self._keep(at, Reference(self.r.string(), self.r.string()))

    def _enum(self, at):
        r = self.r
        return self._keep(at, Enum(r.string(), r.string(), [r.string() for _ in range(r.get("ulong"))]))

    def _struct(self, at, of=Struct):
        r = self.r
        kind = self._keep(at, of(r.string(), r.string()))
        kind.members = [(r.string(), self.get()) for _ in range(r.get("ulong"))]
        return kind

    def _exception(self, at):
        return self._struct(at, Exception_)

    def _union(self, at):
        r = self.r
        kind = self._keep(at, Union(r.string(), r.string()))
        kind.switch = self.get()
        default, count = r.get("long"), r.get("ulong")
        for i in range(count):
            label = kind.switch.get(r)
            kind.cases.append(([label if i != default else None], r.string(), self.get()))
        return kind

    def _alias(self, at):
        kind = self._keep(at, Alias(self.r.string(), self.r.string(), None))
        kind.original = self.get()
        return kind

    def _sequence(self, at):
        kind = self._keep(at, Sequence(None))
        kind.element, kind.bound = self.get(), self.r.get("ulong")
        return kind

    def _array(self, at):
        kind = self._keep(at, Array(None, 0))
        kind.element, kind.size = self.get(), self.r.get("ulong")
        return kind

    def _keep(self, at, kind):
        self.read[at] = kind
        return kind


SIMPLE = {t.kind: t for t in (SHORT, USHORT, LONG, ULONG, LONG_LONG, ULONG_LONG, FLOAT, DOUBLE, BOOLEAN, CHAR, OCTET, NULL,
                              VOID, LONG_DOUBLE, WCHAR, TYPE_CODE, ANY)}


class Instance:
    """A value of a valuetype; it is itself alone, wherever it is referred to."""

    def __init__(self, kind, members=()):
        self.kind, self.members = kind, list(members)

    def __repr__(self):
        return f"{self.kind.name} {self.members}"


@dataclasses.dataclass(eq=False)
class Value(Named):
    """A valuetype with state. `members` are those of its own, `private` has the names of some; values of one that is
    truncatable are sent in chunks."""

    base: object = None
    members: list = dataclasses.field(default_factory=list)
    truncatable: bool = False
    derived: list = dataclasses.field(default_factory=list)
    private: set = dataclasses.field(default_factory=set)
    kind = Kind.VALUE

    def __post_init__(self):
        if self.base:
            self.base.derived.append(self)

    def state(self):
        return (self.base.state() if self.base else []) + self.members

    def ids(self):
        return [self.id, *(self.base.ids() if self.truncatable else [])]

    def known(self):
        return {self.id: self} | {k: v for d in self.derived for k, v in d.known().items()}

    def put(self, w, value, alone=False):
        """`alone`: a receiver may know this type only, by its TypeCode, or none."""
        shared = w.shared
        if value in shared.places:  # in a chunk; between two it looks like an end tag to who does not know the state
            w.put("ulong", INDIRECTION).put("long", shared.places[value] - len(w.data))
        elif value is None and not w.ours and self._close_chunk(w):
            self._open_chunk(w.put("ulong", 0))
        elif value is None:
            w.put("ulong", 0)
        else:
            self._close_chunk(w)
            shared.places[value] = len(w.align(4).data)
            value.kind._put_all(w, value, self, alone and w.ours and value.kind is not self)

    def _put_all(self, w, value, formal, chunked):
        shared, chunked = w.shared, bool(chunked or w.shared.level or self.truncatable)
        ids = self.ids()
        form = 0 if self is formal and not chunked and not w.ours else 2 if len(ids) == 1 else 6
        w.put("ulong", 0x7FFFFF00 | form | 8 * chunked)
        self._put_ids(w, ids if form else [])
        shared.level += chunked
        if chunked:
            self._open_chunk(w)
        for (_, kind), member in zip(self.state(), value.members, strict=True):
            kind.put(w, member)
            if chunked and not w.ours:
                self._close_chunk(w)
                self._open_chunk(w)
        if chunked:
            self._end_chunks(w)

    def _end_chunks(self, w):
        shared = w.shared
        self._close_chunk(w)
        if shared.ended == len(w.data) and not w.ours:
            del w.data[-4:]  # one end tag is that of the values inside, too
        w.put("long", -shared.level)
        shared.ended = len(w.data)
        shared.level -= 1
        if shared.level:
            self._open_chunk(w)

    @staticmethod
    def _open_chunk(w):
        w.shared.chunk = len(w.put("long", 0).data)

    @staticmethod
    def _close_chunk(w):
        """Whether there was one. None is empty."""
        begin, w.shared.chunk = w.shared.chunk, None
        if begin == len(w.data):
            del w.data[-4:]
        elif begin is not None:
            w.data[begin - 4 : begin] = cdr.Writer(w.order).put("long", len(w.data) - begin).bytes()
        return begin is not None

    def inside(self, codes):
        super().inside(codes)
        codes.w.put("short", 3 if self.truncatable else 0)
        codes.put(self.base or NULL)
        codes.w.put("ulong", len(self.members))
        for name, kind in self.members:
            codes.w.string(name)
            codes.put(kind)
            codes.w.put("short", name not in self.private)

    def _put_ids(self, w, ids):
        places, key = w.shared.places, tuple(ids)
        if len(ids) > 1 and key in places and not w.ours:
            w.put("ulong", INDIRECTION).put("long", places[key] - len(w.data))
            return
        if len(ids) > 1:
            places.setdefault(key, len(w.data))
            w.put("ulong", len(ids))
        for id_ in ids:
            self._put_id(w, id_)

    @staticmethod
    def _put_id(w, id_):
        if id_ in w.shared.places:
            w.put("ulong", INDIRECTION).put("long", w.shared.places[id_] - len(w.data))
        else:
            w.align(4)
            w.shared.places[id_] = len(w.data)
            w.string(id_)

    def get(self, r):
        shared, inside = r.shared, r.chunk_end
        r.chunk_end = None
        r.align(4)
        at, tag = r.at, r.get("ulong")
        if tag == 0 or tag == INDIRECTION:
            place = r.at
            value = None if tag == 0 else shared.places[place + r.get("long")]
            if inside is not None:
                r.chunk_end = max(inside, r.at)
            return value
        if not 0x7FFFFF00 <= tag <= 0x7FFFFF0F or tag & 1:
            raise cdr.Malformed(f"a value that begins with {tag:08x}")
        ids = self._get_ids(r) if tag & 6 == 6 else [self._get_id(r)] if tag & 6 == 2 else []
        kind = self.known()[ids[0]] if ids else self
        value = shared.places[at] = Instance(kind)
        chunked = bool(tag & 8)
        shared.level += chunked
        r.chunk_end = r.at if chunked else None
        for _, member in kind.state():
            value.members.append(member.get(r))
        if chunked:
            self._end(r)
            shared.level -= 1
        r.chunk_end = r.at if inside is not None else None
        return value

    @staticmethod
    def _end(r):
        shared = r.shared
        if r.chunk_end != r.at:
            raise cdr.Malformed(f"{r.chunk_end - r.at} octets of a chunk are left")
        r.chunk_end = None
        if not shared.closed:
            shared.closed = -r.get("long")
        if not 0 < shared.closed <= shared.level:
            raise cdr.Malformed(f"an end tag of level {shared.closed} at level {shared.level}")
        if shared.closed == shared.level:
            shared.closed = 0

    def _get_ids(self, r):
        at, count = r.at, r.get("ulong")
        if count == INDIRECTION:
            place = r.at
            return r.shared.places[place + r.get("long")]
        r.shared.places[at] = [self._get_id(r) for _ in range(count)]
        return r.shared.places[at]

    @staticmethod
    def _get_id(r):
        r.align(4)
        at, size = r.at, r.get("ulong")
        if size == INDIRECTION:
            place = r.at
            return r.shared.places[place + r.get("long")]
        r.at = at
        r.shared.places[at] = r.string()
        return r.shared.places[at]


class Box(Value):
    """A boxed value: its only member is what it holds."""

    kind = Kind.BOX

    def inside(self, codes):
        Named.inside(self, codes)
        codes.put(self.members[0][1])


@dataclasses.dataclass(eq=False)
class Abstract(Named):
    """An abstract interface: a value is a reference of an object, of the interface `reference`, an instance of one of
    `values`, or None."""

    values: list = dataclasses.field(default_factory=list)
    reference: object = None
    kind = Kind.ABSTRACT

    def put(self, w, value):
        w.put("boolean", isinstance(value, ior.Ior))
        if isinstance(value, ior.Ior):
            value.encode(w)
        else:
            self._formal().put(w, value, alone=True)

    def get(self, r):
        return ior.Ior.decode(r) if r.get("boolean") else self._formal().get(r)

    def _formal(self):
        """Of no type, so that values always say theirs."""
        return Value("", "", derived=self.values)
