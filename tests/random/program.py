"""Writes a contract of typed.py as IDL, a C++ file that gives marshaling.h its types, and the octets of random values of them:

python3 -m tests.random.program SEED DIRECTORY   writes randomSEED.idl, randomSEED.types.cc and randomSEED.data there, and
mixed/randomSEED.idl, which is the same contract with types of two styles.

A line of data is a word and what belongs to it:
  type INDEX               what follows is of this entry of the C++ file's table
  value TOKENS             a value as text; see Data.text
  values TOKENS            the same where valuetypes are met
  derived TOKENS           the same where one derives from what is declared, or an abstract interface is
  octets ORDER OFFSET MINOR HEX     it in CDR, beginning at an offset, as a GIOP version has it
  other ORDER OFFSET MINOR HEX      the same as another ORB may write valuetypes
  any ORDER OFFSET HEX              it in an Any
"""

import itertools
import re
import sys
from pathlib import Path

from tests.random import typed
from tests.support import cdr, idl, ior

VALUES = 4
# Entries of the table that every contract has; marshaling.h has them in the same order.
BASICS = (idl.SHORT, idl.USHORT, idl.LONG, idl.ULONG, idl.LONG_LONG, idl.ULONG_LONG, idl.FLOAT, idl.DOUBLE, idl.LONG_DOUBLE,
          idl.BOOLEAN, idl.CHAR, idl.WCHAR, idl.OCTET, idl.String(), idl.WString(), idl.ANY, idl.TYPE_CODE, idl.OBJECT)
CPP = {idl.SHORT: "Short", idl.USHORT: "UShort", idl.LONG: "Long", idl.ULONG: "ULong", idl.LONG_LONG: "LongLong",
       idl.ULONG_LONG: "ULongLong", idl.FLOAT: "Float", idl.DOUBLE: "Double", idl.LONG_DOUBLE: "LongDouble",
       idl.BOOLEAN: "Boolean", idl.CHAR: "Char", idl.WCHAR: "WChar", idl.OCTET: "Octet", idl.INT8: "Int8", idl.UINT8: "UInt8"}


