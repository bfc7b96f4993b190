"""Writes matrix.idl, the C++ servant and the C++ calls for each of its types in every passing mode, and values of them:

python3 -m tests.passing.program DIRECTORY   writes matrix.idl, matrix.servant.h, matrix.calls.cc and matrix.data there,
and mixed/matrix.idl, which is the same contract with operations and types of two styles.

How each kind of type is passed and who frees what is said once, in CATEGORIES, as the mapping's tables have it.
"""

import string
import sys
from pathlib import Path

from tests.passing import contract
from tests.random import program, typed
from tests.support import idl

VALUES = 3

# N: the type's name. In a servant: parameters and result, `a` and `b` given back as the result is and as `c`, a value made
# (in `v`), a result that is null. In a client: arguments made (`v`), and how it calls and frees without holders. Then with
# them: the holder's type, a holder that is filled, what is filled in it, what is shown of it.
NUMBER = {
    "in": "$N", "inout": "$N&", "out": "${N}_out", "result": "$N",
    "turn": "c = b; b = a; return a;", "make": "$N v{};", "give": "return v;", "place": "v",
    "raw": "$N a{}, b{}, c{};", "fill_a": "a", "fill_b": "b", "call": "$N const r = it->$op(a, b, c);",
    "show_r": "r", "show_b": "b", "show_c": "c", "free": "",
}
FLAT = {**NUMBER, "in": "const $N&"}
LARGE = {
    **FLAT, "result": "$N*", "turn": "c = new $N(b); b = a; return new $N(a);", "give": "return new $N(v);",
    "raw": "$N a{}, b{}; $N* c = nullptr;", "call": "$N* const r = it->$op(a, b, c);", "show_r": "*r", "show_c": "*c",
    "free": "delete r; delete c;",
    "holders": "${N}_var a = new $N, b = new $N, c; ${N}_var r;", "holder_a": "a.inout()", "holder_b": "b.inout()",
    "shown": "$h.in()", "null": "return nullptr;", "other": "c = new $N;",
}
FLAT_HELD = {"holders": "${N}_var a = new $N, b = new $N, c = new $N; ${N}_var r;", "holder_a": "a.inout()",
             "holder_b": "b.inout()", "shown": "$h.in()", "assign": "r = new $N(it->$op($x));"}
TEXT = {
    "in": "const $C*", "inout": "$C*&", "out": "${N}_out", "result": "$C*",
    "turn": "c = b; b = $dup(a); return $dup(a);", "make": "${N}_var v;", "give": "return v._retn();", "place": "v",
    "raw": "$C* a = nullptr; $C* b = nullptr; $C* c = nullptr;", "fill_a": "a", "fill_b": "b",
    "call": "$C* const r = it->$op(a, b, c);", "show_r": "r", "show_b": "b", "show_c": "c",
    "free": "$free(a); $free(b); $free(c); $free(r);",
    "holders": "${N}_var a, b, c, r;", "holder_a": "a", "holder_b": "b", "shown": "$h.in()",
    "null": "return nullptr;", "other": "c = $dup($empty);",
}
REFERENCE = {
    "in": "${N}_ptr", "inout": "${N}_ptr&", "out": "${N}_out", "result": "${N}_ptr",
    "turn": "c = b; b = $N::_duplicate(a); return $N::_duplicate(a);", "make": "${N}_var v;", "give": "return v._retn();",
    "place": "v", "raw": "${N}_ptr a = nullptr; ${N}_ptr b = nullptr; ${N}_ptr c = nullptr;", "fill_a": "a", "fill_b": "b",
    "call": "${N}_ptr const r = it->$op(a, b, c);", "show_r": "r", "show_b": "b", "show_c": "c",
    "free": "CORBA::release(a); CORBA::release(b); CORBA::release(c); CORBA::release(r);",
    "holders": "${N}_var a, b, c, r;", "holder_a": "a", "holder_b": "b", "shown": "$h.in()",
}
TYPE_CODE = {**REFERENCE, "null": "return nullptr;", "other": "c = CORBA::TypeCode::_duplicate(CORBA::_tc_long);"}
VALUE = {
    "in": "$N*", "inout": "$N*&", "out": "${N}_out", "result": "$N*",
    "turn": "c = b; CORBA::add_ref(a); b = a; CORBA::add_ref(a); return a;", "make": "${N}_var v;",
    "give": "return v._retn();", "place": "v", "raw": "$N* a = nullptr; $N* b = nullptr; $N* c = nullptr;", "fill_a": "a",
    "fill_b": "b", "call": "$N* const r = it->$op(a, b, c);", "show_r": "r", "show_b": "b", "show_c": "c",
    "free": "CORBA::remove_ref(a); CORBA::remove_ref(b); CORBA::remove_ref(c); CORBA::remove_ref(r);",
    "holders": "${N}_var a, b, c, r;", "holder_a": "a", "holder_b": "b", "shown": "$h.in()",
}
ARRAY = {
    "in": "const $N", "inout": "${N}_slice*", "out": "${N}_slice*", "result": "${N}_slice*",
    "turn": "${N}_copy(c, b); ${N}_copy(b, a); return ${N}_dup(a);", "make": "${N}_var v = ${N}_alloc();",
    "give": "return v._retn();", "place": "v.inout()", "raw": "$N a{}, b{}, c{};", "fill_a": "a", "fill_b": "b",
    "call": "${N}_slice* const r = it->$op(a, b, c);", "show_r": "r", "show_b": "b", "show_c": "c", "free": "${N}_free(r);",
    "holders": "${N}_var a = ${N}_alloc(), b = ${N}_alloc(), c = ${N}_alloc(), r;", "holder_a": "a.inout()",
    "holder_b": "b.inout()", "shown": "$h.in()", "null": "return nullptr;", "other": "$N zero{}; ${N}_copy(c, zero);",
}
LARGE_ARRAY = {
    **ARRAY, "out": "${N}_out", "turn": "c = ${N}_dup(b); ${N}_copy(b, a); return ${N}_dup(a);",
    "raw": "$N a{}, b{}; ${N}_slice* c = nullptr;", "free": "${N}_free(r); ${N}_free(c);",
    "holders": "${N}_var a = ${N}_alloc(), b = ${N}_alloc(), c, r;", "other": "c = ${N}_alloc();",
}


