"""Changes that keep a valid test a test: another ordering, scope or tag, operations exchanged, dropped, moved.

Most results are valid; those that are not are refused by the front end, and counted as such.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

__all__ = ["CHANGED", "change_test"]

Lines = list[str]
Change = Callable[[Lines, Random], bool]

_ORDERINGS = ("unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst")
_SUITABLE = {
    "load": ("unordered", "monotonic", "acquire", "seq_cst"),
    "store": ("unordered", "monotonic", "release", "seq_cst"),
    "fence": ("acquire", "release", "acq_rel", "seq_cst"),
    "atomicrmw": ("monotonic", "acquire", "release", "acq_rel", "seq_cst"),
    "cmpxchg": ("monotonic", "acquire", "release", "acq_rel", "seq_cst"),
}
_SCOPES = ("singlethread", "wavefront", "workgroup", "cluster", "agent", "agent-one-as", "workgroup-one-as")
_OPERATORS = ("add", "sub", "xchg", "and", "or", "xor", "nand", "max", "min", "umax", "umin", "uinc_wrap", "usub_sat")
_OPERATION = re.compile(r"^\s+(?:%[\w.]+ = )?(?:tail )?(load|store|fence|atomicrmw|cmpxchg|call)\b")
_ORDERING = re.compile(rf"\b({'|'.join(_ORDERINGS)})\b")
_SCOPE = re.compile(r'syncscope\("([\w-]*)"\) ')
_TAGGED = re.compile(r", !mmra !\d+")
_THREAD = re.compile(r"define [\w ]+ @([\w.]+)\(")


def change_test(text: str, kind: str, choose: Random) -> str:
    """Change a valid test.

    Parameters
    ----------
    text : str
    kind : str
        One of :data:`CHANGED`.
    choose : Random

    Returns
    -------
    str
    """
    changes = {"llvm": _LLVM, "c": _C, "opencl": _OPENCL, "vulkan": _VULKAN, "ptx": _PTX}[kind]
    lines = text.split("\n")
    wanted = choose.choice((1, 1, 2, 2, 3, 4))
    for _ in range(20 * wanted):
        wanted -= choose.choice(changes)(lines, choose)
        if not wanted:
            break
    return "\n".join(lines)


def _operations(lines: Lines, *names: str) -> list[int]:
    return [
        place
        for place, line in enumerate(lines)
        if (found := _OPERATION.match(line)) and (not names or found[1] in names) and "@llvm.csa" not in line
    ]


def _rewrite(lines: Lines, places: list[int], choose: Random, rewritten: Callable[[str], str]) -> bool:
    if not places:
        return False
    place = choose.choice(places)
    before, lines[place] = lines[place], rewritten(lines[place])
    return lines[place] != before


# LLVM IR ------------------------------------------------------------------------------------------------------


def _ordering(lines: Lines, choose: Random) -> bool:
    def other(line: str) -> str:
        found = _OPERATION.match(line)
        assert found is not None
        return _ORDERING.sub(lambda _: choose.choice(_SUITABLE.get(found[1], _ORDERINGS)), line, count=1)

    return _rewrite(lines, _operations(lines, *_SUITABLE), choose, other)


def _atomicity(lines: Lines, choose: Random) -> bool:
    def other(line: str) -> str:
        if " atomic " in line:
            return _ORDERING.sub("", _SCOPE.sub("", line.replace(" atomic ", " ", 1)), count=1).replace(" ,", ",", 1)
        order = choose.choice(("unordered", "monotonic", "seq_cst"))
        line = re.sub(r"\b(load|store) ", r"\1 atomic ", line, count=1)
        return re.sub(r"(ptr(?: addrspace\(\d\))? [@%][\w.]+)(, align \d+)?", rf"\1 {order}, align 4", line, count=1)

    return _rewrite(lines, _operations(lines, "load", "store"), choose, other)


def _scope(lines: Lines, choose: Random) -> bool:
    name = choose.choice(_SCOPES)

    def other(line: str) -> str:
        if _SCOPE.search(line):
            return _SCOPE.sub(choose.choice(("", f'syncscope("{name}") ')), line)
        return _ORDERING.sub(rf'syncscope("{name}") \1', line, count=1)

    return _rewrite(lines, _operations(lines, *_SUITABLE), choose, other)


def _tag(lines: Lines, choose: Random) -> bool:
    """Take the tags off an operation, or give it those of another."""
    nodes = [found[0] for line in lines if (found := _TAGGED.search(line))]

    def other(line: str) -> str:
        plain = _TAGGED.sub("", line)
        return plain if not nodes or plain != line and choose.random() < 0.5 else plain + choose.choice(nodes)

    return _rewrite(lines, _operations(lines), choose, other)


def _tag_name(lines: Lines, choose: Random) -> bool:
    places = [place for place, line in enumerate(lines) if re.match(r'!\d+ = !\{!"[^"]*", !"', line)]
    tag = choose.choice(
        (
            '"foo", !"x"', '"foo", !"y"', '"vulkan", !"private"', '"vulkan", !"nonprivate"', '"amdgcn-av", !"none"',
            '"amdgpu-synchronize-as", !"global"', '"amdgpu-synchronize-as", !"local"', '"amdgpu-as", !"local"',
        )
    )  # fmt: skip
    return _rewrite(lines, places, choose, lambda line: re.sub(r'"[^"]*", !"[^"]*"', lambda _: tag, line, count=1))


def _swap(lines: Lines, choose: Random) -> bool:
    places = [place for place in _operations(lines) if place + 1 < len(lines) and _OPERATION.match(lines[place + 1])]
    if not places:
        return False
    place = choose.choice(places)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    return True


def _drop(lines: Lines, choose: Random) -> bool:
    places = _operations(lines, "fence", "store", "call", "atomicrmw", "cmpxchg")
    places = [place for place in places if " = " not in lines[place].split("(")[0]] or places
    if not places:
        return False
    del lines[choose.choice(places)]
    return True


def _again(lines: Lines, choose: Random) -> bool:
    """An operation happens twice, maybe in another place."""
    places = _operations(lines)
    if not places:
        return False
    line = re.sub(r"^(\s+)%([\w.]+) =", rf"\1%\2.{choose.randrange(1000)} =", lines[choose.choice(places)])
    lines.insert(choose.choice(places), line)
    return True


def _fence(lines: Lines, choose: Random) -> bool:
    places = _operations(lines)
    if not places:
        return False
    scope = choose.choice(("", "", f'syncscope("{choose.choice(_SCOPES)}") '))
    tags = [found[0] for line in lines if (found := _TAGGED.search(line))]
    tag = choose.choice(["", *tags])
    place = choose.choice(places) + choose.randrange(2)
    lines.insert(place, f"  fence {scope}{choose.choice(_SUITABLE['fence'])}{tag}")
    return True


def _barrier(lines: Lines, choose: Random) -> bool:
    places = _operations(lines)
    if not places or not any("SCOPES:" in line for line in lines):
        return False
    lines.insert(choose.choice(places), "  call void @llvm.amdgcn.s.barrier()")
    if not any("declare void @llvm.amdgcn.s.barrier()" in line for line in lines):
        lines.append("declare void @llvm.amdgcn.s.barrier()")
    return True


def _constant(lines: Lines, choose: Random) -> bool:
    value = choose.choice(("0", "1", "2", "3", "-1", "undef"))
    return _rewrite(
        lines, _operations(lines), choose, lambda line: re.sub(r"\b(i\d+) -?\d+\b", rf"\1 {value}", line, count=1)
    )


def _location(lines: Lines, choose: Random) -> bool:
    names = [found[1] for line in lines if (found := re.match(r"(@[\w.]+) = .*global i32", line))]
    if len(names) < 2:
        return False
    name = choose.choice(names)
    return _rewrite(
        lines,
        _operations(lines, "load", "store", "atomicrmw", "cmpxchg"),
        choose,
        lambda line: re.sub(r"(ptr(?: addrspace\(\d\))?) @[\w.]+", rf"\1 {name}", line, count=1),
    )


def _operator(lines: Lines, choose: Random) -> bool:
    name = choose.choice(_OPERATORS)
    places = _operations(lines, "atomicrmw")
    return _rewrite(lines, places, choose, lambda line: re.sub(r"(atomicrmw (?:volatile )?)\w+", rf"\1{name}", line))


def _private(lines: Lines, choose: Random) -> bool:
    places = _operations(lines, "load", "store")

    def other(line: str) -> str:
        return (
            line.replace(", !thread.private !999", "") if "!thread.private" in line else f"{line}, !thread.private !999"
        )

    changed = _rewrite(lines, places, choose, other)
    if changed and "!999 = !{}" not in lines:
        lines.append("!999 = !{}")
    return changed


def _volatile(lines: Lines, choose: Random) -> bool:
    def other(line: str) -> str:
        if " volatile " in line:
            return line.replace(" volatile", "", 1)
        return re.sub(r"\b((?:load|store)(?: atomic)?|atomicrmw|cmpxchg) ", r"\1 volatile ", line, count=1)

    return _rewrite(lines, _operations(lines, "load", "store", "atomicrmw", "cmpxchg"), choose, other)


def _places(lines: Lines, choose: Random) -> bool:
    """Two threads change places in the scope tree, or a level of it goes."""

    def other(line: str) -> str:
        threads = [found[1] for each in lines if (found := _THREAD.match(each))]
        if len(threads) > 1 and choose.random() < 0.6:
            a, b = choose.sample(threads, 2)
            swap = {a: b, b: a}
            return re.sub(r"[\w.]+", lambda word: swap.get(word[0], word[0]), line)
        levels = re.findall(r"\((?:agent|cluster|workgroup|wavefront)", line)
        if not levels:
            return line
        old = choose.choice(levels)
        return line.replace(old, choose.choice(("(agent", "(cluster", "(workgroup", "(wavefront")), 1)

    return _rewrite(lines, [place for place, line in enumerate(lines) if "SCOPES:" in line], choose, other)


def _condition(lines: Lines, choose: Random) -> bool:
    places = [n for n, line in enumerate(lines) if re.search(r"\b(EXISTS|FORALL|NEVER):|^\s*(~?exists|forall)\b", line)]

    def other(line: str) -> str:
        match choose.randrange(4):
            case 0:
                word = re.search(r"\b(EXISTS|FORALL|NEVER)\b", line)
                return line.replace(word[0], choose.choice(("EXISTS", "FORALL", "NEVER"))) if word else line
            case 1:
                return re.sub(r"(?<==)(\s*)\d+", lambda found: found[1] + choose.choice("0123"), line, count=1)
            case 2:
                return line.replace("/\\", "\\/", 1) if "/\\" in line else line.replace("\\/", "/\\", 1)
            case _:
                return re.sub(r"(:\s*|exists\s*|forall\s*)\(?(.+)$", r"\1~(\2)", line, count=1)

    return _rewrite(lines, places, choose, other)


_LLVM = (
    _ordering, _ordering, _ordering, _atomicity, _atomicity, _scope, _scope, _tag, _tag, _tag_name, _swap, _swap, _drop,
    _drop, _again, _fence, _fence, _barrier, _constant, _location, _location, _operator, _private, _volatile, _places,
    _condition,
)  # fmt: skip


# Herd's C -----------------------------------------------------------------------------------------------------

_C_ORDER = re.compile(r"memory_order_(relaxed|acquire|release|acq_rel|seq_cst|consume)")
_C_STATEMENT = re.compile(r"^\s*[^{}/]*;\s*$")


def _statements(lines: Lines) -> list[int]:
    inside = [place for place, line in enumerate(lines) if re.match(r"\s*P\d+\s*\(", line)]
    first = inside[0] if inside else len(lines)
    return [
        place
        for place, line in enumerate(lines)
        if place > first
        and _C_STATEMENT.match(line)
        and not re.match(r"\s*(exists|~exists|forall|locations|filter)", line)
    ]


def _c_ordering(lines: Lines, choose: Random) -> bool:
    orders = ("relaxed", "acquire", "release", "acq_rel", "seq_cst", "relaxed", "seq_cst")
    places = [place for place in _statements(lines) if _C_ORDER.search(lines[place])]

    def other(line: str) -> str:
        allowed = [order for order in orders if not ("load" in line and "rel" in order and order != "relaxed")]
        allowed = [order for order in allowed if not ("store" in line and order in ("acquire", "acq_rel"))]
        return _C_ORDER.sub("memory_order_" + choose.choice(allowed or ["seq_cst"]), line, count=1)

    return _rewrite(lines, places, choose, other)


def _c_swap(lines: Lines, choose: Random) -> bool:
    places = _statements(lines)
    near = [place for place in places if place + 1 in places]
    if not near:
        return False
    place = choose.choice(near)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    return True


def _c_drop(lines: Lines, choose: Random) -> bool:
    places = [place for place in _statements(lines) if not re.match(r"\s*(int|atomic_int)\b", lines[place])]
    if not places:
        return False
    del lines[choose.choice(places)]
    return True


def _c_fence(lines: Lines, choose: Random) -> bool:
    places = _statements(lines)
    if not places:
        return False
    order = choose.choice(("acquire", "release", "acq_rel", "seq_cst", "relaxed"))
    lines.insert(choose.choice(places), f"  atomic_thread_fence(memory_order_{order});")
    return True


def _c_constant(lines: Lines, choose: Random) -> bool:
    value = choose.choice("0123")
    return _rewrite(lines, _statements(lines), choose, lambda line: re.sub(r"\b(?<!r)\d+\b", value, line, count=1))


def _c_variable(lines: Lines, choose: Random) -> bool:
    names = sorted({name for line in lines for name in re.findall(r"(?:atomic_int|int)\s*\*\s*(\w+)", line)})
    if len(names) < 2:
        return False
    old, new = choose.sample(names, 2)
    return _rewrite(lines, _statements(lines), choose, lambda line: re.sub(rf"\b{old}\b", new, line))


def _c_plain(lines: Lines, choose: Random) -> bool:
    """An atomic load or store becomes a plain access."""

    def other(line: str) -> str:
        line = re.sub(r"atomic_load_explicit\(\s*&?(\w+)\s*,[^)]*\)", r"*\1", line)
        return re.sub(r"atomic_store_explicit\(\s*&?(\w+)\s*,\s*([^,]+),[^)]*\)", r"*\1 = \2", line)

    return _rewrite(lines, _statements(lines), choose, other)


_C = (_c_ordering, _c_ordering, _c_ordering, _c_swap, _c_drop, _c_fence, _c_constant, _c_variable, _c_plain, _condition)


# Vulkan -------------------------------------------------------------------------------------------------------


def _cells(lines: Lines) -> list[int]:
    return [
        place
        for place, line in enumerate(lines)
        if re.search(r"\b(ld|st|rmw|membar|cbar|avdevice|visdevice|su?ld|sust|atom|red|fence|bar)\b", line)
    ]


def _modifier(lines: Lines, choose: Random) -> bool:
    return _other_modifier(
        lines, choose,
        ("acq", "rel", "acq_rel"), ("sg", "wg", "qf", "dv"), ("sc0", "sc1"), ("semsc0", "semsc1", "semsc0.semsc1"),
        ("semav", "semvis", "semav.semvis"), ("av", "nonpriv", "vis"), ("atom", "nonpriv"), remove=True,
    )  # fmt: skip


def _ptx_modifier(lines: Lines, choose: Random) -> bool:
    return _other_modifier(
        lines, choose,
        ("cta", "cluster", "gpu", "sys"), ("relaxed", "acquire"), ("relaxed", "release"), ("acq_rel", "release"),
        ("acq_rel", "sc"), ("surface", "texture", "constant", "alias"), ("sync", "arrive"), ("add", "exch", "xor"),
    )  # fmt: skip


def _other_modifier(lines: Lines, choose: Random, *groups: tuple[str, ...], remove: bool = False) -> bool:
    """A word of an instruction becomes another one of its group, or goes."""

    def other(line: str) -> str:
        group = choose.choice(groups)
        found = [match for word in group for match in re.finditer(rf"\.{re.escape(word)}\b", line)]
        if not found:
            return line
        match = choose.choice(found)
        new = choose.choice((*[""] * remove, *(f".{word}" for word in group)))
        return line[: match.start()] + new + line[match.end() :]

    return _rewrite(lines, _cells(lines), choose, other)


def _place(lines: Lines, choose: Random) -> bool:
    places = [place for place, line in enumerate(lines) if re.search(r"P\d+@", line)]

    def other(line: str) -> str:
        found = list(re.finditer(r"\b(sg|wg|qf|cta|gpu) (\d+)", line))
        if not found:
            return line
        match = choose.choice(found)
        return line[: match.start(2)] + choose.choice("012") + line[match.end(2) :]

    return _rewrite(lines, places, choose, other)


def _cell(lines: Lines, choose: Random) -> bool:
    """An instruction goes, or two of a thread change places."""
    places = _cells(lines)
    if not places:
        return False
    a, b = choose.choice(places), choose.choice(places)
    ours, theirs = lines[a].rstrip(" ;").split("|"), lines[b].rstrip(" ;").split("|")
    column = choose.randrange(min(len(ours), len(theirs)))
    if a == b:
        ours[column] = " "
        lines[a] = "|".join(ours) + " ;"
    else:
        ours[column], theirs[column] = theirs[column], ours[column]
        lines[a], lines[b] = "|".join(ours) + " ;", "|".join(theirs) + " ;"
    return True


_VULKAN = (_modifier, _modifier, _modifier, _place, _cell, _condition)
_PTX = (_ptx_modifier, _ptx_modifier, _ptx_modifier, _place, _cell, _condition)


# OpenCL -------------------------------------------------------------------------------------------------------


def _word(lines: Lines, choose: Random) -> bool:
    """A scope, a region or a place becomes another one."""
    groups = (
        ("memory_scope_work_item", "memory_scope_work_group", "memory_scope_device", "memory_scope_all_svm_devices"),
        ("CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"),
        ("global", "local"), ("atomic_int", "int"), ("wg 0", "wg 1"), ("dev 0", "dev 1"),
    )  # fmt: skip
    group = choose.choice(groups)
    places = [place for place, line in enumerate(lines) if any(re.search(rf"\b{each}\b", line) for each in group[:2])]

    def other(line: str) -> str:
        found = [match for word in group[:4] if "|" not in word for match in re.finditer(rf"\b{word}\b", line)]
        match = choose.choice(found) if found else None
        return line if match is None else line[: match.start()] + choose.choice(group) + line[match.end() :]

    return _rewrite(lines, places, choose, other)


_OPENCL = (*_C, _word, _word, _word, _word)

CHANGED = ("llvm", "c", "opencl", "vulkan", "ptx")
"""The kinds of tests whose meaning can be changed."""