class Data:
    """The lines of data."""

    def __init__(self, contract):
        self.contract, self.lines = contract, []
        self.told, self.word = {}, ""  # of the text

    def index(self, kind):
        if kind in self.contract.types:
            return len(BASICS) + self.contract.types.index(kind)
        return next(i for i, k in enumerate(BASICS) if k is kind or type(k) is type(kind) is not idl.Basic)

    def text(self, kind, value):
        """A value as tokens: numbers in decimals, but octets in hexadecimals for floating-point ones and strings ("=" before
        them); how many elements there are, before them; the index of the case and the discriminator before the member of a
        union; the index of the type before the content of an any, and that of a TypeCode; for a valuetype 0 where it is null,
        -N for the Nth one of the text, else the number of its type before its state; for an abstract interface 0 where it is
        nil, 1 before a reference or 2 before a value."""
        if isinstance(kind, typed.Bitset):
            for _, bits in kind.fields:
                yield value & ((1 << bits) - 1)
                value >>= bits
        elif isinstance(kind, idl.Alias):
            yield from self.text(kind.original, value)
        elif kind in (idl.FLOAT, idl.DOUBLE):
            yield "=" + cdr.Writer(cdr.BIG).put(kind.format, value).bytes().hex()
        elif isinstance(kind, idl.Basic):
            yield int(value)
        elif kind is idl.LONG_DOUBLE:
            yield from (int(value.negative), value.mantissa, value.exponent)
        elif isinstance(kind, idl.WString):
            yield "=" + value.encode("utf-32-be").hex()
        elif isinstance(kind, idl.String):
            yield "=" + value.encode("latin-1").hex()
        elif kind is idl.WCHAR or isinstance(kind, (idl.Fixed, idl.Enum)):
            yield value
        elif kind is idl.ANY:
            yield self.index(value[0])
            yield from self.text(*value)
        elif kind is idl.TYPE_CODE:
            yield self.index(value)
        elif isinstance(kind, idl.Reference):
            yield "nil" if value == ior.NIL else value.text(cdr.LITTLE)
        elif isinstance(kind, idl.Value):
            self.word = "derived" if value and value.kind is not kind or self.word == "derived" else "values"
            yield from self.instance(value)
        elif isinstance(kind, idl.Abstract):
            self.word = "derived"
            yield 0 if value is None else 2 if isinstance(value, idl.Instance) else 1
            if value is not None:
                yield from self.text(kind.values[0] if isinstance(value, idl.Instance) else kind.reference, value)
        elif isinstance(kind, idl.Struct):
            for (_, member), part in zip(kind.members, value):
                yield from self.text(member, part)
        elif isinstance(kind, idl.Union):
            chosen = kind.selected(value[0])
            yield next((i for i, case in enumerate(kind.cases) if chosen and case[1] == chosen[0]), -1)
            yield int(value[0])
            if chosen:
                yield from self.text(chosen[1], value[1])
        else:
            if isinstance(kind, idl.Sequence):
                yield len(value)
            for element in value:
                yield from self.text(kind.element, element)

    def instance(self, value):
        if value is None or value in self.told:
            yield -self.told.get(value, 0)
            return
        self.told[value] = len(self.told) + 1
        yield self.contract.types.index(value.kind) + 1
        for (_, member), part in zip(value.kind.state(), value.members):
            yield from self.text(member, part)

    def add(self, word, *tokens):
        self.lines.append(" ".join(map(str, (word, *tokens))))

    def octets(self, kind, value, order, offset, minor, ours=True):
        w = cdr.Writer(order, offset, minor, ours)
        if isinstance(kind, idl.Exception_):
            idl.Struct.put(kind, w, value)  # its id is not the stubs' business
        else:
            kind.put(w, value)
        return w.bytes()

    def add_value(self, kind, value):
        self.told, self.word = {}, "value"
        text = [*self.text(kind, value)]
        self.add(self.word, *text)
        for order in cdr.ORDERS:
            for offset in range(8):
                octets = self.octets(kind, value, order, offset, 2)
                self.add("octets", order, offset, 2, octets.hex())
                others = self.octets(kind, value, order, offset, 2, ours=False)
                if offset in (0, 5) and others != octets:
                    self.add("other", order, offset, 2, others.hex())
            try:
                old = self.octets(kind, value, order, 0, 1)
                if old != self.octets(kind, value, order, 0, 2):
                    self.add("octets", order, 0, 1, old.hex())
            except Exception as error:  # a wide character that 1.1 has not
                if "format requires" not in str(error):
                    raise
            for offset, ours in ((0, True), (5, True)) if self.word == "value" else ((0, True), (3, False), (5, True)):
                self.add("any", order, offset, self.octets(idl.ANY, (kind, value), order, offset, 2, ours).hex())

    def all(self):
        for kind in self.contract.types:
            if isinstance(kind, typed.Bitmask):
                continue  # to C++ a number like any other
            self.add("type", self.index(kind))
            for _ in range(VALUES):
                self.add_value(kind, self.contract.value(kind))
        return "\n".join(self.lines) + "\n"


