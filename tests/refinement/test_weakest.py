"""The weakest annotations: against all points one by one, examples, and what is written."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enumerator import check
from enumerator.asking import select_model, select_profile
from enumerator.errors import InputError, LimitReached, Timeout
from enumerator.frontend import load_text
from enumerator.options import Options
from enumerator.program.instructions import Store
from enumerator.refinement import weakest
from enumerator.refinement.edit import Place, operations_of, with_operations
from enumerator.refinement.lattice import Dimension, Point, lowest, steps_down
from enumerator.refinement.points import choices_of
from enumerator.refinement.refine import refines
from enumerator.refinement.rewrite import rewritten
from enumerator.refinement.unwritten import of_unwritten
from enumerator.refinement.weakest import Weakest, _Goal, _Search, relax, repair
from tests.generated.programs import Program, programs

MP = """{head}; EXISTS: t1:%f = 1 /\\ t1:%d = 0
@d = global i32 0
@f = global i32 0
define void @t0() {{
  store i32 1, ptr @d{private}
  {fence}
  store atomic i32 1, ptr @f {release}, align 4
  ret void
}}
define void @t1() {{
  %f = load atomic i32, ptr @f {acquire}, align 4
  %d = load i32, ptr @d{private}
  ret void
}}
!0 = !{{!"vulkan", !"private"}}
!1 = !{{!"vulkan", !"nonprivate"}}
"""
PLACES = "; SCOPES: (system (agent (workgroup t0) (workgroup t1)))\n"


def mp(head: str = "", fence: str = "", release: str = "release", acquire: str = "acquire", private: str = "") -> str:
    return MP.format(head=head, fence=fence, release=release, acquire=acquire, private=private)


@settings(max_examples=60)
@given(st.integers(0, 1 << 30))
def test_borders_are_the_lowest_points(seed: int) -> None:
    choose = Random(seed)
    orders = [(1, 3), (1, 2, 5), (1, 2, 3, 6)]  # chains and a diamond, by divisibility
    dimensions = [
        Dimension.of(choose.choice([*orders, (1, 2, 3, 6)]), lambda a, b: b % a == 0 if b != 5 else True)
        for _ in range(choose.randint(1, 4))
    ]
    sizes = [range(len(each.choices)) for each in dimensions]
    every = list(product(*sizes))
    seeds = [choose.choice(every) for _ in range(3)]

    def above(one: Point, other: Point) -> bool:
        return all(b in each.below[a] for each, a, b in zip(dimensions, one, other, strict=True))

    monotone = [choose.random() < 0.7 for _ in dimensions]
    free = [place for place, each in enumerate(monotone) if not each]

    def holds(point: Point) -> bool:  # monotone where nothing but monotone dimensions differs
        chosen = tuple(point[place] for place in free)
        return any(above(point, each) for each in seeds if tuple(each[place] for place in free) == chosen)

    found: list[Point] = []
    lowest(dimensions, holds, found.append, monotone)
    expected = [each for each in every if holds(each) and not any(map(holds, steps_down(dimensions, each)))]
    assert sorted(found) == sorted(expected)
    known = choose.sample(expected, choose.randint(0, len(expected)))
    found.clear()
    lowest(dimensions, holds, found.append, monotone, known)
    assert sorted(found) == sorted(set(expected) - set(known))


def test_a_dimension_that_does_not_matter_is_left_at_once() -> None:
    chain = Dimension.of(range(9), lambda one, other: one <= other)
    asked: set[Point] = set()
    found: list[Point] = []

    def holds(point: Point) -> bool:
        asked.add(point)
        return point[0] >= 3

    lowest([chain] * 6, holds, found.append, [True] * 6)
    assert found == [(3, 0, 0, 0, 0, 0)]
    assert len(asked) <= 16  # the top, the bottom of each, six steps in the first, and where nothing is left to find


@pytest.mark.parametrize(("known", "most"), [((), 29), (((2, *[0] * 30, 1),), 17)])
def test_dimensions_that_do_not_matter_are_left_together(known: tuple[Point, ...], most: int) -> None:
    chain = Dimension.of(range(3), lambda one, other: one <= other)
    asked: set[Point] = set()
    found: list[Point] = []

    def holds(point: Point) -> bool:
        asked.add(point)
        return point[0] >= 2 and point[-1] >= 1 or point[1] >= 1 and point[-1] >= 2

    lowest([chain] * 32, holds, found.append, [True] * 32, known)
    assert sorted([*found, *known]) == [(0, 1, *[0] * 29, 2), (2, *[0] * 30, 1)]
    assert len(asked) <= most  # one by one they are 72


@pytest.mark.parametrize(
    ("text", "up", "model"),
    [
        (mp(PLACES, release="monotonic", acquire="monotonic"), False, "llvm"),
        (mp(PLACES), False, "llvm"),
        (mp(fence="fence seq_cst", release="seq_cst"), False, "llvm"),
        (mp("; PROFILE: vulkan\n", fence="fence release, !mmra !0", private=", !mmra !0"), False, "llvm"),
        (mp("; PROFILE: amdgpu\n"), False, "amdgpu"),
    ],
)
def test_answers_are_those_of_all_points_one_by_one(text: str, up: bool, model: str) -> None:
    test = load_text(text, "mp.ll")
    found = relax(test, model)
    options = Options()
    goal = _Goal(select_model(test, model, options), select_profile(test, None), None)
    choices = choices_of(test, goal.profile, up=up, availability=model == "amdgpu")
    assert choices.points < 6000
    asked = _Search(test, [goal], choices, options)
    expected = []
    for point in product(*(range(len(each.choices)) for each in choices.dimensions)):
        if asked.holds(point) and not any(map(asked.holds, steps_down(choices.dimensions, point))):
            expected.append(choices.operations(point))
    assert found.complete
    assert [each.operations for each in found.answers] == sorted(
        expected, key=lambda each: [answer.operations for answer in found.answers].index(each)
    )


def told(found: Weakest) -> list[list[str]]:
    return [[str(change) for change in answer.changes] for answer in found.answers]


def test_relax_keeps_expectations_with_their_flags() -> None:
    text = mp("; EXPECT: llvm=Never\n", fence="", release="seq_cst", acquire="seq_cst").replace("load i32", "load i32")
    racy = relax(load_text(text, "mp.ll"))
    assert not racy.holds and not racy.answers  # %d is read whether or not the flag is set: a race
    text = text.replace("llvm=Never", "llvm=Never+race")
    found = relax(load_text(text, "mp.ll"))
    assert found.complete
    assert told(found) == [["t0 line 8: store seq_cst -> release", "t1 line 12: load seq_cst -> acquire"]]


def test_relax_tells_where_the_test_does_not_do_it() -> None:
    found = relax(load_text(mp(release="monotonic"), "mp.ll"))
    assert (found.holds, found.answers, found.complete) == (False, (), True)


def test_repair_puts_fences_in_and_orders_by_cost() -> None:
    found = repair(load_text(mp(PLACES, release="monotonic", acquire="monotonic"), "mp.ll"))
    assert found.complete
    assert [answer.cost[0] for answer in found.answers] == [2, 3, 3, 4]
    assert told(found)[0] == ["t0 line 8: store monotonic -> release", "t1 line 12: load monotonic -> acquire"]
    assert told(found)[3] == [
        't0 before line 8: fence release syncscope("agent")',
        't1 before line 13: fence acquire syncscope("agent")',
    ]
    for answer in found.answers:
        assert check(answer.test).observation == "Never"


def test_repair_of_store_buffering_needs_seq_cst() -> None:
    text = """; EXISTS: t0:%a = 0 /\\ t1:%b = 0
