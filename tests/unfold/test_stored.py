"""What a pointer that was read may point to: the objects whose addresses are stored, and no less than that."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from enumerator.frontend import load_text
from enumerator.search import growing
from enumerator.unfold.mixed import Mixed
from enumerator.unfold.paths import Location
from enumerator.unfold.places import ANY, MEMORY, made_at
from enumerator.unfold.stored import Stored, may_reach, stored_in
from tests.generated.amounts import examples
from tests.search.test_joining import grown

PROGRAMS = examples(25)

HEAD = """; EXISTS: true
declare ptr @malloc(i64)
declare void @free(ptr)
@x = global [2 x i32] zeroinitializer
@y = global [2 x i32] zeroinitializer
@z = global [2 x i32] zeroinitializer
@p = global ptr {p}
@q = global ptr null
"""


def linked_program(seed: int) -> str:
    """Give a program of two or three threads that store addresses, and write through pointers that they read."""
    chance = random.Random(seed)
    pick = chance.choice
    text = [HEAD.format(p=pick(("null", "@x", "getelementptr (i32, ptr @y, i64 1)")))]
    for thread in range(pick((2, 2, 3))):
        lines, names, count = ["%n = call ptr @malloc(i64 8)", "store i32 0, ptr %n"], ["@x", "@y", "%n"], 0
        if chance.random() < 0.5:
            names.remove(pick(names))
        for _ in range(chance.randint(1, 3)):
            count += 1
            there, place, name = pick(("@p", "@q")), pick(names), f"%v{count}"
            match pick("sslwwx"):
                case "s":
                    lines.append(f"store atomic ptr {place}, ptr {there} release, align 8")
                case "x":
                    lines += [
                        f"{name}.c = cmpxchg ptr {there}, ptr null, ptr {place} acq_rel acquire, align 8",
                        f"{name} = extractvalue {{ ptr, i1 }} {name}.c, 0",
                    ]
                case kind:
                    moved = pick((name, f"{name}.m"))
                    lines += [
                        f"{name}.i = load atomic i64, ptr {there} acquire, align 8",
                        f"{name} = inttoptr i64 {name}.i to ptr",
                        f"{name}.m = getelementptr i32, ptr {name}, i64 1",
                        f"{name}.null = icmp eq ptr {name}, null",
                        f"br i1 {name}.null, label %none{count}, label %some{count}",
                        f"some{count}:",
                        f"store atomic i32 {thread + 1}, ptr {moved} monotonic, align 4"
                        if kind == "w"
                        else f"{name}.r = load atomic i32, ptr {moved} monotonic, align 4",
                        f"br label %none{count}",
                        f"none{count}:",
                    ]
        index = pick("01")
        element = f"getelementptr ([2 x i32], ptr {pick(('@x', '@y', '@z'))}, i64 0, i64 {index})"
        lines.append(f"%last = load atomic i32, ptr {element} monotonic, align 4")
        text += [f"define void @t{thread}() {{", *(f"  {line}" for line in lines), "  ret void", "}"]
    return "\n".join(text) + "\n"


FUNCTIONS = """@m = global i64 0
@n = global i64 8
define i64 @same(i64 %v) {
  ret i64 %v
}
define void @put(ptr %to, i64 %v) {
  store atomic i64 %v, ptr %to release, align 8
  ret void
}
define i64 @get(ptr %from) {
  %v = load atomic i64, ptr %from acquire, align 8
  ret i64 %v
}
"""


def counting_program(seed: int) -> str:
    """Give a program of two threads that hands words on, which are numbers or addresses, in memory and to functions."""
    chance = random.Random(seed)
    pick = chance.choice
    text = [HEAD.format(p=pick(("null", "@x"))), FUNCTIONS]
    for thread in range(2):
        lines: list[str] = []
        words = ["1", "ptrtoint (ptr @x to i64)", "ptrtoint (ptr getelementptr (i32, ptr @y, i64 1) to i64)"]
        for count in range(chance.randint(2, 5)):
            name, there = f"%v{count}", pick(("@m", "@n", "@p", "@q"))
            match pick("gglassssrww"):
                case "g":
                    lines.append(f"{name} = call i64 @get(ptr {there})")
                    words.append(name)
                case "l":
                    lines.append(f"{name} = call i64 @same(i64 {pick(words)})")
                    words.append(name)
                case "a":
                    lines.append(f"{name} = add i64 {pick(words)}, 4")
                    words.append(name)
                case "s":
                    lines.append(f"call void @put(ptr {there}, i64 {pick(words)})")
                case "r":
                    lines.append(
                        f"{name} = atomicrmw add ptr {pick(('@m', '@n'))}, i64 {pick((4, 1))} acq_rel, align 8"
                    )
                    words.append(name)
                case _:
                    lines += [
                        f"{name}.p = inttoptr i64 {pick(words[1:])} to ptr",
                        f"store atomic i32 {thread + 1}, ptr {name}.p monotonic, align 4",
                    ]
        element = f"getelementptr ([2 x i32], ptr {pick(('@x', '@y'))}, i64 0, i64 {pick('01')})"
        lines.append(f"%last = load atomic i32, ptr {element} monotonic, align 4")
        text += [f"define void @t{thread}() {{", *(f"  {line}" for line in lines), "  ret void", "}"]
    threads = "; THREADS: t0=@t0() t1=@t1()\n"
    return threads + "\n".join(text) + "\n"


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
@pytest.mark.parametrize("program", [linked_program, counting_program])
def test_generated_programs(model: str, program: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether that is known or not: the same is found, and with no more dead ends in all."""
    explored = [0, 0]
    for seed in range(PROGRAMS):
        text, found = program(seed), []
        names = ("t0:%last", "t1:%last", "@x[0]", "@x[1]", "@y[0]", "@y[1]")
        for told in (True, False):
            with monkeypatch.context() as patch:
                if not told:
                    patch.setattr(Stored, "may_be", lambda *given: True)
                    patch.setattr(Stored, "loaded_from", lambda *given: frozenset({(MEMORY, 0)}))
                found.append(grown(text, model, 0, names))
        if "timeout" in (found[0].status, found[1].status):
            continue
        said = [(each.states, each.consistent, each.cut, each.flags) for each in found]
        assert said[0] == said[1], f"{seed}\n{text}"
        explored = [before + each.explored for before, each in zip(explored, found, strict=True)]
    assert explored[0] <= explored[1]


