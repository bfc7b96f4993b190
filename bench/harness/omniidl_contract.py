"""Back end for `omniidl -p FOLDER -b omniidl_contract`: prints what the main file declares, a line each, in the form
that corpus_contract.py makes of `corbel-idl --dump=aoi`."""

from omniidl import idltype, idlvisitor

BASE = {
    idltype.tk_void: "void", idltype.tk_short: "short", idltype.tk_long: "long", idltype.tk_ushort: "unsigned short",
    idltype.tk_ulong: "unsigned long", idltype.tk_float: "float", idltype.tk_double: "double",
    idltype.tk_boolean: "boolean", idltype.tk_char: "char", idltype.tk_octet: "octet", idltype.tk_any: "any",
    idltype.tk_longlong: "long long", idltype.tk_ulonglong: "unsigned long long",
    idltype.tk_longdouble: "long double", idltype.tk_wchar: "wchar", idltype.tk_TypeCode: "TypeCode",
}
BUILT_IN = ("::CORBA::Object", "::CORBA::ValueBase")
DIRECTIONS = ("in", "out", "inout")


def name_of(scoped_name):
    return "::" + "::".join(part.lstrip("_") for part in scoped_name)


def text_of(type_, sizes=()):
    return element_of(type_) + "".join(f"[{size}]" for size in sizes)


def element_of(type_):
    if isinstance(type_, idltype.Declared):
        name = name_of(type_.scopedName())
        return name.removeprefix("::CORBA::") if name in BUILT_IN else name
    if isinstance(type_, (idltype.String, idltype.WString)):
        word = "wstring" if isinstance(type_, idltype.WString) else "string"
        return f"{word}<{type_.bound()}>" if type_.bound() else word
    if isinstance(type_, idltype.Sequence):
        bound = f", {type_.bound()}" if type_.bound() else ""
        return f"sequence<{text_of(type_.seqType())}{bound}>"
    if isinstance(type_, idltype.Fixed):
        return f"fixed<{type_.digits()}, {type_.scale()}>" if type_.digits() >= 0 else "fixed"
    return BASE[type_.kind()]


class Printer(idlvisitor.AstVisitor):
    def __init__(self):
        self._owner = []  # the name of the value whose factories are printed

    def visitAST(self, node):
        for declaration in node.declarations():
            if declaration.mainFile():
                declaration.accept(self)

    def visitModule(self, node):
        for declaration in node.definitions():
            if declaration.mainFile():
                declaration.accept(self)

    def visitInterface(self, node):
        self._declare("interface", node)
        self._contents(node)

    def visitValue(self, node):
        self._declare("valuetype", node)
        self._contents(node)

    visitValueAbs = visitValue

    def visitValueBox(self, node):
        self._constructed(node)
        self._declare("valuebox", node, text_of(node.boxedType()))

    def visitNative(self, node):
        self._declare("native", node)

    def visitConst(self, node):
        self._declare("const", node, text_of(node.constType()))

    def visitTypedef(self, node):
        self._constructed(node)
        for declarator in node.declarators():
            self._declare("typedef", declarator, text_of(node.aliasType(), declarator.sizes()))

    def visitStruct(self, node):
        self._declare("struct", node)
        self._members(node)

    def visitException(self, node):
        self._declare("exception", node)
        self._members(node)

    def visitUnion(self, node):
        if node.constrType():
            node.switchType().decl().accept(self)
        self._declare("union", node, text_of(node.switchType()))
        for case in node.cases():
            self._constructed(case, case.caseType())
            declarator = case.declarator()
            self._declare("member", declarator, text_of(case.caseType(), declarator.sizes()))

    def visitEnum(self, node):
        self._declare("enum", node)

    def visitAttribute(self, node):
        word = "readonly attribute" if node.readonly() else "attribute"
        for declarator in node.declarators():
            self._declare(word, declarator, text_of(node.attrType()))

    def visitOperation(self, node):
        self._callable("operation", node, text_of(node.returnType()))

    def visitFactory(self, node):
        self._callable("factory", node, "", [*self._owner, node.identifier()])

    def visitStateMember(self, node):
        self._member(node)

    def _callable(self, word, node, result, name=None):
        parameters = [f"{DIRECTIONS[p.direction()]} {text_of(p.paramType())}" for p in node.parameters()]
        raised = sorted(name_of(e.scopedName()) for e in node.raises())
        text = " ".join([result, f"({', '.join(parameters)})", *raised]).strip()
        print(f"{word} {name_of(name or node.scopedName())} {text}")

    def _members(self, node):
        for member in node.members():
            self._member(member)

    def _member(self, member):
        self._constructed(member)
        for declarator in member.declarators():
            self._declare("member", declarator, text_of(member.memberType(), declarator.sizes()))

    def _constructed(self, node, type_=None):
        """A type that is defined where it is used; it may stand inside a sequence."""
        if not node.constrType():
            return
        type_ = type_ or getattr(node, "memberType", None) or getattr(node, "aliasType", None) or node.boxedType
        type_ = type_() if callable(type_) else type_
        while isinstance(type_, idltype.Sequence):
            type_ = type_.seqType()
        type_.decl().accept(self)

    def _contents(self, node):
        self._owner = node.scopedName()
        for declaration in node.contents():
            declaration.accept(self)

    def _declare(self, word, node, text=""):
        print(f"{word} {name_of(node.scopedName())} {text}".rstrip())


def run(tree, _arguments):
    tree.accept(Printer())