@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  %a = load atomic i32, ptr @y monotonic, align 4
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @y monotonic, align 4
  %b = load atomic i32, ptr @x monotonic, align 4
  ret void
}
"""
    found = repair(load_text(text, "sb.ll"))
    assert found.complete and found.answers
    fences = ["t0 before line 6: fence seq_cst", "t1 before line 11: fence seq_cst"]
    assert fences in told(found)
    assert all("seq_cst" in change for changes in told(found) for change in changes)


def test_nothing_helps_where_program_order_is_not_to_blame() -> None:
    text = "; NEVER: @x = 1\n@x = global i32 0\ndefine void @t() {\n  store i32 1, ptr @x\n  ret void\n}\n"
    found = repair(load_text(text, "t.ll"))
    assert found.complete and not found.answers


RACING = """; SCOPES: (agent (workgroup a) (workgroup b))
; NEVER: @x = {undef}
@x = global {type} zeroinitializer
define void @a() {{
  store {type} {one}, ptr @x
  ret void
}}
define void @b() {{
  store {type} {two}, ptr @x
  ret void
}}
"""


@pytest.mark.parametrize(
    ("type_", "values", "undef"),
    [
        ("i32", ("1", "2"), "undef"),
        ("float", ("1.0", "2.0"), "undef"),
        ("half", ("1.0", "2.0"), "undef"),
        ("double", ("1.0", "2.0"), "undef"),
        ("<2 x i32>", ("splat (i32 1)", "splat (i32 2)"), "<undef, undef>"),
    ],
)
def test_accesses_of_all_types_that_may_be_atomic_become_so(type_: str, values: tuple[str, str], undef: str) -> None:
    test = load_text(RACING.format(type=type_, one=values[0], two=values[1], undef=undef), "t.ll")
    found = repair(test)
    (answer,) = found.answers
    assert [str(change) for change in answer.changes] == [
        'a line 5: store not atomic -> monotonic syncscope("agent")',
        'b line 9: store not atomic -> monotonic syncscope("agent")',
    ]
    assert found.complete and not found.kept_plain
    written = load_text(rewritten(test, answer.operations), "u.ll")
    assert check(written).observation == "Never"
    (kept,) = relax(written, "llvm").answers
    assert not kept.changes


def test_what_cannot_be_atomic_is_told() -> None:
    text = RACING.format(type="<4 x i32>", one="splat (i32 1)", two="splat (i32 2)", undef="<undef, 1, 1, 1>")
    found = repair(load_text(text, "t.ll"))
    assert (found.answers, found.complete, found.kept_plain) == ((), True, True)
    told = "the store at line 5 of a and 1 more: not tried as atomic, as <4 x i32> is no type of 8, 16, 32 or 64 bits"
    assert found.notes == (told,)
    assert found.strongest == "with every operation that may be atomic seq_cst, and fences between all"


def test_a_call_that_stores_is_not_made_atomic() -> None:
    text = RACING.format(type="i32", one="1", two="2", undef="undef")
    call = "call void @llvm.memset.p0.i64(ptr @x, i8 1, i64 4, i1 false)"
    found = repair(load_text(text.replace("store i32 2, ptr @x", call), "t.ll"))
    assert (found.answers, found.complete) == ((), True)
    assert found.notes == ("the store at line 9 of b: not tried as atomic, as it is a call",)


def test_a_test_that_asks_nothing_is_an_error() -> None:
    text = "@x = global i32 0\ndefine void @t() {\n  store i32 1, ptr @x\n  ret void\n}\n"
    with pytest.raises(InputError, match="asks nothing"):
        repair(load_text(text, "t.ll"))


def test_a_limit_is_told() -> None:
    found = repair(load_text(mp(PLACES, release="monotonic", acquire="monotonic"), "mp.ll"), timeout=0.01)
    assert not found.complete and found.status == "timeout"


TAGGED = """; PROFILE: amdgpu
; SCOPES: (agent (workgroup t0) (workgroup t1))
; NEVER: t1:%f = 1 /\\ ~(t1:%d = 1)
@d = addrspace(3) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(3) @d
  fence syncscope("agent") release, !mmra !{!"amdgpu-synchronize-as", !"global"}
  store atomic i32 1, ptr addrspace(1) @f syncscope("agent") monotonic, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr addrspace(1) @f syncscope("agent") acquire, align 4
  %d = load i32, ptr addrspace(3) @d
  ret void
}
"""


def test_other_tags_of_one_operation_are_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tag that the explanation names is found, whatever time there is for all choices of tags."""

    def out_of_time(*_: object) -> None:
        raise LimitReached("no more")

    monkeypatch.setattr(weakest, "lowest", out_of_time)
    text = TAGGED.replace("~(t1:%d = 1)", "t1:%d = 0")
    found = repair(load_text(text.replace("  %d =", "  br label %g\ng:\n  %d ="), "t.ll"))
    assert (found.complete, found.limit) == (False, "")
    (answer,) = found.answers
    (change,) = answer.changes
    assert str(change).endswith(
        '-> release syncscope("agent") [amdgpu-synchronize-as:global, amdgpu-synchronize-as:local]'
    )


