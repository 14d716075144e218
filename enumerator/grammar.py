"""Parsers by grammar, whose tables are kept between runs: making them takes longer than most that is parsed."""

from __future__ import annotations

import hashlib
import marshal
import sys
from typing import TYPE_CHECKING, Any

from enumerator.cache import load_whole, store_whole

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["lalr_parser"]

_LEXER = "the lexer that is given"


def lalr_parser(grammar: str, transformer: Any, lexer: Any = "contextual", **options: Any) -> Lark:
    """Make an LALR parser, of tables that an earlier run has made if there are any.

    Parameters
    ----------
    grammar : str
    transformer : object
        Makes the result, a rule at a time.
    lexer : str or type
    **options
        Of :class:`lark.Lark`.

    Returns
    -------
    lark.Lark

    Examples
    --------
    >>> from lark import Transformer
    >>> made = lalr_parser('start: "a"+', Transformer())
    >>> str(made.parse("aaa").data)
    'start'
    """
    from lark import Lark, __version__

    key = repr((grammar, sys.version, __version__, getattr(lexer, "__qualname__", lexer), sorted(options.items())))
    name = hashlib.sha256(key.encode()).hexdigest()[:24]
    kept = load_whole("grammars", name)
    if kept is not None and (found := _restored(kept, transformer, lexer)) is not None:
        return found
    made = Lark(grammar, parser="lalr", lexer=lexer, transformer=transformer, **options)
    data = _tables(made, lexer)
    if data is not None:
        store_whole("grammars", name, data)
    return made


def _tables(made: Lark, lexer: Any) -> bytes | None:
    """Give a parser's tables; None where this version of lark has them otherwise."""
    from lark.grammar import Rule
    from lark.lexer import TerminalDef

    try:
        tables, shared = made.memo_serialize([TerminalDef, Rule])
        tables["options"]["transformer"] = None
        return marshal.dumps((_replaced(tables, lexer, _LEXER), shared))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def _restored(kept: bytes, transformer: Any, lexer: Any) -> Lark | None:
    """Make a parser of its tables; None where this version of lark cannot."""
    from lark import Lark

    try:
        tables, shared = marshal.loads(kept)
        return Lark._load_from_dict(_replaced(tables, _LEXER, lexer), shared, transformer=transformer)  # type: ignore[no-untyped-call, no-any-return]
    except Exception:  # whatever another version of lark expects: the parser is made anew
        return None


def _replaced(data: Any, old: Any, new: Any) -> Any:
    """Replace one value wherever it stands."""
    if isinstance(data, dict):
        return {key: _replaced(value, old, new) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return type(data)([_replaced(value, old, new) for value in data])
    return new if type(data) is type(old) and data == old else data