def stored(*lines: str, globals: str = "") -> Stored:
    body = "\n".join(lines)
    test = load_text(HEAD.format(p="null") + globals + f"define void @t0() {{\n{body}\nret void\n}}\n", "stored.ll")
    return stored_in(test.functions.values(), test.objects, test.threads)


def test_what_is_stored() -> None:
    found = stored(
        "%n = call ptr @malloc(i64 8)",
        "store ptr %n, ptr @p",
        "%m = getelementptr i32, ptr @y, i64 1",
        "%i = ptrtoint ptr %m to i64",
        "store atomic i64 %i, ptr @q monotonic, align 8",
    )
    assert (found.starts, found.anything) == ({"@y": frozenset({4}), made_at("t0", "n"): frozenset({0})}, False)
    read = MEMORY, 0
    assert found.may_be(read, 4, Location("@y", 4, 4)) and not found.may_be(read, 4, Location("@y", 0, 4))
    assert found.may_be((MEMORY, None), 4, Location("@y", 0, 4)), "it may have been moved"
    assert not found.may_be(read, 4, Location("@x", 0, 4)) and not found.may_be(read, 4, Location("@p", 0, 8))
    assert found.may_be(read, 4, Location("t0:%n", 0, 4)) and not found.may_be(read, 4, Location("t0:%n", 4, 4))
    assert found.may_be((made_at("t0", "n", "t0"), 0), None, Location("t0:%n", 0, 4))
    assert found.may_be((made_at("t0", "n", ANY), 0), None, Location("t0:%n#2", 0, 4)), "the second time"
    assert not found.may_be((made_at("t0", "n", "t1"), 0), None, Location("t0:%n", 0, 4))
    assert not found.may_be((made_at("t0", "k", "t0"), 0), None, Location("t0:%n", 0, 4))


def test_what_begins_with_an_address() -> None:
    assert stored(globals="@r = global ptr @z\n").starts == {"@z": frozenset({0})}


def test_an_address_that_comes_from_itself() -> None:
    found = stored(
        "br label %l",
        "l:",
        "%a = phi ptr [ @x, %0 ], [ %b, %l ]",
        "%b = getelementptr i32, ptr %a, i64 1",
        "%c = load atomic i32, ptr @z monotonic, align 4",
        "%d = icmp eq i32 %c, 0",
        "br i1 %d, label %l, label %e",
        "e:",
        "store ptr %b, ptr @p",
    )
    assert found.starts == {"@x": None}


def test_a_pointer_that_was_read_and_moved_is_stored() -> None:
    found = stored(
        "store ptr @x, ptr @p", "%a = load ptr, ptr @p", "%b = getelementptr i32, ptr %a, i64 1", "store ptr %b, ptr @q"
    )
    assert found.starts == {"@x": frozenset({0, 4})}