RETRIED = """; PROFILE: amdgpu
; SCOPES: (agent (workgroup a) (workgroup c))
; THREADS: a=@add(i32 3) c=@walk()
; NEVER: c:%n = 1 /\\ ~(c:%s = 3)
@pool = addrspace(1) global [4 x i32] zeroinitializer
@top = addrspace(1) global i32 0
@head = addrspace(1) global i32 -1
define void @add(i32 %v) {
e:
  %o = atomicrmw add ptr addrspace(1) @top, i32 2 syncscope("agent") monotonic, align 4
  %p = getelementptr i32, ptr addrspace(1) @pool, i32 %o
  store i32 %v, ptr addrspace(1) %p
  %np = getelementptr i32, ptr addrspace(1) %p, i32 1
  %h0 = load atomic i32, ptr addrspace(1) @head syncscope("agent") monotonic, align 4
  br label %try
try:
  %h = phi i32 [%h0, %e], [%h1, %again]
  store i32 %h, ptr addrspace(1) %np
  %r = cmpxchg weak ptr addrspace(1) @head, i32 %h, i32 %o syncscope("agent") monotonic monotonic, align 4
  %ok = extractvalue {i32, i1} %r, 1
  br i1 %ok, label %x, label %again
again:
  %h1 = extractvalue {i32, i1} %r, 0
  br label %try
x:
  ret void
}
define void @walk() {
e:
  %f = load atomic i32, ptr addrspace(1) @head syncscope("agent") acquire, align 4
  br label %l
l:
  %i = phi i32 [%f, %e], [%nx, %go]
  %n = phi i32 [0, %e], [%n1, %go]
  %s = phi i32 [0, %e], [%s1, %go]
  %end = icmp slt i32 %i, 0
  br i1 %end, label %x, label %go
go:
  %p = getelementptr i32, ptr addrspace(1) @pool, i32 %i
  %v = load i32, ptr addrspace(1) %p
  %np = getelementptr i32, ptr addrspace(1) %p, i32 1
  %nx = load i32, ptr addrspace(1) %np
  %s1 = add i32 %s, %v
  %n1 = add i32 %n, 1
  br label %l
x:
  ret void
}
"""


