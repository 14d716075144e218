"""Loops that wait: one evaluation of each gives all outcomes; three engines, and the loops as they are, agree."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.unfold import control, unfold
from tests.generated.engines import answer
from tests.literal import all_names
from tests.unfold import written

HEAD = """; SCOPES: (system (agent (cluster (workgroup (wavefront t0) (wavefront t1)))))
; EXISTS: true
@x = global i32 0
@y = global i32 0
@z = global i32 0
"""
KEEP = "define void @keep(ptr %place, i32 %value) {\n  store i32 %value, ptr %place\n  ret void\n}\n"

SETS = "store i32 1, ptr @y; store atomic i32 1, ptr @x release, align 4"
SETS_AND_CLEARS = f"{SETS}; store atomic i32 0, ptr @x monotonic, align 4"

READ = "%v = load atomic i32, ptr @x {} , align 4; %unset = icmp eq i32 %v, 0"
AFTER = "%w = load i32, ptr @y; ret void"


def spin(ordering: str, more: str = "", after: str = AFTER) -> str:
    return f"br label %l; l:; {more}{READ.format(ordering)}; br i1 %unset, label %l, label %e; e:; {after}"


EXCHANGE = "%p = cmpxchg {}ptr @x, i32 1, i32 2 acquire monotonic; %ok = extractvalue {{ i32, i1 }} %p, 1"
LOCK = f"br label %l; l:; {EXCHANGE}; br i1 %ok, label %e, label %l; e:; {AFTER}"
# Where the loop begins anew, the slot tells that the test has failed; behind that test, nothing of it is left.
TESTS_A_SLOT = (
    "%s = alloca i32; store i32 0, ptr %s; br label %h; h:; %old = load i32, ptr %s; %unset = icmp eq i32 %old, 0; "
    "br i1 %unset, label %l, label %e; l:; %r = load atomic i32, ptr @x acquire, align 4; store i32 %r, ptr %s; "
    "br label %h; e:; " + AFTER
)
RETRY = (
    "br label %l; l:; %a = load atomic i32, ptr @x acquire, align 4; %b = load atomic i32, ptr @z monotonic, align 4; "
    "fence acquire; %c = load atomic i32, ptr @x monotonic, align 4; %same = icmp eq i32 %a, %c; "
    "br i1 %same, label %e, label %l; e:; ret void"
)
CARRIES = (
    "br label %l; l:; %last = phi i32 [ 0, %0 ], [ %v, %l ]; %v = load atomic i32, ptr @x monotonic, align 4; "
    "%again = icmp ule i32 %v, %last; br i1 %again, label %l, label %e; e:; ret void"
)
CARRIES_THE_SAME = CARRIES.replace("ule", "eq")
IN_TURN = (
    "br label %l; l:; %s = phi i32 [ 0, %0 ], [ %t, %l ]; %first = icmp eq i32 %s, 0; "
    "%p = select i1 %first, ptr @z, ptr @x; %v = load atomic i32, ptr %p acquire, align 4; %unset = icmp eq i32 %v, 0; "
    f"%bit = zext i1 %unset to i32; %t = xor i32 %s, %bit; br i1 %unset, label %l, label %e; e:; {AFTER}"
)
IN_TURN_BY_A_SLOT = (
    "%s = alloca i32; store i32 0, ptr %s; br label %l; l:; %i = load i32, ptr %s; %first = icmp eq i32 %i, 0; "
    "%p = select i1 %first, ptr @z, ptr @x; %v = load atomic i32, ptr %p acquire, align 4; %set = icmp ne i32 %v, 0; "
    "br i1 %set, label %e, label %n; n:; %unset = icmp eq i32 %v, 0; %bit = zext i1 %unset to i32; "
    f"%t = xor i32 %i, %bit; store i32 %t, ptr %s; br label %l; e:; {AFTER}"
)
# These take what another thread has set, once.
TAKES = (
    "br label %l; l:; %v = atomicrmw xchg ptr @x, i32 0 acquire, align 4; %taken = icmp eq i32 %v, 0; "
    f"br i1 %taken, label %l, label %e; e:; {AFTER}"
)
ADDS_NOTHING = (
    "br label %l; l:; %v = atomicrmw add ptr @x, i32 0 acquire, align 4; %unset = icmp eq i32 %v, 0; "
    f"br i1 %unset, label %l, label %e; e:; {AFTER}"
)
COMPARES_ALIKE = (
    "br label %l; l:; %p = cmpxchg ptr @x, i32 0, i32 0 acquire monotonic; %v = extractvalue { i32, i1 } %p, 0; "
    f"%unset = icmp eq i32 %v, 0; br i1 %unset, label %l, label %e; e:; {AFTER}"
)
COMPARES_UNTIL_IT_FAILS = (
    "br label %l; l:; %p = cmpxchg ptr @x, i32 0, i32 0 acq_rel acquire; %same = extractvalue { i32, i1 } %p, 1; "
    f"br i1 %same, label %l, label %e; e:; {AFTER}"
)
COMPARES_UNTIL_IT_SUCCEEDS = COMPARES_UNTIL_IT_FAILS.replace("i32 0, i32 0", "i32 1, i32 1").replace(
    "%l, label %e", "%e, label %l"
)
COMPARES_WHAT_IS_READ = (
    "br label %l; l:; %r = load atomic i32, ptr @x monotonic, align 4; %p = cmpxchg ptr @x, i32 %r, i32 %r acquire "
    "monotonic; %v = extractvalue { i32, i1 } %p, 0; %ok = extractvalue { i32, i1 } %p, 1; %set = icmp eq i32 %v, 1; "
    f"%done = and i1 %ok, %set; br i1 %done, label %e, label %l; e:; {AFTER}"
)
TESTS_FIRST = (
    "br label %l; l:; %r = load atomic i32, ptr @x monotonic, align 4; %unset = icmp eq i32 %r, 0; "
    "br i1 %unset, label %l, label %t; t:; %v = atomicrmw xchg ptr @x, i32 0 acquire, align 4; "
    f"%taken = icmp eq i32 %v, 0; br i1 %taken, label %l, label %e; e:; {AFTER}"
)
TESTS_AFTER = (
    "br label %l; l:; %v = atomicrmw xchg ptr @x, i32 0 acquire, align 4; %taken = icmp eq i32 %v, 0; "
    "br i1 %taken, label %t, label %e; t:; %r = load atomic i32, ptr @x monotonic, align 4; "
    f"%unset = icmp eq i32 %r, 0; br i1 %unset, label %t, label %l; e:; {AFTER}"
)
TAKES_TWO = (
    "br label %l; l:; %v = atomicrmw xchg ptr @x, i32 0 acquire, align 4; "
    "%u = atomicrmw or ptr @z, i32 0 monotonic, align 4; %taken = icmp eq i32 %v, 0; "
    f"br i1 %taken, label %l, label %e; e:; {AFTER}"
)
UPDATE = (
    "%first = load atomic i32, ptr @x monotonic, align 4; br label %l; l:; "
    "%last = phi i32 [ %first, %0 ], [ %seen, %l ]; %new = add i32 %last, 5; "
    "%p = cmpxchg weak ptr @x, i32 %last, i32 %new acquire monotonic; %seen = extractvalue { i32, i1 } %p, 0; "
    "%ok = extractvalue { i32, i1 } %p, 1; br i1 %ok, label %e, label %l; e:; " + AFTER
)
WRITES = (
    "br label %l; l:; %v = atomicrmw add ptr @x, i32 1 acquire, align 4; %set = icmp eq i32 %v, 1; "
    "br i1 %set, label %l, label %e; e:; ret void"
)
IN_A_SLOT = (
    "%s = alloca i32; br label %l; l:; %r = load atomic i32, ptr @x acquire, align 4; store i32 %r, ptr %s; "
    "%v = load i32, ptr %s; %unset = icmp eq i32 %v, 0; br i1 %unset, label %l, label %e; e:; " + AFTER
)
IN_A_FLAT_SLOT = IN_A_SLOT.replace(
    "alloca i32", "alloca i32, addrspace(5); %f = addrspacecast ptr addrspace(5) %s to ptr"
)
IN_A_FLAT_SLOT = IN_A_FLAT_SLOT.replace("ptr %s", "ptr %f")
SLOT_IS_READ = IN_A_SLOT.replace("l:; %r", "l:; %old = load i32, ptr %s; %r").replace(
    "%s = alloca i32; ", "%s = alloca i32; store i32 0, ptr %s; "
)

LENDS_A_SLOT = IN_A_SLOT.replace("store i32 %r, ptr %s", "call void @keep(ptr %s, i32 %r)")

LOOPS = {
    "acquire": spin("acquire"),
    "monotonic": spin("monotonic"),
    "fence": spin("monotonic", after=f"fence acquire; {AFTER}"),
    "fence inside": spin("monotonic", more="fence seq_cst; "),
    "lock": LOCK.format("").replace("{{", "{").replace("}}", "}"),
    "weak lock": LOCK.format("weak ").replace("{{", "{").replace("}}", "}"),
    "exchange": TAKES,
    "and": TAKES.replace("xchg", "and"),
    "add nothing": ADDS_NOTHING,
    "compare alike": COMPARES_ALIKE,
    "weakly compare alike": COMPARES_ALIKE.replace("cmpxchg", "cmpxchg weak"),
    "compare alike, until it fails": COMPARES_UNTIL_IT_FAILS,
    "compare alike, until it succeeds": COMPARES_UNTIL_IT_SUCCEEDS,
    "compare with what is read": COMPARES_WHAT_IS_READ,
    "test, then exchange": TESTS_FIRST,
    "exchange, then test": TESTS_AFTER,
    "two exchanges": TAKES_TWO,
    "retry": RETRY,
    "slot": IN_A_SLOT,
    "flat slot": IN_A_FLAT_SLOT,
    "tests a slot": TESTS_A_SLOT,
}
ENDS = {
    "weak update": UPDATE,  # each further attempt reads another write, or fails for no reason
    "slot that is read": SLOT_IS_READ,  # each holds what the one before has found, and nothing from before that
    "carries the same": CARRIES_THE_SAME,
    "two in turn": IN_TURN,  # the same after two
    "plain data inside": spin("acquire", more="%d = load i32, ptr @z; "),  # one is there for what races with it
}
LEFT_OUT = (
    "slot that is read",
    "plain data inside",
    "tests a slot",
    "carries the same",
    "two in turn",
    "two in turn, by a slot",
)
"""That of which the literal enumerator runs more: it leaves out what only reads atomically and carries nothing."""
BOUNDED = {
    "unordered": spin("unordered"),
    "carries": CARRIES,
    "writes": WRITES,
}


def program(*threads: str) -> Test:
    return written.program(HEAD + (KEEP if any("@keep" in each for each in threads) else ""), *threads)


def ends(test: Test) -> set[str]:
    return {path.end for path in unfold(test, undef=False).paths[1]}


@pytest.mark.parametrize("loop", sorted(LOOPS))
def test_what_waits(loop: str) -> None:
    assert check(program(SETS, LOOPS[loop]), "llvm").cut == 0, "no bound"


@pytest.mark.parametrize("loop", sorted(BOUNDED))
def test_what_does_not(loop: str) -> None:
    found = ends(program(SETS, BOUNDED[loop]))
    assert "cut" in found and "stuck" not in found


def test_what_was_decided_tells_what_a_slot_holds() -> None:
    result = check(program(SETS, IN_TURN_BY_A_SLOT), "llvm")
    assert (result.cut, result.status) == (0, "complete")


def test_a_slot_that_may_be_read_holds_nothing_from_long_before() -> None:
    """Which calls that are given the address read it is not known; attempts tell that it is written first."""
    for loop in (LENDS_A_SLOT, SLOT_IS_READ):
        found = ends(program(SETS, loop))
        assert "cut" not in found and "stuck" in found


def test_a_plain_store_to_what_is_waited_for() -> None:
    """An iteration that is left out may be what races: so there is a path with one, for that alone."""
    paths = unfold(program("store i32 1, ptr @x", LOOPS["acquire"]), undef=False).paths[1]
    assert {(path.end, path.tried) for path in paths} >= {("stuck", False), ("return", False), ("return", True)}
    result = check(program("store i32 1, ptr @x", LOOPS["acquire"]), "rc11")
    assert "race" in result.flags and result.cut == 0


@pytest.mark.parametrize("model", ["llvm", "amdgpu", "rc11", "sc", "tso"])
@pytest.mark.parametrize("writer", [SETS, SETS_AND_CLEARS, "store atomic i32 1, ptr @x monotonic, align 4"])
@pytest.mark.parametrize("loop", sorted(LOOPS | ENDS))
def test_further_evaluations_add_no_outcome(
    loop: str, writer: str, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Semantics, section 9: executions with more evaluations only add happens-before."""
    text = (LOOPS | ENDS)[loop]
    test = program(writer, text)
    waits = check(test, model, all_values=True)
    assert waits.status == "complete" and waits.cut == 0
    monkeypatch.setattr(control, "_may_be_left_out", lambda *given: None)
    monkeypatch.setattr(control, "needless", lambda *given: None)
    bounded = check(program(writer, text), model, all_values=True, unroll=2)
    mine, theirs = ({tuple(state.values.items()) for state in result.states} for result in (waits, bounded))
    assert mine == theirs and set(waits.flags) - {"stuck"} == set(bounded.flags)