def is_large(kind):
    """Whether its values vary in length."""
    if isinstance(kind, (typed.Bitmask, typed.Bitset)):
        return False
    kind = idl.resolve(kind)
    if isinstance(kind, idl.Struct):
        return any(is_large(member) for _, member in kind.members)
    if isinstance(kind, idl.Union):
        return any(is_large(member) for _, _, member in kind.cases)
    if isinstance(kind, idl.Array):
        return is_large(kind.element)
    return isinstance(kind, (idl.String, idl.Reference, idl.Sequence, idl.Value, idl.Abstract)) or kind in (idl.ANY, idl.TYPE_CODE)


class Program(program.Program):
    def category(self, kind):
        if isinstance(kind, typed.Bitmask):
            return NUMBER
        if isinstance(kind, typed.Bitset):
            return {**FLAT, **FLAT_HELD}
        kind = idl.resolve(kind)
        if isinstance(kind, (idl.Basic, idl.Enum)) or kind in (idl.LONG_DOUBLE, idl.WCHAR):
            return NUMBER
        if isinstance(kind, idl.String):
            return TEXT
        if kind is idl.TYPE_CODE:
            return TYPE_CODE
        if isinstance(kind, (idl.Reference, idl.Abstract)):
            return REFERENCE
        if isinstance(kind, idl.Value):
            return VALUE
        if isinstance(kind, idl.Array):
            return LARGE_ARRAY if is_large(kind) else ARRAY
        return LARGE if is_large(kind) else {**FLAT, **FLAT_HELD}

    def spelling(self, name, kind):
        """The type's name in C++, that of its characters for strings, and more that templates name."""
        resolved = idl.resolve(kind)
        wide = isinstance(resolved, idl.WString)
        text = {"C": "CORBA::WChar" if wide else "char", "dup": f"CORBA::{'w' * wide}string_dup",
                "free": f"CORBA::{'w' * wide}string_free", "empty": 'L""' if wide else '""'}
        if isinstance(resolved, idl.String):
            return {"N": "CORBA::WString" if wide else "CORBA::String", **text}
        if kind in contract.BASICS.values():
            return {"N": f"CORBA::{name}"}
        return {"N": self.cpp(kind)}

    def fill(self, kind, place):
        if kind in self.contract.types and not isinstance(kind, typed.Bitmask) and self.has_functions(kind):
            self.line(f"fill_{kind.name}(in, {place});")
        else:
            super().fill(kind, place)

    def show(self, kind, place):
        if kind in self.contract.types and not isinstance(kind, typed.Bitmask) and self.has_functions(kind):
            self.line(f"show_{kind.name}(out, {place});")
        else:
            super().show(kind, place)

    def has_functions(self, kind):
        return self.by_function(kind) or isinstance(idl.resolve(kind), (idl.Array, idl.Sequence, idl.Enum, idl.Struct, idl.Union))

    # ---- servant and calls

    def say(self, name, kind, template, **more):
        return string.Template(template).substitute(self.spelling(name, kind), **more)

    def servant(self, name, kind):
        c = self.category(kind)
        say = lambda template: self.say(name, kind, template)
        self.line(f"{say(c['result'])} pass{name}({say(c['in'])} a, {say(c['inout'])} b, {say(c['out'])} c) override {{")
        self.line(f"{say(c['turn'])} }}")
        self.line(f"{say(c['result'])} kept{name}() override {{")
        self.line(f"{say(c['make'])} Tokens in(kept_[\"{name}\"]);")
        self.fill(kind, say(c["place"]))
        self.line(f"{say(c['give'])} }}")
        self.line(f"void kept{name}({say(c['in'])} a) override {{ Text out;")
        self.show(kind, "a")
        self.line(f"kept_[\"{name}\"] = out.all(); }}")
        self.line(f"void raise{name}({say(c['in'])} a) override {{ Text out;")
        self.show(kind, "a")
        self.line(f"Tokens in(out.all()); Matrix::Bad{name} bad;")
        self.fill(kind, "bad.what")
        self.line("throw bad; }")
        null = "null" in c
        self.line(f"{say(c['result'])} null{name}([[maybe_unused]] CORBA::Boolean result, "
                  f"[[maybe_unused]] {say(c['out'])} c) override {{")
        if null:
            self.line(f"if (result) {{ {say(c['other'])} {say(c['null'])} }}")
        self.line(f"{say(c['make'])} Tokens in(kept_[\"{name}\"]);")
        self.fill(kind, say(c["place"]))
        self.line(f"{say(c['give'])} }}")

    def shown(self, kind, place, into):
        self.line("{ Text out;")
        self.show(kind, place)
        self.line(f"{into} = out.all(); }}")

    def filled(self, kind, place, text):
        """Of raw strings, references and values the caller's copy is made."""
        self.line(f"{{ Tokens in({text});")
        if isinstance(idl.resolve(kind), idl.String) and place in ("a", "b"):
            self.line(f"{place} = {self.say('', kind, '$dup')}(in.{'wide_' * isinstance(idl.resolve(kind), idl.WString)}text());")
        else:
            self.fill(kind, place)
        self.line("}")

    def calls(self, name, kind):
        c = self.category(kind)
        say = lambda template, **more: self.say(name, kind, template, **more)
        begin = "Results {}_{}(Matrix::Server_ptr it, const std::string& first, const std::string& second) {{ Results results;"
        self.line(begin.format("raw", name))
        self.line(say(c["raw"]))
        self.filled(kind, c["fill_a"], "first")
        self.filled(kind, c["fill_b"], "second")
        self.line(say(c["call"], op=f"pass{name}"))
        for into, place in (("result", "show_r"), ("b", "show_b"), ("c", "show_c")):
            self.shown(kind, c[place], f"results.{into}")
        self.line(f"{say(c['free'])} return results; }}")
        for style, arguments in (("held", "a, b, c"), ("explicit", "a.in(), b.inout(), c.out()")) if "holders" in c else ():
            self.line(begin.format(style, name))
            self.line(say(c["holders"]))
            for place, text in (("holder_a", "first"), ("holder_b", "second")):
                self.line(f"{{ Tokens in({text});")
                self.fill(kind, say(c[place]))
                self.line("}")
            call = say(c.get("assign", "r = it->$op($x);"), op=f"pass{name}", x=arguments)
            self.line(call)
            for into, held in (("result", "r"), ("b", "b"), ("c", "c")):
                self.shown(kind, say(c["shown"], h=held), f"results.{into}")
            self.line(call)
            self.shown(kind, say(c["shown"], h="c"), "results.again")
            self.line("return results; }")
        self.attribute(name, kind, c, say)

    def attribute(self, name, kind, c, say):
        self.line(f"std::string keep_{name}(Matrix::Server_ptr it, const std::string& text) {{ std::string shown;")
        self.line(f"{say(c['make'])} {{ Tokens in(text);")
        self.fill(kind, say(c["place"]))
        self.line(f"}} it->kept{name}(v);")
        holder = {"$N": "$N const r = {};", "$N*": "${N}_var r = {};"}.get(c["result"], "${N}_var r = {};")
        self.line(say(holder.replace("{}", f"it->kept{name}()")))
        self.shown(kind, "r" if c["result"] == "$N" else say(c["shown"], h="r"), "shown")
        self.line("return shown; }")
        self.line(f"std::string raise_{name}(Matrix::Server_ptr it, const std::string& text) {{ std::string shown;")
        self.line(f"{say(c['make'])} {{ Tokens in(text);")
        self.fill(kind, say(c["place"]))
        self.line(f"}} try {{ it->raise{name}(v); }} catch (const Matrix::Bad{name}& bad) {{")
        self.shown(kind, "bad.what", "shown")
        self.line("} return shown; }")
        if "null" in c:
            self.line(f"void null_{name}(Matrix::Server_ptr it, bool result) {{")
            self.line(say(c["holders"]))
            self.line(f"r = it->null{name}(result, c.out()); }}")

    def helpers(self):
        """Functions that fill and show the types."""
        types = self.contract.types
        for kind in types:
            if self.by_function(kind):
                self.declare(kind)
            elif self.has_functions(kind):
                target = f"{self.cpp(kind)}{'_slice*' if isinstance(idl.resolve(kind), idl.Array) else '&'}"
                self.line(f"void fill_{kind.name}(Tokens& in, {target} v);")
                self.line(f"void show_{kind.name}(Text& out, const {target} v);")

    def definitions(self):
        for kind in self.contract.types:
            if self.by_function(kind):
                self.functions(kind)
            elif self.has_functions(kind):
                target = f"{self.cpp(kind)}{'_slice*' if isinstance(idl.resolve(kind), idl.Array) else '&'}"
                for verb, stream, const in (("fill", "Tokens& in", ""), ("show", "Text& out", "const ")):
                    self.line(f"void {verb}_{kind.name}({stream}, {const}{target} v) {{")
                    getattr(super(), verb)(kind, "v")
                    self.line("}")
        self.values()
        self.add_factories()

    def servant_header(self):
        self.line('#pragma once\n#include <map>\n#include "matrix.any.h"\n#include "matrix.skel.h"')
        self.line('#include "tests/random/marshaling.h"')
        self.helpers()
        self.line("class MatrixServant : public POA_Matrix::Server {\npublic:")
        for name, kind in self.contract.cells():
            self.servant(name, kind)
        self.line("private:\nstd::map<std::string, std::string> kept_;\n};")
        return self.take()

    def calls_source(self):
        self.line('#include "matrix.servant.h"\n#include "tests/passing/passing.h"')
        self.definitions()
        self.line("namespace {")
        for name, kind in self.contract.cells():
            self.calls(name, kind)
        self.line("}  // namespace")
        self.line("const std::vector<Cell>& cells() {\nstatic const std::vector<Cell> all = {")
        for name, kind in self.contract.cells():
            c = self.category(kind)
            held = f"held_{name}, explicit_{name}" if "holders" in c else "nullptr, nullptr"
            null = f"null_{name}" if "null" in c else "nullptr"
            out = "true" if c["out"] == "${N}_out" else "false"
            self.line(f'{{"{name}", raw_{name}, {held}, keep_{name}, raise_{name}, {null}, {out}}},')
        self.line("};\nreturn all;\n}")
        entries = ",\n".join(self.entry(kind) for kind in self.contract.contents)
        self.line(f"const std::vector<Entry>& entries() {{\nstatic const std::vector<Entry> all = with_basics({{{entries}}});")
        self.line("return all;\n}")
        self.line("PortableServer::ServantBase* make_servant() { return new MatrixServant; }")
        return self.take()

    def take(self):
        text, self.lines = "\n".join(self.lines) + "\n", []
        return text


class Data(program.Data):
    """Lines of a cell's name and the text of a value."""

    def all(self):
        for name, kind in self.contract.cells():
            for _ in range(VALUES):
                self.told = {}
                self.add(name, *self.text(kind, self.contract.value(kind)))
        return "\n".join(self.lines) + "\n"


def main():
    directory, matrix = Path(sys.argv[1]), contract.Contract()
    writer = Program(matrix)
    (directory / "mixed").mkdir(exist_ok=True)
    both = program.mixed(matrix.text("@corbel_stubs(compiled) "))
    for name, text in (("matrix.idl", matrix.text()), ("mixed/matrix.idl", both), ("matrix.servant.h", writer.servant_header()),
                       ("matrix.calls.cc", writer.calls_source()), ("matrix.data", Data(matrix).all())):
        (directory / name).write_text(text, encoding="ascii")


if __name__ == "__main__":
    main()
