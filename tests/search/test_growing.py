"""Executions that grow: equal to the other strategies on generated programs, and what it rests on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from enumerator import check
from enumerator.cat.compiler import compile_model
from enumerator.cat.nodes import Growth
from enumerator.cat.typing import select
from enumerator.engines import search
from enumerator.errors import TooManyPaths
from enumerator.frontend import load_text
from enumerator.mmra import load_profile
from enumerator.request import Candidate, Outcomes, Request
from enumerator.search.bitset import base_kinds, enumerate_test
from enumerator.search.growth import Order, construction_order, grows_with_events, is_atomic
from enumerator.search.session import Session
from enumerator.search.tuning import Tuning
from enumerator.unfold import Effort, all_names, unfold
from tests.generated.amounts import examples
from tests.generated.heap import random_heap, random_stack
from tests.generated.overlaps import random_overlap
from tests.generated.programs import random_program
from tests.generated.test_agreement import AMDGPU_FEATURES, FEATURES
from tests.search.generated import Tune, request_for

GROWN, LISTED = Tuning(grow_from=0), Tuning(grow_from=-1)


def both(request: Request) -> tuple[Outcomes, Outcomes]:
    return enumerate_test(request, Session(GROWN)), enumerate_test(request, Session(LISTED))


def same(request: Request, text: str) -> None:
    grown, listed = both(request)
    assert grown.status == listed.status == "complete"
    assert grown.states == listed.states, text
    assert (grown.flags, grown.consistent, grown.cut) == (listed.flags, listed.consistent, listed.cut), text


@pytest.mark.parametrize("features", sorted(FEATURES))
@pytest.mark.parametrize("model", ["llvm", "rc11"])
def test_generated_programs(features: str, model: str) -> None:
    wanted = frozenset(FEATURES[features])
    for seed in range(examples(8)):
        program = random_program(wanted, 7000 + seed, 5 + seed % 2, 6 - seed % 3)
        same(request_for(program.text, model, wanted, seed), program.text)


@pytest.mark.parametrize("features", sorted(AMDGPU_FEATURES))
def test_generated_programs_of_amdgpu(features: str) -> None:
    wanted = frozenset(AMDGPU_FEATURES[features])
    for seed in range(examples(8)):
        program = random_program(wanted, 8000 + seed)
        same(request_for(program.text, "amdgpu", wanted, seed), program.text)


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11"])
def test_accesses_that_overlap_partly(model: str, tune: Tune) -> None:
    """Names of locations whose accesses are of another type than they, too; read-modify-writes of several parts."""
    for seed in [*range(9000, 9000 + examples(8)), 6126, 6142]:
        text = random_overlap(seed, scopes=seed % 3 == 0, tags=seed % 4 == 0)
        results = []
        for grow_from in (-1, 0):
            tune(grow_from=grow_from, grow_from_waits=grow_from)
            results.append(check(load_text(text, "overlap.ll"), model, all_values=True))
        listed, grown = results
        assert (grown.states, grown.consistent, grown.flags) == (listed.states, listed.consistent, listed.flags), text


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11"])
@pytest.mark.parametrize("make", [random_heap, random_stack])
def test_objects_that_end(model: str, make: Callable[[int], str]) -> None:
    """The end of an object writes all of it that is accessed anywhere, which is known late where executions grow."""
    for seed in range(examples(8)):
        text = make(seed)
        test = load_text(text, "heap.ll")
        names = tuple(all_names(test, unroll=2))
        same(Request(test, select(model, (), {}), load_profile("generic"), names, unroll=2), text)


EXCHANGES = """@x = global i32 0
define void @t0() {
  %a = cmpxchg ptr @x, i32 1, i32 1 syncscope("singlethread") monotonic monotonic
  ret void
}
define void @t1() {
  %b = cmpxchg ptr @x, i32 1, i32 2 syncscope("singlethread") monotonic monotonic
  ret void
}
"""
FREEZES = "@x = global i32 0\n@y = global i32 0\n" + "".join(
    f"""define void @t{number}() {{
  %r = load i32, ptr @{read}
  %f = freeze i32 %r
  %c = icmp eq i32 %f, 5
  br i1 %c, label %write, label %done
write:
  store i32 1, ptr @{written}
  br label %done
done:
  ret void
}}
"""
    for number, (read, written) in enumerate(("xy", "yx"))
)


COPY = """@x = addrspace(1) global i32 0
@y = addrspace(3) global i32 1
define void @t0() {
  %r = load atomic i32, ptr addrspace(3) @y monotonic, align 4
  %c = icmp eq i32 %r, 0
  br i1 %c, label %copy, label %done
copy:
  call void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1) @x, ptr addrspace(3) @y, i32 0, i32 0)
  br label %done
