"""Directives: what a test says of itself in the comments of its language.

They are the same in all formats: ``REF``, ``SCOPES``, ``PROFILE``, ``EXISTS`` ``FORALL`` ``NEVER``, ``EXPECT``,
``UNROLL``, ``THREADS``, ``LAUNCH`` and ``OBSERVE``, each at the start of a comment and followed by a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import field

from enumerator.errors import InputError
from enumerator.frozen import dataclass
from enumerator.program.condition import Quantifier
from enumerator.program.test import Expectation

__all__ = ["DIRECTIVES", "OBSERVATIONS", "Comment", "Directives", "may_be_directive", "read_directives"]

DIRECTIVES = (
    "REF",
    "SCOPES",
    "PROFILE",
    "EXISTS",
    "FORALL",
    "NEVER",
    "EXPECT",
    "UNROLL",
    "THREADS",
    "LAUNCH",
    "OBSERVE",
)

OBSERVATIONS = ("Never", "Sometimes", "Always")

_FLAG = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")

_QUANTIFIERS = {"EXISTS": Quantifier.EXISTS, "FORALL": Quantifier.FORALL, "NEVER": Quantifier.NEVER}

_DIRECTIVE = re.compile(r"([A-Z][A-Z_-]*)\s*:")
_WITHOUT_COLON = re.compile(
    r"(SCOPES\s*\(|EXPECT\s.*=|THREADS\s.*=\s*@|LAUNCH\s+@|(?:EXISTS|FORALL|NEVER)\s.*[:\])\w]\s*=)"
)
_EXPECTATION = re.compile(
    r"(?P<model>[^\s@/=]+)(?:@(?P<profile>[^\s/=]+))?(?P<variants>(?:/[^\s/=]*)*)=(?P<observation>[^\s+]*)"
    r"(?P<flags>(?:\+[^\s+]*)*)"
)

_MOST_UNROLLED = 1 << 20

_MEANT = {
    **dict.fromkeys(("ASSERT", "ASSERTION", "ALWAYS", "INVARIANT", "ENSURE", "ENSURES"), "FORALL"),
    **dict.fromkeys(("ALLOW", "ALLOWED", "CONDITION", "REACHABLE"), "EXISTS"),
    **dict.fromkeys(("FORBID", "FORBIDDEN", "UNREACHABLE"), "NEVER"),
    **dict.fromkeys(("GRID", "KERNEL"), "LAUNCH"),
}
"""Words that directives have elsewhere, and prose, too."""


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that stands at the start of a line: its text without marks and margins, and its place."""

    text: str
    line: int
    column: int = 1


def directive(comments: Iterable[Comment], name: str) -> str:
    """Give what a directive says, as it is written; empty if there is none.

    Examples
    --------
    >>> directive([Comment("REF: a book", 1), Comment("THREADS: t0=@f", 2)], "THREADS")
    't0=@f'
    """
    found = (re.match(rf"{name}\s*:(.*)", comment.text) for comment in comments)
    return next((match[1].strip() for match in found if match is not None), "")


@dataclass
class Directives:
    """The directives of a test; those with their place still have to be parsed in view of the program."""

    title: str = ""
    references: list[str] = field(default_factory=list)
    scopes: Comment | None = None
    threads: Comment | None = None
    launch: Comment | None = None
    condition: tuple[Quantifier, Comment] | None = None
    profile: str = "generic"
    unroll: int | None = None
    observe: Comment | None = None
    expectations: tuple[Expectation, ...] = ()
    notes: list[str] = field(default_factory=list)


def may_be_directive(text: str) -> bool:
    """Tell whether a comment begins as directives do, or as misspelt ones.

    Examples
    --------
    >>> may_be_directive("FORAL: @x = 1"), may_be_directive("for all of them: yes"), may_be_directive("LAUNCH @k()")
    (True, False, True)
    """
    return _DIRECTIVE.match(text) is not None or _WITHOUT_COLON.match(text) is not None


