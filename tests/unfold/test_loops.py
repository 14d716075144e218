"""What the bound on loops counts: iterations with nothing new to decide on leaving, since the loop was entered."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.unfold import unfold
from tests.generated.engines import answer
from tests.literal.enumerate import all_names

HEAD = """; EXISTS: true
@x = global i32 0
@a = global [4 x i32] zeroinitializer
define void @t1() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
define void @t0() {
"""


def blocks(before: str = "", **code: str) -> str:
    """A body: instructions end with semicolons, the first block is entered at once, and `end` returns."""
    parts = [before, f"br label %{next(iter(code))}", *(f"{name}:; {each}" for name, each in code.items())]
    return "; ".join([*parts, "end:; ret void"]).replace("; ", "\n  ") + "\n"


READ = "%v = load atomic i32, ptr @x monotonic, align 4"
UNSET = f"{READ}; %unset = icmp eq i32 %v, 0"
SET = f"{READ}; %set = icmp eq i32 %v, 1"
NEXT = "%next = add i32 %i, 1"


def counter(latch: str, bound: int) -> str:
    """A counter that is compared with a bound."""
    return f"%i = phi i32 [0, %0], [%next, %{latch}]; %more = icmp slt i32 %i, {bound}"


SPIN = blocks(spin=f"{UNSET}; br i1 %unset, label %spin, label %end")

BRANCHES_INSIDE = blocks(
    head=f"{counter('latch', 3)}; br i1 %more, label %body, label %end",
    body=f"{UNSET}; br i1 %unset, label %then, label %latch",
    then="br label %latch",
    latch=f"{NEXT}; br label %head",
)

PROBE = blocks(
    probe="%slot = phi i32 [2, %0], [%next, %full]; %p = getelementptr [4 x i32], ptr @a, i32 0, i32 %slot; "
    "%v = load atomic i32, ptr %p monotonic, align 4; %free = icmp eq i32 %v, 7; br i1 %free, label %end, label %full",
    full="%after = add i32 %slot, 1; %next = and i32 %after, 3; br label %probe",
)

GIVES_UP = blocks(
    spin=f"%i = phi i32 [0, %0], [%next, %again]; {SET}; br i1 %set, label %end, label %again",
    again=f"{NEXT}; %more = icmp ult i32 %next, 4; br i1 %more, label %spin, label %end",
)

TOGETHER = blocks(
    spin=f"%i = phi i32 [0, %0], [%next, %spin]; {UNSET}; {NEXT}; %more = icmp ult i32 %next, 4; "
    "%again = OPERATION; br i1 %again, label %spin, label %end",
)

COUNTS_ROUNDS = blocks(
    spin=f"%i = phi i32 [0, %0], [%next, %again]; {SET}; br i1 %set, label %end, label %again",
    again=f"{NEXT}; br i1 true, label %spin, label %end",
)

UNTIL_DONE = blocks(
    head="%i = phi i32 [0, %0], [%next, %done], [%i, %body]; "
    "%rounds = phi i32 [0, %0], [%rounds, %done], [%more, %body]; "
    "%more = add i32 %rounds, 1; %on = icmp slt i32 %i, 2; br i1 %on, label %body, label %end",
    body=f"{SET}; br i1 %set, label %done, label %head",
    done=f"{NEXT}; br label %head",
)

IN_A_LOOP = blocks(
    head=f"{counter('latch', 2)}; br i1 %more, label %spin, label %end",
    spin=f"{UNSET}; br i1 %unset, label %spin, label %latch",
    latch=f"{NEXT}; br label %head",
)

READ_COUNT = blocks(
    "%count = load atomic i32, ptr @x monotonic, align 4",
    head="%i = phi i32 [0, %0], [%next, %body]; %more = icmp slt i32 %i, %count; br i1 %more, label %body, label %end",
    body=f"{NEXT}; br label %head",
)

ENDLESS = """
  br label %again
again:
  store atomic i32 2, ptr @x monotonic, align 4
  br label %again
"""

TWO_ENTRIES = """
  %v = load atomic i32, ptr @x monotonic, align 4
  %set = icmp eq i32 %v, 1
  br i1 %set, label %left, label %right
left:
  %l = load atomic i32, ptr @x monotonic, align 4
  %l1 = icmp eq i32 %l, 1
  br i1 %l1, label %end, label %right
right:
  %r = load atomic i32, ptr @a monotonic, align 4
  %r1 = icmp eq i32 %r, 1
  br i1 %r1, label %end, label %left
end:
  ret void
"""

SHARED_HEADER = blocks(
    held=f"{READ}; %busy = icmp eq i32 %v, 1; br i1 %busy, label %held, label %take",
    take="%old = atomicrmw xchg ptr @x, i32 1 monotonic, align 4; %taken = icmp eq i32 %old, 1; "
    "br i1 %taken, label %held, label %end",
)


def loop(body: str) -> Test:
    return load_text(HEAD + body + "}\n", "loop.ll")


def ends(body: str, unroll: int) -> dict[str, list[int]]:
    """The paths of a loop by how they end, each as its number of events; less those on which a read is undef."""
    found: dict[str, list[int]] = {"return": [], "cut": []}
    for path in unfold(loop(body), undef=False, unroll=unroll).paths[1]:
        found.setdefault(path.end, []).append(len(path.events))
    return {end: sorted(counts) for end, counts in found.items()}


@pytest.mark.parametrize("unroll", [0, 1, 2, 5])
def test_what_waits_is_one_evaluation(unroll: int) -> None:
    """An iteration that only reads is left out; what is left is the thread that waits for ever."""
    assert ends(SPIN, unroll) == {"return": [1], "cut": [], "stuck": [1]}
    assert ends(IN_A_LOOP, unroll) == {"return": [2], "cut": [], "stuck": [1, 2]}


@pytest.mark.parametrize("unroll", [0, 1, 2, 5])
def test_what_counts_is_cut(unroll: int) -> None:
    """A counter that nothing asks for ends no loop: it may read so often, and once more."""
    assert ends(COUNTS_ROUNDS, unroll) == {"return": list(range(1, unroll + 2)), "cut": [unroll + 2]}


@pytest.mark.parametrize("unroll", [0, 1, 2, 5])
@pytest.mark.parametrize("operation", ["select i1 %more, i1 %unset, i1 false", "and i1 %unset, %more"])
def test_what_values_end_runs_to_its_end(unroll: int, operation: str) -> None:
    assert ends(BRANCHES_INSIDE, unroll) == {"return": [3] * 8, "cut": []}
    assert ends(GIVES_UP, unroll) == {"return": [1, 2, 3, 4, 4], "cut": []}
    assert ends(TOGETHER.replace("OPERATION", operation), unroll) == {"return": [1, 2, 3, 4], "cut": []}


@pytest.mark.parametrize("unroll", [0, 1, 2])
def test_a_search_is_cut_where_it_comes_back(unroll: int) -> None:
    """Each slot is looked at, from whichever on; then the loop repeats what it did."""
    assert ends(PROBE, unroll) == {"return": list(range(1, 5 + unroll)), "cut": [5 + unroll]}


def test_progress_that_depends_on_what_is_read() -> None:
    """Two successes end the loop, which failures repeat: as many as the bound says."""
    assert ends(UNTIL_DONE, 0) == {"return": [2], "cut": [1, 2]}
    assert ends(UNTIL_DONE, 1)["return"] == [2, 3, 3]
    for unroll in (0, 1, 2):
        assert ends(READ_COUNT, unroll) == {"return": [1] * (unroll + 1), "cut": [1]}


@pytest.mark.parametrize("unroll", [0, 1, 2])
def test_what_has_no_end_is_cut(unroll: int) -> None:
    assert ends(ENDLESS, unroll) == {"return": [], "cut": [unroll + 1]}


BODIES = (
    SPIN,
    COUNTS_ROUNDS,
    BRANCHES_INSIDE,
    PROBE,
    GIVES_UP,
    TOGETHER.replace("OPERATION", "select i1 %more, i1 %unset, i1 false"),
    TOGETHER.replace("OPERATION", "and i1 %more, %unset"),
    UNTIL_DONE,
    IN_A_LOOP,
    READ_COUNT,
    ENDLESS,
    TWO_ENTRIES,
    SHARED_HEADER,
)


@pytest.mark.parametrize(
    "body, unroll",
    [(body, unroll) for body in BODIES for unroll in (0, 1) if (body, unroll) != (SHARED_HEADER, 1)],  # a minute
)
def test_engines_agree(body: str, unroll: int) -> None:
    """The interpreter of the tests has loops, and the bound, in words of its own."""
    test = loop(body)
    names = all_names(test, unroll)
    literal, plain, fast = (answer(engine, test, names, unroll=unroll) for engine in ("literal", "networkx", "bitset"))
    assert literal == plain == fast


SELECTED = blocks(
    "%first = load atomic i32, ptr @x monotonic, align 4",
    spin="%old = phi i32 [%first, %0], [%new, %spin]; %i = phi i32 [0, %0], [%next, %spin]; "
    "%new = load atomic i32, ptr @x monotonic, align 4; %differs = icmp ne i32 %old, %new; "
    f"{NEXT}; %more = icmp eq i32 %i, 0; %again = select i1 %differs, i1 %more, i1 false; "
    "br i1 %again, label %spin, label %end",
)


def test_known_arm_of_a_select_ends_a_loop() -> None:
    # In the second round nothing leads back: both arms of the select are zero.
    test = load_text(HEAD + SELECTED + "}\n", "test.ll")
    assert {len(path.events) for path in unfold(test).paths[1]} == {2, 3}


LIST = """; EXISTS: true
@a = global { i32, ptr } { i32 1, ptr @b }
@b = global { i32, ptr } { i32 2, ptr @c }
@c = global { i32, ptr } { i32 3, ptr @d }
@d = global { i32, ptr } { i32 4, ptr @e }
@e = global { i32, ptr } { i32 5, ptr null }
@first = global ptr @a
define void @t0() {
  %start = load ptr, ptr @first
  br label %loop
loop:
  %at = phi ptr [ %start, %0 ], [ %next, %loop ]
  %place = getelementptr { i32, ptr }, ptr %at, i32 0, i32 1
  %next = load ptr, ptr %place
  %end = icmp eq ptr %next, null
  br i1 %end, label %done, label %loop
done:
  %last = load i32, ptr %at
  ret void
}
define void @t1() {
  store ptr @b, ptr getelementptr ({ i32, ptr }, ptr @e, i32 0, i32 1)
  ret void
}
"""


def test_a_walk_through_a_list() -> None:
    """Each element is something new; where the list leads back, the walk is cut."""
    alone = LIST[: LIST.index("define void @t1")]
    result = check(load_text(alone, "list.ll"), "sc")
    assert (result.status, result.consistent) == ("complete", 1)
    assert check(load_text(LIST, "list.ll"), "sc").cut == 1


COUNTS_TO = """; EXISTS: @y = {0}
@n = global i32 3
@y = global i32 0
define void @t0() {{
  %n = load atomic i32, ptr @n acquire, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %old = atomicrmw add ptr @y, i32 1 monotonic
  %next = add i32 %i, 1
  br label %loop
end:
  ret void
}}
define void @t1() {{
  store atomic i32 {0}, ptr @n release, align 4
  ret void
}}
"""


@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_a_counter_whose_end_is_read_runs_to_its_end(model: str) -> None:
    """It is known before the loop; where it is very large, that is cut."""
    found = check(load_text(COUNTS_TO.format(20), "counts.ll"), model)
    assert (found.status, found.cut, found.consistent) == ("complete", 0, 2)
    assert {state.values["@y"] for state in found.states} == {3, 20}
    far = check(load_text(COUNTS_TO.format(1_000_000), "counts.ll"), model)
    assert far.cut == 1
    assert [state.values["@y"] for state in far.states] == [3]


RECURSION = """
define void @down(i32 %n) {{
  %old = atomicrmw add ptr @x, i32 1 monotonic
  %goes = icmp ne i32 {tested}, {end}
  br i1 %goes, label %on, label %back
on:
  %less = {less}
  call void @down(i32 %less)
  br label %back
back:
  ret void
}}
define void @t0() {{
  call void @down(i32 9)
  ret void
}}
"""
DOWN = "sub i32 %n, 1"


@pytest.mark.parametrize("unroll", [0, 1, 2])
def test_recursion_that_values_end_runs_to_its_end(unroll: int) -> None:
    """The bound counts calls with the same values, and those that are decided on by what is read in the last one."""

    def paths(tested: str, end: int, less: str) -> dict[str, list[int]]:
        text = HEAD.removesuffix("define void @t0() {\n") + RECURSION.format(tested=tested, end=end, less=less)
        found = unfold(load_text(text, "down.ll"), undef=False, unroll=unroll).paths[1]
        return {end: sorted(len(path.events) for path in found if path.end == end) for end in ("return", "cut")}

    assert paths("%n", 0, DOWN) == {"return": [20], "cut": []}
    assert paths("%n", 10, DOWN)["return"] == []
    assert paths("%n", 0, "add i32 %n, 0") == {"return": [], "cut": [2 * unroll + 2]}
    assert set(paths("%old", 0, DOWN)["cut"]) == {2 * unroll + 2}