done:
  ret void
}
declare void @llvm.amdgcn.global.load.async.to.lds.b32(ptr addrspace(1), ptr addrspace(3), i32, i32)
"""


def test_a_copy_that_its_own_thread_waits_for() -> None:
    """rc11 orders nothing by what is in no program order: the read may take what the copy writes that it leads to."""
    test = load_text(COPY, "copy.ll")
    request = Request(test, select("rc11", (), {}), load_profile("generic"), ("t0:%r",))
    same(request, COPY)
    assert both(request)[0].consistent == 2


OUTCOME = """; SCOPES: (system (agent (cluster (workgroup (wavefront t0))) (cluster (workgroup (wavefront t1)))))
@x = addrspace(3) global i32 undef
@y = addrspace(1) global i32 0
@z = global i32 0
define void @h(i32 %p) {
  %n = and i32 %p, 0
  %a = getelementptr i32, ptr addrspace(3) @x, i32 %n
  %r = load i32, ptr addrspace(3) %a, align 4
  ret void
}
define i32 @g(i32 %p) {
  store atomic i32 2, ptr addrspace(1) @y release, align 4
  ret i32 %p
}
define void @t0() {
  %e = atomicrmw sub ptr addrspace(1) @y, i32 1 syncscope("wavefront") acquire
  %v = xor i32 %e, %e
  %c = cmpxchg ptr addrspace(3) @x, i32 %e, i32 %v monotonic acquire
  call void @h(i32 1)
  ret void
}
define void @t1() {
  %z = load i32, ptr @z, align 4
  %c = cmpxchg weak ptr addrspace(3) @x, i32 0, i32 1 acq_rel acquire
  %g = call i32 @g(i32 %z)
  ret void
}
"""


def test_how_a_compare_exchange_ends_rests_on_another_read() -> None:
    """It expects what another read returns: until that is known, it is not known how its own read is ordered."""
    test = load_text(OUTCOME, "outcome.ll")
    request = Request(
        test, select("amdgpu", (), {}), load_profile("generic"), tuple(all_names(test, unroll=2)), unroll=2
    )
    same(request, OUTCOME)


@pytest.mark.parametrize(("text", "consistent"), [(EXCHANGES, 3), (FREEZES, 2)])
def test_reads_that_are_undef_because_of_each_other(text: str, consistent: int) -> None:
    """Each races with a write that is there only because the other one is undef."""
    test = load_text(text, "circle.ll")
    request = Request(test, select("llvm", (), {}), load_profile("generic"), tuple(all_names(test, unroll=2)), unroll=2)
    same(request, text)
    assert enumerate_test(request, Session(GROWN)).consistent == consistent
    assert search(request, "networkx").consistent == consistent


LOAD_BUFFERING = """
@x = global i32 0
@y = global i32 0
@a = global [2 x i32] zeroinitializer
define void @t0() {{
  %r = load atomic i32, ptr @x monotonic, align 4
  {between}
  store atomic i32 1, ptr @y monotonic, align 4
  ret void
}}
define void @t1() {{
  %r = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %r, ptr @x monotonic, align 4
  ret void
}}
; EXISTS: t0:%r = 1
"""

BETWEEN = {
    "nothing": ("", True),
    "an address": (
        "%i = sext i32 %r to i64\n  %p = getelementptr [2 x i32], ptr @a, i64 0, i64 %i\n"
        "  store atomic i32 1, ptr %p monotonic, align 4",
        True,
    ),
    "what a compare-exchange expects": ("%c = cmpxchg ptr @a, i32 %r, i32 1 monotonic monotonic", True),
    "a branch": ("%c = icmp eq i32 %r, 1\n  br i1 %c, label %then, label %then\nthen:", False),
    "a fence": ("fence acq_rel", True),
}


@pytest.mark.parametrize("between", sorted(BETWEEN))
def test_threads_run_past_what_does_not_matter(between: str, tune: Tune) -> None:
    """A read takes what a later write of its thread leads to, unless that depends on the read."""
    written, possible = BETWEEN[between]
    test = load_text(LOAD_BUFFERING.format(between=written), "lb.ll")
    results = []
    for least in (0, -1):
        tune(grow_from=least)
        results.append(check(test, "llvm"))
    grown, listed = results
    assert (grown.states, grown.consistent, grown.flags) == (listed.states, listed.consistent, listed.flags)
    assert (grown.observation != "Never") == possible
    tune(grow_from=0)
    assert check(test, "rc11").observation == "Never"


@pytest.mark.parametrize("model", ["rc11", "llvm"])
def test_long_paths_grow(model: str, tune: Tune) -> None:
    """However few they are; the room for events grows with them."""
    body = "".join(
        f"  store atomic i32 {n}, ptr @x monotonic, align 4\n  %r{n} = load atomic i32, ptr @x monotonic, align 4\n"
        for n in range(1, 51)
    )
    text = "@x = global i32 0\n; EXISTS: t0:r50 = 50 /\\ t1:r = 0\n"
    text += f"define void @t0() {{\n{body}  ret void\n}}\n"
    text += "define void @t1() {\n  %r = load atomic i32, ptr @x monotonic, align 4\n  ret void\n}\n"
    test = load_text(text, "long.ll")
    results = []
    for least in (50, 5000):
        tune(grow_from_events=least)
        results.append(check(test, model))
    grown, listed = results
    assert (grown.states, grown.consistent, grown.flags) == (listed.states, listed.consistent, listed.flags)
    assert grown.consistent == 51


def shape(candidate: Candidate) -> tuple[object, ...]:
    assert candidate.unfolded is not None
    paths = [options[number] for options, number in zip(candidate.unfolded.paths, candidate.paths, strict=True)]
    events = tuple((event.kind, event.location, event.line) for path in paths for event in path.events)
    return events, candidate.reads_from, candidate.orders, candidate.values


def test_recorded_executions() -> None:
    """They say which paths they take: these are not those that unfolding the test gives."""
    wanted = frozenset(FEATURES["branches"])
    program = random_program(wanted, 7003, 5, 5)
    request = request_for(program.text, "llvm", wanted, 0)
    recorded = Request(**{**request.__dict__, "record": -1})
    grown, listed = both(recorded)
    every = unfold(request.test, unroll=request.unroll)
    listed_shapes = {shape(Candidate(**{**each.__dict__, "unfolded": every})) for each in listed.executions}
    assert len(grown.executions) == grown.consistent
    assert {shape(each) for each in grown.executions} == listed_shapes


@pytest.mark.parametrize(
    "model, order",
    [
        ("rc11", Order.PROGRAM_ORDER),
        ("sc", Order.PROGRAM_ORDER),
        ("llvm", Order.DEPENDENCY),
        ("amdgpu", Order.DEPENDENCY),
    ],
)
def test_in_which_order_executions_can_be_built(model: str, order: Order) -> None:
    selected = select(model, (), {})
    compiled = compile_model(selected.model, selected.variants, base_kinds(), empty=frozenset({"unsequenced", "parts"}))
    assert construction_order(compiled, frozenset()) is order
    assert is_atomic(compiled, frozenset()) or model == "sc"


def test_values_out_of_thin_air_have_no_order() -> None:
    selected = select("llvm", (), {"thin-air": "none"})
    compiled = compile_model(selected.model, selected.variants, base_kinds(), empty=frozenset({"unsequenced", "parts"}))
    assert construction_order(compiled, frozenset()) is Order.NONE


def test_growth_with_events() -> None:
    """An event in between adds to a composition; what is subtracted may gain pairs, too."""
    selected = select("rc11", (), {})
    compiled = compile_model(selected.model, selected.variants, base_kinds(), empty=frozenset({"unsequenced", "parts"}))
    known: dict[object, Growth] = {}
    growths = {check.check.name: grows_with_events(check.node, known) for check in compiled.checks}  # type: ignore[arg-type]
    assert growths["coherence"] == growths["seq-cst"] == growths["no-thin-air"] == Growth.GROWS
    assert growths["race"] == Growth.EITHER or growths["race"] == Growth.SHRINKS


def test_a_relation_that_is_first_listed_late(tmp_path: Path, tune: Tune) -> None:
    """Nothing is in ``ctrl`` before the branch, and what follows it is of a kind that was there before."""
    model = tmp_path / "branches.cat"
    model.write_text('"No branches"\nwith co from orders(W)\nacyclic po | rf as no-thin-air\nempty ctrl as branches\n')
    text = """@x = global i32 0
