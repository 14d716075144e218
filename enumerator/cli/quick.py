"""Commands that cost no more than they use: each is imported when it is run, and a value converted if it has to be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple

import typer
from typer.core import TyperCommand, TyperGroup

__all__ = ["Home", "PlainCommand", "group_of"]


class Home(NamedTuple):
    """Where a command is: the function of its name, or the group, in a module.

    Parameters
    ----------
    name, module : str
    summary : str
        What the list of commands says of it.
    """

    name: str
    module: str
    summary: str


class _Plain:
    """Takes texts, one of several words, and values that are not given, in a command or a group.

    Recent versions of typer convert every value with pydantic, whose import takes longer than most searches.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            if "process_value" not in vars(parameter):
                parameter.process_value = partial(_processed, parameter, parameter.process_value)
        return parameters


def _processed(parameter: Any, convert: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    """Give the value of a parameter; typer's own function converts what is not plain, and says what is wrong."""
    kind = getattr(getattr(parameter, "type_descriptor", None), "annotation", None)  # None in other versions
    if parameter.required and not value:
        return convert(context, value)
    if value is None:
        value = () if parameter.multiple or parameter.nargs == -1 else None
    elif kind == list[str] and isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        value = list(value)
    elif isinstance(kind, type) and issubclass(kind, StrEnum) and value in tuple(kind):
        value = kind(value)
    elif kind is not str or not isinstance(value, str):
        return convert(context, value)
    return value if parameter.callback is None else parameter.callback(context, parameter, value)


class PlainCommand(_Plain, TyperCommand):
    """A command that does not convert what needs no conversion."""


def group_of(homes: Sequence[Home]) -> type[TyperGroup]:
    """Make the class of a group whose commands are imported when they are run.

    Parameters
    ----------
    homes : sequence of Home

    Returns
    -------
    type
        For ``typer.Typer(cls=...)``.
    """
    known = {home.name: home for home in homes}

    class Group(_Plain, TyperGroup):
        def __init__(self, **settings: Any) -> None:
            super().__init__(**settings)
            for home in homes:  # enough to list them
                self.add_command(TyperCommand(home.name, help=home.summary))

        def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
            name, command, rest = super().resolve_command(ctx, args)
            return name, _command(known[name]) if name in known else command, rest

    return Group


@cache
def _command(home: Home) -> Any:
    from enumerator.cli.guard import guarded
    from enumerator.cli.options import spread

    found = getattr(import_module(f"enumerator.cli.{home.module}"), home.name)
    if isinstance(found, typer.Typer):
        return typer.main.get_group(found)
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(home.name, cls=PlainCommand)(guarded(spread(found)))
    return typer.main.get_command(alone)
