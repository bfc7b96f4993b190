"""Contracts made at random: the same seed gives the same text.

A contract is a list of definitions, each with the names that it needs, so that a mistake can be planted whose effect is known.
"""

import random

INTEGERS = ("short", "unsigned short", "long", "unsigned long", "long long", "unsigned long long")
BASICS = INTEGERS + ("octet", "boolean", "char", "float", "double")
WIDE = ("wchar", "wstring", "any")
DEPTH = 3


class Contract:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.module = f"Random{seed}"
        self.definitions, self.count = [], 0
        self.types, self.switches, self.exceptions, self.interfaces = [], [], [], []
        makers = (self.enum, self.struct, self.union, self.sequence, self.array, self.constant, self.recursive,
                  self.exception)
        self.enum()
        for _ in range(self.random.randrange(6, 16)):
            self.random.choice(makers)()
        for _ in range(self.random.randrange(1, 4)):
            self.interface()

    def name(self, prefix):
        self.count += 1
        return f"{prefix}{self.count}"

    def define(self, text):
        self.definitions.append(text)

    def type(self, depth=0):
        """The name of a type that may stand for a member or a parameter."""
        kind = self.random.randrange(8)
        if kind < 3 or depth > DEPTH:
            return self.random.choice(BASICS)
        if kind == 3:
            return self.random.choice(WIDE)
        if kind == 4:
            return "string"
        return self.random.choice(self.types) if self.types else "string"

    def members(self, count):
        return " ".join(f"{self.type()} {self.name('m')};" for _ in range(count))

    def enum(self):
        name = self.name("Enum")
        labels = [self.name("label") for _ in range(self.random.randrange(1, 6))]
        self.define(f"enum {name} {{ {', '.join(labels)} }};")
        self.types.append(name)
        self.switches.append((name, labels))

    def struct(self):
        name = self.name("Struct")
        self.define(f"struct {name} {{ {self.members(self.random.randrange(1, 7))} }};")
        self.types.append(name)

    def labels(self):
        """A discriminator and labels of it, each once; whether they are all that there are."""
        kind = self.random.choice((*INTEGERS, "boolean", "char", "enum"))
        if kind == "enum":
            kind, all_labels = self.random.choice(self.switches)
            some = self.random.sample(all_labels, self.random.randrange(1, len(all_labels) + 1))
            return kind, some, len(some) == len(all_labels)
        if kind == "boolean":
            some = self.random.sample(["TRUE", "FALSE"], self.random.randrange(1, 3))
            return kind, some, len(some) == 2
        if kind == "char":
            return kind, [f"'{c}'" for c in self.random.sample("abcdxyz019", self.random.randrange(1, 6))], False
        low = 0 if kind.startswith("unsigned") else -100
        return kind, [str(n) for n in self.random.sample(range(low, 100), self.random.randrange(1, 6))], False

    def union(self):
        switch, labels, complete = self.labels()
        name, cases = self.name("Union"), []
        while labels:
            taken = self.random.randrange(1, min(2, len(labels)) + 1)
            cases.append(" ".join(f"case {label}:" for label in labels[:taken]))
            labels = labels[taken:]
        if not complete and self.random.random() < 0.5:
            cases.append("default:")
        body = " ".join(f"{case} {self.type()} {self.name('m')};" for case in cases)
        self.define(f"union {name} switch ({switch}) {{ {body} }};")
        self.types.append(name)

    def sequence(self):
        name, bound = self.name("Seq"), self.random.choice(("", f", {self.random.randrange(1, 9)}"))
        self.define(f"typedef sequence<{self.type()}{bound}> {name};")
        self.types.append(name)

    def array(self):
        name = self.name("Array")
        sizes = "".join(f"[{self.random.randrange(1, 5)}]" for _ in range(self.random.randrange(1, 4)))
        self.define(f"typedef {self.type()} {name}{sizes};")
        self.types.append(name)

    def recursive(self):
        name = self.name("Tree")
        self.define(f"struct {name} {{ {self.members(2)} sequence<{name}> {self.name('m')}; }};")
        self.types.append(name)

    def constant(self):
        name, left = self.name("CONSTANT"), self.random.randrange(1, 8)
        operator, right = self.random.choice("+*|&^"), self.random.randrange(1, 8)
        self.define(f"const unsigned long {name} = ({left} {operator} {right}) + 1;")
        bounded = self.name("Bounded")
        self.define(f"typedef string<{name}> {bounded};")
        self.types.append(bounded)

    def exception(self):
        name = self.name("Problem")
        self.define(f"exception {name} {{ {self.members(self.random.randrange(4))} }};")
        self.exceptions.append(name)

    def operation(self):
        if self.random.random() < 0.1:
            return f"oneway void {self.name('op')}(in {self.type()} {self.name('a')});"
        result = self.random.choice(("void", self.type()))
        parameters = ", ".join(f"{self.random.choice(('in', 'out', 'inout'))} {self.type()} {self.name('a')}"
                               for _ in range(self.random.randrange(5)))
        some = self.random.sample(self.exceptions, self.random.randrange(min(2, len(self.exceptions)) + 1))
        raises = f" raises ({', '.join(some)})" if some else ""
        return f"{result} {self.name('op')}({parameters}){raises};"

    def interface(self):
        name = self.name("Interface")
        bases = self.random.sample(self.interfaces, self.random.randrange(min(2, len(self.interfaces)) + 1))
        body = [self.operation() for _ in range(self.random.randrange(1, 6))]
        body.append(f"{self.random.choice(('', 'readonly '))}attribute {self.type()} {self.name('at')};")
        heritage = f" : {', '.join(bases)}" if bases else ""
        self.define(f"interface {name}{heritage} {{ {' '.join(body)} }};")
        self.interfaces.append(name)
        self.types.append(name)

    def text(self, more=()):
        lines = "\n".join(f"  {d}" for d in [*self.definitions, *more])
        return f"module {self.module} {{\n{lines}\n}};\n"

    def mistakes(self):
        """(what is wrong, the text) for contracts that no compiler may accept."""
        known, labels = self.switches[0]
        yield "an unknown name", self.text(["typedef sequence<Nowhere> Unknown;"])
        yield "a name defined twice", self.text([f"struct {known} {{ long m; }};"])
        yield "names that differ in case only", self.text([f"struct {known.upper()} {{ long m; }};"])
        yield "a label twice", self.text(
            [f"union Twice switch ({known}) {{ case {labels[0]}: long a; case {labels[0]}: short b; }};"])
        yield "a label of another type", self.text(["union Other switch (boolean) { case 7: long a; };"])
        yield "a default that nothing is left for", self.text(
            ["union Full switch (boolean) { case TRUE: long a; case FALSE: long b; default: long c; };"])
        yield "a struct that holds itself", self.text(["struct Self { Self inner; };"])
        yield "a constant out of range", self.text(["const octet TOO_LARGE = 256;"])
        yield "a one-way operation with a result", self.text(["interface Wrong { oneway long op(); };"])
        yield "a bound of zero", self.text(["typedef sequence<long, 0> None;"])
