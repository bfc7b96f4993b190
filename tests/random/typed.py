"""A contract of types made at random, as data (tests/support/idl.py) and as IDL, and random values of them.

Every kind of type and every kind of discriminator is there, whatever the seed; what they are made of is left to chance.
"""

import dataclasses
import random

from tests.support import cdr, idl, ior

INTEGERS = (idl.SHORT, idl.USHORT, idl.LONG, idl.ULONG, idl.LONG_LONG, idl.ULONG_LONG, idl.INT8, idl.UINT8, idl.OCTET)
BASICS = (*INTEGERS, idl.FLOAT, idl.DOUBLE, idl.LONG_DOUBLE, idl.BOOLEAN, idl.CHAR, idl.WCHAR)
# Any octets are one of these.
NUMBERS = (idl.SHORT, idl.USHORT, idl.LONG, idl.ULONG, idl.LONG_LONG, idl.ULONG_LONG, idl.OCTET, idl.CHAR, idl.FLOAT, idl.DOUBLE)
RANGES = {"short": (-(2**15), 2**15 - 1), "ushort": (0, 2**16 - 1), "long": (-(2**31), 2**31 - 1), "ulong": (0, 2**32 - 1),
          "longlong": (-(2**63), 2**63 - 1), "ulonglong": (0, 2**64 - 1), "int8": (-128, 127), "octet": (0, 255)}
DEPTH = 3


@dataclasses.dataclass(eq=False)
class Bitmask(idl.Alias):
    """Its TypeCode is another name of the number's."""

    bits: list


@dataclasses.dataclass(eq=False)
class Bitset(idl.Alias):
    """`fields` are (name, bits); a value is the number of all."""

    fields: list


def fresh(kind):
    """The type, but not the same one where it has no name."""
    if isinstance(kind, idl.Sequence):
        return idl.Sequence(fresh(kind.element), kind.bound)
    return idl.Array(fresh(kind.element), kind.size) if isinstance(kind, idl.Array) else kind


def has_operators(kind):
    """Whether C++ has operators of Any for this type alone: not for other names of what CORBA itself defines."""
    return isinstance(kind, Bitset) or isinstance(idl.resolve(kind), (idl.Named, idl.Sequence, idl.Array))


