"""Complete tests as text: a program with context threads, and a condition that asks for one outcome."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from enumerator.frontend.llvm.source import scan
from enumerator.program.floats import constant_text
from enumerator.program.instructions import (
    Annotation,
    Constant,
    Fence,
    Instruction,
    Load,
    Ordering,
    ReadModifyWrite,
    Scope,
    Store,
)
from enumerator.program.test import Placement, Test
from enumerator.program.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType, size_of
from enumerator.program.values import Pointer, Term, Undef, Value, format_value
from enumerator.refinement.alphabet import Alphabet, instruction_of
from enumerator.refinement.contexts import Context
from enumerator.refinement.outcomes import Outcome

__all__ = [
    "condition_text",
    "context_lines",
    "instruction_text",
    "scope_tree_text",
    "tags_text",
    "test_text",
    "type_text",
]

_PLAIN = re.compile(r"[-a-zA-Z$._0-9]+")
_ASKED = ("EXISTS", "FORALL", "NEVER", "EXPECT", "OBSERVE", "SCOPES", "PROFILE", "THREADS")


def test_text(
    test: Test,
    outcome: Outcome,
    profile: str,
    context: Context | None = None,
    of: Alphabet | None = None,
    names: Sequence[str] = (),
    *,
    title: str = "",
    expect: str = "",
) -> str:
    """Write a program with a context, and an outcome as its condition, as a test that ``run`` takes.

    Parameters
    ----------
    test : Test
        Read from LLVM IR: its source is kept but for what directives ask.
    outcome : Outcome
    profile : str
        The target profile, by name or path.
    context : Context, optional
    of : Alphabet, optional
        Of the context.
    names : sequence of str
        Of the threads of the context.
    title : str
        The first line; default: the test's.
    expect : str
        An expectation.

    Returns
    -------
    str
    """
    context = context or Context()
    placements = dict(test.placements)
    placements.update(zip(names, context.places, strict=False))
    lines = [f"; {title or test.title or test.name}"]
    if test.scope_tree or _meets_below(test, context):
        lines.append(f"; SCOPES: {scope_tree_text(placements)}")
    threads = _directive(test, "THREADS")
    if threads:
        more = [f"{name}=@{name}" for name, _ in zip(names, context.threads, strict=False)]
        lines.append(f"; THREADS: {' '.join([threads, *more])}")
    if profile != "generic":
        lines.append(f"; PROFILE: {profile}")
    lines.append(f"; EXISTS: {condition_text(outcome)}")
    if expect:
        lines.append(f"; EXPECT: {expect}")
    lines += _body(test)
    if of is not None:
        for name, body in _bodies(context, of, names):
            lines += ["", f"define void @{name}() {{", *(f"  {line}" for line in body), "  ret void", "}"]
    return "\n".join(lines) + "\n"


def context_lines(context: Context, of: Alphabet, names: Sequence[str]) -> tuple[str, ...]:
    """Write the threads of a context: an operation a line, after the name of its thread.

    Parameters
    ----------
    context : Context
    of : Alphabet
    names : sequence of str
        Of the threads.

    Returns
    -------
    tuple of str
    """
    return tuple(f"{name}: {line}" for name, body in _bodies(context, of, names) for line in body)


def _bodies(context: Context, of: Alphabet, names: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Give the operations of each thread of a context as LLVM IR."""
    number = 0
    for name, code in zip(names, context.threads, strict=False):
        body = []
        for place, operation in enumerate(code):
            instruction = instruction_of(operation, number, f"r{place}", of)
            number += 1
            if instruction is not None:
                body.append(instruction_text(instruction))
        yield name, body


def _meets_below(test: Test, context: Context) -> bool:
    """Tell whether some context thread shares less than the system with another thread."""
    every = [*test.placements.values(), *context.places]
    return any(
        one is not other and one.instance(scope) == other.instance(scope)
        for one in context.places
        for other in every
        for scope in Scope
        if scope != Scope.SYSTEM
    )


def _directive(test: Test, name: str) -> str:
    for comment in scan(test.source).comments:
        found = re.match(rf"{name}\s*:(.*)", comment.text)
        if found is not None:
            return found[1].strip()
    return ""


def _body(test: Test) -> Iterator[str]:
    """Give the lines of a test without what its directives ask."""
    asked = {
        comment.line
        for comment in scan(test.source).comments
        if re.match(rf"({'|'.join(_ASKED)})\s*:", comment.text) or comment.text == test.title
    }
    for number, line in enumerate(test.source.splitlines(), 1):
        if number not in asked:
            yield line


# Places and conditions -----------------------------------------------------------------------------------------------


def scope_tree_text(placements: Mapping[str, Placement]) -> str:
    """Write a scope tree.

    Examples
    --------
    >>> from enumerator.scopes import parse_scopes
    >>> scope_tree_text(parse_scopes("(agent (workgroup t0 t1) (workgroup t2))"))
    '(system (agent (cluster (workgroup t0 t1) (workgroup t2))))'
    """

    def group(members: Sequence[str], level: Scope) -> str:
        parts: dict[int, list[str]] = {}
        for name in members:
            parts.setdefault(placements[name].instance(level), []).append(name)
        if level == Scope.SINGLETHREAD:
            return " ".join(map(_quoted, members))
        written = []
        for part in parts.values():
            inner = group(part, Scope(level - 1))
            alone = level == Scope.WAVEFRONT and len(part) == 1
            written.append(inner if alone else f"({level.name.lower()} {inner})")
        return " ".join(written)

    return group(list(placements), Scope.SYSTEM)