@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
@pytest.mark.parametrize("writer", [SETS, SETS_AND_CLEARS])
@pytest.mark.parametrize("loop", sorted(LOOPS | ENDS | BOUNDED))
def test_engines_agree(loop: str, writer: str, model: str) -> None:
    text = (LOOPS | ENDS | BOUNDED)[loop]
    test = program(writer, text)
    unroll = (
        0 if "atomicrmw" in text or "alike" in loop or text == UPDATE else 1
    )  # each iteration multiplies the orders of its writes
    names = all_names(test, unroll)
    engines = ("literal", "networkx", "bitset")
    literal, plain, fast = (answer(engine, test, names, model=model, unroll=unroll) for engine in engines)
    assert plain == fast
    if loop in LEFT_OUT:
        assert literal is not None and fast is not None and literal.cut > fast.cut == 0
        assert {state for state, _ in literal.states} == {state for state, _ in fast.states}
    else:
        assert literal == fast


def test_stuck_is_not_what_only_has_not_gone_on_yet() -> None:
    assert "stuck" not in check(program(SETS, LOOPS["acquire"]), "llvm").flags
    assert "stuck" in check(program(SETS_AND_CLEARS, LOOPS["acquire"]), "llvm").flags
    assert "stuck" in check(program("ret void", LOOPS["lock"]), "llvm").flags
    ends_early = "%c = load atomic i32, ptr @z monotonic, align 4; call void @abort(); unreachable"
    test = load_text(
        HEAD + f"declare void @abort()\ndefine void @t0() {{\n{ends_early.replace('; ', chr(10))}\n}}\n"
        f"define void @t1() {{\n{LOOPS['acquire'].replace('; ', chr(10))}\n}}\n",
        "abort.ll",
    )
    assert check(test, "llvm").flags == ("assert",), "what another thread would have done is not known"


CORPUS = Path(__file__).resolve().parents[2] / "litmus_tests" / "waiting"


@pytest.mark.parametrize("path", sorted(CORPUS.glob("spin*.ll")), ids=lambda path: path.stem)
def test_conditions_may_name_the_flag(path: Path) -> None:
    text = path.read_text()
    kept = [line for line in text.splitlines() if not line.startswith(("; EXISTS", "; EXPECT"))]
    result = check(load_text("\n".join(["; " + path.stem, "; EXISTS: stuck", *kept]), path.name), "llvm")
    assert (result.observation != "Never") == ("stuck" in text.split("EXPECT:")[1].split()[0])
