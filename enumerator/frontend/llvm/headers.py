"""What stands before a function's body in the text of LLVM IR: its name, the type of its result, its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from enumerator.errors import InputError
from enumerator.frontend.llvm.constants import ConstantParser
from enumerator.frontend.llvm.reader import Signature, skip_attributes
from enumerator.frontend.llvm.source import SourceFunction
from enumerator.frontend.llvm.tokens import Cursor, NotCovered, decode_name
from enumerator.frozen import dataclass
from enumerator.program.instructions import HIDDEN, Alloca, Annotation, Function, Instruction, Load, Register, Store
from enumerator.program.types import BytesType, Type, size_of

__all__ = ["Header", "header_of", "with_copies"]


@dataclass
class Header:
    """What stands before the body of a function.

    Parameters
    ----------
    signature : Signature
    parameters : tuple of str
    copied : mapping of str to Type
        The parameters that point to what the function gets a copy of, with its type.
    """

    signature: Signature
    parameters: tuple[str, ...]
    copied: Mapping[str, Type]


def header_of(
    tokens: list[str],
    constants: ConstantParser,
    global_name: Callable[[str], str],
    originals: Mapping[str, SourceFunction],
    path: str,
) -> Header:
    """Parse what stands before a function's body.

    Parameters
    ----------
    tokens : list of str
    constants : ConstantParser
    global_name : callable
        Gives the name that a token stands for.
    originals : mapping of str to SourceFunction
        The functions in the original, for positions.
    path : str
        For error messages.

    Returns
    -------
    Header

    Raises
    ------
    InputError
        If a type is not covered.
    """
    place = next(index for index, token in enumerate(tokens) if token.startswith("@"))
    name = global_name(tokens[place])
    try:
        result = _result(tokens, place, constants)
        cursor = Cursor(tokens, place + 1)
        cursor.expect("(")
        types: list[Type] = []
        names: list[str] = []
        variadic = False
        unnamed = 0
        copied: dict[str, Type] = {}
        while not cursor.accept(")"):
            if cursor.token == "...":
                variadic = True
                cursor.next()
                continue
            types.append(constants.type(cursor))
            by_value = _type_by_value(tokens, cursor, constants)
            if cursor.token.startswith("%"):
                names.append(decode_name(cursor.next()))
            else:
                names.append(str(unnamed))
            unnamed += names[-1].isdigit()
            if by_value is not None:
                copied[names[-1]] = by_value
            cursor.accept(",")
    except (NotCovered, ValueError) as error:
        line = originals[name].line if name in originals else None
        raise InputError(f"function @{name} has a type that is not supported: {error}", path, line) from None
    signature = Signature(name, tuple(types), result, variadic)
    return Header(signature, tuple(names), copied)


def _type_by_value(tokens: list[str], cursor: Cursor, constants: ConstantParser) -> Type | None:
    """Pass over the attributes of a parameter; give the type of what it points to, if the function gets a copy."""
    first = cursor.index
    skip_attributes(cursor)
    if "byval" not in tokens[first : cursor.index]:
        return None
    return constants.type(Cursor(tokens, tokens.index("byval", first) + 2))


def _result(tokens: list[str], place: int, constants: ConstantParser) -> Type | None:
    """Find the type of the result: the one that ends just before the function's name."""
    if tokens[place - 1] == "void":
        return None
    for start in range(1, place):
        cursor = Cursor(tokens, start)
        try:
            type_ = constants.type(cursor)
        except (NotCovered, ValueError):
            continue
        if cursor.index == place:
            return type_
    raise NotCovered("the type of the result")


def with_copies(function: Function, copied: Mapping[str, Type]) -> Function:
    """Let a function copy what some parameters point to, to memory of its own, and take that.

    Parameters
    ----------
    function : Function
    copied : mapping of str to Type
        See :class:`Header`.

    Returns
    -------
    Function

    References
    ----------
    LangRef, *Parameter Attributes*, ``byval``.
    """
    if not copied:
        return function
    begin: list[Instruction] = []
    for name, type_ in copied.items():
        given, held, content = f"{HIDDEN}{name}", f"{HIDDEN}{name}.bytes", BytesType(size_of(type_))
        begin += [
            Alloca(name, type_, 1, 0, function.line),
            Load(held, Register(given), content, Annotation(), function.line),
            Store(Register(name), Register(held), content, Annotation(), function.line),
        ]
    entry, *others = function.blocks
    parameters = tuple(f"{HIDDEN}{name}" if name in copied else name for name in function.parameters)
    return replace(function, parameters=parameters, blocks=(replace(entry, body=(*begin, *entry.body)), *others))
