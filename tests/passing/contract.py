"""A contract with an operation, an attribute and an exception for every kind of type: matrix.idl, as data and as text."""

from tests.random import typed
from tests.support import idl

BASICS = {
    "Short": idl.SHORT, "UShort": idl.USHORT, "Long": idl.LONG, "ULong": idl.ULONG, "LongLong": idl.LONG_LONG,
    "ULongLong": idl.ULONG_LONG, "Float": idl.FLOAT, "Double": idl.DOUBLE, "LongDouble": idl.LONG_DOUBLE,
    "Boolean": idl.BOOLEAN, "Char": idl.CHAR, "WChar": idl.WCHAR, "Octet": idl.OCTET, "Int8": idl.INT8, "UInt8": idl.UINT8,
    "String": idl.String(), "WString": idl.WString(), "Any": idl.ANY, "TypeCode": idl.TYPE_CODE, "Object": idl.OBJECT,
}


class Contract(typed.Contract):
    def __init__(self):
        super().__init__(0, module="Matrix")

    def fill(self):
        self.interface()
        enum = self.enum()
        self.bitmask()
        self.bitset()
        flat = self.of_members("FlatStruct", idl.CHAR, idl.DOUBLE, enum, idl.Array(idl.SHORT, 3), idl.LONG_DOUBLE, idl.BOOLEAN)
        large = self.of_members("LargeStruct", idl.String(), idl.ANY, idl.Sequence(idl.LONG), idl.WString(), idl.OBJECT,
                                idl.TYPE_CODE, idl.Array(idl.String(), 2), self.types[0])
        self.derived_from("DerivedStruct", flat, idl.OCTET)
        self.derived_from("LargeDerivedStruct", flat, idl.String())
        self.switching("FlatUnion", idl.BOOLEAN, ([True], idl.LONG_LONG), ([False], flat))
        self.switching("LargeUnion", idl.LONG, ([1, 5], idl.String()), ([2], large), ([3], flat), ([None], idl.ANY))
        self.switching("OpenUnion", enum, ([0], idl.Sequence(flat)), ([1], self.types[0]))
        self.switching("WideUnion", idl.WCHAR, ([0x20AC], idl.WString()), ([65], idl.LONG_DOUBLE), ([None], idl.FLOAT))
        self.name_of("Money", idl.Fixed(9, 2))
        self.name_of("Brief", idl.String(5))
        self.name_of("WideBrief", idl.WString(5))
        row = self.name_of("Row", idl.Array(idl.LONG, 3))
        self.name_of("Grid", idl.Array(idl.Array(flat, 2), 2))
        names = self.name_of("Names", idl.Array(idl.String(), 2))
        self.name_of("Table", idl.Array(idl.Array(large, 1), 2))
        self.name_of("WideNames", idl.Array(idl.WString(), 2))
        self.name_of("Anys", idl.Array(idl.ANY, 2))
        self.name_of("References", idl.Array(idl.OBJECT, 2))
        longs = self.name_of("Longs", idl.Sequence(idl.LONG))
        for name, element in (("Octets", idl.OCTET), ("Booleans", idl.BOOLEAN), ("Chars", idl.CHAR), ("WChars", idl.WCHAR),
                              ("LongDoubles", idl.LONG_DOUBLE), ("Enums", enum), ("Flats", flat), ("Larges", large),
                              ("Strings", idl.String()), ("WStrings", idl.WString()), ("AnySeq", idl.ANY),
                              ("TypeCodes", idl.TYPE_CODE), ("Objects", idl.OBJECT), ("Interfaces", self.types[0]),
                              ("Rows", row), ("NamesSeq", names), ("LongsSeq", longs), ("Prices", self.named_type("Money"))):
            self.name_of(name, idl.Sequence(element))
        self.name_of("FewLongs", idl.Sequence(idl.LONG, 3))
        self.name_of("FewStrings", idl.Sequence(idl.String(5), 3))
        self.name_of("FewWStrings", idl.Sequence(idl.WString(5), 3))
        self.name_of("FewObjects", idl.Sequence(idl.OBJECT, 2))
        self.name_of("FewLarges", idl.Sequence(large, 2))
        self.name_of("FewRows", idl.Sequence(row, 2))
        for name, element in (("FlatUnions", self.named_type("FlatUnion")), ("LargeUnions", self.named_type("LargeUnion"))):
            self.name_of(name, idl.Sequence(element))
        for name, element in (("EnumPair", enum), ("FlatUnionPair", self.named_type("FlatUnion")),
                              ("LargeUnionPair", self.named_type("LargeUnion")), ("LongsPair", longs),
                              ("PricePair", self.named_type("Money")), ("TypeCodePair", idl.TYPE_CODE),
                              ("InterfacePair", self.types[0]), ("NamesPair", names)):
            self.name_of(name, idl.Array(element, 2))
        self.name_of("NameTable", idl.Array(idl.Array(idl.String(), 3), 2))
        self.name_of("OtherStruct", large)
        self.name_of("OtherUnion", self.named_type("LargeUnion"))
        self.name_of("OtherSequence", longs)
        self.name_of("OtherNames", names)
        self.name_of("OtherAny", idl.ANY)
        self.name_of("OtherInterface", self.types[0])
        self.name_of("OtherRow", row)
        self.name_of("OtherEnum", enum)
        self.recursive_struct()
        # They stay out of what Anys hold, and each is in one place: who frees it is known.
        self.contents, self.shared = list(self.types), 0
        node = self.value_type("Node", None, idl.LONG, idl.String(), None, idl.Sequence(idl.DOUBLE))
        base = self.value_type("Base", None, idl.LONG)
        self.value_type("Cut", base, idl.String(), node, large, truncatable=True)
        self.box("TextBox", idl.String())
        self.box("StructBox", large)
        self.box("LongsBox", idl.Sequence(idl.LONG))
        self.of_members("Holder", node, idl.OCTET, self.named_type("TextBox"))
        self.name_of("Nodes", idl.Sequence(node))
        self.name_of("NodePair", idl.Array(node, 2))
        described = self.declare(idl.Abstract(self.id("Described"), "Described"), "abstract interface Described {};")
        described.reference = self.declare(idl.Reference(self.id("Thing"), "Thing"), "interface Thing : Described {};")
        described.values.append(self.value_type("Item", None, idl.LONG, idl.String(), supports="Described"))
        self.of_members("AbstractHolder", described, idl.OCTET, described)
        self.switching("DescribedUnion", idl.LONG, ([1], described), ([2], self.named_type("Item")))
        self.name_of("Descriptions", idl.Sequence(described))
        self.name_of("DescribedRow", idl.Array(described, 2))

    def cells(self):
        """(name, type) for each kind of type."""
        return [*BASICS.items(), *((t.name, t) for t in self.types)]

    def named_type(self, name):
        return next(t for t in self.types if t.name == name)

    def id(self, name):
        return f"IDL:{self.module}/{name}:1.0"

    def of_members(self, name, *kinds):
        kind = idl.Struct(self.id(name), name, [(self.member_name(), k) for k in kinds])
        return self.declare(kind, f"struct {name} {{ {self.body(kind.members)} }};")

    def derived_from(self, name, base, *kinds):
        more = [(self.member_name(), k) for k in kinds]
        kind = idl.Struct(self.id(name), name, [(n, typed.fresh(k)) for n, k in base.members] + more)
        self.declare(kind, f"struct {name} : {base.name} {{ {self.body(more)} }};")

    def switching(self, name, switch, *cases):
        kind = idl.Union(self.id(name), name, switch, [(labels, self.member_name(), k) for labels, k in cases])
        self.declare(kind, self.union_text(kind))

    def name_of(self, name, original):
        kind = idl.Alias(self.id(name), name, original)
        return self.declare(kind, f"typedef {self.declarator(original, name)}")

    def value_type(self, name, base, *kinds, truncatable=False, supports=None):
        kind = idl.Value(self.id(name), name, base, truncatable=truncatable)
        kind.members = [(self.member_name(), k or kind) for k in kinds]  # None: of its own type
        heritage = f" : {'truncatable ' * truncatable}{base.name}" if base else ""
        heritage += f" supports {supports}" if supports else ""
        body = " ".join("public " + self.declarator(k, n) for n, k in kind.members)
        return self.declare(kind, f"valuetype {name}{heritage} {{ {body} }};")

    def box(self, name, content):
        kind = idl.Box(self.id(name), name, None, [("value", content)])
        self.declare(kind, f"valuetype {name} {self.spell(content)};")

    def text(self, mark=""):
        """With `mark` before every third operation or attribute."""
        exceptions = [f"exception Bad{name} {{ {self.spell(kind)} what; }};" for name, kind in self.cells()]
        operations = []
        for name, kind in self.cells():
            spelt = self.spell(kind)
            operations += [f"{spelt} pass{name}(in {spelt} a, inout {spelt} b, out {spelt} c);",
                           f"attribute {spelt} kept{name};", f"void raise{name}(in {spelt} a) raises (Bad{name});",
                           f"{spelt} null{name}(in boolean result, out {spelt} c);"]
        operations[::3] = [mark + text for text in operations[::3]]
        server = "interface Server {\n    " + "\n    ".join(operations) + "\n  };"
        return f"module Matrix {{\n  " + "\n  ".join([*self.lines, *exceptions, server]) + "\n};\n"
