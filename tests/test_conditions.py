"""Conditions: text, mistakes, and three-valued evaluation."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from enumerator import check
from enumerator.conditions import evaluate, flag_names, map_atoms, names, parse_condition
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.program.condition import And, Equal, Flag, Formula, Literal, Name, Not, Or, Quantifier, TrueFormula
from enumerator.program.values import NULL, UNDEF, Pointer, Term, Value
from enumerator.results.table import StateTable
from enumerator.results.truth import truth


def formula(text: str) -> Formula:
    return parse_condition(text).formula


def atom(text: str) -> Value:
    found = formula(text)
    assert isinstance(found, Equal) and isinstance(found.right, Literal)
    return found.right.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("t0:%a = 1", 1),
        ("t0:a==-12", -12),
        ("@x=0xfF", 255),
        ("@x = -0x10", -16),
        ("t0:a = undef", UNDEF),
        ("t0:a = null", NULL),
        ("t0:a = &@x", Pointer("@x")),
        ("&@x = t0:a", Pointer("@x")),
        ("@p = &@x+8", Pointer("@x", 8)),
        ("@p = &@x-8", Pointer("@x", -8)),
        ('@p = &@"a b"+1', Pointer("@a b", 1)),
        ("t0:v = <1, undef, <2, &@x>>", (1, UNDEF, (2, Pointer("@x")))),
        ("1 = t0:a", 1),
        ("undef == @x", UNDEF),
        ("t0:f = 1.5", Term("1.500000e+00")),
        ("t0:f = -2.5e-3", Term("-2.500000e-03")),
    ],
)
def test_values(text: str, value: Value) -> None:
    assert atom(text) == value


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("t0:r", "t0:%r"),
        ("t0:%r", "t0:%r"),
        ("0:r0", "0:%r0"),
        ("t0:%0", "t0:%0"),
        ("t0:%f.1.r", "t0:%f.1.r"),
        ("a-b:%c-d", "a-b:%c-d"),
        ('"a b":%"c d"', "a b:%c d"),
        ("@x", "@x"),
        ("@a[2]", "@a[2]"),
        ("@a[1][2]", "@a[1][2]"),
        ("@s+8", "@s+8"),
        ("@a[1]+4", "@a[1]+4"),
        ('@"a b"[1]', "@a b[1]"),
        ("@my-var", "@my-var"),
    ],
)
def test_names_are_spelt_as_results_spell_them(text: str, name: str) -> None:
    assert names(formula(f"{text} = 1")) == (name,)
    assert names(formula(f"t9:x = 1 && {text} != 1 && t9:x = 2")) == ("t9:%x", name)


def test_registers_on_both_sides() -> None:
    assert formula("t0:a = t1:%b") == Equal(Name("t0:%a"), Name("t1:%b"))
    assert formula("@x = t1:b") == Equal(Name("@x"), Name("t1:%b"))


def test_locations_on_both_sides_are_what_they_hold() -> None:
    assert formula("@x = @y") == Equal(Name("@x"), Name("@y"))
    assert formula("t0:a = @s+8") == Equal(Name("t0:%a"), Name("@s+8"))
    assert evaluate(formula("@x = @y"), {"@x": 1, "@y": 1}.__getitem__) is True
    assert evaluate(formula("@x != @y"), {"@x": 1, "@y": UNDEF}.__getitem__) is None


def test_constants_on_both_sides() -> None:
    for text in ("0==0", "undef = undef", "<1, null> = <1, null>", "&@x = &@x", "0x10 = 16", "1 != 2"):
        assert evaluate(formula(text), {}.__getitem__) is True, text
    for text in ("0 = 1", "undef = 1", "null = 0", "&@x = &@y", "&@x = &@x+1", "1.0 = 1"):
        assert evaluate(formula(text), {}.__getitem__) is False, text


def test_flags() -> None:
    parsed = formula(r"assert \/ ~race /\ (ub-undef || t0:a = 1)")
    assert flag_names(parsed) == ("assert", "race", "ub-undef")
    assert names(parsed) == ("t0:%a",)
    assert formula("nullity && undefined && truely && false-alarm") == And(
        tuple(Flag(name) for name in ("nullity", "undefined", "truely", "false-alarm"))
    )
    state = {"assert": 0, "race": 0, "ub-undef": 1, "t0:%a": 0}
    assert evaluate(parsed, state.__getitem__) is True
    assert evaluate(formula("~assert"), {"assert": 1}.__getitem__) is False


_VALUES = (0, 1, -1, UNDEF, NULL, Pointer("@x"), Pointer("@x", 4), (1, UNDEF), (UNDEF, UNDEF), (1, 2), Term("5.0e-01"))
_COLUMNS = ("t:%a", "t:%b", "@x", "@a[1]", "race", "assert")


def _conditions() -> st.SearchStrategy[str]:
    sides = ["t:a", "t:b", "@x", "@a[1]", "0", "1", "undef", "null", "&@x", "&@x+4", "<1, undef>", "<1, 2>", "0.5"]
    side = st.sampled_from(sides)
    compared = st.tuples(side, st.sampled_from(["=", "!="]), side).map(" ".join)
    return st.recursive(
        st.one_of(compared, st.sampled_from(["race", "assert", "true", "false"])),
        lambda inner: st.one_of(
            inner.map(lambda each: f"~({each})"),
            st.tuples(inner, st.sampled_from(["/\\", "\\/"]), inner).map(lambda parts: f"({' '.join(parts)})"),
        ),
        max_leaves=6,
    )


@settings(max_examples=300, deadline=None)
@given(_conditions(), st.lists(st.tuples(*[st.sampled_from(_VALUES)] * 4, *[st.integers(0, 1)] * 2), max_size=8))
def test_many_states_at_once_and_one_by_one(text: str, states: list[tuple[Value, ...]]) -> None:
    table = StateTable.of(dict.fromkeys(states, 1), len(_COLUMNS))
    may, must = truth(formula(text), _COLUMNS, table)
    for number, state in enumerate(table):
        held = evaluate(formula(text), dict(zip(_COLUMNS, state, strict=True)).__getitem__)
        assert (held is not False, held is True) == (may[number], must[number]), state


def test_precedence() -> None:
    a, b, c = (Equal(Name(f"t:%{name}"), Literal(1)) for name in "abc")
    assert formula(r"t:a=1 \/ t:b=1 /\ t:c=1") == Or((a, And((b, c))))
    assert formula("t:a=1 || t:b=1 && t:c=1") == Or((a, And((b, c))))
    assert formula(r"(t:a=1 \/ t:b=1) /\ ~t:c=1") == And((Or((a, b)), Not(c)))
    assert formula("!t:a!=1") == Not(Not(a))
    assert formula(r"t:a=1 /\ t:b=1 /\ t:c=1") == And((a, b, c))
    assert formula("true") == TrueFormula()
    assert formula("~ (false)") == Not(Not(TrueFormula()))


def test_quantifier_and_text() -> None:
    condition = parse_condition("  @x = 1 ", Quantifier.FORALL)
    assert (condition.quantifier, condition.text) == (Quantifier.FORALL, "@x = 1")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("", 11),
        ("t0:a", 15),
        ("t0:a =", 17),
        ("t0:a = 1 t1:b = 1", 20),
        ("(t0:a = 1", 20),
        ("t0:a = 1)", 19),
        ("t0:a = $", 18),
        ("x = 1", 11),
        ("@x = race", 16),
        ("@p = <@x, 1>", 17),
        ("t0:v = <1", 20),
        ("t0:a = " + "9" * 5000, 18),
        ("t0:a = &@x+" + "9" * 50, 18),
        (r"t0:a = 1 /\ \/ t0:b = 1", 23),
        ("exists t0:a = 1", 18),
    ],
)
def test_mistakes_have_their_place(text: str, column: int) -> None:
    with pytest.raises(InputError) as caught:
        parse_condition(text, path="a.ll", line=3, column=11)
    error = caught.value
    assert (error.path, error.line, error.column) == ("a.ll", 3, column)


@pytest.mark.parametrize("text", ["~" * 5000 + "true", "t0:v = " + "<" * 5000 + "1" + ">" * 5000, "(" * 99999])
def test_deep_nesting(text: str) -> None:
    with pytest.raises(InputError):
        parse_condition(text)


def test_long_conditions() -> None:
    many = formula(" || ".join(f"t0:a = {number}" for number in range(3000)))
    assert evaluate(many, lambda name: 2999) is True


@pytest.mark.parametrize(
    ("text", "value", "held"),
    [
        ("t:v = 1", 1, True),
        ("t:v = 1", 2, False),
        ("t:v = 1", UNDEF, None),
        ("t:v != 1", UNDEF, None),
        ("t:v = undef", UNDEF, True),
        ("t:v = undef", 1, False),
        ("t:v != undef", 1, True),
        ("t:v = <1, 2>", (1, UNDEF), None),
        ("t:v = <2, 2>", (1, UNDEF), False),
        ("t:v = <1, undef>", (1, UNDEF), True),
        ("t:v = <1, undef>", (1, 2), False),
        ("t:v = <1, undef>", UNDEF, None),
        ("t:v = undef", (UNDEF, UNDEF), True),
        ("t:v = undef", (UNDEF, 1), False),
        ("t:v = <1, 2>", (1, 2, 3), False),
        ("t:v = <1, 2>", 1, False),
        ("t:v = &@x", Pointer("@x"), True),
        ("t:v = &@x+4", Pointer("@x"), False),
        ("t:v = 0", NULL, False),
        ("t:v = t:v", (1, 2), True),
        ("t:v = t:v", (1, UNDEF), None),
        ("t:v = t:v", UNDEF, None),
    ],
)
def test_atoms(text: str, value: Value, held: bool | None) -> None:
    assert evaluate(formula(text), lambda name: value) is held


@given(st.dictionaries(st.sampled_from("abc"), st.sampled_from([0, 1, UNDEF]), min_size=3), st.data())
def test_undetermined_means_that_both_are_possible_or_logic_cannot_tell(
    state: dict[str, Value], data: st.DataObject
) -> None:
    text = data.draw(
        st.recursive(
            st.sampled_from([f"t:{name} = {value}" for name in "abc" for value in (0, 1)]),
            lambda inner: st.one_of(
                inner.map(lambda each: f"~({each})"),
                st.tuples(inner, st.sampled_from(["/\\", "\\/"]), inner).map(lambda parts: f"({' '.join(parts)})"),
            ),
            max_leaves=6,
        )
    )
    parsed = formula(text)

    def look(values: dict[str, Value]) -> bool | None:
        return evaluate(parsed, lambda name: values[name[-1]])

    choices = [state]
    for name in "abc":
        choices = [{**each, name: v} for each in choices for v in ((0, 1) if state[name] is UNDEF else (state[name],))]
    concrete = {look(each) for each in choices}
    assert None not in concrete
    held = look(state)
    assert held is None or concrete == {held}


def test_map_atoms() -> None:
    parsed = formula(r"~ (t:a = 1 /\ t:b = 2) \/ true")
    assert map_atoms(parsed, lambda each: each) == parsed
    assert names(map_atoms(parsed, lambda each: TrueFormula())) == ()


def test_terms_that_are_written_differently_may_be_equal() -> None:
    """What was not computed is not known to differ from anything; a decimal number is the nearest of the format."""
    half, total = Term("5.000000e-01"), Term("fadd", (Term("5.000000e-01"), Term("5.000000e-01")))
    for value, text, answer in (
        (half, "@f = 0.5", True),
        (half, "@f = 0.25", False),
        (total, "@f = 1.0", None),
        (total, "@f = 1", None),
        (Term("f0x3DCCCCCD"), "@f = 0.1", True),
        (Term("f0x3DCCCCCD"), "@f = 0.2", False),
    ):
        assert evaluate(formula(text), {"@f": value}.__getitem__) is answer, text
    assert evaluate(formula("t0:f = t0:g"), {"t0:%f": total, "t0:%g": total}.__getitem__) is True


WAITS_FOR_EVER = """; THREADS: P0=@t()
; FORALL: @x = 1
@x = global i32 0
@l = global i32 1
define void @t() {
entry:
  br label %lock
lock:
  %p = cmpxchg ptr @l, i32 0, i32 1 acquire monotonic, align 4
  %s = extractvalue { i32, i1 } %p, 1
  br i1 %s, label %in, label %lock
in:
  ret void
}
"""


def test_a_condition_of_ends_that_there_are_none_of() -> None:
    result = check(load_text(WAITS_FOR_EVER, "waits.ll"), "llvm")
    assert (result.states, result.verdict, result.flags) == ((), "Ok", ("stuck",))
    assert any("vacuous" in note for note in result.notes)
    ends = check(load_text(WAITS_FOR_EVER.replace("@l = global i32 1", "@l = global i32 0"), "ends.ll"), "llvm")
    assert ends.verdict == "No" and not any("vacuous" in note for note in ends.notes)


@pytest.mark.parametrize("model", ["llvm", "rc11"])
@pytest.mark.parametrize(("assumed", "nothing"), [("%r, 3", True), ("%r, 1", False)])
def test_a_note_says_that_nothing_is_judged_where_no_assumption_holds(model: str, assumed: str, nothing: bool) -> None:
    text = f"""; FORALL: t1:r = 7
@x = global i32 0
declare void @llvm.assume(i1)
define void @t0() {{
  store atomic i32 1, ptr @x monotonic, align 4
  ret void
}}
define void @t1() {{
  %r = load atomic i32, ptr @x monotonic, align 4
  %c = icmp eq i32 {assumed}
  call void @llvm.assume(i1 %c)
  ret void
}}
"""
    result = check(load_text(text, "assumed.ll"), model)
    assert (result.consistent == 0) is nothing
    assert any("vacuous" in note for note in result.notes) is nothing
