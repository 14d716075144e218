"""Where the addresses of a program may be: in which places of memory, in what functions are given, and return.

This is Andersen's analysis: what an assignment may carry is added to where it is carried, without regard to the order
of things or to what calls a function, until nothing is new. A function is looked at again only where something has
changed that it has looked at. Most numbers that a program reads and computes with are no addresses. What is read where
no address has been stored is a number, and so is what is computed from it: a counter that is read, added to and written
does not move an address.

Source: L. O. Andersen, *Program Analysis and Specialization for the C Programming Language* (1994), chapter 4.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from enumerator.program.instructions import (
    Assign,
    AsyncCopy,
    Call,
    CompareExchange,
    Constant,
    Create,
    Exit,
    Expression,
    Function,
    IndirectCall,
    Load,
    Operation,
    ReadModifyWrite,
    Return,
    Store,
    Throw,
)
from enumerator.program.test import MemoryObject, Thread
from enumerator.program.types import Type, store_size
from enumerator.program.values import signed
from enumerator.unfold.held import Held
from enumerator.unfold.places import (
    ANY,
    IN_MEMORY,
    MEMORY,
    Places,
    added,
    joined,
    moved,
    of_thread,
    places_of,
    pointers_in,
    sets_tag,
    tagged,
)
from enumerator.unfold.pointing import HANDLE, Pointing, accesses_of
from enumerator.unfold.watched import Watched

__all__ = ["Carried"]

_NOWHERE: Places = frozenset()
_RESULT = ""  # stands for what a function returns, beside its parameters
_HANDED, _PASSED, _THROWN = "handed", "passed", "thrown"  # what may be looked at of all functions
_Effect = Store | CompareExchange | ReadModifyWrite | Call | IndirectCall | Create | Exit | Throw | Return


class Carried:
    """What is known while the text is followed, until nothing is new.

    Parameters
    ----------
    functions : sequence of Function
    objects : sequence of MemoryObject
        Those of the test.
    threads : sequence of Thread
    owners : mapping of str to str
        Objects that code of one thread alone names, each with the thread.

    Attributes
    ----------
    functions : dict of str to Function
        By name.
    held : Held
        The addresses that memory may hold.
    given : mapping of (str, str) to (frozenset of (str, int or None) or None)
        By function and parameter, where that may point; the same of what functions return.
    handed : frozenset of (str, int or None) or None
        What created threads are given, and what threads return. The library reads it from what stands for a thread.
    thrown : frozenset of (str, int or None) or None
        Exceptions.
    of_handles : frozenset of str
        The functions of the library that may access what stands for a thread.
    """

    def __init__(
        self,
        functions: Sequence[Function],
        objects: Sequence[MemoryObject],
        threads: Sequence[Thread],
        owners: Mapping[str, str],
    ) -> None:
        self._watched = Watched()
        self.held = Held(objects, owners, set(_tags(functions)), self._watched)
        self.functions = {function.name: function for function in functions}
        parts = [each for function in functions for each in function.instructions]
        if any(isinstance(each, AsyncCopy) for each in parts):
            self.held.everywhere = True
        called = {each.function for each in parts if isinstance(each, Call)}
        # No code calls what threads begin and end with: they are given what is handed on, and hand it on.
        told = {each.name for each in functions if each.library and HANDLE in each.parameters}
        self._told = frozenset(told - called)
        self._created = {thread.function for thread in threads if thread.creation is not None}
        self._given = {name for thread in threads for name in (thread.function, *thread.alternatives)}
        self.of_handles = frozenset(each.name for each in functions if each.library and _knows_handles(each))
        self.given: dict[tuple[str, str], Places] = {}
        self.handed: Places = frozenset()
        self._passed: Places = frozenset()  # to created threads alone
        self._thrown: Places = frozenset()
        self._effects: dict[str, list[_Effect]] = {}
        for thread in threads:
            if thread.creation is not None:
                continue
            for name in (thread.function, *thread.alternatives):
                parameters = self.functions[name].parameters if name in self.functions else ()
                for parameter, argument in zip_longest(parameters, thread.arguments):
                    places = IN_MEMORY if argument is None else frozenset(pointers_in(argument.value))
                    self._join((name, parameter), places)
        self._watched.due = set(self.functions)

    @property
    def roots(self) -> frozenset[str]:
        """The functions that threads begin with."""
        return frozenset(self._given | self._created)

    def loads(self, function: Function, places: Places, type_: Type) -> Places:
        """Give the places that what a function reads may point to."""
        found = self.held.load(places, store_size(type_))
        return self._with(found, _HANDED, self.handed) if function.name in self.of_handles else found

    def _with(self, places: Places, name: str, more: Places) -> Places:
        """Look at what is noted of all functions, in addition."""
        self._watched.look(name)
        return joined((places, more))

    @property
    def thrown(self) -> Places:
        """The places of exceptions."""
        self._watched.look(_THROWN)
        return self._thrown

    def parameter(self, function: str, name: str) -> Places:
        """Give the places that a parameter may point to; no code but the library accesses what stands for a thread."""
        called = self.functions[function]
        if name == HANDLE and called.library:
            return frozenset()
        self._watched.look((function, name))
        known = self.given.get((function, name), _NOWHERE)
        known = self._with(known, _PASSED, self._passed) if function in self._created else known
        return self._with(known, _HANDED, self.handed) if function in self._told else known

    def result(self, function: str) -> Places:
        """Give the places that what a function returns may point to."""
        self._watched.look((function, _RESULT))
        return self.given.get((function, _RESULT), _NOWHERE) if function in self.functions else IN_MEMORY

    def result_through(self, callee: Places, types: tuple[Type, ...]) -> Places:
        """Give the places that what a call through a pointer returns may point to."""
        return joined(self.result(each.name) for each in self._called(callee) if each.takes(types))

    def _called(self, callee: Places) -> Iterator[Function]:
        """Give the functions that an address may be of."""
        self._watched.look(None)
        known = self.held.known and not self.held.everywhere
        names = {f"@{name}" for name in self.functions} if callee is None else {name for name, _ in callee}
        if MEMORY in names:
            self._watched.look(MEMORY)
            names |= {f"@{name}" for name in self.functions} if not known else self.held.starts.keys()
        yield from (each for name, each in self.functions.items() if f"@{name}" in names)

    def follow(self, looks: Iterable[Pointing]) -> bool:
        """Note what functions do with the addresses that they may have; tell whether any is to be looked at again."""
        due = self._watched.due
        for look in looks:
            name = self._watched.reader = look.function.name
            if name not in due:
                continue
            due.remove(name)
            look.update()
            if name not in self._effects:
                self._effects[name] = [*_effects(look.function, look.contents)]
            for each in self._effects[name]:
                if isinstance(each, Store | CompareExchange | ReadModifyWrite):
                    self._store(each, look)
                else:
                    self._pass_on(each, look)
        self._watched.reader = ""
        self.held.update()
        return bool(due)

    def _join(self, key: tuple[str, str], places: Places) -> None:
        """Note places in addition, of a parameter or a result."""
        before = self.given.get(key, _NOWHERE)
        after = self.given[key] = added(before, places)
        if after is not before:
            self._watched.change(key)

    def _more(self, name: str, before: Places, places: Places) -> Places:
        """Add places to what is noted of all functions."""
        after = added(before, places)
        if after is not before:
            self._watched.change(name)
        return after

    def _hand(self, value: Places) -> Places:
        """Note what is passed to threads, and what these return; give it, as of any thread."""
        self.held.find(value)
        value = of_thread(value, ANY)
        self.handed = self._more(_HANDED, self.handed, value)
        return value

    def _store(self, access: Store | CompareExchange | ReadModifyWrite, look: Pointing) -> None:
        places = places_of(access.address, look.register)
        match access:
            case Store(value=operand) | CompareExchange(desired=operand) | ReadModifyWrite(operand=operand):
                value = places_of(operand, look.register)
        if isinstance(access, ReadModifyWrite) and access.operator != "xchg":
            read = self.held.load(places, store_size(access.type), whole=True)
            bits = access.operand.value if isinstance(access.operand, Constant) else None
            if isinstance(bits, int) and sets_tag(access.operator, bits):
                value = joined((read, tagged(read, access.operator, bits)))
            else:
                value = moved(joined((read, value)), None)
        self.held.store(places, store_size(access.type), value)

    def _pass_on(self, effect: _Effect, look: Pointing) -> None:
        """Note what a function hands on to others, and returns."""
        match effect:
            case Call(function=name, arguments=arguments):
                if name in self.functions:
                    self._give([self.functions[name]], arguments, look)
                else:
                    for value in arguments:
                        self.held.find(places_of(value, look.register))
            case IndirectCall(callee=callee, arguments=arguments, parameters=types):
                called = self._called(places_of(callee, look.register))
                self._give([one for one in called if one.takes(types)], arguments, look)
            case Create(function=begun, argument=value):
                given = self._hand(places_of(value, look.register))
                self._passed = self._more(_PASSED, self._passed, given)
                for one in self._called(places_of(begun, look.register)):
                    if one.name not in self._created:
                        self._created.add(one.name)
                        self._watched.due.add(one.name)
            case Exit(value=value) if value is not None:
                self._hand(places_of(value, look.register))
            case Throw(object=value, destructor=destructor) if value is not None:
                self._throw(places_of(value, look.register), destructor)
            case Return(value=value) if value is not None:
                name, result = look.function.name, places_of(value, look.register)
                self._join((name, _RESULT), result)
                if name in self._created or name in self._told:
                    self._hand(result)

    def _give(self, called: Iterable[Function], arguments: tuple[Expression, ...], look: Pointing) -> None:
        for each in called:
            for parameter, value in zip(each.parameters, arguments, strict=False):
                self._join((each.name, parameter), places_of(value, look.register))

    def _throw(self, value: Places, destructor: str) -> None:
        self.held.find(value)
        self._thrown = self._more(_THROWN, self._thrown, value)
        if destructor in self.functions and self.functions[destructor].parameters:
            self._join((destructor, self.functions[destructor].parameters[0]), value)


def _effects(function: Function, slots: Container[str]) -> Iterator[_Effect]:
    """Give what a function does with addresses, but what it stores to some stack slots: its writes come first."""
    for access in accesses_of(function, slots):
        if not isinstance(access, Load):
            yield access
    for each in function.instructions:
        if isinstance(each, Call | IndirectCall | Create | Exit | Throw):
            yield each
    for block in function.blocks:
        if isinstance(block.terminator, Return):
            yield block.terminator


def _knows_handles(function: Function) -> bool:
    """Tell whether a function of the library may access what stands for a thread (``pthread_t`` is its number)."""
    made = (each.expression for each in function.instructions if isinstance(each, Assign))
    return HANDLE in function.parameters or any(
        isinstance(each, Operation) and each.operator == "inttoptr" for each in made
    )


def _tags(functions: Iterable[Function]) -> Iterator[tuple[str, int]]:
    """Give the operations of the text that set or clear the lowest bits of what they take, each with the bits."""
    for function in functions:
        for each in function.instructions:
            if isinstance(each, ReadModifyWrite):
                operator, bits = each.operator, each.operand
            elif isinstance(each, Assign) and isinstance(each.expression, Operation) and each.expression.arguments[1:]:
                operator, bits = each.expression.operator, each.expression.arguments[1]
            else:
                continue
            if isinstance(bits, Constant) and isinstance(bits.value, int) and sets_tag(operator, bits.value):
                yield operator, signed(bits.value, 64)
