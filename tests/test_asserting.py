"""Failed assertions, and what conditions over several locations, addresses and flags give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.program.test import Test
from enumerator.results.verdict import format_formula

ENGINES = ("bitset", "networkx")

CALLS = {
    "call void @abort()": "declare void @abort()",
    "call void @__assert_fail(ptr @x, ptr @x, i32 7, ptr @x)": "declare void @__assert_fail(ptr, ptr, i32, ptr)",
    "call void @__assertfail(ptr @x, ptr @x, i32 7)": "declare void @__assertfail(ptr, ptr, i32)",
    "call void @llvm.trap()": "declare void @llvm.trap()",
    "call void @exit(i32 3)": "declare void @exit(i32)",
}


def asserting(
    condition: str = "", call: str = "call void @abort()", declaration: str = "declare void @abort()"
) -> Test:
    """A reader that fails an assertion where it sees the write."""
    return load_text(
        f"""; reader and writer
{condition}
@x = global i32 0
@y = global i32 0
{declaration}
define void @t0() {{
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}}
define void @t1() {{
  %a = load atomic i32, ptr @x monotonic, align 4
  %c = icmp eq i32 %a, 1
  br i1 %c, label %bad, label %ok
bad:
  {call}
  unreachable
ok:
  store i32 1, ptr @y
  ret void
}}
""",
        "asserting.ll",
    )


def states(test: Test, model: str = "llvm", **options: Any) -> list[str]:
    found = [check(test, model, engine=engine, **options) for engine in ENGINES]
    assert len({(str(result.states), result.flags) for result in found}) == 1
    return [str(state) for state in found[0].states]


@pytest.mark.parametrize("call", CALLS)
def test_what_fails_an_assertion(call: str) -> None:
    test = asserting("; EXISTS: assert", call, CALLS[call])
    assert states(test) == ["assert=0;", "assert=1;"]
    result = check(test)
    assert (result.verdict, result.observation, result.flags) == ("Ok", "Sometimes", ("assert",))
    assert check(test, outcomes_only=True).observation == "Sometimes"
    assert check(test, first=True).verdict == "Ok"


def test_without_a_condition_a_test_asks_whether_an_assertion_fails() -> None:
    result = check(asserting())
    assert (result.quantifier, result.condition, result.verdict, result.flags) == ("never", "assert", "No", ("assert",))


def test_an_execution_that_fails_has_a_state_only_if_that_is_asked_for() -> None:
    assert states(asserting("; EXISTS: t1:a = 1")) == ["t1:%a=0;"]
    assert states(asserting("; EXISTS: t1:a = 1 /\\ assert")) == ["t1:%a=0; assert=0;", "t1:%a=1; assert=1;"]
    assert states(asserting("; NEVER: ~assert /\\ @y = 0")) == ["@y=0; assert=1;", "@y=1; assert=0;"]
    for model, final in (("sc", ["@y=1;"]), ("csa", ["@y=0;", "@y=1;"])):
        for engine in (*ENGINES, "interleaving"):
            found = check(asserting("; EXISTS: @y = 0"), model, engine=engine)
            assert ([str(state) for state in found.states], found.flags) == (final, ("assert",)), engine


def test_what_happens_before_a_failure_counts() -> None:
    """A race is one also where an assertion fails afterwards, whether or not that has a state."""
    for condition in ("; EXISTS: true", "; EXISTS: assert"):
        test = load_text(
            f"""{condition}
