"""From the text of a model to its syntax tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from difflib import get_close_matches
from functools import cache
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from enumerator.cat.lexer import KEYWORDS, SYMBOLS, Lexeme, tokenize
from enumerator.cat.syntax import Expression, IfStatement, Include, Model, Position, Procedure, Statement
from enumerator.cat.tree import MAX_DEPTH, TOO_DEEP, check_depth, expressions
from enumerator.clock import check_time
from enumerator.errors import InputError
from enumerator.files import contained, obstacle, read_text
from enumerator.frozen import dataclass
from enumerator.grammar import lalr_parser

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["find_model", "load_model", "parse_expression", "parse_text", "shipped_models"]

MAX_SIZE = 1_000_000
"""Characters of a model file."""

MAX_STATEMENTS = 20_000
"""Statements of a model with its includes: files that include each other twice grow exponentially."""

_MODELS = Path(__file__).resolve().parent.parent / "models"
_LIBRARY = Path(__file__).resolve().parent / "library"
_STANDARD_LIBRARY = "stdlib.cat"


def parse_text(text: str, path: str) -> Model:
    """Parse the text of a model.

    Parameters
    ----------
    text : str
        The model, in herd's ``cat`` language with the additions that this package's README describes.
    path : str
        Where it comes from: named in errors and positions.

    Returns
    -------
    Model
        ``include`` statements are still in it: :func:`load_model` replaces them.

    Raises
    ------
    InputError
        With the place of the first mistake and what was expected there.

    Examples
    --------
    >>> model = parse_text('"SC" let fr = rf^-1;co acyclic po | rf | co | fr as sc', "sc.cat")
    >>> model.title, model.statements[1].text
    ('SC', 'acyclic po | rf | co | fr')
    """
    if len(text) > MAX_SIZE:
        raise InputError(f"a model has at most {MAX_SIZE} characters", path)
    tokens = tokenize(text, path)
    title, statements = _parse(tokens, path, "start")
    _check_title(tokens, statements, path)
    model = Model(title, path, statements)
    _check_depth(model.statements)
    return model


def parse_expression(text: str, path: str = "<expression>") -> Expression:
    """Parse one expression.

    Raises
    ------
    InputError

    Examples
    --------
    >>> parse_expression("a | b").operator
    '|'
    """
    expression: Expression = _parse(tokenize(text, path, statements=False), path, "expression")
    check_depth(expression)
    return expression


def load_model(
    name_or_path: str | Path, include_dirs: Sequence[str | Path] = (), includes_anywhere: bool = False
) -> Model:
    """Read a model file and the files that it includes.

    As herd does, the file ``stdlib.cat`` is read first, where one lies beside the model or in `include_dirs`.

    Parameters
    ----------
    name_or_path : str or Path
        The name of a shipped model (``llvm``), or a path.
    include_dirs : sequence of str or Path
        Where ``include`` looks after the folder of the including file and before the shipped models. A model
        given by name that is not shipped is searched there too. Shipped models read nothing there: they mean the same
        wherever they are used.
    includes_anywhere : bool
        Without it, ``include`` reaches files in these folders only, links resolved: no absolute paths, and no ``..``
        out of them.

    Returns
    -------
    Model
        With the statements of included files in the place of ``include``. An ``include`` of a file that is not there
        is left in branches of ``if``: it is an error where such a branch is selected.

    Raises
    ------
    InputError
        For a file that is missing or no text, syntax errors, files that include themselves, and files out of reach.
        Of a file that is not named ``*.cat`` and is no model, messages quote nothing.
    """
    directories = tuple(Path(directory) for directory in include_dirs)
    path = find_model(name_or_path, directories)
    if path.resolve().parent == _MODELS:
        directories = ()
    model = _parsed(path)
    reach = None if includes_anywhere else (path.parent, path.resolve().parent, *directories, _LIBRARY, _MODELS)
    splicer = _Splicer(directories, reach)
    prelude = splicer.prelude(path.resolve())
    return replace(model, statements=prelude + splicer.splice(model.statements, (path.resolve(),)))


@cache
def shipped_models() -> tuple[str, ...]:
    """Give the names of the models that come with the checker, sorted."""
    return tuple(sorted(path.stem for path in _MODELS.glob("*.cat")))


def find_model(name_or_path: str | Path, include_dirs: Sequence[Path] = ()) -> Path:
    """Find the file of a model that is given by name or by path.

    Raises
    ------
    InputError
        If there is no such file; it names the shipped models.
    """
    text = str(name_or_path)
    if text in shipped_models():
        return _MODELS / f"{text}.cat"
    plain = bool(text) and Path(text).name == text
    candidates = [Path(text)]
    if plain:
        directories = (_MODELS, *include_dirs)
        named = [directory / f"{text}.cat" for directory in directories]
        with_suffix = [directory / text for directory in directories] if text.endswith(".cat") else []
        candidates = [*named, *candidates, *with_suffix]
    for candidate in candidates:
        if _is_file(candidate):
            return candidate
    shipped = shipped_models()
    near = get_close_matches(text, shipped, 1, 0.6)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise InputError(f"no model '{text}': {obstacle(text)}, and the shipped models are "
                     f"{', '.join(shipped) or 'none'}{hint}")  # fmt: skip


# Includes ----------------------------------------------------------------------------------------------------


@dataclass
class _Splicer:
    """Replaces ``include`` by the statements of the included file."""

    directories: tuple[Path, ...]
    reach: tuple[Path, ...] | None  # the folders that files may be in; None for any
    parsed: dict[Path, Model] = field(default_factory=dict)
    written: int = 0

    def prelude(self, model: Path) -> tuple[Statement, ...]:
        """Read the standard library that belongs to a model, if there is one."""
        for directory in (model.parent, *self.directories):
            library = (directory / _STANDARD_LIBRARY).resolve()
            if _is_file(library) and library != model:
                return self.included(_STANDARD_LIBRARY, Position(str(library), 1, 1), (model,))
        return ()

    def splice(
        self, statements: tuple[Statement, ...], stack: tuple[Path, ...], optional: bool = False
    ) -> tuple[Statement, ...]:
        """Replace the includes in statements; `stack` holds the files being read, outermost first."""
        spliced: list[Statement] = []
        for statement in statements:
            check_time()
            self.written += 1
            if self.written > MAX_STATEMENTS:
                message = f"the model has more than {MAX_STATEMENTS} statements with its includes"
                raise statement.position.error(message)
            match statement:
                case Include(file, position):
                    if optional and self.find(file, position, stack[-1].parent) is None:
                        spliced.append(statement)
                    else:
                        spliced += self.included(file, position, stack, optional)
                case IfStatement(_, then, otherwise, _):
                    then, otherwise = self.splice(then, stack, True), self.splice(otherwise, stack, True)
                    spliced.append(replace(statement, then=then, otherwise=otherwise))
                case Procedure(_, _, body, _):
                    spliced.append(replace(statement, body=self.splice(body, stack)))
                case _:
                    spliced.append(statement)
        return tuple(spliced)

    def included(
        self, file: str, position: Position, stack: tuple[Path, ...], optional: bool = False
    ) -> tuple[Statement, ...]:
        path = self.find(file, position, stack[-1].parent)
        if path is None:
            where = ", ".join(str(directory) for directory in (stack[-1].parent, *self.directories))
            message = f"cannot find '{file}' to include: it is neither in {where} nor among the shipped models"
            raise position.error(message)
        real = path.resolve()
        if real in stack:
            raise position.error(f"'{file}' includes itself")
        if len(stack) > MAX_DEPTH:
            raise position.error(f"includes nested too deeply: more than {MAX_DEPTH} levels")
        if real not in self.parsed:
            self.parsed[real] = _parsed(path, position)
        return self.splice(self.parsed[real].statements, (*stack, real), optional)

    def find(self, file: str, position: Position, beside: Path) -> Path | None:
        """Find an included file; the library folder has substitutes for herd's files, where these are missing."""
        out = Path(file).is_absolute() or ".." in Path(file).parts  # refused whether or not the file exists
        for path in (directory / file for directory in (beside, *self.directories, _LIBRARY, _MODELS)):
            reached = self.reach is None or (not Path(file).is_absolute() and contained(path, self.reach))
            if reached and _is_file(path):
                return path
            out = out or (not reached and _is_file(path))
        if out and self.reach is not None:
            message = f"'{file}' is neither beside the model nor in a folder given with -I nor in the library"
            raise position.error(f"{message}: --allow-includes-anywhere allows it")
        return None


