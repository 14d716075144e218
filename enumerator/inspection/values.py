"""The integers and addresses of a function: forms of registers, computed when they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import field

from enumerator.frontend.llvm.syntax import address_space, closing, operand, split
from enumerator.frontend.llvm.tokens import decode_name, tokenize
from enumerator.frozen import dataclass
from enumerator.inspection.forms import Address, Form, Symbol, Varies
from enumerator.inspection.layout import read_type

__all__ = [
    "INTEGER_OPCODES",
    "THREAD_INDEX",
    "WAVE_INDEX",
    "Environment",
    "Globals",
    "Values",
    "arithmetic",
    "compared",
]

#: The opcodes whose results are looked into.
INTEGER_OPCODES = frozenset(
    """add sub mul shl lshr ashr udiv urem sdiv srem and or xor zext sext trunc select icmp freeze phi call
    getelementptr addrspacecast bitcast""".split()
)

#: The symbol of the number of a thread in a workgroup of one dimension.
THREAD_INDEX = "workitem.id.x"
#: That of the number of its wave.
WAVE_INDEX = "wave.id"

_SCOPE = re.compile(r"@llvm\.amdgcn\.scope\.(\w+)\(")
_DEEPEST = 150
_LONGEST_NAME = 400
_MOST_THREADS = 1024  # of a workgroup, without an attribute (LLVM AMDGPUUsage, "amdgpu-flat-work-group-size")
_FLAGS = frozenset("nuw nsw exact disjoint inbounds nusw samesign nneg".split())
_BINARY = frozenset("add sub mul shl lshr ashr udiv urem sdiv srem and or xor".split())
_EXTREMES = ("llvm.umin.", "llvm.umax.", "llvm.smin.", "llvm.smax.")

Environment = MutableMapping[str, "Form | Address"]
"""The values of phis on a path, by register, and what was computed from them."""


@dataclass
class Globals:
    """What a module says of its global variables and types.

    Parameters
    ----------
    variables : mapping of str to int
        Address spaces, by printed name with the sigil.
    types : mapping of str to sequence of str
        The tokens of each variable's type.
    aliases : mapping of str to str
    structs : mapping of str to sequence of str
    name : callable
        Gives the name in the file for a printed name.
    """

    variables: Mapping[str, int]
    types: Mapping[str, Sequence[str]]
    aliases: Mapping[str, str]
    structs: Mapping[str, Sequence[str]]
    name: Callable[[str], str]
    _sizes: dict[str, int | None] = field(default_factory=dict)

    def size(self, root: str) -> int | None:
        """Give the size of a variable by its name in the file with the sigil; None if it is not known, or 0."""
        if not self._sizes:
            for printed, tokens in self.types.items():
                layout = read_type(tokens, self.structs)
                self._sizes["@" + self.name(printed)] = layout.size or None if layout is not None else None
        return self._sizes.get(root)


class Values:
    """The integer and pointer registers of a function.

    Parameters
    ----------
    module : Globals
    threads : int or None
        The most threads of a workgroup, if attributes say so.
    wave : int
        The threads of a wavefront.
    kernel : bool
        Its parameters are the same in all threads.
    bound : mapping of str to (Values, sequence of str), optional
        For a function that is looked at inside of its caller: what each parameter is there.

    Examples
    --------
    >>> module = Globals({"@l": 3}, {"@l": "[ 64 x i32 ]".split()}, {}, {}, lambda token: token[1:])
    >>> values = Values(module, 64, 64, kernel=True)
    >>> values.define("%t", "  %t = call i32 @llvm.amdgcn.workitem.id.x()")
    >>> values.define("%p", "  %p = getelementptr i32, ptr addrspace(3) @l, i32 %t")
    >>> found = values.address(["%p"])
    >>> found.root, found.offset.range
    ('@l', (0, 252))
    """

    def __init__(
        self,
        module: Globals,
        threads: int | None,
        wave: int,
        *,
        kernel: bool,
        bound: Mapping[str, tuple[Values, Sequence[str]]] | None = None,
    ) -> None:
        self.module = module
        self.threads = threads or _MOST_THREADS
        self.wave = wave
        self.kernel = kernel
        self.bound = bound or {}
        self._texts: dict[str, str] = {}
        self._tokens: dict[str, list[str]] = {}
        self._static: dict[str, Form | Address] = {}

    def define(self, register: str, text: str) -> None:
        """Add an instruction with one of the opcodes :data:`INTEGER_OPCODES`."""
        self._texts[register] = text

    def scope(self, register: str) -> str | None:
        """Give the name of the scope that a register holds, if an intrinsic for scopes has given it."""
        match = _SCOPE.search(self._texts.get(register, ""))
        return None if match is None else "" if match[1] == "system" else match[1]

    def inside(self, bound: Mapping[str, tuple[Values, Sequence[str]]]) -> Values:
        """Give the same function as called with arguments."""
        twin = Values(self.module, self.threads, self.wave, kernel=False, bound=bound)
        twin._texts, twin._tokens = self._texts, self._tokens
        return twin

    def integer(self, tokens: Sequence[str], environment: Environment | None = None, depth: int = 0) -> Form:
        """Give the form of an integer operand; the last of its tokens is what counts."""
        token = tokens[-1] if tokens else ""
        if token.lstrip("-").isdigit() and len(token) < 25:
            return Form(int(token))
        if token in ("true", "false"):
            return Form(int(token == "true"))
        found = self._value(token, environment, depth)
        return found if isinstance(found, Form) else self._unknown(token)

    def address(self, tokens: Sequence[str], environment: Environment | None = None, depth: int = 0) -> Address | None:
        """Give the object that a pointer operand points into, and where; None if that is not known."""
        if "getelementptr" in tokens:
            at = tokens.index("getelementptr")
            at = tokens.index("(", at)
            return self._element(tokens[at + 1 : closing(tokens, at) - 1], environment, depth)
        token = operand(list(tokens)) if len(tokens) > 1 else (tokens[0] if tokens else "")
        token = self.module.aliases.get(token, token)
        if token.startswith("@"):
            if token not in self.module.variables:
                return None
            return Address("@" + self.module.name(token), self.module.variables[token], Form())
        found = self._value(token, environment, depth)
        if isinstance(found, Form) and self.kernel and token.startswith("%") and token not in self._texts:
            return Address(f"argument {token}", address_space(list(tokens)) or 0, Form())
        return found if isinstance(found, Address) else None

    # What registers hold

    def _unknown(self, token: str) -> Form:
        return Form.of(Symbol(f"{id(self)}{token}", Varies.UNKNOWN))

    def _value(self, token: str, environment: Environment | None, depth: int) -> Form | Address:
        if environment is not None and (key := self.key(token)) in environment:
            return environment[key]
        known = self._static if environment is None else environment
        key = token if environment is None else self.key(token)
        if key not in known:
            if depth > _DEEPEST:
                return self._unknown(token)
            known[key] = self._compute(token, environment, depth + 1)
        return known[key]

    def key(self, register: str) -> str:
        """Give the name of a register in environments, in which several functions may have one of this name."""
        return f"{id(self)}{register}"

    def _compute(self, token: str, environment: Environment | None, depth: int) -> Form | Address:
        if token in self.bound:
            caller, tokens = self.bound[token]
            if address_space(list(tokens)) is not None:
                return caller.address(list(tokens), environment, depth) or caller._unknown(token)
            return caller.integer(tokens, environment, depth)
        if token not in self._texts:
            if self.kernel and token.startswith("%"):
                return Form.of(Symbol(f"argument {token}", Varies.UNIFORM))
            return self._unknown(token)
        if token not in self._tokens:
            self._tokens[token] = tokenize(self._texts[token])[2:]
        words = self._tokens[token]
        opcode = words[0]
        rest = [each for each in words[1:] if each not in _FLAGS]
        if opcode in _BINARY:
            return self._binary(token, opcode, words, rest, environment, depth)
        if opcode in ("zext", "sext", "trunc", "freeze", "addrspacecast", "bitcast"):
            if address_space(rest) is not None:
                return self.address(_until_to(rest), environment, depth) or self._unknown(token)
            return self.integer(_until_to(rest), environment, depth)
        if opcode == "getelementptr":
            return self._element(words[1:], environment, depth) or self._unknown(token)
        if opcode == "select":
            return self._select(token, rest, environment, depth)
        if opcode == "icmp":
            return self._icmp(token, rest, environment, depth)
        if opcode == "phi":
            return self._phi(token, rest, environment, depth)
        return self._call(token, words[words.index("call") + 1 :], environment, depth)

    def _binary(
        self,
        token: str,
        opcode: str,
        tokens: Sequence[str],
        rest: list[str],
        environment: Environment | None,
        depth: int,
    ) -> Form:
        parts = split(rest)
        kind = rest[0] if rest else ""
        if len(parts) < 2 or not (kind[:1] == "i" and kind[1:].isdigit() and len(kind) < 5):
            return self._unknown(token)
        left = self.integer(parts[0], environment, depth)
        right = self.integer(parts[1][:1], environment, depth)
        if opcode == "or" and "disjoint" in tokens:
            opcode = "add"
        found = arithmetic(opcode, left, right, int(kind[1:]))
        if found is None:
            made = (opcode, int(kind[1:]), (left, right))
            found = self._opaque(token, opcode, (left, right), _bounds(opcode, left, right), made)
        return self._unknown(token) if found.wide else found

    def _opaque(
        self,
        token: str,
        opcode: str,
        operands: Sequence[Form],
        bounds: tuple[int | None, int | None],
        made: tuple[str, int, tuple[Form, ...]] | None = None,
    ) -> Form:
        """Give a symbol for a value that is no sum: named by how it is computed, so that equal ones are seen."""
        varies = max((each.varies for each in operands), default=Varies.UNKNOWN)
        name = f"{opcode}({', '.join(map(str, operands))})"
        if varies is Varies.UNKNOWN or len(name) > _LONGEST_NAME:
            return Form.of(Symbol(f"{id(self)}{token}", Varies.UNKNOWN, *bounds))
        return Form.of(Symbol(name, varies, *bounds, made))

    def _select(self, token: str, rest: list[str], environment: Environment | None, depth: int) -> Form | Address:
        parts = split(rest)
        if len(parts) < 3:
            return self._unknown(token)
        condition = self.integer(parts[0], environment, depth).known
        chosen = parts[1:3] if condition is None else [parts[1 if condition else 2]]
        if address_space(parts[1]) is not None:
            places = [self.address(each, environment, depth) for each in chosen]
            return _either_place(places) or self._unknown(token)
        forms = [self.integer(each, environment, depth) for each in chosen]
        if len(set(forms)) == 1:
            return forms[0]
        operands = (self.integer(parts[0], environment, depth), *forms)
        return self._opaque(token, "select", operands, _union(forms), ("select", 0, operands))

    def _icmp(self, token: str, rest: list[str], environment: Environment | None, depth: int) -> Form:
        parts = split(rest)
        if len(parts) < 2 or len(rest) < 2 or rest[1][:1] != "i":
            return self._unknown(token)
        left = self.integer(parts[0], environment, depth)
        right = self.integer(parts[1][:1], environment, depth)
        one, other = left.known, right.known
        if one is not None and other is not None and rest[1][1:].isdigit():
            return Form(int(compared(rest[0], one, other, int(rest[1][1:]))))
        made = (f"icmp {rest[0]}", int(rest[1][1:]), (left, right)) if rest[1][1:].isdigit() else None
        return self._opaque(token, f"icmp {rest[0]}", (left, right), (0, 1), made)

    def _phi(self, token: str, rest: list[str], environment: Environment | None, depth: int) -> Form | Address:
        """Give a phi on no particular path: one value if all are equal; of pointers at least the object."""
        start = rest.index("[") if "[" in rest else 0
        incoming = [part for part in split(rest[start:]) if part[:1] == ["["]]
        values = [part[1 : part.index(",")] for part in incoming if "," in part]
        if environment is not None or any(each[-1:] == [token] for each in values):
            return self._unknown(token)
        self._static[token] = self._unknown(token)  # what depends on itself is not known
        if address_space(rest) is not None:
            places = [self.address(each, None, depth) for each in values]
            return _either_place(places) or self._unknown(token)
        forms = {self.integer(each, None, depth) for each in values}
        return forms.pop() if len(forms) == 1 else self._unknown(token)

    def _call(self, token: str, tokens: Sequence[str], environment: Environment | None, depth: int) -> Form | Address:
        place = next((index for index, each in enumerate(tokens) if each.startswith("@")), -1)
        if place < 0 or tokens[place + 1 : place + 2] != ["("]:
            return self._unknown(token)
        name = decode_name(tokens[place])
        arguments = split(tokens[place + 2 : closing(tokens, place + 1) - 1])
        low, high = _declared_range(tokens[:place])
        if name.startswith("llvm.amdgcn.workitem.id."):
            most = min(self.threads, high or self.threads) - 1
            return Form.of(Symbol(name.removeprefix("llvm.amdgcn."), Varies.THREAD, 0, most))
        if name.startswith(("llvm.amdgcn.workgroup.id.", "llvm.amdgcn.cluster.", "llvm.amdgcn.dispatch.id")):
            return Form.of(Symbol(name.removeprefix("llvm.amdgcn."), Varies.UNIFORM, low or 0, None))
        if name == "llvm.amdgcn.wave.id":
            return Form.of(Symbol(WAVE_INDEX, Varies.THREAD, 0, max(self.threads // self.wave - 1, 0)))
        if name.startswith("llvm.amdgcn.mbcnt."):
            return Form.of(Symbol("lane", Varies.THREAD, 0, self.wave - 1))
        if name.startswith(("llvm.amdgcn.readfirstlane", "llvm.amdgcn.readlane")) and arguments:
            form = self.integer(arguments[0], environment, depth)
            if form.varies is Varies.UNIFORM:
                return form
            first = name.startswith("llvm.amdgcn.readfirstlane")
            made = ("readfirstlane", 0, (form,)) if first else None
            return self._opaque(token, name, (form,), form.range, made)
        if name.startswith(_EXTREMES) and len(arguments) == 2:
            forms = [self.integer(each, environment, depth) for each in arguments]
            if all(each.known is not None for each in forms):
                return Form((min if "min" in name else max)(each.constant for each in forms))
            return self._opaque(token, name, forms, _union(forms))
        if name.startswith(("llvm.ssa.copy", "llvm.amdgcn.wwm", "llvm.expect.")) and arguments:
            return self.integer(arguments[0], environment, depth)
        if low is not None or high is not None:
            return Form.of(Symbol(f"{id(self)}{token}", Varies.UNKNOWN, low, None if high is None else high - 1))
        return self._unknown(token)

    # Addresses

    def _element(self, tokens: Sequence[str], environment: Environment | None, depth: int) -> Address | None:
        """Give the result of an address computation: its flags and type, the pointer, and the indices."""
        rest = [each for each in tokens if each not in _FLAGS]
        if rest[:1] == ["inrange"]:
            rest = rest[closing(rest, 1) :]
        parts = split(rest)
        if len(parts) < 2 or address_space(parts[1]) is None:
            return None
        base = self.address(parts[1], environment, depth)
        if base is None or base.offset is None:
            return base
        layout = read_type(parts[0], self.module.structs)
        offset = base.offset
        for place, part in enumerate(parts[2:]):
            if part[0].startswith("!"):
                break
            index = self.integer(part, environment, depth)
            if layout is None:
                return Address(base.root, base.space, None)
            if place == 0:
                offset += index.scaled(layout.size)
                continue
            if layout.fields:
                if index.known is None or not 0 <= index.known < len(layout.fields):
                    return Address(base.root, base.space, None)
                at, layout = layout.fields[index.known]
                offset += Form(at)
                continue
            layout = layout.element
            if layout is None:
                return Address(base.root, base.space, None)
            offset += index.scaled(layout.size)
        return Address(base.root, base.space, None if offset.wide else offset)


def _until_to(tokens: list[str]) -> list[str]:
    return tokens[: tokens.index("to")] if "to" in tokens else tokens


def _declared_range(tokens: Sequence[str]) -> tuple[int | None, int | None]:
    """Read ``range(i32 0, 128)`` of a result."""
    if "range" in tokens:
        at = tokens.index("range")
        numbers = [each for each in tokens[at + 2 : at + 6] if each.lstrip("-").isdigit()]
        if len(numbers) == 2:
            return int(numbers[0]), int(numbers[1])
    return None, None


def _either_place(places: Sequence[Address | None]) -> Address | None:
    """Give an address that is one of several: the object, if all have the same."""
    first = places[0] if places else None
    if first is None or any(each is None or each.root != first.root for each in places):
        return None
    return first if len(set(places)) == 1 else Address(first.root, first.space, None)


def _union(forms: Sequence[Form]) -> tuple[int | None, int | None]:
    lows, highs = [each.range[0] for each in forms], [each.range[1] for each in forms]
    return (
        None if None in lows else min(each for each in lows if each is not None),
        None if None in highs else max(each for each in highs if each is not None),
    )


def arithmetic(opcode: str, left: Form, right: Form, width: int) -> Form | None:
    """Compute what remains a sum; None for all else. Wrap-around of sums is not looked at."""
    one, other = left.known, right.known
    match opcode:
        case "add":
            return left + right
        case "sub":
            return left + right.scaled(-1)
        case "mul" if other is not None:
            return left.scaled(other)
        case "mul" if one is not None:
            return right.scaled(one)
        case "shl" if other is not None and 0 <= other < width:
            return left.scaled(1 << other)
    if one is None or other is None:
        return left if opcode in ("or", "xor", "lshr", "ashr") and other == 0 else None
    return _constant(opcode, one, other, width)


def _constant(opcode: str, one: int, other: int, width: int) -> Form | None:
    mask = (1 << width) - 1
    a, b = one & mask, other & mask
    match opcode:
        case "and":
            return Form(a & b)
        case "or":
            return Form(a | b)
        case "xor":
            return Form(a ^ b)
        case "lshr" if b < width:
            return Form(a >> b)
        case "ashr" if b < width:
            return Form(one >> b)
        case "udiv" if b:
            return Form(a // b)
        case "urem" if b:
            return Form(a % b)
        case "sdiv" if other:
            return Form(abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1))
        case "srem" if other:
            return Form(abs(one) % abs(other) * (-1 if one < 0 else 1))
    return None


def _bounds(opcode: str, left: Form, right: Form) -> tuple[int | None, int | None]:
    """Bound the result of an operation that is no sum, on what is not negative."""
    (low, high), (least, most) = left.range, right.range
    if opcode == "and":
        highs = [h for lo, h in ((low, high), (least, most)) if lo is not None and lo >= 0 and h is not None]
        return (0, min(highs)) if highs else (None, None)
    if opcode == "urem":
        return (0, most - 1) if most is not None and least is not None and least > 0 else (None, None)
    if low is None or low < 0 or high is None:
        return None, None
    if opcode == "lshr" and right.known is not None:
        return low >> right.known, high >> right.known
    if opcode == "udiv" and right.known:
        return low // right.known, high // right.known
    if least is None or least < 0 or most is None:
        return None, None
    if opcode in ("or", "xor"):
        return 0, (1 << max(high.bit_length(), most.bit_length())) - 1
    return (low * least, high * most) if opcode == "mul" else (None, None)


def compared(predicate: str, one: int, other: int, width: int) -> bool:
    """Tell whether a comparison of two integers holds."""
    if predicate in ("eq", "ne", "ult", "ule", "ugt", "uge"):
        mask = (1 << width) - 1
        one, other = one & mask, other & mask
    return {
        "eq": one == other,
        "ne": one != other,
        "lt": one < other,
        "le": one <= other,
        "gt": one > other,
        "ge": one >= other,
    }[predicate if predicate in ("eq", "ne") else predicate[1:]]