@x = global i32 0
declare void @abort()
define void @t0() {{
  store i32 1, ptr @x
  ret void
}}
define void @t1() {{
  %a = load i32, ptr @x
  call void @abort()
  unreachable
}}
""",
            "race.ll",
        )
        for engine in ENGINES:
            assert check(test, engine=engine).flags == ("assert", "race")


def test_calls_of_exit_that_are_no_failure() -> None:
    test = asserting("; EXISTS: true", "call void @exit(i32 0)", "declare void @exit(i32)")
    with pytest.raises(InputError, match="asserting.ll:15: the process is ended by another thread than main: not cov"):
        check(test)


def test_threads_that_are_alike() -> None:
    """Of threads that are alike one arrangement is searched; flags are the same in all of them."""
    thread = "define void @{0}() {{\n  %a = atomicrmw add ptr @x, i32 1 monotonic\n{1}  ret void\n}}\n"
    text = "; EXISTS: race /\\ t0:a = 2\n@x = global i32 0\n@y = global i32 0\n"
    text += "".join(thread.format(f"t{n}", "  store i32 1, ptr @y\n") for n in range(3))
    test = load_text(text, "alike.ll")
    assert states(test) == [f"t0:%a={n}; race=1;" for n in range(3)]
    result = check(test, "llvm")
    assert [state.executions for state in result.states] == [2, 2, 2]


MEMORY = """@a = global [2 x i32] [i32 3, i32 4]
@x = global i32 3
@p = global ptr @a
@q = global ptr @a
define void @t() {
  %p = load ptr, ptr @p
  %v = load i32, ptr %p
  %w = getelementptr i32, ptr %p, i64 1
  ret void
}
"""


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("@x = @a[0]", True),
        ("@a[1] = @x", False),
        ("t:v = @x", True),
        ("@x != t:v", False),
        ("@p = @q", True),
        ("t:p = @q", True),
        ("@p = &@a", True),
        ("@p = &@x", False),
        ("t:w = &@a[1]", True),
        ("t:w = &@a + 4", None),
        ("t:w = &@a+4", True),
        ("&@a[0]+4 = t:w", True),
        ("0 == 0", True),
        ("1 = t:v", False),
    ],
)
def test_values_and_addresses(condition: str, holds: bool | None) -> None:
    text = f"; EXISTS: {condition}\n{MEMORY}"
    if holds is None:
        with pytest.raises(InputError):
            load_text(text, "t.ll")
    else:
        assert (check(load_text(text, "t.ll")).observation == "Always") is holds


def test_an_address_is_written_as_one() -> None:
    test = load_text(f"; EXISTS: @p = &@a /\\ @q = @p\n{MEMORY}", "t.ll")
    assert format_formula(test.condition.formula) == "@p=&@a /\\ @q=@p"


@pytest.mark.parametrize(("side", "other"), [("@p", "@x"), ("@x", "t:p"), ("@p", "@a"), ("t:p", "@a[1]")])
def test_a_pointer_and_what_holds_none(side: str, other: str) -> None:
    """What used to ask for an address is refused, and not answered otherwise."""
    with pytest.raises(InputError, match="is a pointer, which .* never holds") as caught:
        load_text(f"; EXISTS: {side} = {other}\n{MEMORY}", "t.ll")
    assert caught.value.line == 1
    if other.startswith("@"):
        assert caught.value.message.endswith(f"the address of {other} is &{other}")


def test_flags_that_nothing_raises() -> None:
    test = load_text(f"; NEVER: late\n{MEMORY}", "t.ll")
    with pytest.raises(InputError, match="there is no flag 'late'; there are assert, mixed-atomics, race, stuck, ub, "):
        check(test)


def test_expected_flags_that_the_model_cannot_raise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test = load_text(f"; EXISTS: true\n; EXPECT: llvm=Always+rase\n; EXPECT: sc=Always+rase\n{MEMORY}", "t.ll")
    said = "EXPECT: under llvm nothing raises the flag 'rase': it has assert, .*, race, "
    with pytest.raises(InputError, match=said) as caught:
        check(test)
    assert caught.value.line == 2
    monkeypatch.chdir(tmp_path)
    Path("mine.cat").write_text('"mine"\nflag ~empty rf as odd\n')
    text = f"; EXISTS: true\n; EXPECT: mine.cat=Always+FLAG\n{MEMORY}"
    assert check(load_text(text.replace("FLAG", "odd"), "t.ll"), "mine.cat").flags in ((), ("odd",))
    with pytest.raises(InputError, match="nothing raises the flag 'race': it has assert, odd, stuck, "):
        check(load_text(text.replace("FLAG", "race"), "t.ll"), "mine.cat")


@pytest.mark.parametrize("engine", ENGINES)
def test_undefined_behaviour_as_an_atom(engine: str) -> None:
    text = """@x = global i32 0
define void @t() {
  %a = load i32, ptr @x
  %b = icmp eq i32 %a, 0
  br i1 %b, label %no, label %yes
no:
  unreachable
yes:
  ret void
}
define void @u() {
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}
"""
    result = check(load_text(f"; EXISTS: ub-unreachable\n{text}", "t.ll"), "sc", engine=engine)
    assert (result.observation, result.flags) == ("Sometimes", ("ub", "ub-unreachable"))
    result = check(load_text(f"; EXISTS: ub /\\ t:a = 0\n{text}", "t.ll"), "sc", engine=engine)
    assert [str(state) for state in result.states] == ["t:%a=0; ub=1;", "t:%a=1; ub=0;"]
