"""A Vulkan test as a native litmus test: an LLVM module with its directives."""

from __future__ import annotations

from enumerator.passes.translate.code import translate_function
from enumerator.passes.translate.operations import AV_LOAD, AV_STORE, Plan, plan_translation
from enumerator.program.condition import And, Equal, Flag, Formula, Literal, Name, Not, Or, Quantifier
from enumerator.program.instructions import Scope
from enumerator.program.memory import parse_location
from enumerator.program.test import Test
from enumerator.program.values import format_value
from enumerator.program.written import S_BARRIER

__all__ = ["to_llvm"]

_DECLARATIONS = {
    AV_LOAD: f"declare <4 x i32> @{AV_LOAD}(ptr addrspace(1), metadata)",
    AV_STORE: f"declare void @{AV_STORE}(ptr addrspace(1), <4 x i32>, metadata)",
    S_BARRIER: f"declare void @{S_BARRIER}()",
}
_QUANTIFIERS = {Quantifier.EXISTS: "EXISTS", Quantifier.NEVER: "NEVER", Quantifier.FORALL: "FORALL"}


def to_llvm(test: Test) -> str:
    """Translate a Vulkan test to LLVM IR, as a litmus test for the model ``amdgpu``.

    Parameters
    ----------
    test : Test
        In one of the Vulkan languages.

    Returns
    -------
    str
        The text of a native test. A filter becomes part of its condition: what it excludes is no witness, but flags
        are then collected over all executions.

    Raises
    ------
    InputError
        With the line of what has no counterpart.

    Examples
    --------
    >>> from enumerator.frontend import load_text
    >>> rows = ["VULKAN one", "{ }", "P0@sg 0, wg 0, qf 0 ;", "st.atom.rel.wg.sc0.semsc0 x, 1 ;", "exists (x == 1)"]
    >>> print(to_llvm(load_text(chr(10).join(rows), "one.litmus")))
    ; From Vulkan: one
    ; REF: one.litmus
    ; SCOPES: (agent (workgroup (wavefront P0)))
    ; PROFILE: amdgpu
    ; EXISTS: @x = 1
    <BLANKLINE>
    @x = addrspace(1) global i32 0
    <BLANKLINE>
    define void @P0() {
      store atomic i32 1, ptr addrspace(1) @x syncscope("workgroup") release, align 4, !mmra !{!"amdgcn-av", !"none"}
      ret void
    }
    <BLANKLINE>
    """
    plan = plan_translation(test)
    formula = _formula(test)
    wanted = _registers(formula)
    parts = [_head(test, formula, plan)]
    parts.append("".join(_object(plan, memory.name, memory.initial) for memory in test.objects))
    intrinsics: set[str] = set()
    for thread in test.threads:
        asked = frozenset(register for name, register in wanted if name == thread.name)
        translated = translate_function(plan, test.functions[thread.function], asked)
        intrinsics |= translated.intrinsics
        body = "\n".join(translated.lines)
        parts.append(f"define void @{thread.name}() {{\n{body}\n}}\n")
    if intrinsics:
        parts.append("".join(f"{text}\n" for name, text in _DECLARATIONS.items() if name in intrinsics))
    return "\n".join(part for part in parts if part)


def _head(test: Test, formula: Formula, plan: Plan) -> str:
    # no title is taken for a directive, and no path ends the comment
    lines = [f"From Vulkan: {' '.join(test.title.split()) or test.name}"]
    lines += [f"REF: {reference}" for reference in test.references]
    lines.append(f"REF: {' '.join(test.path.split())}")
    lines.append(f"SCOPES: {_scopes(test)}")
    lines.append("PROFILE: amdgpu")
    if test.unroll is not None:
        lines.append(f"UNROLL: {test.unroll}")
    lines.append(f"{_QUANTIFIERS[test.condition.quantifier]}: {_write(formula, plan)}")
    return "".join(f"; {line}\n" for line in lines)


def _object(plan: Plan, name: str, initial: object) -> str:
    if name in {thread.name for thread in plan.test.threads}:
        plan.fail(f"the location {name} has the name of a thread, which names a function", None)
    value = initial if isinstance(initial, int) else 0
    if name not in plan.wide:
        return f"@{name} = addrspace(1) global i32 {value}\n"
    array = f"[i32 {value}, i32 0, i32 0, i32 0]" if value else "zeroinitializer"
    return f"@{name} = addrspace(1) global [4 x i32] {array}\n"


def _scopes(test: Test) -> str:
    """Write the scope tree: queue families share their device, and nothing is said of them."""
    tree: dict[int, dict[int, list[str]]] = {}
    for thread in test.threads:
        place = test.placements[thread.name]
        workgroup = tree.setdefault(place.instance(Scope.WORKGROUP), {})
        workgroup.setdefault(place.instance(Scope.WAVEFRONT), []).append(thread.name)
    workgroups = [
        "(workgroup " + " ".join(f"(wavefront {' '.join(names)})" for names in waves.values()) + ")"
        for waves in tree.values()
    ]
    return f"(agent {' '.join(workgroups)})"


# Conditions -------------------------------------------------------------------------------------------------


def _formula(test: Test) -> Formula:
    condition = test.condition
    if condition.filter is None:
        return condition.formula
    if condition.quantifier is Quantifier.FORALL:
        return Or((Not(condition.filter), condition.formula))
    return And((condition.filter, condition.formula))


def _registers(formula: Formula) -> set[tuple[str, str]]:
    """Give the registers that a formula names, each with its thread."""
    match formula:
        case Equal(left, right):
            names = [side.text for side in (left, right) if isinstance(side, Name)]
            return {(name.partition(":")[0], name.partition(":")[2]) for name in names if ":" in name}
        case Not(body):
            return _registers(body)
        case And(parts) | Or(parts):
            return set[tuple[str, str]]().union(*map(_registers, parts))
        case _:
            return set()


def _write(formula: Formula, plan: Plan) -> str:
    match formula:
        case Equal(left, right):
            value = format_value(right.value) if isinstance(right, Literal) else _name(right, plan)
            return f"{_name(left, plan)} = {value}"
        case Flag(name):
            return name
        case Not(body):
            return f"~({_write(body, plan)})"
        case And(parts):
            return " /\\ ".join(f"({_write(p, plan)})" if isinstance(p, And | Or) else _write(p, plan) for p in parts)
        case Or(parts):
            return " \\/ ".join(f"({_write(p, plan)})" if isinstance(p, And | Or) else _write(p, plan) for p in parts)
        case _:
            return "true"


def _name(name: Name, plan: Plan) -> str:
    thread, colon, register = name.text.partition(":")
    if colon:
        return f"{thread}:%{register}"
    memory, _, _ = parse_location(name.text, plan.test.objects)
    return f"@{memory}[0]" if memory in plan.wide else f"@{memory}"