@y = global i32 0
define void @t0() {
  store atomic i32 1, ptr @y monotonic, align 4
  %r = load atomic i32, ptr @x monotonic, align 4
  %c = icmp eq i32 %r, 1
  br i1 %c, label %then, label %done
then:
  store atomic i32 2, ptr @y monotonic, align 4
  br label %done
done:
  ret void
}
define void @t1() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
; EXISTS: t0:%r = 1
"""
    for least in (0, -1):
        tune(grow_from=least)
        assert check(load_text(text, "late.ll"), str(model)).observation == "Never"


def test_unfolding_stops_where_paths_are_too_many() -> None:
    text = "@x = global i32 0\ndefine void @t0() {\n" + "".join(
        f"  %r{n} = load i32, ptr @x\n  %c{n} = icmp eq i32 %r{n}, 0\n"
        f"  br i1 %c{n}, label %a{n}, label %b{n}\na{n}:\n  store i32 {n}, ptr @x\n  br label %b{n}\nb{n}:\n"
        for n in range(6)
    )
    test = load_text(text + "  ret void\n}\n", "many.ll")
    assert len(unfold(test, undef=False).paths[0]) == 64
    assert len(unfold(test, undef=False, effort=Effort(65, 4, 100_000)).paths[0]) == 64
    with pytest.raises(TooManyPaths, match="too many paths"):
        unfold(test, undef=False, effort=Effort(64, 64, 100_000))


def test_the_number_explored_does_not_depend_on_slices() -> None:
    wanted = frozenset(FEATURES["branches"])
    program = random_program(wanted, 7011, 5, 5)
    request = request_for(program.text, "llvm", wanted, 0)
    explored = {enumerate_test(request, Session(Tuning(grow_from=0, slice=s))).explored for s in (0.05, 1e-9)}
    assert len(explored) == 1


ADD_BACK = """C addback
{{ }}
{threads}
exists (true)
"""
ADDER = """P{number} (atomic_int* l) {{
  int p = atomic_fetch_sub_explicit(l, {step}, memory_order_acquire);
  if (p == 0) {{ atomic_fetch_add_explicit(l, {step}, memory_order_release); }}
  else {{ atomic_fetch_add_explicit(l, {step}, memory_order_relaxed); }}
}}"""


def test_listing_gives_way_where_each_execution_takes_much() -> None:
    """There are 16 combinations of paths, so that they are listed; all eight writes may be read by all reads."""
    threads = "\n".join(ADDER.format(number=number, step=3**number) for number in range(4))
    found = check(load_text(ADD_BACK.format(threads=threads), "addback.litmus"), "rc11")
    assert (found.consistent, found.explored) == (2520, 2520)


def test_listing_and_growing_take_turns(tune: Tune) -> None:
    """The combinations of paths in which z is written come first, and have no execution."""
    adders = "".join(
        f"P{number} (atomic_int* x, atomic_int* y) {{\n"
        + "".join(
            f"  int a{n} = atomic_load_explicit(x, memory_order_acquire);\n"
            f"  int b{n} = atomic_load_explicit(y, memory_order_acquire);\n"
            f"  atomic_store_explicit({to}, a{n} + b{n}, memory_order_release);\n"
            for n in range(5)
        )
        + "}\n"
        for number, to in enumerate("xy")
    )
    watcher = """P2 (atomic_int* x, atomic_int* z) {
  int r = atomic_load_explicit(x, memory_order_acquire);
  if (r > 144) { atomic_store_explicit(z, 1, memory_order_relaxed); }
}"""
    test = load_text(f"C fib\n{{ x = 1; y = 1; z = 0; }}\n{adders}{watcher}\nexists (z = 1)\n", "fib.litmus")
    found = check(test, "rc11")
    tune(grow_from=-1)
    listed = check(test, "rc11")
    assert found.states == listed.states
    assert found.explored == listed.explored > listed.consistent  # growing meets no dead ends
    tune(list_at_ease=1, grow_from=20)
    assert check(test, "rc11").states == listed.states


def dissemination_barrier(threads: int) -> str:
    """A barrier of which each thread tells in each round another one that it has come, and waits for a third one."""
    rounds = (threads - 1).bit_length()
    bodies = "\n".join(
        f"P{i} ("
        + ", ".join(f"atomic_int* f{k}{j}" for k in range(rounds) for j in range(threads))
        + ") {\n"
        + "".join(
            f"  atomic_fetch_add_explicit(f{k}{(i + 2**k) % threads}, 1, memory_order_release);\n"
            f"  while (atomic_load_explicit(f{k}{i}, memory_order_acquire) == 0) {{}}\n"
            for k in range(rounds)
        )
        + "}"
        for i in range(threads)
    )
    return f"C dissemination\n{{ }}\n{bodies}\nexists (true)\n"


def test_growing_meets_dead_ends_rather_than_all_paths() -> None:
    """A search of a few thousand dead ends takes less than unfolding all that threads might read."""
    found = check(load_text(dissemination_barrier(5), "dissemination.litmus"), "rc11")
    assert found.consistent == 1 and found.explored is not None and found.explored < 1000


SLOT_LOCK = """define void @t{number}() {{
  %taken = atomicrmw add ptr @tail, i32 1 monotonic
  %slot = urem i32 %taken, 4
  br label %loop
loop:
  %begin = load ptr, ptr @where
  %flag = getelementptr i32, ptr %begin, i32 %slot
  %told = load atomic i32, ptr %flag acquire, align 4
  %closed = icmp eq i32 %told, 0
  br i1 %closed, label %loop, label %in
in:
  store i32 {number}, ptr @data
  store atomic i32 0, ptr %flag monotonic, align 4
  %after = add i32 %slot, 1
  %next = urem i32 %after, 4
  %other = getelementptr i32, ptr @flags, i32 %next
  store atomic i32 1, ptr %other release, align 4
  ret void
}}
"""


def test_who_waits_or_only_looks_at_data_serves_nobody() -> None:
    """Each thread waits at a slot of its own, and looks at plain data while it does: that is no way to go on."""
    text = "; EXISTS: @data = 1\n@tail = global i32 0\n@data = global i32 0\n@where = global ptr @flags\n"
    text += "@flags = global [4 x i32] [i32 1, i32 0, i32 0, i32 0]\n"
    found = check(load_text(text + "".join(SLOT_LOCK.format(number=n) for n in (1, 2, 3)), "slots.ll"), "rc11")
    assert (found.status, found.consistent, found.flags) == ("complete", 6, ())
    assert found.explored <= 25
