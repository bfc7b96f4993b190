"""The declarations of a contract, a line each, from `corbel-idl --dump=aoi`; and their difference from omniidl's."""

import re

DECLARATION = re.compile(r"(?:(?:abstract|local|custom|truncatable) )*(\w+) (::[\w:]+) \"[^\"]*\"(.*)")
OPERATION = re.compile(r"(?:oneway )?(operation|factory) (\w+)(?:: (.*?))?(?: raises (.*?))?(?: context .*)?")
FIELD = re.compile(r"(?:case \S+(?: \([^)]*\))? |default )*(?:field|public|private)? ?(\w+): (.*)")
WITH_TYPE = {"typedef": " = ", "valuebox": " = ", "const": ": "}


class Contract:
    """Reads the indented dump: what stands deeper belongs to the declaration above it."""

    def __init__(self, dump):
        self.lines = set()
        self._owners = [(-1, "")]
        self._included_depth = None
        self._callable = None
        for line in dump.splitlines():
            self._read(len(line) - len(line.lstrip()), line.strip())
        self._finish()

    def _read(self, depth, text):
        parameter = re.match(r"(in|out|inout) \w+: (.*)", text)
        if self._callable and parameter:
            self._callable[2].append(f"{parameter[1]} {parameter[2]}")
            return
        while self._owners[-1][0] >= depth:
            self._owners.pop()
        self._finish()
        owner = self._owners[-1][1]
        if self._included_depth is not None and depth > self._included_depth:
            return
        self._included_depth = None
        declared, operation = DECLARATION.match(text), OPERATION.fullmatch(text)
        attribute = re.match(r"((?:readonly )?attribute) (\w+): (.*?)(?: raises .*| getraises .*| setraises .*|$)", text)
        if declared and declared[1] != "module" and text.endswith(" included"):
            self._included_depth = depth
        elif declared:
            self._declare(depth, *declared.groups())
        elif operation:
            head = f"{operation[1]} {owner}::{operation[2]}"
            self._callable = (head, operation[3] or "", [], re.findall(r"::[\w:]+", operation[4] or ""))
        elif attribute:
            self.lines.add(f"{attribute[1]} {owner}::{attribute[2]} {attribute[3]}")
        elif owner and FIELD.fullmatch(text):
            field = FIELD.fullmatch(text)
            self.lines.add(f"member {owner}::{field[1]} {field[2]}")

    def _declare(self, depth, word, name, rest):
        self._owners.append((depth, name))
        text = ""
        if word in WITH_TYPE:
            text = rest.partition(WITH_TYPE[word])[2].partition(" = ")[0]
        elif word == "union":
            text = re.match(r" switch (.*?)(?: implicit-default| default-label| recursive|$)", rest)[1]
        if word not in ("module", "forward"):
            self.lines.add(f"{word} {name} {text}".rstrip())

    def _finish(self):
        if self._callable:
            head, result, parameters, raised = self._callable
            self.lines.add(" ".join([head, result, f"({', '.join(parameters)})", *sorted(raised)]).replace("  ", " "))
        self._callable = None


def differences(corbel_dump, omniidl_output):
    """Lines that only one of the two has, `-` for those that Corbel lacks."""
    own = Contract(corbel_dump).lines
    other = {line for line in omniidl_output.splitlines() if line}
    return [f"- {line}" for line in sorted(other - own)] + [f"+ {line}" for line in sorted(own - other)]