def test_a_strongest_choice_that_cuts_loops_does_not_end_the_search() -> None:
    """A store that becomes atomic is no longer left out of what a retry repeats."""
    found = repair(load_text(RETRIED, "t.ll"))
    assert [[str(each) for each in answer.changes] for answer in found.answers][0] == [
        'add line 19: cmpxchg monotonic syncscope("agent") -> release syncscope("agent")'
    ]
    assert not found.complete and found.limit == "loops were cut at the bound of 2; --unroll takes another"


def test_what_was_found_on_the_way_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    held = _Search.holds
    asked = 0

    def out_of_time(self: _Search, point: Point) -> bool:
        nonlocal asked
        asked += 1
        if asked > 3:
            raise LimitReached("no more")
        return held(self, point)

    monkeypatch.setattr(_Search, "holds", out_of_time)
    found = relax(load_text(mp(PLACES, release="seq_cst", acquire="seq_cst"), "mp.ll"), "llvm")
    assert (found.complete, found.answers) == (False, ())
    (passed,) = found.passed
    assert passed.changes


@pytest.mark.parametrize("question", [relax, repair])
def test_what_is_written_does_what_was_found(question: object) -> None:
    strong = question is relax
    text = mp(
        PLACES + "; PROFILE: vulkan\n",
        "fence release" if strong else "",
        *(("release", "acquire") if strong else ("monotonic", "monotonic")),
    )
    test = load_text(text, "mp.ll")
    found = question(test)  # type: ignore[operator]
    assert found.answers
    for answer in found.answers:
        written = load_text(rewritten(test, answer.operations), "mp.ll")
        assert check(written).observation == "Never"
        if strong:
            assert any(not each.changes for each in relax(written).answers), "what was found is the weakest"


