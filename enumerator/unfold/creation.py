"""Threads that other threads create: what creator and created say to each other, and which threads there are.

A created thread waits, before its own function, until its creator has stored 1 to the object that stands for it: a
release store and an acquire load, so that all models have what comes before the creation happen before the thread. A
creator that ends without having created a thread stores 2, and the thread does nothing. The end of a thread is said in
the same way. What creates, joins and waits is in the library of the front end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from enumerator.errors import InputError
from enumerator.program.instructions import (
    Annotation,
    Constant,
    Create,
    Ordering,
)
from enumerator.program.test import Creation, MemoryObject, Placement, Test, Thread
from enumerator.program.types import IntType, PointerType, StructType
from enumerator.program.values import Pointer, Value
from enumerator.unfold.control import BEGIN, enter, handle_of
from enumerator.unfold.nodes import compute
from enumerator.unfold.paths import Known, Location
from enumerator.unfold.slots import keep_in_memory
from enumerator.unfold.started import started
from enumerator.unfold.state import NONE, CreationKey, Local, key_of
from enumerator.unfold.thread import ThreadState

if TYPE_CHECKING:
    from enumerator.unfold.sought import Found

__all__ = [
    "HANDLE",
    "begin_thread",
    "create",
    "created_threads",
    "leave_uncreated",
    "note_end",
    "with_thread_locals",
]

HANDLE = StructType((IntType(32), IntType(32), PointerType(), PointerType(), IntType(32)))
"""What stands for a created thread: whether it has been created, has ended, its argument, its result (or a number)."""

_NEVER = 2
_MOST_THREADS = 64
_WHOLE = ("return", "stuck", "assert", "cut")
"""How paths end that go on for all values: on undef, which any read may return meanwhile, a branch ends otherwise."""


def begin_thread(state: ThreadState) -> None:
    """Let a thread that is created wait for that, before the function that it has entered."""
    creation = state.thread.creation
    if creation is None:
        return
    passed = creation.argument is None
    begin = state.shared.functions[BEGIN]
    parameters = state.frames[0].function.parameters
    enter(state, begin, "begin.", parameters[0] if passed and parameters else None)
    state.hidden.add("begin.")
    state.frames[-1].line = state.frames[0].function.line
    known = (handle_of(state), Local(Known(int(not creation.at_once)), NONE), Local(Known(int(passed)), NONE))
    for parameter, local in zip(begin.parameters, known, strict=True):
        state.registers["begin." + parameter] = local


def create(state: ThreadState, instruction: Create) -> None:
    """Say which thread is created here; the library tells it.

    Raises
    ------
    InputError
        If it is not known what the thread runs.
    """
    line = state.frames[-1].line
    function, argument = state.value(instruction.function).node, state.value(instruction.argument).node
    pointer = function.value if isinstance(function, Known) else None
    name = pointer.object[1:] if isinstance(pointer, Pointer) and pointer.offset == 0 else ""
    code = state.shared.functions.get(name)
    if code is None or len(code.parameters) > 1:  # C's `void *f()` ignores its argument
        raise state.error("a thread is created whose function is not known, or takes more than one argument", line)
    keep_in_memory(state.shared, state.slots, argument)
    known: Value | None = argument.value if isinstance(argument, Known) else None
    key = state.thread.name, len(state.created), name, known, instruction.code
    thread = state.shared.creations.get(key)
    found = state.shared.found
    if found is not None:
        creator = state.thread.creation
        certain = all(state.is_fixed(node) for node, _ in state.conditions) and (creator is None or creator.at_once)
        at_once = certain and all(event.location in _begun(state.created) for event in state.events)
        before = found.threads.get(key, (True, True))
        found.threads[key] = at_once and before[0], certain and before[1]
        found.named.setdefault(key, started(state, name, known))
        found.note_creation(state, key)
        _note_deciding(state, found)
    if thread is None:
        if found is None:
            state.finish("cut", line)  # beyond what the test's own loop bound leads to
            return
        thread = _thread(key, f"thread {len(found.threads)}")
    if thread.handle not in state.shared.objects:
        state.shared.objects[thread.handle] = MemoryObject(thread.handle, HANDLE, hidden=True)
    state.created += (thread,)
    assert thread.creation is not None
    parts: tuple[Value, ...] = (Pointer(thread.handle), int(not thread.creation.at_once), int(known is None))
    result = compute("tuple", tuple(map(Known, parts)), HANDLE, HANDLE)
    state.assign(instruction.target, result, NONE)


def _begun(threads: tuple[Thread, ...]) -> set[Location | None]:
    return {Location(thread.handle, 0, 4) for thread in threads}


def leave_uncreated(state: ThreadState) -> None:
    """At the end of a path, tell the threads that it might have created, and has not, that nobody will."""
    for thread in state.shared.creations.values():
        creation = thread.creation
        if creation is not None and creation.creator == state.thread.name and not creation.certain:
            if thread not in state.created:
                location = Location(thread.handle, 0, 4)
                annotation = Annotation(Ordering.RELEASE)
                state.emit("W", annotation, state.end_line, location=location, value=Known(_NEVER))
                state.end_instruction()


# Which threads there are ----------------------------------------------------------------------------------------


def created_threads(
    test: Test, found: Mapping[CreationKey, tuple[bool, bool]], named: Mapping[CreationKey, str]
) -> Test:
    """Add the threads that were found to a test.

    Parameters
    ----------
    test : Test
        With the threads that are there from the beginning, and those that were found before.
    found : mapping
        What was found (:class:`~enumerator.unfold.sought.Found`), with the names of the test.
    named : mapping
        What the threads run, as the source names it.

    Returns
    -------
    Test
        Threads are named by what they run, with a number behind a dot where several run the same. They are in the
        order in which they were found.

    Raises
    ------
    InputError
        If there are too many.
    """
    given = tuple(thread for thread in test.threads if thread.creation is None)
    keys = [key_of(thread.creation) for thread in test.threads if thread.creation is not None]
    keys = [key for key in keys if key in found] + [key for key in found if key not in keys]
    if len(keys) > _MOST_THREADS:
        if all(certain for _, certain in found.values()):
            raise InputError(f"more than {_MOST_THREADS} threads are created", test.path)
        reason = "what decides on that is read from memory, and not known before"
        raise InputError(f"more than {_MOST_THREADS} threads might be created: {reason}", test.path)
    many = Counter(named[key] for key in keys)
    taken = {thread.name for thread in given}
    before = {thread.name: thread.name for thread in given}
    old = {key_of(thread.creation): thread.name for thread in test.threads if thread.creation is not None}
    seen: Counter[str] = Counter()
    threads = list(given)
    for key in keys:
        name = named[key]
        seen[name] += 1
        if many[name] > 1 or name in taken:
            name = f"{name}.{seen[name]}"
        if key in old:
            before[old[key]] = name
        threads.append(_thread(key, name, *found[key]))
    renamed = [thread if thread.creation is None else _renamed(thread, before) for thread in threads]
    objects = [memory for memory in test.objects if not memory.name.endswith(":thread")]
    handles = [MemoryObject(thread.handle, HANDLE, hidden=True) for thread in renamed if thread.creation is not None]
    found_test = replace(test, objects=(*objects, *handles), placements=_placements(test, renamed))
    return with_thread_locals(found_test, tuple(renamed))


def with_thread_locals(test: Test, threads: tuple[Thread, ...]) -> Test:
    """Give a test threads, each with its own of the variables of which each thread has one.

    Parameters
    ----------
    test : Test
    threads : tuple of Thread

    Returns
    -------
    Test
    """
    old = {f"{each.name}.{thread.name}" for each in test.thread_locals for thread in test.threads}
    objects = [memory for memory in test.objects if memory.name not in old]
    given = []
    for thread in threads:
        mine = {f"%{each.name}": replace(each, name=f"{each.name}.{thread.name}") for each in test.thread_locals}
        objects += mine.values()
        others = tuple((name, value) for name, value in thread.properties if name not in mine)
        properties = tuple((name, Pointer(memory.name)) for name, memory in mine.items())
        given.append(replace(thread, properties=(*others, *properties)))
    return replace(test, threads=tuple(given), objects=tuple(objects))


def note_end(state: ThreadState) -> None:
    """Say of a path that has ended where its thread might have gone on, with other values, whether it might create."""
    found = state.shared.found
    if found is None or state.end in _WHOLE:
        return
    if found.is_ahead(state):
        found.more = True
        _note_deciding(state, found)


def _note_deciding(state: ThreadState, found: Found) -> None:
    """Note the objects that have been read for the values by which a thread has come to where it is."""
    reads = NONE.union(*(node.reads for node, _ in state.conditions if not state.is_fixed(node)))
    found.deciding.update(state.read_at(read)[0].object for read in reads)


def _thread(key: CreationKey, name: str, at_once: bool = False, certain: bool = False) -> Thread:
    creation = Creation(*key[:4], at_once, certain, key[4])
    arguments = () if creation.argument is None else (Constant(creation.argument, PointerType()),)
    return Thread(name, creation.function, arguments, creation=creation, handle=f"{name}:thread")


def _renamed(thread: Thread, names: dict[str, str]) -> Thread:
    assert thread.creation is not None
    creator = thread.creation.creator
    return replace(thread, creation=replace(thread.creation, creator=names.get(creator, creator)))


def _placements(test: Test, threads: list[Thread]) -> dict[str, Placement]:
    """Put threads that have no place at one of their own, in no instance of any scope but the system's."""
    number = 1 + max((n for place in test.placements.values() for n in place.instances), default=-1)
    placements = {name: place for name, place in test.placements.items() if name in {t.name for t in threads}}
    for thread in threads:
        if thread.name not in placements:
            placements[thread.name] = Placement((number, number, number, number, number, 0))
            number += 1
    return {thread.name: placements[thread.name] for thread in threads}
