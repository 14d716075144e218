"""Dataclasses that are quick to import and to make.

A frozen dataclass sets each of its fields by a call, which takes five times as long as an assignment; the events and
instructions of a small test have hundreds of fields. Here it is the type checker that sees to it that nobody changes
one: to it this is :func:`dataclasses.dataclass`.

That function also compiles five functions for each class, which took a third of the time of a short run, though few of
them are called. Here ``__init__`` is compiled when the first object is made, and the others are not compiled at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    import dataclasses
    from operator import attrgetter
    from reprlib import recursive_repr

    def dataclass(made: type | None = None, /, *, frozen: bool = False, eq: bool = True, **options: bool):
        """Make a dataclass, as :func:`dataclasses.dataclass` does; a frozen one has its hash and is not guarded.

        Parameters
        ----------
        made : type, optional
            The class, where the decorator is used without arguments.
        frozen, eq, **options : bool
            ``slots``, ``kw_only`` and ``order`` are those of :func:`dataclasses.dataclass`.

        Returns
        -------
        callable or type
            A decorator of classes, or the class.

        Examples
        --------
        >>> @dataclass(frozen=True)
        ... class Place:
        ...     line: int
        ...     column: int = 1
        >>> {Place(1), Place(1, 1)}
        {Place(line=1, column=1)}
        >>> Place(1) < Place(2)
        Traceback (most recent call last):
        ...
        TypeError: '<' not supported between instances of 'Place' and 'Place'
        """

        def decorate(given: type) -> type:
            if options.get("order", False):
                return dataclasses.dataclass(eq=eq, unsafe_hash=frozen and eq, **options)(given)
            own = given.__dict__
            hashes = "__hash__" in own and not (own["__hash__"] is None and "__eq__" in own)
            cls = dataclasses.dataclass(init=False, repr=False, eq=False, **options)(given)
            if "__init__" not in own:
                cls.__init__ = _initially(cls)
            if "__repr__" not in own:
                cls.__repr__ = _representation(cls)
            if eq:
                values = _getter([each.name for each in dataclasses.fields(cls) if each.compare])
                if "__eq__" not in own:
                    cls.__eq__ = _equality(values)
                if not frozen and not hashes:
                    cls.__hash__ = None
                elif not hashes:
                    every = dataclasses.fields(cls)
                    hashed = [each.name for each in every if (each.compare if each.hash is None else each.hash)]
                    cls.__hash__ = _hash(_getter(hashed))
            return cls

        return decorate if made is None else decorate(made)

    def _getter(names: list[str]):
        """Give a function that gives the values of some fields."""
        return attrgetter(*names) if names else lambda self: ()

    def _equality(values):
        def __eq__(self, other):
            return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

        return __eq__

    def _hash(values):
        def __hash__(self):
            return hash(values(self))

        return __hash__

    def _representation(cls: type):
        @recursive_repr()
        def __repr__(self):
            shown = (each.name for each in dataclasses.fields(cls) if each.repr)
            return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"

        return __repr__

    def _initially(cls: type):
        """Give an ``__init__`` that takes the place of itself when it is called for the first time."""

        def __init__(self, *args, **kwargs):
            cls.__init__ = made = _initializer(cls)
            made(self, *args, **kwargs)

        return __init__

    def _initializer(cls: type):
        """Compile ``__init__``."""
        names: dict[str, object] = {"missing": dataclasses.MISSING}
        positional, by_name, body = ["self"], list[str](), list[str]()
        for number, each in enumerate(dataclasses.fields(cls)):
            parameter, value = each.name, each.name
            if each.default is not dataclasses.MISSING:
                names[f"value{number}"] = each.default
                parameter = f"{each.name}=value{number}"
                value = each.name if each.init else f"value{number}"
            elif each.default_factory is not dataclasses.MISSING:
                names[f"make{number}"] = each.default_factory
                parameter = f"{each.name}=missing"
                value = f"make{number}() if {each.name} is missing else {each.name}" if each.init else f"make{number}()"
            elif not each.init:
                continue
            if each.init:
                (by_name if each.kw_only else positional).append(parameter)
            body.append(f"self.{each.name} = {value}")
        if hasattr(cls, "__post_init__"):
            body.append("self.__post_init__()")
        parameters = ", ".join(positional + (["*", *by_name] if by_name else []))
        made: dict[str, object] = {}
        exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), names, made)  # noqa: S102 - names of fields
        return made["__init__"]