class Contract:
    def __init__(self, seed, module=None):
        self.random, self.module = random.Random(seed), module or f"Random{seed}"
        self.count, self.lines = 0, []
        self.types = []  # in the order of their declarations
        self.plain = []  # structs of nothing but numbers
        self.contents = self.types  # what an any may hold, or a TypeCode describe
        self.instances, self.shared = [], 0.3  # of the value that is being made: how many of them stand at a second place
        self.around = []  # those that this place is inside of
        self.fill()

    def fill(self):
        self.interface()
        for _ in range(2):
            self.enum()
        self.bitmask()
        self.bitset()
        self.abstract()
        for maker in (self.box, self.value_type, self.truncatable_value):
            maker()
        for switch in (*INTEGERS, idl.BOOLEAN, idl.CHAR, idl.WCHAR, self.of(idl.Enum)[0]):
            self.random.choice((self.struct, self.sequence, self.array))()
            self.union(switch)
        for _ in range(4):
            self.plain_struct(self.parts())
        # In memory it waits for the place of its largest number, in a message for that of its first.
        late = self.plain_struct((self.random.choice((idl.OCTET, idl.SHORT, idl.LONG)), idl.DOUBLE))
        for part in (late, idl.Array(late, 2)):
            self.plain_struct((self.random.choice((idl.OCTET, idl.SHORT, idl.LONG)), part))
        makers = (self.struct, self.struct, self.derived, self.sequence, self.array, self.alias, self.exception,
                  self.recursive_struct, self.recursive_union, self.box, self.value_type, self.derived_value,
                  self.truncatable_value, self.truncatable_value)
        for maker in makers:
            maker()
        for _ in range(8):
            self.random.choice(makers)()
        self.everything()

    def of(self, *classes):
        return [t for t in self.types if type(t) in classes]

    # ---- declarations

    def named(self, prefix):
        self.count += 1
        name = f"{prefix}{self.count}"
        return f"IDL:{self.module}/{name}:1.0", name

    def declare(self, kind, text):
        self.types.append(kind)
        self.lines.append(text)
        return kind

    def member_name(self):
        self.count += 1
        return f"m{self.count}"

    def leaf(self):
        r = self.random
        chance = r.randrange(14)
        if chance < 6:
            return r.choice(BASICS)
        if chance < 8:
            return r.choice((idl.String, idl.WString))(r.choice((0, 0, r.randrange(1, 12))))
        if chance == 8:
            digits = r.randrange(1, 32)
            return idl.Fixed(digits, r.randrange(digits + 1))
        if chance == 9:
            return idl.ANY
        if chance == 10:
            return r.choice((idl.TYPE_CODE, idl.OBJECT, *self.of(idl.Reference)))
        return r.choice(self.types or [idl.LONG]) if chance < 13 else idl.LONG

    def usable(self, kind):
        """Whether it may stand inside others: exceptions may not."""
        return not isinstance(idl.resolve(kind), idl.Exception_)

    def type(self, anonymous=True):
        """What a member, an element or a case can be."""
        kind = self.leaf()
        while not self.usable(kind):
            kind = self.leaf()
        if not anonymous:
            return kind
        chance = self.random.randrange(8)
        if chance == 0:
            return idl.Sequence(self.type(False), self.random.choice((0, self.random.randrange(1, 6))))
        if chance == 1:
            return idl.Sequence(idl.Sequence(self.type(False), self.random.choice((0, 3))))
        return kind

    def members(self, count):
        result = []
        for _ in range(count):
            kind = self.type()
            if self.random.randrange(8) == 0:
                for _ in range(self.random.randrange(1, 3)):
                    kind = idl.Array(kind, self.random.randrange(1, 4))
            result.append((self.member_name(), kind))
        return result

    def spell(self, kind):
        """In IDL; arrays only have dimensions, behind their names."""
        if isinstance(kind, idl.Array):
            return self.spell(kind.element)
        if isinstance(kind, idl.Sequence):
            bound = f", {kind.bound}" if kind.bound else ""
            return f"sequence<{self.spell(kind.element)}{bound} >"
        if isinstance(kind, idl.String):
            word = "wstring" if isinstance(kind, idl.WString) else "string"
            return f"{word}<{kind.bound}>" if kind.bound else word
        if isinstance(kind, idl.Fixed):
            return f"fixed<{kind.digits}, {kind.scale}>"
        if kind is idl.OBJECT:
            return "Object"
        return getattr(kind, "idl", None) or kind.name

    def dimensions(self, kind):
        return f"[{kind.size}]{self.dimensions(kind.element)}" if isinstance(kind, idl.Array) else ""

    def declarator(self, kind, name):
        return f"{self.spell(kind)} {name}{self.dimensions(kind)};"

    def body(self, members):
        return " ".join(self.declarator(kind, name) for name, kind in members)

    def interface(self):
        kind = idl.Reference(*self.named("Interface"))
        self.declare(kind, f"interface {kind.name} {{ void ping(); }};")

    def enum(self):
        labels = [f"label{self.count}x{i}" for i in range(self.random.randrange(2, 6))]
        kind = idl.Enum(*self.named("Enum"), labels)
        return self.declare(kind, f"enum {kind.name} {{ {', '.join(labels)} }};")

    def bitmask(self):
        size, number = self.random.choice(((8, idl.OCTET), (16, idl.USHORT), (32, idl.ULONG), (64, idl.ULONG_LONG)))
        bits = sorted(self.random.sample(range(size), 3))
        kind = Bitmask(*self.named("Mask"), number, bits)
        flags = ", ".join(f"@position({bit}) {kind.name}f{bit}" for bit in bits)
        self.declare(kind, f"@bit_bound({size}) bitmask {kind.name} {{ {flags} }};")

    def bitset(self):
        fields = [(self.member_name(), self.random.randrange(1, 20)) for _ in range(3)]
        size = sum(bits for _, bits in fields)
        number = next(n for most, n in ((8, idl.OCTET), (16, idl.USHORT), (32, idl.ULONG), (64, idl.ULONG_LONG))
                      if size <= most)
        kind = Bitset(*self.named("Bits"), number, fields)
        text = " ".join(f"bitfield<{bits}> {name};" for name, bits in fields)
        self.declare(kind, f"bitset {kind.name} {{ {text} }};")

    def struct(self):
        kind = idl.Struct(*self.named("Struct"), self.members(self.random.randrange(1, 7)))
        self.declare(kind, f"struct {kind.name} {{ {self.body(kind.members)} }};")

    def parts(self):
        for _ in range(self.random.randrange(1, 5)):
            part = self.random.choice((*NUMBERS, *self.plain * 4))
            yield idl.Array(part, self.random.randrange(1, 4)) if self.random.randrange(4) == 0 else part

    def plain_struct(self, parts):
        """Of numbers and of others such, and a sequence of them: what may lie in memory as it does in a message."""
        members = [(self.member_name(), part) for part in parts]
        kind = idl.Struct(*self.named("Plain"), members)
        self.plain.append(self.declare(kind, f"struct {kind.name} {{ {self.body(members)} }};"))
        many = idl.Alias(*self.named("Plains"), idl.Sequence(kind, 0))
        self.declare(many, f"typedef {self.spell(many.original)} {many.name};")
        return kind

    def derived(self):
        base = self.random.choice(self.of(idl.Struct))
        more = self.members(self.random.randrange(1, 4))
        kind = idl.Struct(*self.named("Derived"), [(name, fresh(member)) for name, member in base.members] + more)
        self.declare(kind, f"struct {kind.name} : {base.name} {{ {self.body(more)} }};")

    def everything(self):
        """One of each."""
        r = self.random
        kinds = [*BASICS, idl.String(), idl.WString(), idl.String(7), idl.WString(7), idl.Fixed(31, 31), idl.Fixed(6, 0),
                 idl.ANY, idl.TYPE_CODE, idl.OBJECT, *(k for k in self.types if self.usable(k))]
        r.shuffle(kinds)
        for kind in (kinds[::2], kinds[1::2]):
            members = [(self.member_name(), k) for k in kind]
            struct = idl.Struct(*self.named("Everything"), members)
            self.declare(struct, f"struct {struct.name} {{ {self.body(members)} }};")

    def exception(self):
        kind = idl.Exception_(*self.named("Problem"), self.members(self.random.randrange(4)))
        self.declare(kind, f"exception {kind.name} {{ {self.body(kind.members)} }};")

    def sequence(self):
        element = self.type()
        if self.random.randrange(3) == 0:
            element = idl.Sequence(element, self.random.choice((0, 2)))
        kind = idl.Alias(*self.named("Seq"), idl.Sequence(element, self.random.choice((0, 0, self.random.randrange(1, 6)))))
        self.declare(kind, f"typedef {self.spell(kind.original)} {kind.name};")

    def array(self):
        element = self.type()
        for _ in range(self.random.randrange(1, 4)):
            element = idl.Array(element, self.random.randrange(1, 4))
        kind = idl.Alias(*self.named("Array"), element)
        self.declare(kind, f"typedef {self.declarator(element, kind.name)}")

    def alias(self):
        original = self.random.choice([t for t in self.types if self.usable(t) and type(t) not in (Bitmask, Bitset)])
        kind = idl.Alias(*self.named("Alias"), original)
        self.declare(kind, f"typedef {original.name} {kind.name};")

    def recursive_struct(self):
        kind = idl.Struct(*self.named("Tree"))
        members = self.members(2)
        kind.members = [*members, (self.member_name(), idl.Sequence(kind, self.random.choice((0, 2))))]
        self.declare(kind, f"struct {kind.name};")
        self.lines[-1] += f"\n  struct {kind.name} {{ {self.body(kind.members)} }};"

    def recursive_union(self):
        kind, between = idl.Union(*self.named("Expression")), idl.Struct(*self.named("Between"))
        kind.switch = idl.LONG
        between.members = [(self.member_name(), idl.Sequence(kind)), (self.member_name(), self.type())]
        kind.cases = [([1], self.member_name(), self.type(False)), ([2, 3], self.member_name(), between)]
        self.lines.append(f"union {kind.name};")
        self.declare(between, f"struct {between.name} {{ {self.body(between.members)} }};")
        self.declare(kind, self.union_text(kind))

    def abstract(self):
        """With an interface and a valuetype of which its values are."""
        kind = idl.Abstract(*self.named("Abstract"))
        kind.reference = idl.Reference(*self.named("Described"))
        self.declare(kind, f"abstract interface {kind.name} {{}};")
        self.declare(kind.reference, f"interface {kind.reference.name} : {kind.name} {{}};")
        kind.values.append(self.value_type(supported=kind))

    def box(self):
        content = self.type()
        while isinstance(idl.resolve(content), idl.Value):
            content = self.type()
        kind = idl.Box(*self.named("Box"), members=[("value", content)])
        self.declare(kind, f"valuetype {kind.name} {self.spell(content)};")

    def value_type(self, base=None, truncatable=False, supported=None):
        kind = idl.Value(*self.named("Value"), base, truncatable=truncatable)
        kind.members = self.members(self.random.randrange(4)) + [(self.member_name(), kind)] * self.random.randrange(2)
        kind.private = {name for name, _ in kind.members if self.random.randrange(3) == 0}
        heritage = f" : {'truncatable ' * truncatable}{base.name}" if base else ""
        heritage += f" supports {supported.name}" if supported else ""
        body = " ".join(f"{'private' if name in kind.private else 'public'} {self.declarator(member, name)}"
                        for name, member in kind.members)
        return self.declare(kind, f"valuetype {kind.name}{heritage} {{ {body} }};")

    def derived_value(self):
        self.value_type(self.random.choice(self.of(idl.Value)))

    def truncatable_value(self):
        self.value_type(self.random.choice(self.of(idl.Value)), truncatable=True)

    def union(self, switch):
        kind = idl.Union(*self.named("Union"), switch)
        labels = self.labels(switch)
        complete = isinstance(switch, idl.Enum) and len(labels) == len(switch.labels) or len(labels) == 2**8
        complete = complete or switch is idl.BOOLEAN and len(labels) == 2
        while labels:
            taken = self.random.randrange(1, 3)
            kind.cases.append((labels[:taken], self.member_name(), self.type()))
            labels = labels[taken:]
        if not complete and self.random.random() < 0.6:
            if self.random.random() < 0.3:
                self.random.choice(kind.cases)[0].append(None)
            else:
                kind.cases.append(([None], self.member_name(), self.type()))
        self.declare(kind, self.union_text(kind))

    def labels(self, switch):
        r = self.random
        if isinstance(switch, idl.Enum):
            return r.sample(range(len(switch.labels)), r.randrange(1, len(switch.labels) + 1))
        if switch is idl.BOOLEAN:
            return r.sample([False, True], r.randrange(1, 3))
        if switch in (idl.CHAR, idl.WCHAR):
            return r.sample([*range(1, 256, 7)] if switch is idl.CHAR else [65, 0xE9, 0x20AC, 0xFFFD, 7], r.randrange(1, 6))
        low, high = RANGES[switch.format]
        return r.sample(sorted({low, high, 0, 1, 2, 100}), r.randrange(1, 6))

    def union_text(self, kind):
        cases = []
        for labels, name, member in kind.cases:
            text = " ".join("default:" if label is None else f"case {self.label(kind.switch, label)}:" for label in labels)
            cases.append(f"{text} {self.declarator(member, name)}")
        return f"union {kind.name} switch ({self.spell(kind.switch)}) {{ {' '.join(cases)} }};"

    def label(self, switch, label):
        if isinstance(switch, idl.Enum):
            return switch.labels[label]
        if switch is idl.BOOLEAN:
            return "TRUE" if label else "FALSE"
        if switch is idl.CHAR:
            return f"'\\x{label:02x}'"
        return f"L'\\u{label:04x}'" if switch is idl.WCHAR else str(label)

    def text(self):
        return f"module {self.module} {{\n" + "\n".join(f"  {line}" for line in self.lines) + "\n};\n"

    # ---- values

    def value(self, kind, depth=0):
        r = self.random
        if depth == 0:
            self.instances = []
        if isinstance(kind, Bitset):
            return r.getrandbits(sum(bits for _, bits in kind.fields))
        if isinstance(kind, Bitmask):
            return sum(1 << bit for bit in kind.bits if r.randrange(2))
        if isinstance(kind, idl.Alias):
            return self.value(kind.original, depth)
        if isinstance(kind, idl.Basic):
            return self.basic(kind)
        if kind is idl.LONG_DOUBLE:
            mantissa = r.choice((0, 1 << 63, r.getrandbits(63) | 1 << 63))
            return idl.LongDouble(r.random() < 0.5, mantissa, r.randrange(-16000, 16000) if mantissa else 0)
        if kind is idl.WCHAR:
            return r.choice((1, 0x41, 0xE9, 0x20AC, 0xD7FF, 0xE000, 0xFEFF, 0xFFFE))
        if isinstance(kind, idl.WString):
            return self.string(kind, (0x20, 0x41, 0xFF, 0x100, 0x20AC, 0xFEFF, 0xFFFE, 0x1F600, 0x2D83F, 0x10FFFF))
        if isinstance(kind, idl.String):
            return self.string(kind, (1, 0x41, 0x7F, 0x80, 0xFF))
        if isinstance(kind, idl.Fixed):
            return r.choice((0, 10**kind.digits - 1, 1 - 10**kind.digits, r.randrange(10**kind.digits)))
        if kind is idl.ANY:
            return self.any(depth)
        if kind is idl.TYPE_CODE:
            return r.choice((idl.LONG, idl.ANY, idl.WCHAR, *self.contents))
        if isinstance(kind, idl.Reference):
            return self.reference(kind)
        if isinstance(kind, idl.Abstract):
            return self.abstract_value(kind, depth)
        if isinstance(kind, idl.Value):
            return self.instance(kind, depth)
        if isinstance(kind, idl.Enum):
            return r.randrange(len(kind.labels))
        if isinstance(kind, idl.Struct):
            return tuple(self.value(member, depth + 1) for _, member in kind.members)
        if isinstance(kind, idl.Union):
            return self.union_value(kind, depth)
        if isinstance(kind, idl.Array):
            return [self.value(kind.element, depth + 1) for _ in range(kind.size)]
        most = 40 if kind.element in self.plain else min(kind.bound or 4, 4)
        return [self.value(kind.element, depth + 1) for _ in range(r.randrange(most + 1) if depth < DEPTH else 0)]

    def basic(self, kind):
        r = self.random
        if kind is idl.BOOLEAN:
            return r.random() < 0.5
        if kind in (idl.FLOAT, idl.DOUBLE):
            value = r.choice((0.0, -0.0, 1.5, -1e30, float("inf"), 2.0**-140, r.random()))
            return cdr.Reader(cdr.LITTLE, cdr.Writer(cdr.LITTLE).put(kind.format, value).bytes()).get(kind.format)
        low, high = RANGES[kind.format]
        return r.choice((low, high, r.randrange(low, high + 1)))

    def string(self, kind, characters):
        longest = min(kind.bound or 40, self.random.choice((0, 3, 14, 15, 16, 40)))
        return "".join(chr(self.random.choice(characters)) for _ in range(longest))

    def abstract_value(self, kind, depth):
        if self.random.random() < 0.6:
            return self.instance(kind.values[0], depth)
        value = self.reference(kind.reference)
        return None if value == ior.NIL else value

    def instance(self, kind, depth):
        """One that there is already, or a new one. None is in a circle: who passes on an Any that holds one makes objects of
        what its TypeCode does not describe, and nobody frees those."""
        r = self.random
        types = [*kind.known().values()]
        known = [i for i in self.instances if i.kind in types and i not in self.around]
        if known and r.random() < self.shared:
            return r.choice(known)
        if depth > DEPTH or r.random() < 0.2:
            return None
        value = idl.Instance(r.choice(types))
        self.instances.append(value)
        self.around.append(value)
        value.members = [self.value(member, depth + 1) for _, member in value.kind.state()]
        self.around.pop()
        return value

    def reference(self, kind):
        if self.random.random() < 0.4:
            return ior.NIL
        id_ = kind.id if kind is not idl.OBJECT else ""
        key = bytes(self.random.randrange(256) for _ in range(self.random.randrange(1, 9)))
        return ior.Ior(id_, [(ior.TAG_INTERNET_IOP, ior.Profile("127.0.0.1", 2809, key).encode(cdr.BIG))])

    def any(self, depth):
        r = self.random
        # An exception's repository id may be left out, so that one that is cut off may be another one.
        named = [t for t in self.contents if has_operators(t) and self.usable(t)]
        kind = r.choice((*BASICS, idl.String(), idl.WString(), idl.TYPE_CODE, idl.OBJECT, *named))
        if kind in (idl.INT8, idl.UINT8):
            kind = idl.OCTET
        if depth >= DEPTH and isinstance(idl.resolve(kind), (idl.Struct, idl.Union, idl.Sequence, idl.Array)):
            kind = idl.LONG
        return kind, self.value(kind, depth + 1)

    def union_value(self, kind, depth):
        r = self.random
        labels = [label for labels, _, _ in kind.cases for label in labels if label is not None]
        others = self.other_labels(kind.switch, labels)
        leaf = [label for label in labels if not self.recurs(kind, label)]
        pool = (leaf or labels) if depth >= DEPTH else labels
        discriminator = r.choice(others) if others and r.random() < 0.3 else r.choice(pool or others)
        chosen = kind.selected(discriminator)
        return discriminator, self.value(chosen[1], depth + 1) if chosen else None

    def recurs(self, kind, label):
        member = kind.selected(label)[1]
        return isinstance(member, idl.Struct) and any(
            isinstance(m, idl.Sequence) and m.element is kind for _, m in member.members)

    def other_labels(self, switch, labels):
        if isinstance(switch, idl.Enum):
            every = range(len(switch.labels))
        elif switch is idl.BOOLEAN:
            every = (False, True)
        elif switch is idl.CHAR:
            every = (0, 66, 255)
        elif switch is idl.WCHAR:
            every = (66, 0xFFFC, 0x1F600)
        else:
            every = (3, 4, 120, RANGES[switch.format][1] - 1)
        return [label for label in every if label not in labels]