def _is_file(path: Path) -> bool:
    return obstacle(path) is None


def _parsed(path: Path, position: Position | None = None) -> Model:
    """Read and parse a file; `position` is that of the ``include`` that names it."""
    try:
        text = read_text(path, MAX_SIZE * 4, piped=False)
    except InputError as error:
        if position is None:
            raise
        raise position.error(str(error)) from None
    try:
        return parse_text(text, str(path))
    except InputError as error:
        if path.resolve().suffix == ".cat":
            raise
        message = "this is no model: expected text in the cat language, in a file named *.cat"
        raise InputError(message, str(path), error.line, error.column) from None


# Titles ------------------------------------------------------------------------------------------------------

_STARTS = ("acyclic", "irreflexive", "empty", "include", "undefined_unless")


def _check_title(tokens: Sequence[Lexeme], statements: tuple[Statement, ...], path: str) -> None:
    """Refuse a title that is a misspelt statement; a title without quotes has to be followed by a statement."""
    words = list(takewhile(lambda token: token.type in ("NAME", "STRING"), tokens[:2]))
    if not words or any(word.type == "STRING" for word in words):
        return
    first = words[0]
    meant = get_close_matches(first.text.lower(), _STARTS, 1, 0.8) if len(words) > 1 else []
    if meant:
        message = f"unknown statement '{first.text}'; did you mean '{meant[0]}'?"
        raise InputError(message, path, first.line, first.column)
    if not statements:
        message = f"expected a statement after the title '{' '.join(word.text for word in words)}'"
        raise InputError(message, path, first.line, first.column)