NODES = """
declare ptr @malloc(i64)
@top = global ptr null
@count = global i32 0
define void @push() {
  %n = call ptr @malloc(i64 16)
  %next = getelementptr i8, ptr %n, i64 8
  store ptr null, ptr %next
  %old = load atomic i64, ptr @top monotonic, align 8
  %number = ptrtoint ptr %n to i64
  %q = cmpxchg ptr @top, i64 %old, i64 %number release monotonic
  ret void
}
define void @pop() {
  %old = load atomic i64, ptr @top acquire, align 8
  %node = inttoptr i64 %old to ptr
  %next = getelementptr i8, ptr %node, i64 8
  %after = load atomic i64, ptr %next monotonic, align 8
  store i64 %after, ptr @top
  store i32 1, ptr @count
  ret void
}
"""


def test_where_memory_is_accessed_as_several_types() -> None:
    """As pointers and numbers: what threads make, by where it was read; and what the test names, by its name."""
    mixed = Mixed(load_text("; EXISTS: true" + NODES, "nodes.ll").functions.values())
    assert mixed.holds(Location("push:%n", 8, 8))
    assert not mixed.holds(Location("push:%n", 0, 8)) and not mixed.holds(Location("@count", 0, 4))
    assert not mixed.holds(Location("@top", 0, 8))  # always a number


def test_a_search_begins_once_where_pointers_are_initialized_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []
    prepare = growing.prepare
    monkeypatch.setattr(growing, "prepare", lambda *given, **how: begun.append(given) or prepare(*given, **how))
    found = grown("; EXISTS: true\n; THREADS: push=@push() pop=@pop()" + NODES, "rc11", 0, ("@count",))
    assert found.status == "complete" and len(begun) == 1


def test_what_stands_for_a_thread_is_reached_by_the_library_alone() -> None:
    test = load_text(
        """; EXISTS: true
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
define ptr @worker(ptr %p) {
  ret ptr null
}
define i32 @main() {
  %t = alloca i64
  %c = call i32 @pthread_create(ptr %t, ptr null, ptr @worker, ptr null)
  ret i32 0
}
""",
        "threads.ll",
    )
    found = stored_in(test.functions.values(), test.objects, test.threads)
    begun = Location("worker:thread", 0, 4)
    for places in (None, frozenset({(MEMORY, 0)})):
        assert not may_reach(places, 4, begun, found)
        assert may_reach(places, 4, begun, found, of_handle=True)


def test_what_objects_hold_that_only_code_accesses_which_names_them() -> None:
    """A pointer that is read from one of them points to what has been stored there."""
    found = stored(
        "%n = call ptr @malloc(i64 8)",
        "store ptr %n, ptr @p",
        "store ptr @y, ptr @q",
        "%r = load ptr, ptr @q",
        "store i32 1, ptr %r",
    )
    assert found.loaded_from(frozenset({("@p", 0)})) == {(made_at("t0", "n", ANY), 0)}
    assert found.loaded_from(frozenset({("@q", 0)})) == {("@y", 0)}
    assert found.loaded_from(frozenset({("@y", 0)})) == frozenset()
    found = stored("store ptr @y, ptr @q", "%r = load ptr, ptr @q", "store ptr @x, ptr %r")
    assert found.loaded_from(frozenset({("@y", 0)})) == {("@x", 0)}
    unknown = stored("%r = load ptr, ptr @p", "%s = load ptr, ptr %r", "store ptr @x, ptr %s")
    assert unknown.loaded_from(frozenset({("@p", 0)})) == frozenset() == unknown.loaded_from(frozenset({("@x", 0)}))


def test_what_a_stack_slot_holds() -> None:
    """As clang prints a pointer at -O0: it is what is stored in the slot, and stays out of memory."""
    slot = "%a = alloca ptr", "store ptr @x, ptr %a", "%r = load ptr, ptr %a", "store i32 1, ptr %r"
    assert stored(*slot).starts == {}
    assert stored(*slot, "store ptr %r, ptr @p").starts == {"@x": frozenset({0})}
    assert stored(*slot, "store ptr %a, ptr @p").starts.keys() == {"@x", made_at("t0", "a")}, "then it is memory"


OWN = """; NEVER: assert
@mine = thread_local global ptr null
@list = global ptr null
@count = global i32 0
declare ptr @malloc(i64)
define void @t{number}() {{
  %new = call ptr @malloc(i64 4)
  store atomic i32 0, ptr %new monotonic, align 4
  %here = call ptr @llvm.threadlocal.address.p0(ptr @mine)
  store ptr %new, ptr %here
  %old = atomicrmw xchg ptr @list, ptr %new release
  %n = atomicrmw add ptr @count, i32 1 monotonic
  %own = load ptr, ptr %here
  %k = load atomic i32, ptr %own monotonic, align 4
  store atomic i32 %n, ptr %own monotonic, align 4
  ret void
}}
"""


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_what_a_thread_s_own_variable_points_to(model: str) -> None:
    """Others write to what they have made: nobody waits for them to write to what this thread has."""
    first, second = (OWN.format(number=each).split("declare", 1) for each in (0, 1))
    text = first[0] + "declare" + first[1] + "define" + second[1].split("define", 1)[1]
    found = grown(text + "declare ptr @llvm.threadlocal.address.p0(ptr)\n", model, 0, ("@count",))
    assert (found.status, found.consistent) == ("complete", 4)
    assert found.explored <= 6


