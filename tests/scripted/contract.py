"""The types and operations of tests/calls/contract.idl, for peers that are scripts: what is on the wire, as data.

A type is the name of a basic one, "string", "reference", or Sequence, Array, Struct or Union. Values are Python's:
lists for sequences and arrays, tuples for structs, (discriminator, value) for unions, numbers for enums and chars.
"""

import dataclasses

from tests.support import cdr, ior


@dataclasses.dataclass(eq=False)
class Sequence:
    element: object


@dataclasses.dataclass(eq=False)
class Array:
    element: object
    size: int


@dataclasses.dataclass(eq=False)
class Struct:
    members: list


@dataclasses.dataclass(eq=False)
class Union:
    discriminator: str
    cases: dict  # None: of any other discriminator; no entry: nothing follows


def put(w, kind, value):
    if isinstance(value, bytes):  # large sequences of octets
        w.octets(value)
    elif isinstance(kind, Sequence) and kind.element in cdr.FORMATS:
        w.sequence(kind.element, value)
    elif isinstance(kind, (Sequence, Array)):
        if isinstance(kind, Sequence):
            w.put("ulong", len(value))
        for element in value:
            put(w, kind.element, element)
    elif isinstance(kind, Struct):
        for member, of in zip(value, kind.members):
            put(w, of, member)
    elif isinstance(kind, Union):
        put(w, kind.discriminator, value[0])
        if case := kind.cases.get(value[0], kind.cases.get(None)):
            put(w, case, value[1])
    elif kind == "string":
        w.string(value)
    elif kind == "reference":
        value.encode(w)
    else:
        w.put(kind, value)


def get(r, kind):
    if isinstance(kind, Sequence) and kind.element in cdr.FORMATS:
        return r.sequence(kind.element)
    if isinstance(kind, Sequence):
        return [get(r, kind.element) for _ in range(r.get("ulong"))]
    if isinstance(kind, Array):
        return [get(r, kind.element) for _ in range(kind.size)]
    if isinstance(kind, Struct):
        return tuple(get(r, member) for member in kind.members)
    if isinstance(kind, Union):
        discriminator = get(r, kind.discriminator)
        case = kind.cases.get(discriminator, kind.cases.get(None))
        return discriminator, get(r, case) if case else None
    if kind == "string":
        return r.string()
    return ior.Ior.decode(r) if kind == "reference" else r.get(kind)


def writing(kinds, values):
    """A function that writes these values, or nothing where there are none."""

    def write(w):
        for kind, value in zip(kinds, values):
            put(w, kind, value)

    return write if kinds else b""


COLOR = "ulong"
POINT = Struct(["short", "octet", "long", "octet", "double"])
FLAGS = Struct(["boolean", COLOR])
PERSON = Struct(["string", "long", Sequence("string")])
VALUE = Union(COLOR, {0: "long", 1: "string", None: POINT})
MAYBE = Union("boolean", {True: Sequence("long")})
TREE = Struct(["long", None])
TREE.members[1] = Sequence(TREE)
ROW, NAMES = Array("long", 4), Array("string", 2)
CALLBACK = "reference"

# Operations that give back what they are given: the result is a, then inout b is a, then out c is what b was.
GIVE = {
    "text": "string", "give_color": COLOR, "give_point": POINT, "give_flags": FLAGS, "give_person": PERSON,
    "give_octets": Sequence("octet"), "give_longs": Sequence("long"), "give_strings": Sequence("string"),
    "give_points": Sequence(POINT), "give_people": Sequence(PERSON), "give_row": ROW, "give_names": NAMES,
    "give_value": VALUE,
}
# Operations of one argument that is their result.
SAME = {
    "bounded": "string", "few": Sequence("double"), "give_booleans": Sequence("boolean"),
    "give_chars": Sequence("octet"), "give_matrix": Sequence(Sequence("long")), "give_maybe": MAYBE, "give_tree": TREE,
    "give_callbacks": Sequence(CALLBACK),
}
NUMBERS = ["short", "ushort", "long", "ulong", "longlong", "ulonglong", "float", "double", "octet", "octet", "boolean",
           "long"]
