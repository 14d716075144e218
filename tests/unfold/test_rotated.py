"""Loops that a compiler has rotated are turned back: outcomes stay, and a wait is one evaluation."""

from __future__ import annotations

import random

import pytest

from enumerator import asking, check
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.results.result import Result
from enumerator.unfold.rotated import turned_back, unrotated
from tests.generated.amounts import examples

HEAD = """; {condition}
@x = global i32 0
@y = global i32 0
@z = global i32 0
@out = global i32 0
"""
LOOP = """define void @t0() {{
entry:
  {first}
  {one}
  {one_test}
  br i1 %c0, label %body, label %{past}
body:
  {carried}
  {inside}
  {other}
  {other_test}
  br i1 %c1, label %{back}, label %end
again:
  br label %body
skipped:
  br label %end
end:
  {result}
  store i32 %got, ptr @out
  ret void
}}
"""
SETS = "define void @t1() {\n  store i32 5, ptr @z\n  store atomic i32 1, ptr @x release, align 4\n  ret void\n}\n"


def program(
    read: str = "%r{n} = load atomic i32, ptr @x acquire, align 4",
    inside: str = "",
    result: str = "%got = phi i32 [ %r0, %{origin} ], [ %r1, %body ]",
    *,
    test: str = "%c{n} = icmp eq i32 %r{n}, 0",
    past: str = "end",
    back: str = "body",
    first: str = "",
    carried: str = "",
    entered: str = "",
    condition: str = "EXISTS: true",
    others: str = SETS,
) -> Test:
    loop = LOOP.format(
        first=first,
        one=read.format(n=0),
        one_test=test.format(n=0),
        past=past,
        carried=carried,
        inside=inside,
        other=read.format(n=1),
        other_test=test.format(n=1),
        back=back,
        result=result.format(origin="entry" if past == "end" else "skipped"),
    )
    blocks = [(f"{name}:\n  br label", name in (past, back)) for name in ("again", "skipped")]
    for begin, used in blocks:
        if not used:
            start = loop.index(begin)
            loop = loop[:start] + loop[loop.index("\n", loop.index("br label", start)) + 1 :]
    if entered:
        loop = loop.replace("label %body", "label %way", 1).replace(
            "body:", f"way:\n  {entered}\n  br label %body\nbody:"
        )
    return load_text(HEAD.format(condition=condition) + loop + others, "rotated.ll")


def outcomes(result: Result) -> tuple[object, ...]:
    return {tuple(state.values.items()) for state in result.states}, set(result.flags) - {"stuck"}


TURNED = {
    "as it is": program(),
    "with a body": program(inside="%b = load atomic i32, ptr @y monotonic, align 4"),
    "past other blocks": program(past="skipped", back="again"),
    "past a block that computes": program(
        inside="%b = load atomic i32, ptr %p monotonic, align 4", entered="%p = getelementptr i32, ptr @y, i64 0"
    ),
    "an exchange": program(
        "%q{n} = cmpxchg ptr @x, i32 1, i32 2 acquire monotonic\n  %r{n} = extractvalue {{ i32, i1 }} %q{n}, 0"
    ),
    "other places": program(
        "%r{n} = load atomic i32, ptr %p{n} acquire, align 4",
        "%p1 = select i1 true, ptr @x, ptr @y",
        first="%p0 = getelementptr i32, ptr @x, i64 0",
    ),
}
KEPT = {
    "what is read first is kept": program(result="%got = add i32 %r0, 0"),
    "what is read first is used inside": program(inside="%b = add i32 %r0, 1\n  store i32 %b, ptr @y"),
    "other code": program(test="%d{n} = add i32 %r{n}, {n}\n  %c{n} = icmp eq i32 %d{n}, 0"),
    "what is read is asked for": program(condition="EXISTS: t0:%r1 = 1"),
    "what is read first is used on the way": program(
        inside="%b = load atomic i32, ptr %p monotonic, align 4",
        entered="%i = zext i32 %r0 to i64\n  %p = getelementptr i32, ptr @y, i64 %i",
    ),
}


@pytest.mark.parametrize("name", TURNED)
def test_a_wait_is_one_evaluation(name: str) -> None:
    test = TURNED[name]
    assert unrotated(test, frozenset()) is not test
    assert unrotated(unrotated(test, frozenset()), frozenset()).functions == unrotated(test, frozenset()).functions
    result = check(test, "rc11")
    assert (result.status, result.consistent, result.cut) == ("complete", 1, 0)