def test_all_kinds_of_operations_are_written() -> None:
    text = """; NEVER: t1:%f = 3
; SCOPES: (agent (workgroup t0) (workgroup t1))
@d = global i32 0
define void @t0() {
  store i32 1, ptr @d, align 4 ; not atomic; with a remark
  %o = atomicrmw add ptr @d, i32 1 syncscope("agent") seq_cst, align 4
  %c = cmpxchg weak ptr @d, i32 0, i32 1 syncscope("agent") acq_rel acquire, align 4
  fence syncscope("workgroup") seq_cst
  ret void
}
define void @t1() {
  %f = load i32, ptr @d
  ret void
}
"""
    test = load_text(text, "t.ll")
    for up in (False, True):
        choices = choices_of(test, select_profile(test, None), up=up, availability=False)
        for number in range(max(len(each.choices) for each in choices.dimensions)):
            point = tuple(min(number, each.top) for each in choices.dimensions)
            again = load_text(rewritten(test, choices.operations(point)), "t.ll")
            at = choices.test_at(point)
            for name in ("t0", "t1"):
                mine, theirs = (each.functions[name].blocks[0].body for each in (again, at))
                assert [getattr(part, "annotation", None) for part in mine] == [
                    getattr(part, "annotation", None) for part in theirs
                ]


@settings(max_examples=40)
@given(programs(frozenset({"fences", "rmw", "scopes"}), reads=4, writes=4), st.integers(0, 1 << 30))
def test_more_guarantees_add_no_outcome(program: Program, seed: int) -> None:
    """What the search by borders relies on: a stronger ordering, a larger scope, a fence more add nothing."""
    test = load_text(program.text, "t.ll")
    choices = choices_of(test, select_profile(test, None), up=True, availability=False)
    if not choices.dimensions:
        return
    choose = Random(seed)
    least = tuple(0 for _ in choices.dimensions)
    place = choose.randrange(len(choices.dimensions))
    number = choose.randrange(len(choices.dimensions[place].choices))
    stronger = choices.test_at((*least[:place], number, *least[place + 1 :]))
    assert refines(choices.test_at(least), stronger, choose.choice(["llvm", "amdgpu"]), explain=False).refines


def test_c_has_no_unordered_accesses() -> None:
    text = """C mp
{}
P0 (atomic_int *x, atomic_int *y) {
  atomic_store_explicit(x, 1, memory_order_seq_cst);
  atomic_store_explicit(y, 1, memory_order_seq_cst);
}
P1 (atomic_int *x, atomic_int *y) {
  int r0 = atomic_load_explicit(y, memory_order_seq_cst);
  int r1 = atomic_load_explicit(x, memory_order_seq_cst);
}
exists (1:r0=1 /\\ 1:r1=0)
"""
    (answer,) = relax(load_text(text, "mp.litmus")).answers
    assert [str(change).partition("-> ")[2] for change in answer.changes] == [
        "monotonic",
        "release",
        "acquire",
        "monotonic",
    ]


def test_too_many_points_are_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weakest, "MOST_POINTS", 3)
    found = relax(load_text(mp("; EXPECT: llvm=Never+race\n", release="seq_cst", acquire="seq_cst"), "mp.ll"))
    assert (found.complete, found.status, len(found.answers)) == (False, "limit", 1)
    assert "too many to look at" in found.notes[0]


ONE_AS = """; SCOPES: (agent {places})
; PROFILE: amdgpu
; EXISTS: t1:%f = 1 /\\ ~(t1:%d = 7)
@data = addrspace(1) global i32 0
@flag = addrspace({space}) global i32 0
define void @t0() {{
  store i32 7, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace({space}) @flag syncscope("{release}") release, align 4
  ret void
}}
define void @t1() {{
  %f = load atomic i32, ptr addrspace({space}) @flag syncscope("{acquire}") acquire, align 4
  %c = icmp eq i32 %f, 1
  br i1 %c, label %r, label %x
r:
  %d = load i32, ptr addrspace(1) @data
  br label %x
x:
  ret void
}}
"""
TOGETHER, APART = "(workgroup (wavefront t0) (wavefront t1))", "(workgroup t0) (workgroup t1)"