class Program:
    """The C++ file: for each type how its values are filled from tokens and shown as tokens, through the mapping alone."""

    def __init__(self, contract):
        self.contract, self.lines, self.loops = contract, [], 0

    def cpp(self, kind):
        return f"::{self.contract.module}::{kind.name}"

    def line(self, text):
        self.lines.append(text)

    def variable(self):
        self.loops += 1
        return f"i{self.loops}"

    def by_function(self, kind):
        """Whether the type has functions of its own; arrays and sequences in line have none."""
        return kind in self.contract.types and isinstance(kind, (idl.Struct, idl.Union, typed.Bitset))

    def over(self, kind, place, what):
        i, count = self.variable(), f"{kind.size}u" if isinstance(kind, idl.Array) else f"{place}.length()"
        self.line(f"for (CORBA::ULong {i} = 0; {i} < {count}; ++{i}) {{")
        what(kind.element, f"{place}[{i}]")
        self.line("}")

    def fill(self, kind, place):
        if self.by_function(kind):
            self.line(f"fill_{kind.name}(in, {place});")
        elif isinstance(kind, idl.Alias):
            self.fill(kind.original, place)
        elif isinstance(kind, (idl.Basic, type(idl.LONG_DOUBLE), type(idl.WCHAR))):
            self.line(f"in.number({place});")
        elif isinstance(kind, idl.String):
            self.line(f"{place} = in.{'wide_' if isinstance(kind, idl.WString) else ''}text();")
        elif isinstance(kind, idl.Fixed):
            self.line(f"{place} = in.fixed({kind.scale});")
        elif isinstance(kind, idl.Enum):
            self.line(f"{place} = static_cast<{self.cpp(kind)}>(in.integer());")
        elif kind is idl.ANY:
            self.line(f"in.any({place});")
        elif kind is idl.TYPE_CODE:
            self.line(f"{place} = in.type();")
        elif kind is idl.OBJECT:
            self.line(f"{place} = in.object();")
        elif isinstance(kind, idl.Reference):
            self.line(f"{place} = in.reference<{self.cpp(kind)}>();")
        elif isinstance(kind, idl.Value):
            self.line(f"{place} = dynamic_cast<{self.cpp(kind)}*>(fill_value(in));")
        elif isinstance(kind, idl.Abstract):
            self.line(f"{place} = fill_abstract<{self.cpp(kind)}, {self.cpp(kind.reference)}>(in);")
        else:
            if isinstance(kind, idl.Sequence):
                self.line(f"{place}.length(in.length());")
            self.over(kind, place, self.fill)

    def show(self, kind, place):
        if self.by_function(kind):
            self.line(f"show_{kind.name}(out, {place});")
        elif isinstance(kind, idl.Alias):
            self.show(kind.original, place)
        elif isinstance(kind, idl.Fixed):
            self.line(f"out.fixed({place}, {kind.scale});")
        elif isinstance(kind, idl.Sequence):
            self.line(f"out.number({place}.length());")
            self.over(kind, place, self.show)
        elif isinstance(kind, idl.Array):
            self.over(kind, place, self.show)
        elif isinstance(kind, idl.Value):
            self.line(f"show_value(out, {place});")
        elif isinstance(kind, idl.Abstract):
            self.line(f"show_abstract(out, {place});")
        else:
            method = "number"
            for of, name in ((idl.WString, "wide_text"), (idl.String, "text"), (type(idl.ANY), "any"),
                             (type(idl.TYPE_CODE), "type"), (idl.Reference, "object"), (idl.Enum, "integer")):
                if isinstance(kind, of):
                    method = name
                    break
            self.line(f"out.{method}({place});")

    def functions(self, kind):
        name, cpp = kind.name, self.cpp(kind)
        self.line(f"void fill_{name}([[maybe_unused]] Tokens& in, [[maybe_unused]] {cpp}& v) {{")
        self.fill_body(kind)
        self.line("}")
        self.line(f"void show_{name}([[maybe_unused]] Text& out, [[maybe_unused]] const {cpp}& v) {{")
        self.show_body(kind)
        self.line("}")

    def declare(self, kind):
        self.line(f"void fill_{kind.name}(Tokens& in, {self.cpp(kind)}& v);")
        self.line(f"void show_{kind.name}(Text& out, const {self.cpp(kind)}& v);")

    def fill_body(self, kind):
        if isinstance(kind, idl.Struct):
            for name, member in kind.members:
                self.fill(member, f"v.{name}")
        elif isinstance(kind, typed.Bitset):
            for name, _ in kind.fields:
                self.line(f"v.{name} = static_cast<decltype(v.{name})>(in.integer());")
        else:
            self.fill_union(kind)

    def fill_union(self, kind):
        self.line("const auto which = in.integer();")
        self.line("const auto label = in.label<decltype(v._d())>();")
        self.line("switch (which) {")
        for i, (_, name, member) in enumerate(kind.cases):
            self.line(f"case {i}: {{")
            self.line(f"{self.local(kind, name, member)} m{{}};")
            self.fill(member, "m")
            self.line(f"v.{name}({'m.in()' if self.held(member) else 'm'});")
            self.line("break; }")
        if self.implicit_default(kind):
            self.line("default: v._default();")
        self.line("}")
        self.line("v._d(label);")

    def implicit_default(self, kind):
        labels = [label for labels, _, _ in kind.cases for label in labels]
        every = {idl.BOOLEAN: 2, idl.CHAR: 256, idl.OCTET: 256}.get(kind.switch)
        if isinstance(kind.switch, idl.Enum):
            every = len(kind.switch.labels)
        return None not in labels and len(labels) != every

    def held(self, member):
        """Whether a variable of a union's member is a holder, which frees what it holds."""
        member = idl.resolve(member)
        return isinstance(member, (idl.String, idl.Reference, idl.Value, idl.Abstract)) or member is idl.TYPE_CODE

    def local(self, union, name, member):
        """The type of a variable from which the member of a union is set."""
        if isinstance(member, idl.Sequence):
            return f"{self.cpp(union)}::_{name}_seq"
        resolved = idl.resolve(member)
        if isinstance(resolved, idl.String):
            return "CORBA::WString_var" if isinstance(resolved, idl.WString) else "CORBA::String_var"
        if self.held(resolved):
            named = {idl.OBJECT: "CORBA::Object", idl.TYPE_CODE: "CORBA::TypeCode"}.get(resolved)
            return f"{named or self.cpp(resolved)}_var"
        if member in CPP:
            return f"CORBA::{CPP[member]}"
        if isinstance(member, idl.Fixed):
            return f"corbel::cpp::Fixed<{member.digits}, {member.scale}>"
        return "CORBA::Any" if member is idl.ANY else self.cpp(member)

    def show_body(self, kind):
        if isinstance(kind, idl.Struct):
            for name, member in kind.members:
                self.show(member, f"v.{name}")
        elif isinstance(kind, typed.Bitset):
            for name, _ in kind.fields:
                self.line(f"out.integer(v.{name});")
        else:
            self.show_union(kind)

    def show_union(self, kind):
        default = -1
        self.line("int which = -1;")
        self.line("switch (as_integer(v._d())) {")
        for i, (labels, _, _) in enumerate(kind.cases):
            if None in labels:
                default = i
                continue
            for label in labels:
                self.line(f"case as_integer(static_cast<decltype(v._d())>({self.number(label)})):")
            self.line(f"which = {i}; break;")
        if default >= 0:
            for label in kind.cases[default][0]:
                if label is not None:
                    self.line(f"case as_integer(static_cast<decltype(v._d())>({self.number(label)})):")
            self.line(f"default: which = {default};")
        else:
            self.line("default: break;")
        self.line("}")
        self.line("out.integer(which);")
        self.line("out.label(v._d());")
        self.line("switch (which) {")
        for i, (_, name, member) in enumerate(kind.cases):
            self.line(f"case {i}: {{")
            self.line(f"const auto& m = v.{name}();")
            self.show(member, "m")
            self.line("break; }")
        self.line("default: break;")
        self.line("}")

    # ---- valuetypes

    def value_class(self, kind):
        """One whose whole state can be seen."""
        if isinstance(kind, idl.Box):
            return self.cpp(kind)
        return f"Own{kind.name}"

    def declare_value_class(self, kind):
        module = self.contract.module
        self.line(f"struct {self.value_class(kind)} final : ::OBV_{module}::{kind.name} {{")
        for base in self.bases(kind):
            for name in sorted(base.private):
                self.line(f"using ::OBV_{module}::{base.name}::{name};")
        self.line("};")

    def bases(self, kind):
        return [*self.bases(kind.base), kind] if kind else []

    def values(self):
        """Functions for values of whatever type, that of the most derived class."""
        types = [kind for kind in self.contract.types if isinstance(kind, idl.Value)]
        for kind in types:
            if not isinstance(kind, idl.Box):
                self.declare_value_class(kind)
        self.line("CORBA::ValueBase* fill_value(Tokens& in) {")
        self.line("const long long which = in.integer();")
        self.line("switch (which) {")
        for kind in types:
            self.line(f"case {self.contract.types.index(kind) + 1}: {{")
            self.line(f"auto* const v = new {self.value_class(kind)};")
            self.line("in.add_value(v);")
            for name, member in kind.state():
                self.fill_state(kind, "_value" if isinstance(kind, idl.Box) else name, member)
            self.line("return v; }")
        self.line("default: return in.value(which);")
        self.line("}")
        self.line("}")
        self.line("void show_value(Text& out, CORBA::ValueBase* value) {")
        self.line("if (!out.begin_value(value)) return;")
        for kind in types:
            self.line(f"if (auto* const v = dynamic_cast<{self.value_class(kind)}*>(value)) {{")
            self.line(f"out.integer({self.contract.types.index(kind) + 1});")
            for name, member in kind.state():
                self.line(f"{{ const auto& m = v->{'_value' if isinstance(kind, idl.Box) else name}();")
                self.show(member, "m")
                self.line("}")
            self.line("}")
        self.line("out.end_value(value);")
        self.line("}")

    def fill_state(self, kind, name, member):
        resolved = idl.resolve(member)
        constructed = (idl.Struct, idl.Union, idl.Sequence, idl.Array, idl.Fixed)
        if isinstance(resolved, constructed) or resolved is idl.ANY or isinstance(member, typed.Bitset):
            self.fill(member, f"v->{name}()")
            return
        self.line(f"{{ {self.local(kind, name, member)} m{{}};")
        self.fill(member, "m")
        self.line(f"v->{name}({'m.in()' if self.held(member) else 'm'}); }}")

    def add_factories(self):
        self.line("void add_factories(CORBA::ORB_ptr orb) {")
        for kind in self.contract.types:
            if type(kind) is idl.Value:
                self.line(f'add_factory<{self.value_class(kind)}>(orb, "{kind.id}");')
        self.line("}")

    def number(self, label):
        if label == -(2**63):
            return "INT64_MIN"
        return f"{int(label)}{'ull' if label >= 2**63 else 'll'}"

    def entry(self, kind):
        name, cpp, code = kind.name, self.cpp(kind), f"::{self.contract.module}::_tc_{kind.name}"
        target = idl.resolve(kind)
        if isinstance(kind, typed.Bitset):
            return f'small<{cpp}, fill_{name}, show_{name}>("{name}", {code})'
        if isinstance(target, idl.Array):
            return f'array<{cpp}_forany, fill_{name}, show_{name}>("{name}", {code})'
        if isinstance(target, (idl.Struct, idl.Union, idl.Sequence)):
            return f'large<{cpp}, fill_{name}, show_{name}>("{name}", {code})'
        if isinstance(target, idl.Enum):
            return f'small<{cpp}, fill_{name}, show_{name}>("{name}", {code})'
        if isinstance(target, idl.Value):
            return f'value<{self.cpp(target)}>("{name}", {code})'
        if isinstance(target, idl.Abstract):
            return f'abstract<{self.cpp(target)}, {self.cpp(target.reference)}>("{name}", {code})'
        if isinstance(target, idl.Reference):
            return f'reference<{self.cpp(target)}>("{name}", {code})'
        return f'name_only("{name}", {code})'

    def all(self):
        module = self.contract.module
        file = module.lower()
        self.line(f'#include "{file}.any.h"')
        self.line(f'#include "{file}.stub.h"')
        self.line('#include "tests/random/marshaling.h"')
        self.line("namespace {")
        for kind in self.contract.types:
            if self.by_function(kind):
                self.declare(kind)
        entries = []
        for kind in self.contract.types:
            if self.by_function(kind):
                self.functions(kind)
            elif isinstance(idl.resolve(kind), (idl.Array, idl.Sequence, idl.Enum, idl.Struct, idl.Union)):
                array = isinstance(idl.resolve(kind), idl.Array)
                self.line(f"void fill_{kind.name}(Tokens& in, {self.cpp(kind)}{'_slice*' if array else '&'} v) {{")
                self.fill(kind, "v")
                self.line("}")
                self.line(f"void show_{kind.name}(Text& out, const {self.cpp(kind)}{'_slice*' if array else '&'} v) {{")
                self.show(kind, "v")
                self.line("}")
            entries.append(self.entry(kind))
        self.line("}  // namespace")
        self.values()
        self.add_factories()
        self.line("const std::vector<Entry>& entries() {")
        self.line("static const std::vector<Entry> all = with_basics({")
        self.lines.append(",\n".join(entries))
        self.line("});")
        self.line("return all;")
        self.line("}")
        self.line("const char* data_file() { return CORBEL_TEST_DATA; }")
        return "\n".join(self.lines) + "\n"


def mixed(text):
    """The contract, of whose types every third is to be code, whatever style is chosen for the others."""
    count = itertools.count()
    return re.sub(r"(?m)^ *(?=(struct|union|exception|typedef) (?!\w+;))",
                  lambda found: found[0] + "@corbel_stubs(compiled) " * (next(count) % 3 == 0), text)


def main():
    seed, directory = int(sys.argv[1]), Path(sys.argv[2])
    contract = typed.Contract(seed)
    name = f"random{seed}"
    for suffix, text in ((".idl", contract.text()), (".types.cc", Program(contract).all()), (".data", Data(contract).all())):
        file = directory / f"{name}{suffix}"
        file.write_text(text, encoding="ascii")
    (directory / "mixed").mkdir(exist_ok=True)
    (directory / "mixed" / f"{name}.idl").write_text(mixed(contract.text()), encoding="ascii")


if __name__ == "__main__":
    main()