def read_directives(comments: Sequence[Comment], path: str) -> Directives:
    """Read the directives among the comments of a test.

    Parameters
    ----------
    comments : sequence of Comment
        In the order of the file. The first is the title, if it is no directive.
    path : str
        For error messages.

    Raises
    ------
    InputError
        For a directive that is misspelt, empty, given twice, or wrong in itself.

    Examples
    --------
    >>> found = read_directives([Comment("MP", 1), Comment("EXPECT: llvm@vulkan/direct=Never+race", 2)], "mp.ll")
    >>> found.title, found.expectations[0].variants, sorted(found.expectations[0].flags)
    ('MP', ('direct',), ['race'])
    """
    found = Directives()
    given: dict[str, Comment] = {}
    expectations: list[Expectation] = []
    for number, comment in enumerate(comments):
        match = _DIRECTIVE.match(comment.text)
        name = match[1] if match is not None else ""
        if match is None or name not in DIRECTIVES:
            _check_spelling(comment, name, path)
            if name in _MEANT:
                what = f"line {comment.line}: {name}: is no directive, and is not looked at"
                found.notes.append(f"{what} ({_MEANT[name]}: is one)")
            if number == 0:
                found.title = comment.text
            continue
        value = comment.text[match.end() :]
        start = comment.column + match.end() + len(value) - len(value.lstrip())
        content = Comment(value.strip(), comment.line, start)
        if not content.text:
            raise InputError(f"{name}: nothing follows", path, comment.line, comment.column)
        if name not in ("REF", "EXPECT"):
            kind = "condition" if name in _QUANTIFIERS else name
            if kind in given:
                what = "condition" if kind == "condition" else f"{name}:"
                message = f"a second {what} (the first is in line {given[kind].line})"
                raise InputError(message, path, comment.line, comment.column)
            given[kind] = comment
        match name:
            case "REF":
                found.references.append(content.text)
            case "SCOPES":
                found.scopes = content
            case "THREADS":
                found.threads = content
            case "LAUNCH":
                found.launch = content
            case "OBSERVE":
                found.observe = content
            case "PROFILE":
                found.profile = _single_word(content, path)
            case "UNROLL":
                found.unroll = _bound(content, path)
            case "EXPECT":
                expectations.extend(_expectations(content, path))
            case _:
                found.condition = (_QUANTIFIERS[name], content)
    _check_keys(expectations, found.profile, path)
    found.expectations = tuple(expectations)
    return found


def _single_word(content: Comment, path: str) -> str:
    if len(content.text.split()) > 1:
        raise InputError("expected one name", path, content.line, content.column)
    return content.text


def _bound(content: Comment, path: str) -> int:
    if not re.fullmatch(r"[0-9]{1,7}", content.text) or not int(content.text) <= _MOST_UNROLLED:
        message = f"UNROLL: expected a whole number from 0 to {_MOST_UNROLLED}"
        raise InputError(message, path, content.line, content.column)
    return int(content.text)


def _expectations(content: Comment, path: str) -> list[Expectation]:
    expectations = []
    for word in re.finditer(r"\S+", content.text):
        column = content.column + word.start()

        def fail(message: str, at: int = column) -> InputError:
            return InputError(message, path, content.line, at)

        match = _EXPECTATION.fullmatch(word[0])
        if match is None:
            raise fail(f"EXPECT: {word[0]!r} is not MODEL[@PROFILE][/VARIANT…]=Never|Sometimes|Always[+flag…]")
        if match["observation"] not in OBSERVATIONS:
            raise fail(f"EXPECT: unknown observation {match['observation']!r}: expected {', '.join(OBSERVATIONS)}")
        variants = tuple(match["variants"].split("/")[1:])
        for number, variant in enumerate(variants):
            # Which variants there are, the model says: they are looked up when it is known.
            if not variant:
                raise fail("EXPECT: expected the name of a variant after '/'")
            if variant in variants[:number]:
                raise fail(f"EXPECT: the variant {variant!r} is given twice")
        flags = match["flags"].split("+")[1:]
        for flag in flags:
            # A model names its own flags: any name may be one.
            if not _FLAG.fullmatch(flag):
                raise fail(f"EXPECT: expected the name of a flag, not {flag!r}")
        expectations.append(
            Expectation(
                match["model"],
                match["profile"],
                variants,
                match["observation"],
                frozenset(flags),
                word[0],
                content.line,
            )
        )
    return expectations


def _check_keys(expectations: list[Expectation], profile: str, path: str) -> None:
    seen: dict[tuple[str, str, frozenset[str]], int | None] = {}
    for each in expectations:
        key = (each.model, each.profile or profile, frozenset(each.variants))
        if key in seen:
            what = each.text.partition("=")[0]
            raise InputError(f"EXPECT: {what} is given twice (first in line {seen[key]})", path, each.line)
        seen[key] = each.line


def _check_spelling(comment: Comment, name: str, path: str) -> None:
    """Refuse a comment that must be a misspelt directive; prose may say what it likes."""
    if not name:
        match = _WITHOUT_COLON.match(comment.text)
        if match is not None:
            word = re.split(r"[\s(]", comment.text, maxsplit=1)[0]
            raise InputError(f"{word} needs a colon to be a directive", path, comment.line, comment.column)
        return
    if name in ("REFERENCE", "REFERENCES"):
        raise InputError(f"unknown directive {name}: did you mean REF:?", path, comment.line, comment.column)
    for known in DIRECTIVES:
        longer, shorter = (name, known) if len(name) > len(known) else (known, name)
        if (len(shorter) >= 4 and longer.startswith(shorter)) or _distance(name, known) <= (2 if len(known) > 5 else 1):
            message = f"unknown directive {name}: did you mean {known}:?"
            raise InputError(message, path, comment.line, comment.column)


def _distance(one: str, other: str) -> int:
    """Count the edits (insert, delete, replace, exchange neighbours) between two short words."""
    if abs(len(one) - len(other)) > 2:
        return 3
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, opposite in enumerate(other, 1):
            cost = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != opposite))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == opposite:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]