# Depth -------------------------------------------------------------------------------------------------------

_OPENING, _CLOSING = frozenset(("LPAR", "LSQB", "LBRACE", "BEGIN")), frozenset(("RPAR", "RSQB", "RBRACE", "END"))
_CONDITION = frozenset(("NOT", "BOTH", "CASE"))


def _check_tokens(tokens: Sequence[Lexeme], path: str) -> None:
    """Refuse what is nested too deeply and is not in the tree: brackets, and the conditions of ``if``."""
    opened = joined = 0
    for token in tokens:
        if token.type in _OPENING:
            opened += 1
        elif token.type in _CLOSING:
            opened = max(0, opened - 1)  # 'end' ends statements, too
        joined = joined + 1 if token.type in _CONDITION else joined if token.type in ("STRING", "LPAR", "RPAR") else 0
        if max(opened, joined) > MAX_DEPTH:
            raise InputError(TOO_DEEP, path, token.line, token.column)


def _check_depth(statements: tuple[Statement, ...]) -> None:
    """Refuse trees that are too deep, without recursion."""
    level = 0
    while statements:
        level += 1
        if level > MAX_DEPTH:
            raise statements[0].position.error(f"statements nested too deeply: more than {MAX_DEPTH} levels")
        below: list[Statement] = []
        for statement in statements:
            match statement:
                case IfStatement(_, then, otherwise, _):
                    below += [*then, *otherwise]
                case Procedure(_, _, body, _):
                    below += body
                case _:
                    for expression in expressions(statement):
                        check_depth(expression)
        statements = tuple(below)


# Errors ------------------------------------------------------------------------------------------------------

_WORDS = {kind: f"'{text}'" for text, kind in SYMBOLS.items()} | {word.upper(): f"'{word}'" for word in KEYWORDS}
_OPERATORS = frozenset("UNION ADD SEQUENCE DIFFERENCE INTERSECTION PRODUCT STAR PLUS OPTION INVERSE".split())
_OPERANDS = frozenset("NAME ZERO UNDERSCORE LPAR LSQB LBRACE COMPLEMENT BEGIN LET FUN TRY IF MATCH".split())
_STATEMENTS = frozenset(
    (
        "LET ACYCLIC IRREFLEXIVE EMPTY COMPLEMENT FLAG UNDEFINED_UNLESS ASSERT SHOW UNSHOW INCLUDE WITH FINAL VARIANTS"
        " PROCEDURE CALL IF"
    ).split()
)


def _parse(tokens: list[Lexeme], path: str, rule: str) -> Any:
    from lark.exceptions import UnexpectedToken

    _check_tokens(tokens, path)
    try:
        return _lark().parse((tokens, path), start=rule)
    except UnexpectedToken as error:
        if error.token.type == "$END":
            line, column = (tokens[-1].line, tokens[-1].column + len(tokens[-1].text)) if tokens else (1, 1)
            found = "the end of the file"
        else:
            line, column = error.token.line or 1, error.token.column or 1
            found = f'"{error.token}"' if error.token.type == "STRING" else f"'{error.token}'"
        accepted = _accepted(tokens, path, rule, line, column)
        raise InputError(f"expected {_describe(accepted)}, but found {found}", path, line, column) from None


def _accepted(tokens: list[Lexeme], path: str, rule: str, line: int, column: int) -> set[str]:
    """Give the token types that may follow the tokens before a place.

    The state of the parser that failed does not tell: it may have reduced rules before it refused the token.
    """
    right = [token for token in tokens if (token.line, token.column) < (line, column)]
    parser = _lark().parse_interactive((right, path), start=rule)
    parser.exhaust_lexer()
    return {kind.removeprefix("_") for kind in parser.accepts()}  # type: ignore[no-untyped-call]


def _describe(accepted: set[str]) -> str:
    """Describe token types in a message."""
    words: list[str] = []
    left = set(accepted)
    operator = "UNION" in left and "SEQUENCE" in left
    statement = "LET" in left and "SHOW" in left
    if operator:  # an operand would be an argument of the name before it: possible, but unlikely to be meant
        words.append("an operator")
        left -= _OPERATORS | (_OPERANDS - {"LET", "IF"})
    elif "ZERO" in left:
        words.append("an expression")
        left -= _OPERANDS
    if "NAME" in left:
        words.append("a name")
    if statement:
        words.append("a statement")
        left -= _STATEMENTS
    if "STRING" in left:
        words.append("a text in quotes")
    left -= {"NAME", "STRING", "NOT"}
    if "$END" in left and not statement:
        words.append("the end of the file")
    words += sorted(_WORDS[kind] for kind in left if kind in _WORDS)
    if len(words) < 2:
        return words[0] if words else "something else"
    return f"{', '.join(words[:-1])} or {words[-1]}"


@cache
def _lark() -> Lark:
    """Build the parser, once."""
    from enumerator.cat.builder import Builder, ListLexer

    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    return lalr_parser(grammar, Builder(), ListLexer, start=["start", "expression"], maybe_placeholders=False)