def condition_text(outcome: Outcome) -> str:
    r"""Write the condition that an outcome comes out.

    Examples
    --------
    >>> condition_text(Outcome({"t0:%r": 1, "t1:ret": Undef(), "@p": Pointer("@x", 4)}))
    't0:%r = 1 /\\ t1:ret = undef /\\ @p = &@x+4'
    """
    if outcome.flags:
        return " /\\ ".join(outcome.flags)
    atoms = []
    for name, value in outcome.values.items():
        written = _value(value)
        if written is not None:
            thread, colon, register = name.partition(":")
            atoms.append(f"{_name(thread, colon, register) if colon and name[0] != '@' else name} = {written}")
    return " /\\ ".join(atoms) or "true"


def _name(thread: str, colon: str, register: str) -> str:
    sigil = "%" if register.startswith("%") else ""
    return f"{_quoted(thread)}{colon}{sigil}{_quoted(register.removeprefix('%'))}"


def _quoted(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else f'"{name}"'


def _value(value: Value) -> str | None:
    """Write a value as conditions do; None for one that they cannot name."""
    match value:
        case tuple():
            parts = [_value(part) for part in value]
            return None if None in parts else f"<{', '.join(part or '' for part in parts)}>"
        case Pointer(object=""):
            return "null" if value.offset == 0 else None
        case Pointer(object=name):
            return f"&{format_value(value)}" if name.startswith("@") else None
        case Term():
            text = format_value(value)
            return text if re.fullmatch(r"-?\d+\.\d*(e[+-]?\d+)?", text) else None
        case _:
            return format_value(value)


# Instructions --------------------------------------------------------------------------------------------------------


def instruction_text(instruction: Instruction) -> str:
    """Write a memory operation or fence as LLVM IR.

    Examples
    --------
    >>> note = Annotation(Ordering.ACQUIRE, Scope.AGENT, address_space=1)
    >>> instruction_text(Load("r", Constant(Pointer("@x"), PointerType(1)), IntType(32), note))
    '%r = load atomic i32, ptr addrspace(1) @x syncscope("agent") acquire, align 4'
    """
    match instruction:
        case Load(target, Constant() as address, type_, note):
            atomic = "atomic " if note.ordering else ""
            return f"%{target} = load {atomic}{type_text(type_)}, {_typed(address)}{_order(note)}{_rest(type_, note)}"
        case Store(Constant() as address, Constant() as value, type_, note):
            atomic = "atomic " if note.ordering else ""
            return f"store {atomic}{_typed(value)}, {_typed(address)}{_order(note)}{_rest(type_, note)}"
        case ReadModifyWrite(target, operator, Constant() as address, Constant() as value, type_, note):
            where = f"{_typed(address)}, {_typed(value)}{_order(note)}"
            return f"%{target} = atomicrmw {operator} {where}{_rest(type_, note)}"
        case Fence(note):
            return f"fence{_order(note)}{_tags(note)}"
    raise AssertionError(f"contexts hold no {type(instruction).__name__}")


def _order(note: Annotation) -> str:
    if note.ordering == Ordering.NA:
        return ""
    scope = "" if note.scope == Scope.SYSTEM else f' syncscope("{note.scope.name.lower()}")'
    return f"{scope} {note.ordering.name.lower()}"


def _rest(type_: Type, note: Annotation) -> str:
    return f", align {size_of(type_)}{_tags(note)}"


def _tags(note: Annotation) -> str:
    if not note.tags:
        return ""
    return f", !mmra {tags_text(note.tags)}"


def tags_text(tags: Iterable[object]) -> str:
    """Write tags as the metadata ``!mmra`` takes them.

    Examples
    --------
    >>> tags_text(["foo:x"]), tags_text(["foo:x", "bar:y"])
    ('!{!"foo", !"x"}', '!{!{!"bar", !"y"}, !{!"foo", !"x"}}')
    """
    nodes = []
    for tag in sorted(map(str, tags)):
        prefix, _, suffix = tag.partition(":")
        nodes.append(f'!{{!"{prefix}", !"{suffix}"}}')
    return nodes[0] if len(nodes) == 1 else f"!{{{', '.join(nodes)}}}"


def _typed(constant: Constant) -> str:
    return f"{type_text(constant.type)} {_constant(constant.value, constant.type)}"


def _constant(value: Value, type_: Type) -> str:
    match value, type_:
        case Pointer(object=""), _:
            return "null"
        case Pointer(object=name, offset=0), _:
            return _global(name)
        case Pointer(object=name, offset=offset), _:
            return f"getelementptr (i8, {type_text(type_)} {_global(name)}, i64 {offset})"
        case tuple(), VectorType(_, element):
            parts = ", ".join(f"{type_text(element)} {_constant(part, element)}" for part in value)
            return f"<{parts}>"
        case Undef(), _:
            return "undef"
        case Term(), FloatType():
            return constant_text(value, type_)
        case _:
            return format_value(value)


def _global(name: str) -> str:
    plain = name.removeprefix("@")
    return name if _PLAIN.fullmatch(plain) else f'@"{plain}"'


def type_text(type_: Type) -> str:
    """Write a type as LLVM IR.

    Examples
    --------
    >>> type_text(VectorType(4, IntType(32))), type_text(PointerType(3))
    ('<4 x i32>', 'ptr addrspace(3)')
    """
    match type_:
        case IntType(width):
            return f"i{width}"
        case PointerType(space):
            return f"ptr addrspace({space})" if space else "ptr"
        case FloatType(name):
            return name
        case VectorType(count, element):
            return f"<{count} x {type_text(element)}>"
        case ArrayType(count, element):
            return f"[{count} x {type_text(element)}]"
        case StructType(fields, packed):
            inner = f"{{ {', '.join(map(type_text, fields))} }}"
            return f"<{inner}>" if packed else inner
    raise AssertionError(type_)