def test_a_number_that_is_read_is_no_address() -> None:
    """What is read where no address is stored may be added to and stored again: no address moves."""
    keeps = "store ptr @x, ptr @p", "%r = load ptr, ptr @p", "store i32 1, ptr %r"
    counts = "%a = load i64, ptr @q", "%b = add i64 %a, 1", "store i64 %b, ptr @q"
    assert stored(*keeps, *counts).starts == {"@x": frozenset({0})}
    assert stored(*keeps, *counts, "store ptr @y, ptr @q").starts == {"@x": frozenset({0}), "@y": None}
    adds = "%a = atomicrmw add ptr @q, i64 8 monotonic"
    assert stored(*keeps, adds).starts == {"@x": frozenset({0})}
    assert stored(*keeps, adds, "store ptr @y, ptr @q").starts == {"@x": frozenset({0}), "@y": None}


def test_a_number_that_is_given_and_returned_is_no_address() -> None:
    """Parameters and results are addresses where some call gives one."""
    for given, starts in (
        ("i64 7", {"@x": frozenset({0})}),
        ("i64 ptrtoint (ptr @y to i64)", {"@x": frozenset({0}), "@y": None}),
    ):
        test = load_text(
            HEAD.format(p="@x")
            + f"""define i64 @next(i64 %n) {{
  %m = add i64 %n, 1
  ret i64 %m
}}
define void @t0() {{
  %n = call i64 @next({given})
  store i64 %n, ptr @q
  ret void
}}
; THREADS: t0=@t0()
""",
            "given.ll",
        )
        assert stored_in(test.functions.values(), test.objects, test.threads).starts == starts


def test_an_address_that_functions_are_given_is_not_in_memory_yet() -> None:
    """A parameter points to what calls give it, a result to what is returned, whichever way it is called."""
    text = (
        HEAD.format(p="@x")
        + """define ptr @next(ptr %a) {
  %b = getelementptr i32, ptr %a, i64 1
  ret ptr %b
}
define void @t0() {
  %a = call ptr @next(ptr @y)
  call void @set(ptr %a)
  ret void
}
define void @set(ptr %to) {
  store i32 1, ptr %to
  ret void
}
; THREADS: t0=@t0()
"""
    )
    test = load_text(text, "given.ll")
    found = stored_in(test.functions.values(), test.objects, test.threads)
    assert found.starts == {"@x": frozenset({0})}
    assert (found.given["next", "a"], found.given["set", "to"]) == ({("@y", 0)}, {("@y", 4)})
    assert found.returned["next"] == {("@y", 4)}
    test = load_text(text.replace("@q = global ptr null", "@q = global ptr @next"), "given.ll")
    found = stored_in(test.functions.values(), test.objects, test.threads)
    assert found.given["next", "a"] == {("@y", 0)} and "@next" in found.starts
    called = """  %f = load ptr, ptr @q
  %c = call ptr %f(ptr @z)
  call void @set(ptr %c)
  ret void
}
define void @set"""
    text = text.replace("@q = global ptr null", "@q = global ptr @next")
    test = load_text(text.replace("  ret void\n}\ndefine void @set", called), "given.ll")
    found = stored_in(test.functions.values(), test.objects, test.threads)
    assert found.given["next", "a"] == {("@y", 0), ("@z", 0)}
    assert found.given["set", "to"] == {("@y", 4), ("@z", 4)}


def test_an_address_of_local_memory_is_whole_in_four_bytes() -> None:
    text = """; EXISTS: true
; SCOPES: (system t0)
@l = internal addrspace(3) global [4 x i32] poison
@p = addrspace(1) global ptr addrspace(3) null
@n = addrspace(1) global i32 0
define void @t0() {
  %n = load i32, ptr addrspace(1) @n
  %a = getelementptr i32, ptr addrspace(3) @l, i32 %n
  store ptr addrspace(3) %a, ptr addrspace(1) @p
  ret void
}
"""
    test = load_text(text, "local.ll")
    found = stored_in(test.functions.values(), test.objects, test.threads)
    (name,) = (each for each in found.starts if each.startswith("@l"))
    assert found.starts[name] is None
    for offset, places in ((0, {(name, None)}), (3, {(name, None)}), (4, frozenset())):
        assert found.loaded_from(frozenset({("@p", offset)}), 4) == places