@pytest.mark.parametrize("name", KEPT)
def test_what_stays(name: str) -> None:
    test = KEPT[name]
    asked = {"%r1"} if "asked" in name else frozenset[str]()
    assert all(turned_back(each, asked) is each for each in test.functions.values()) == ("other code" not in name)
    assert check(test, "rc11").status == "complete"


def generated(seed: int) -> Test:
    chance = random.Random(seed)
    pick = chance.choice
    exchange = "%q{n} = cmpxchg {weak}ptr @x, i32 {old}, i32 {new} acquire monotonic\n  "
    exchange += "%r{n} = extractvalue {{ i32, i1 }} %q{n}, 0"
    read = pick(
        (
            "%r{n} = load atomic i32, ptr @x " + pick(("monotonic", "acquire", "seq_cst")) + ", align 4",
            exchange.replace("{weak}", pick(("", "weak "))).replace("{old}", pick("01")).replace("{new}", pick("23")),
            "%r{n} = atomicrmw or ptr @x, i32 " + pick("04") + " acquire",
            "%d{n} = load atomic i32, ptr @y monotonic, align 4\n  %r{n} = load atomic i32, ptr @x acquire, align 4",
        )
    )
    inside = pick(
        (
            "",
            "%b = load atomic i32, ptr @y acquire, align 4",
            "%b = load i32, ptr @z",
            "store i32 3, ptr @y",
            "%b = cmpxchg ptr @y, i32 0, i32 1 monotonic monotonic",
            "fence seq_cst",
            "store atomic i32 %r0, ptr @y monotonic, align 4",
        )
    )
    writes = chance.sample(
        (
            "store atomic i32 1, ptr @x release, align 4",
            "store atomic i32 1, ptr @x monotonic, align 4",
            "store i32 5, ptr @z",
            "store atomic i32 0, ptr @x monotonic, align 4",
            "%k = load atomic i32, ptr @y acquire, align 4\n  store i32 %k, ptr @z",
        ),
        chance.randint(1, 3),
    )
    return program(
        read,
        inside,
        pick(("%got = phi i32 [ %r0, %{origin} ], [ %r1, %body ]", "%got = load i32, ptr @z", "%got = add i32 %r0, 0")),
        test=pick(("%c{n} = icmp eq i32 %r{n}, 0", "%c{n} = icmp ne i32 %r{n}, 1")),
        past=pick(("end", "skipped")),
        back=pick(("body", "again")),
        others="define void @t1() {\n  " + "\n  ".join(writes) + "\n  ret void\n}\n",
    )


@pytest.mark.parametrize("model", ["rc11", "llvm", "amdgpu"])
def test_generated_programs(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same outcomes and flags with loops as they were; fewer executions, as no evaluation counts twice."""
    fewer = 0
    for seed in range(examples(15)):
        test = generated(seed)
        found = check(test, model, timeout=20.0)
        with monkeypatch.context() as patched:
            patched.setattr(asking, "unrotated", lambda test, asked: test)
            before = check(test, model, timeout=20.0)
        if "complete" == found.status == before.status and not (found.cut or before.cut):
            assert outcomes(found) == outcomes(before), seed
            fewer += (found.consistent or 0) < (before.consistent or 0)
    assert fewer > 3


def test_a_loop_that_is_entered_elsewhere_too_stays() -> None:
    text = """; EXISTS: true
@x = global i32 0
@y = global i32 0
define void @t0() {
  %k = load atomic i32, ptr @y monotonic, align 4
  %c = icmp eq i32 %k, 0
  br i1 %c, label %guard, label %direct
guard:
  %r0 = load atomic i32, ptr @x acquire, align 4
  %c0 = icmp eq i32 %r0, 0
  br i1 %c0, label %body, label %end
direct:
  br label %body
body:
  %r1 = load atomic i32, ptr @x acquire, align 4
  %c1 = icmp eq i32 %r1, 0
  br i1 %c1, label %body, label %end
end:
  ret void
}
"""
    function = load_text(text, "entries.ll").functions["t0"]
    assert turned_back(function, frozenset()) is function
