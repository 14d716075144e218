"""Initial states, conditions, and what results call things."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.program.condition import Quantifier
from enumerator.report.text import format_run
from tests.frontend_c.source import load

PROGRAM = """C t
{ int x = 2; int a[2] = {5, 6}; int *p = &x; }
P0 (int *x, int *a, int **p) { int r0 = *x; int *r1 = a + 1; int r2 = -3; int m = 4; int *q = &m; }
"""


def holds(question: str) -> bool:
    result = check(load(PROGRAM + question))
    assert result.positive is not None and result.negative is not None
    assert result.positive + result.negative == 1
    return result.observation == "Always"


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("0:r0=2", True),
        ("P0:r0==2", True),
        ("(0:r0 = 2)", True),
        ("0:r0 != 2", False),
        ("x=2", True),
        ("[x]=2", True),
        ("*x=2", True),
        ("x=0x2", True),
        ("0:r2=-3", True),
        ("0:r2 = 0xfffffffffffffffd", True),
        ("p=x", True),
        ("p=&x", True),
        ("p=a", False),
        ("0:r1=a[1]", True),
        ("0:r1=&a[1]", True),
        ("0:r1=a", False),
        ("a[1]=6", True),
        ("a[0]=5", True),
        ("[a[0]]=5", True),
        ("a={5,6}", True),
        ("a={5,7}", False),
        ("a!={5,7}", True),
        ("0:r0=[x]", True),
        ("0:r0=0:r2", False),
        ("[x]=0:r0", True),
        ("0:m=4", True),
        ("[0:m]=4", True),
        ("0:x=x", True),
        ("true", True),
        ("false", False),
        ("~x=2", False),
        ("not (x=2)", False),
        ("~~x=2", True),
        ("!(x=3)", True),
        ("x=3 \\/ x=2 /\\ 0:r0=2", True),
        ("x=2 \\/ x=3 /\\ false", True),
        ("(x=2 \\/ x=3) /\\ false", False),
        ("x=2 && (x=3 || 0:r0=2)", True),
        ("x=3 => false", True),
        ("x=2 => 0:r0=3", False),
        ("x=3 => x=4 => false", True),
        ("0==0", True),
        ("0=1", False),
        ("-1 != -1", False),
        ("2=x", True),
        ("2=0:r0", True),
        ("x=[x]", True),
        ("x=*p", False),
        ("[x]=[a[0]]", False),
    ],
)
def test_formulas(condition: str, expected: bool) -> None:
    assert holds(f"exists {condition}") is expected


@pytest.mark.parametrize(
    ("text", "quantifier"),
    [
        ("exists (x=2)", Quantifier.EXISTS),
        ("exists x=2;", Quantifier.EXISTS),
        ("(x=2)", Quantifier.EXISTS),
        ("final x=2", Quantifier.EXISTS),
        ("~exists (x=2)", Quantifier.NEVER),
        ("~ exists (x=2)", Quantifier.NEVER),
        ("not exists (x=2)", Quantifier.NEVER),
        ("forall (x=2)", Quantifier.FORALL),
        ("locations [x;] (* nothing *) filter (true) // more\n forall /* and more */ (x=2)", Quantifier.FORALL),
    ],
)
def test_quantifiers(text: str, quantifier: Quantifier) -> None:
    test = load(PROGRAM + text)
    assert test.condition.quantifier is quantifier
    assert test.condition.text in ("(x=2)", "x=2")


def test_flags_are_atoms() -> None:
    """A name that is no location's, and is compared with nothing, is a flag's."""
    racy = "C t\n{}\nP0 (int *x) { *x = 1; }\nP1 (int *x) { int r0 = *x; }\n"
    assert [str(state) for state in check(load(racy + "exists (race /\\ 1:r0=1)")).states] == [
        "1:r0=0; race=1;",
        "1:r0=1; race=1;",
    ]
    assert check(load(racy + "~exists (race)")).observation == "Always"
    assert check(load(racy + "exists (ub-undef \\/ x=2)")).observation == "Never"
    with pytest.raises(InputError, match="there is no flag 'rcae'; there are .*, race, "):
        check(load(racy + "~exists (rcae)"))
    result = check(load(racy + "~exists (race)"), "sc")
    assert result.observation == "Never"
    assert "the model sc has no flag race: no execution raises it" in result.notes


def test_without_a_condition_everything_satisfies() -> None:
    test = load(PROGRAM)
    assert (test.condition.quantifier, test.condition.text) == (Quantifier.FORALL, "true")
    assert check(test).verdict == "Ok"


def test_locations() -> None:
    test = load(PROGRAM + "locations [x; 0:r0; a; *p; P0:r1 int*; x int; 0:m;]\nexists (x=2)")
    assert [name.text for name in test.locations] == [
        "[x]", "0:r0", "[a[0]]", "[a[1]]", "[p]", "0:r1", "[x]", "[0:m]",
    ]  # fmt: skip
    (state,) = check(test).states
    assert str(state) == "0:r0=2; 0:r1=a+8; [0:m]=4; [a[0]]=5; [a[1]]=6; [p]=x; [x]=2;"


def test_filter() -> None:
    program = "C t\n{}\nP0 (atomic_int *x) { atomic_store(x, 1); }\nP1 (atomic_int *x) { int r0 = atomic_load(x); }\n"
    result = check(load(program + "filter (1:r0 = 1)\nforall (1:r0 = 1)"))
    assert (result.verdict, result.positive, result.negative) == ("Ok", 1, 0)


def test_all_names_are_those_of_the_source() -> None:
    (state,) = check(load(PROGRAM + "exists (x=2)"), all_values=True).states
    assert list(state.values) == [
        "0:q", "0:r0", "0:r1", "0:r2", "[0:m]", "[a[0]]", "[a[1]]", "[p]", "[x]",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "initial",
    [
        "",
        ";",
        "x;",
        "[x];",
        "int x",
        "int x; int y;",
        "x=0; y=0",
        "[x] = 0; [y] = 0;",
        "atomic_int x = ATOMIC_INIT(0);",
        "_Atomic int x; const volatile unsigned long int y = 0;",
        "(* a (* nested *) comment *) int x; // another\n /* and another */ int y;",
        "int x = 5; [x] = 0;",
        "0:r0 = 0; int 0:r1; P0:r2=0;",
    ],
)
def test_initial_states(initial: str) -> None:
    test = load(f"C t\n{{{initial}}}\nP0 (int *x, int *y) {{ int s = *x; }}\nforall (x=0 /\\ y=0 /\\ 0:s=0)")
    assert check(test).verdict == "Ok"


def test_a_later_value_replaces_an_earlier_one_and_keeps_its_type() -> None:
    test = load("C t\n{ int *p; [p] = x; 0:r = 1; 0:r = x; }\nP0 (int **p) { int s = *r; }\nforall (p = x /\\ 0:r = x)")
    assert check(test).verdict == "Ok"


@pytest.mark.parametrize(
    "header",
    [
        "C SB+rlx+rlx",
        '\ufeff\n C SB+rlx+rlx "store buffering"',
        'C SB+rlx+rlx\n"store\n  buffering"\n"and more"',
        "C SB+rlx+rlx (* store buffering *)",
        "C SB+rlx+rlx\n(* store buffering\n * and more *)\nHash=abc\nCycle=Rfe PosRR Fre\nGenerator = diy7 (7.56)",
        "C SB+rlx+rlx // store buffering",
        "C SB+rlx+rlx\n/* store buffering */",
    ],
)
def test_headers(header: str) -> None:
    test = load(f"{header}\n{{}}\nP0 (int *x) {{ *x = 1; }}\n")
    assert test.name == "SB+rlx+rlx"
    assert test.title in ("", "store buffering")
    assert test.title or "C SB+rlx+rlx" == header or header.startswith("C SB+rlx+rlx ")


def test_directives() -> None:
    test = load(
        """C t