@pytest.mark.parametrize(
    ("ask", "places", "space", "release", "acquire", "answer"),
    [
        # Data in another address space: the plain scope, no larger one.
        (repair, TOGETHER, 3, "workgroup-one-as", "workgroup", ["release", "workgroup"]),
        # In the same one: the larger scope, which need not be plain.
        (repair, APART, 1, "workgroup-one-as", "agent-one-as", ["release", "agent-one-as"]),
        (repair, APART, 1, "agent-one-as", "workgroup-one-as", ["acquire", "agent-one-as"]),
        (relax, TOGETHER, 1, "agent-one-as", "agent", ["release", "workgroup-one-as"]),
        (relax, TOGETHER, 1, "agent-one-as", "agent", ["acquire", "workgroup-one-as"]),
    ],
)
def test_a_one_as_scope_is_below_the_plain_one(
    ask: object, places: str, space: int, release: str, acquire: str, answer: list[str]
) -> None:
    text = ONE_AS.format(places=places, space=space, release=release, acquire=acquire)
    found = ask(load_text(text, "t.ll"), "amdgpu")  # type: ignore[operator]
    first = found.answers[0]
    orders = [
        [part.annotation.ordering.name.lower(), part.annotation.syncscope]
        for part in first.operations.values()
        if part is not None
    ]
    assert found.complete and answer in orders
    assert check(load_text(rewritten(load_text(text, "t.ll"), first.operations), "t.ll"), "amdgpu").positive == 0


def test_one_as_scopes_are_among_all_points_one_by_one() -> None:
    text = ONE_AS.format(places=APART, space=1, release="agent", acquire="agent-one-as")
    text = text.replace("store i32 7", "store i24 7").replace("load i32, ptr addrspace(1) @data", "load i24, ptr @data")
    text = text.replace("@data = addrspace(1) global i32 0", "@data = global i24 0").replace(
        "store i24 7, ptr addrspace(1) @data", "store i24 7, ptr @data"
    )
    test, options = load_text(text, "t.ll"), Options()
    goal = _Goal(select_model(test, "amdgpu", options), select_profile(test, None), None)
    choices = choices_of(test, goal.profile, up=False, availability=True)
    asked = _Search(test, [goal], choices, options)
    assert choices.points < 6000
    expected = [
        choices.operations(point)
        for point in product(*(range(len(each.choices)) for each in choices.dimensions))
        if asked.holds(point) and not any(map(asked.holds, steps_down(choices.dimensions, point)))
    ]
    found = [each.operations for each in relax(test, "amdgpu").answers]
    assert len(found) == len(expected) and all(each in expected for each in found)


def test_singlethread_is_tried_where_no_other_scope_holds_the_same() -> None:
    text = ONE_AS.format(places="(wavefront t0 t1)", space=1, release="wavefront", acquire="wavefront")
    fence = '  fence syncscope("agent") release\n'
    test = load_text(text.replace("  store atomic", f"{fence}  store atomic", 1), "t.ll")
    changes = [str(change) for answer in relax(test, "amdgpu").answers for change in answer.changes]
    assert any("singlethread" in change for change in changes), changes


def test_scopes_that_are_left_out_are_named() -> None:
    alike = "{} stands for {}, too: they are alike for these threads"
    text = ONE_AS.format(places=TOGETHER, space=3, release="workgroup-one-as", acquire="workgroup")
    assert repair(load_text(text, "t.ll"), "amdgpu").notes == (alike.format("wavefront", "singlethread"),)
    plain = text.replace("workgroup-one-as", "agent")
    assert relax(load_text(plain, "t.ll"), "amdgpu").notes == ("-one-as scopes were not tried: the test has none",)


