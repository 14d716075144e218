"""The commands ``tags``, ``models`` and ``profiles``."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from enumerator.mmra import (
    ImpliedTags,
    Profile,
    Tag,
    combine,
    conflicting_prefixes,
    format_tags,
    load_profile,
    parse_tags,
    profile_names,
)
from enumerator.printing import escaped

__all__ = ["Plain", "PlainFormat", "models", "print_json", "profiles", "tags"]


class Plain(StrEnum):
    """Formats of short answers."""

    TEXT = "text"
    JSON = "json"


PlainFormat = Annotated[Plain, typer.Option("--format", help="Format of the answer.")]
Name = Annotated[
    str | None,
    typer.Argument(metavar="[NAME|PATH]", help="Show this one; without it, list all."),
]


def print_json(data: object) -> None:
    """Print an answer as JSON."""
    sys.stdout.write(json.dumps(data, indent=2) + "\n")


# Tags -----------------------------------------------------------------------------------------------------


def tags(
    a: Annotated[str, typer.Argument(metavar="A", help="A set of tags: foo:x,bar:y.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    format: PlainFormat = Plain.TEXT,
) -> int:
    """Tell whether two sets of tags are compatible, and what their combination is."""
    first, second = parse_tags(a), parse_tags(b)
    conflicts = conflicting_prefixes(first, second)
    shared = {tag.prefix for tag in first} & {tag.prefix for tag in second}
    combined = combine(first, second)
    if format is Plain.JSON:
        print_json(
            {
                "a": [str(tag) for tag in sorted(first)],
                "b": [str(tag) for tag in sorted(second)],
                "compatible": not conflicts,
                "conflicts": list(conflicts),
                "shared_prefixes": sorted(shared),
                "combined": [str(tag) for tag in sorted(combined)],
            }
        )
        return 0
    if conflicts:
        for prefix in conflicts:
            sys.stdout.write(
                f"not compatible: {prefix} is {_suffixes(first, prefix)} in one and {_suffixes(second, prefix)} in the"
                " other, with no tag in both\n"
            )
    elif shared:
        common = format_tags(tag for tag in first & second if tag.prefix in shared)
        sys.stdout.write(f"compatible: each prefix of both has a tag in both ({common})\n")
    else:
        sys.stdout.write("compatible: no prefix is in both\n")
    sys.stdout.write(f"combined: {format_tags(combined) or 'no tags'}\n")
    return 0


def _suffixes(tag_set: frozenset[Tag], prefix: str) -> str:
    return ",".join(tag.suffix for tag in sorted(tag_set) if tag.prefix == prefix)


# Profiles -------------------------------------------------------------------------------------------------


def profiles(name: Name = None, format: PlainFormat = Plain.TEXT) -> int:
    """List the target profiles, or show one."""
    shown = [load_profile(each) for each in ([name] if name is not None else profile_names())]
    if format is Plain.JSON:
        data = [_profile_json(profile) for profile in shown]
        print_json(data if name is None else data[0])
    elif name is None:
        _print_list([(profile.name, profile.description) for profile in shown])
    else:
        sys.stdout.write(_profile_text(shown[0]))
    return 0


def _print_list(rows: list[tuple[str, str]]) -> None:
    width = max((len(name) for name, _ in rows), default=0)
    for name, text in rows:
        sys.stdout.write(f"{name.ljust(width)}  {text}".rstrip() + "\n")


def _profile_json(profile: Profile) -> dict[str, Any]:
    return {
        "name": profile.name,
        "description": profile.description,
        "path": profile.path,
        "synchronize": profile.synchronize,
        "aliases": dict(profile.aliases),
        "known": {prefix: list(suffixes) for prefix, suffixes in profile.known.items()},
        "implied": [
            {
                "tags": [str(tag) for tag in sorted(rule.tags)],
                "events": sorted(rule.kinds),
                "at_least": rule.minimum.name.lower(),
                "synchronizing": rule.synchronizing,
                "address_spaces": None if rule.address_spaces is None else sorted(rule.address_spaces),
                "absent": sorted(rule.absent),
            }
            for rule in profile.implied
        ],
    }


def _profile_text(profile: Profile) -> str:
    synchronize = {
        "always": "whatever their tags",
        "compatible": "only if their tags are compatible",
    }[profile.synchronize]
    lines = [profile.name, f"  {profile.description}", f"  file: {escaped(str(profile.path))}"]
    lines.append(f"  operations synchronize {synchronize}")
    lines += [f"  {alias} is read as {prefix}" for alias, prefix in profile.aliases.items()]
    lines += [f"  {prefix} is known with {', '.join(suffixes)}" for prefix, suffixes in profile.known.items()]
    lines += [f"  {format_tags(rule.tags)} is implied for {_rule_text(rule)}" for rule in profile.implied]
    return "".join(f"{line}\n" for line in lines if line.strip())


def _rule_text(rule: ImpliedTags) -> str:
    words = {"R": "reads", "W": "writes", "F": "fences", "B": "barriers"}
    parts = [", ".join(words[kind] for kind in "RWFB" if kind in rule.kinds)]
    if rule.minimum:
        parts.append(f"of {rule.minimum.name.lower()} or stronger")
    if rule.synchronizing is not None:
        parts.append("that synchronize" if rule.synchronizing else "that do not synchronize")
    if rule.address_spaces is not None:
        parts.append(f"in address space {', '.join(map(str, sorted(rule.address_spaces)))}")
    if rule.absent:
        parts.append(f"without a tag {', '.join(f'{prefix}:' for prefix in sorted(rule.absent))}")
    return " ".join(parts)


# Models ---------------------------------------------------------------------------------------------------


def models(name: Name = None, format: PlainFormat = Plain.TEXT) -> int:
    """List the memory models, or show one."""
    from enumerator.cat.parser import shipped_models

    shown = [_model_json(each) for each in ([name] if name is not None else shipped_models())]
    if format is Plain.JSON:
        print_json(shown if name is None else shown[0])
    elif name is None:
        _print_list([(model["name"], _line_of(model)) for model in shown])
    else:
        sys.stdout.write(_model_text(shown[0]))
    return 0


def _model_json(name: str) -> dict[str, Any]:
    from enumerator.cat.parser import find_model, load_model
    from enumerator.cat.syntax import Check, Variants

    model, path = load_model(name), find_model(name)
    text = Path(path).read_text(encoding="utf-8", errors="replace")
    return {
        "name": name,
        "title": model.title,
        "path": str(path),
        "description": _header(text),
        "options": {
            statement.option: list(statement.alternatives)
            for statement in model.statements
            if isinstance(statement, Variants)
        },
        "checks": [
            {"kind": statement.kind, "test": f"{'~' * statement.negated}{statement.test}", "name": statement.name}
            for statement in model.statements
            if isinstance(statement, Check)
        ],
        "text": text,
    }


def _line_of(model: dict[str, Any]) -> str:
    sentence = re.split(r"(?<=[^A-Z])[.]\s|\n\n", f"{model['description']}\n\n", maxsplit=1)[0]
    options = "".join(f" [{name}: {', '.join(values)}]" for name, values in model["options"].items())
    return f"{model['title']}. {textwrap.shorten(sentence, 100, placeholder=' ...')}{options}"


def _header(text: str) -> str:
    """Give the first comment of a model: what stands in it, without its indentation."""
    comment = text.partition("(*")[2].partition("*)")[0]
    lines = [line.strip().removeprefix("* ") for line in comment.splitlines()]
    return "\n".join(lines).strip()


def _model_text(model: dict[str, Any]) -> str:
    lines = [f"{escaped(model['name'])}: {model['title']}", f"file: {escaped(model['path'])}"]
    lines += [f"option {name}: {', '.join(values)} (default {values[0]})" for name, values in model["options"].items()]
    text: str = model["text"]
    return "".join(f"{line}\n" for line in (*lines, "", text.rstrip()))