(* Title
 * REF: a paper
   EXPECT: rc11=Never sc=Never+race *)
// UNROLL: 3
{}
// SCOPES: (agent (workgroup P0) (workgroup 1))
void P0 (int *x) { *x = 1; // EXPECT: tso=Never
  // PROFILE: amdgpu
}
P1 (int *x) {}
/* EXISTS: x = 2 */
"""
    )
    assert (test.title, test.references, test.unroll, test.profile) == ("Title", ("a paper",), 3, "amdgpu")
    assert [each.text for each in test.expectations] == ["rc11=Never", "sc=Never+race"]
    assert test.placements["0"].instances[2] != test.placements["1"].instances[2]
    assert test.placements["0"].instances[4] == test.placements["1"].instances[4]
    assert (test.condition.quantifier, test.condition.text) == (Quantifier.EXISTS, "x = 2")


def test_a_remark_on_the_code_is_no_title() -> None:
    assert load("C t\n{}\nP0 (int *x) {\n  // publish\n  *x = 1; }\n").title == ""


def test_threads_are_in_the_order_of_their_numbers() -> None:
    test = load("C t\n{}\nP1 (int *x) { int a; }\nvoid P0 (void) { int b; }\nforall (0:b = 0 /\\ 1:a = 0)")
    assert [thread.name for thread in test.threads] == ["0", "1"]


@pytest.mark.parametrize(
    ("quantifier", "lines"),
    [
        ("exists", ["Test t Allowed", "Ok", "Positive: 1 Negative: 2", "Condition exists (1:r0=1 /\\ [x]=2)"]),
        ("~exists", ["Test t Forbidden", "No", "Positive: 2 Negative: 1", "Condition ~exists (1:r0=1 /\\ [x]=2)"]),
        ("forall", ["Test t Required", "No", "Positive: 1 Negative: 2", "Condition forall (1:r0=1 /\\ [x]=2)"]),
    ],
)
def test_the_report_is_herd7s_for_each_quantifier(quantifier: str, lines: list[str]) -> None:
    """Under Witnesses, what satisfies the condition; behind the observation, what satisfies its body, as in JSON."""
    first = "P0 (atomic_int *x) { atomic_store(x, 1); }"
    second = "P1 (atomic_int *x) { int r0 = atomic_load(x); atomic_store(x, 2); }"
    result = check(load(f"C t\n{{}}\n{first}\n{second}\n{quantifier} (1:r0 = 1 /\\ x = 2)"))
    kind, verdict, witnesses, condition = lines
    report = format_run(result).partition("Time")[0].splitlines()
    assert report == [
        kind, "States 3", "1:r0=0; [x]=1;", "1:r0=0; [x]=2;", "1:r0=1; [x]=2;", verdict, "Witnesses", witnesses,
        condition, "Observation t Sometimes 1 2",
    ]  # fmt: skip
    assert (result.as_json()["positive"], result.as_json()["negative"]) == (1, 2)


def test_regions_are_for_other_models() -> None:
    assert load(PROGRAM + "regions: x:PROP, a:LOCAL\nforall (x = 2)").condition.text == "(x = 2)"