def test_an_operation_without_a_line_is_named_by_what_it_accesses() -> None:
    """Where a compiler merged two instructions, it leaves out the line."""
    test = load_text(mp(release="monotonic", acquire="acquire"), "mp.ll")
    place = next(place for place, part in operations_of(test).items() if isinstance(part, Store) and part.line == 7)
    merged = with_operations(test, {place: replace(operations_of(test)[place], line=None)})
    told = [[str(change) for change in answer.changes] for answer in repair(merged).answers]
    assert told == [
        ["t0: store of @f: monotonic -> release"],
        ["t0 before the store of @f: fence release"],
    ]


HANDED = """; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%f = 1 /\\ t1:%d = 0
; EXPECT: llvm=EXPECTED
@d = global i32 0
@f = global i32 0
define void @t0() {
  store atomic i32 1, ptr @d seq_cst, align 4
  fence seq_cst
  store atomic i32 1, ptr @f seq_cst, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr @f seq_cst, align 4
  fence seq_cst
  %d = load atomic i32, ptr @d seq_cst, align 4
  ret void
}
"""


def test_where_the_time_is_up_relax_has_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    test = load_text(HANDED.replace("EXPECTED", "Never"), "handed.ll")
    every = relax(test).answers

    def late(*_: object) -> None:
        raise Timeout

    monkeypatch.setattr(weakest, "lowest", late)
    found = relax(test)
    assert (found.status, found.holds, len(found.answers)) == ("timeout", True, 1)
    assert found.answers[0].operations in [each.operations for each in every] and len(every) > 1
    assert "fence seq_cst -> gone" in " ".join(map(str, found.answers[0].changes))


TABLE = """; NEVER: t1:%f = 1 /\\ t1:%d = 0
@first = constant [2 x i32] [i32 1, i32 0]
@second = global [2 x i32] [i32 1, i32 1]
@d = global [2 x i32] zeroinitializer
@f = global i32 0
define i32 @at(ptr %table, i32 %i) {
  %p = getelementptr i32, ptr %table, i32 %i
  %r = load i32, ptr %p
  ret i32 %r
}
define void @t0() {
  %i = load i32, ptr @first
  %j = call i32 @at(ptr @second, i32 %i)
  %p = getelementptr i32, ptr @d, i32 %j
  store atomic i32 1, ptr %p monotonic, align 4
  store atomic i32 1, ptr @f monotonic, align 4
  ret void
}
define void @t1() {
  %f = load atomic i32, ptr @f acquire, align 4
  %d = load atomic i32, ptr getelementptr (i32, ptr @d, i32 1) monotonic, align 4
  ret void
}
"""


def test_loads_from_memory_that_nobody_writes_stay_as_they_are() -> None:
    test = load_text(TABLE, "t.ll")
    profile = select_profile(test, None, select_model(test, None, Options()))
    lines = {operations_of(test)[place].line for place in of_unwritten(test)}
    assert lines == {8, 12}
    assert lines.isdisjoint(
        operations_of(test)[place].line  # and no fence before them, as there is a gap behind
        for place in choices_of(test, profile, up=True, availability=False).places
        if isinstance(place, Place)
    )
    found = repair(test)
    assert [[str(change) for change in answer.changes] for answer in found.answers] == [
        ["t0 line 16: store monotonic -> release"],
        ["t0 before line 16: fence release"],
    ]
    told = "the load at line 8 of at and 1 more: not tried as atomic, as nothing writes to that memory"
    assert found.notes == (told,) and found.kept_plain and found.complete


@pytest.mark.parametrize(
    "use",
    [
        "store i32 2, ptr @second",
        "store ptr @second, ptr @q",
        "%old = atomicrmw add ptr getelementptr (i32, ptr @second, i32 1), i32 1 monotonic",
        "%u = call i32 @pass(ptr @second)",
    ],
)
def test_an_object_whose_address_goes_elsewhere_may_be_written(use: str) -> None:
    text = TABLE.replace("define void @t1() {", f"define void @t1() {{\n  {use}") + "@q = global ptr null\n"
    if "@pass" in use:
        text += "define i32 @pass(ptr %p) {\n  store i32 2, ptr %p\n  ret i32 0\n}\n"
    test = load_text(text, "t.ll")
    assert {operations_of(test)[place].line for place in of_unwritten(test)} == {12}
