from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enumerator.cat.parser import MAX_SIZE, find_model, load_model, parse_expression, parse_text, shipped_models
from enumerator.cat.syntax import (
    Apply,
    Binary,
    CallProcedure,
    Check,
    Choose,
    Compound,
    Expression,
    Final,
    Function,
    Identity,
    IfStatement,
    Include,
    Let,
    Procedure,
    Show,
    Tuple,
    Unary,
    Unshow,
    Variable,
    Variants,
)
from enumerator.cat.tree import depth, format_expression
from enumerator.errors import InputError


def grouped(expression: Expression) -> str:
    """Write an expression with all its parentheses."""
    match expression:
        case Binary(operator, left, right, _):
            return f"({grouped(left)}{operator}{grouped(right)})"
        case Unary("~", body, _):
            return f"(~{grouped(body)})"
        case Unary(operator, body, _):
            return f"({grouped(body)}{operator})"
        case Apply(function, argument, _):
            return f"<{grouped(function)} {grouped(argument)}>"
        case Identity(body, _):
            return f"[{grouped(body)}]"
        case Tuple(elements, _):
            return "(" + ",".join(map(grouped, elements)) + ")"
        case _:
            return format_expression(expression)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a | b ; c", "(a|(b;c))"),
        ("a ; b | c", "((a;b)|c)"),
        ("a ; b \\ c", "(a;(b\\c))"),
        ("a \\ b \\ c", "((a\\b)\\c)"),
        ("a \\ b & c", "(a\\(b&c))"),
        ("a & b * c", "(a&(b*c))"),
        ("A * B & c | d", "(((A*B)&c)|d)"),
        ("~a & b", "((~a)&b)"),
        ("~a^-1", "(~(a^-1))"),
        ("~a+ | b", "((~(a+))|b)"),
        ("a+^-1?", "(((a+)^-1)?)"),
        ("a* ; b*", "((a*);(b*))"),
        ("a*", "(a*)"),
        ("(a*) * b", "((a*)*b)"),
        ("a * (b)", "(a*b)"),
        ("a * [b]", "(a*[b])"),
        ("a * ~b", "(a*(~b))"),
        ("a * _", "(a*_)"),
        ("a * 0", "(a*0)"),
        ("f x y", "<<f x> y>"),
        ("f x^-1", "(<f x>^-1)"),
        ("f(x, y)", "<f (x,y)>"),
        ("f (x|y) ; z", "(<f (x|y)>;z)"),
        ("a ^ -1", "(a^-1)"),
        ("begin a | b end & c", "((a|b)&c)"),
        ("po-loc & same-agent.x_1'", "(po-loc&same-agent.x_1')"),
    ],
)
def test_precedence(text: str, expected: str) -> None:
    assert grouped(parse_expression(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "fun x -> x ; po",
        "fun (x, _) -> [x]",
        "let rec a = b and b = a in a | b",
        "let (a, b) = (po, rf) in a ; b",
        "try AV with {}",
        'if not "v" then po else (let a = po in a)',
        "{A, B | C}",
        "(a | b) ; (c ; d) \\ (e \\ f)",
        "~(a | b)+",
        "(~a)+",
        "(A * B) * C",
        "f (g x) (y, z)",
        "(let a = po in a) | b",
    ],
)
def test_formatting_parses_to_the_same_tree(text: str) -> None:
    expression = parse_expression(text)
    assert grouped(parse_expression(format_expression(expression))) == grouped(expression)


NAMES = st.sampled_from(["po", "rf", "W", "hb-x", "final", "variants", "not"])
EXPRESSIONS = st.recursive(
    NAMES | st.sampled_from(["0", "_", "{}"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["|", ";", "\\", "&", "*"]), inner).map(lambda part: f"({' '.join(part)})"),
        st.tuples(inner, st.sampled_from(["+", "?", "*", "^-1"])).map(lambda part: f"({part[0]}{part[1]})"),
        inner.map(lambda part: f"~{part}"),
        inner.map(lambda part: f"[{part}]"),
        st.tuples(NAMES, inner).map(lambda part: f"({part[0]}({part[1]}))"),
        st.tuples(NAMES, inner, inner).map(lambda part: f"({part[0]}({part[1]}, {part[2]}))"),
    ),
    max_leaves=12,
)


@given(EXPRESSIONS)
def test_formatting_round_trip(text: str) -> None:
    expression = parse_expression(text)
    assert grouped(parse_expression(format_expression(expression))) == grouped(expression)


@given(st.text(alphabet="WR po(){}[]|;\\&*~+?^-1=,\"'0_ \nletifn", max_size=60))
def test_any_text_parses_or_is_an_error_with_a_place(text: str) -> None:
    try:
        parse_text(text, "m.cat")
    except InputError as error:
        assert error.path == "m.cat"
        assert error.line is not None and error.column is not None


def kinds(text: str) -> list[str]:
    return [type(statement).__name__ for statement in parse_text(text, "m.cat").statements]


@pytest.mark.parametrize(
    ("text", "title"),
    [('"A title"', "A title"), ("C RC11", "C RC11"), ("RC11", "RC11"), ('C "C++11"', "C C++11"), ("", "")],
)
def test_header(text: str, title: str) -> None:
    model = parse_text(f"(* (* nested *) *) {text} // to the end\n# so too\n let a = po", "m.cat")
    assert model.title == title
    assert len(model.statements) == 1


def test_every_statement() -> None:
    model = parse_text(
        """T
let a = po
let b = rf and c = fr
let rec d = a | d ; d and e = d
let f(x, y) = x ; y
let g x = x
let h() = po
let (p, q) = (po, rf)
let k = po in
acyclic a as one
~irreflexive a
flag ~empty b as two
undefined_unless empty c as three
show a, b
show a | b as ab
unshow a
include "other.cat"
with mo from orders(W)
final W
variants hb = closure | direct
procedure proc(x, _) = acyclic x end
procedure of_none() = empty 0 end
procedure of_one x = empty x end
call proc(a, b) as four
call of_one a
if "v" let z = po else let z = rf show z end
if not "v" empty 0 end
""",
        "m.cat",
    )
    expected = [Let] * 8 + [Check] * 4 + [Show, Show, Unshow, Include, Choose, Final, Variants]
    expected += [Procedure] * 3 + [CallProcedure] * 2 + [IfStatement] * 2
    assert [type(statement) for statement in model.statements] == expected
    s = model.statements
    assert isinstance(s[1], Let) and [binding.names for binding in s[1].bindings] == [("b",), ("c",)]
    assert isinstance(s[2], Let) and s[2].recursive and len(s[2].bindings) == 2
    assert isinstance(s[3], Let)
    function = s[3].bindings[0].body
    assert isinstance(function, Function) and function.parameters == ("x", "y") and function.name == "f"
    assert isinstance(s[6], Let) and s[6].bindings[0].names == ("p", "q")
    checks = [check for check in s if isinstance(check, Check)]
    assert [(c.kind, c.test, c.negated, c.name) for c in checks] == [
        ("axiom", "acyclic", False, "one"),
        ("axiom", "irreflexive", True, None),
        ("flag", "empty", True, "two"),
        ("undefined_unless", "empty", False, "three"),
    ]
    assert [c.text for c in checks] == ["acyclic a", "~irreflexive a", "~empty b", "empty c"]
    assert isinstance(s[18], Variants) and s[18].alternatives == ("closure", "direct")
    assert isinstance(s[19], Procedure) and s[19].parameters == ("x", None)
    assert isinstance(s[22], CallProcedure) and s[22].label == "four"
    assert isinstance(s[24], IfStatement) and len(s[24].otherwise) == 2
    assert isinstance(s[25], IfStatement) and isinstance(s[25].condition, Compound) and s[25].otherwise == ()


def test_contextual_keywords_are_names_elsewhere() -> None:
    text = "let final = po let variants = final | final\nfinal W\nvariants final = variants\nlet f(final) = final"
    assert kinds(text) == ["Let", "Let", "Final", "Variants", "Let"]
    assert kinds("let x = po*\nfinal W") == ["Let", "Final"]
    assert kinds("show\nfinal") == ["Show"]
    assert kinds("let x = a |\nfinal") == ["Let"]
    assert kinds("let not = po let x = not") == ["Let", "Let"]


def test_closure_before_a_negated_check() -> None:
    assert kinds("acyclic r* ~empty s") == ["Check", "Check"]


def test_positions() -> None:
    model = parse_text("let a =\n  po | rf+\nacyclic a", "m.cat")
    let, check = model.statements
    assert isinstance(let, Let)
    body = let.bindings[0].body
    assert (body.position.line, body.position.column) == (2, 6)
    assert isinstance(body, Binary) and (body.right.position.line, body.right.position.column) == (2, 8)
    assert (check.position.path, check.position.line, check.position.column) == ("m.cat", 3, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("let x = ", "m.cat:1:8: expected an expression, but found the end of the file"),
        ("let x = a\n  & ) b", "m.cat:2:5: expected an expression, but found ')'"),
        ("let x = [a", "m.cat:1:11: expected an operator, ',' or ']', but found the end of the file"),
        ("one two three", "m.cat:1:9: expected a statement, but found 'three'"),
        ('if "a" "b"', "m.cat:1:8: expected a statement, '&&', 'else', 'end' or '||', but found \"b\""),
        ('let x = if "a" then b', "m.cat:1:22: expected an operator, ',' or 'else', but found the end of the file"),
        ("procedure 0", "m.cat:1:11: expected a name, but found '0'"),
        ("include file", "m.cat:1:9: expected a text in quotes, but found 'file'"),
        ("let f(x, x) = x", "m.cat:1:10: 'x' occurs twice"),
        ("let x = 12", "m.cat:1:9: numbers are not part of the language (only 0, the empty relation)"),
        ("let x = !a", "m.cat:1:9: '!' is not supported; the complement is '~'"),
        ("let x = a $ b", "m.cat:1:11: unexpected character '$'"),
        ("let x = (* a (* b", "m.cat:1:9: this comment is not closed"),
        ('include "a\n"', "m.cat:1:9: this text in quotes has no end on its line"),
        ("let x = match y with", "m.cat:1:21: expected a name, '_', '{' or '||', but found the end of the file"),
        ("enum x = 'a", "m.cat:1:1: enumerations are not supported"),
        ("let x = 'a", "m.cat:1:9: tags ('a) are not supported"),
        ("forall x in y do", "m.cat:1:1: 'forall … do' is not supported"),
        ("instructions R[a]", "m.cat:1:1: Bell declarations ('instructions') are not supported"),
    ],
)
def test_errors_have_a_place_and_say_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_text(text, "m.cat")
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text",
    [
        "let x = " + "[" * 5000 + "a" + "]" * 5000,
        "let x = " + "~" * 5000 + "a",
        "acyclic " + "a|" * 5000 + "a",
        "let x = " + "let y = " * 5000 + "a" + " in y" * 5000,
        'if "v" ' * 5000 + "end " * 5000,
        "let x = " + "f " * 5000,
        "let x = " + "(" * 100_000 + "a" + ")" * 100_000,
        "let x = " + "(" * 100_000,
        "let x = " + "begin " * 5000 + "a" + " end" * 5000,
        "let x = " + "f(" * 5000 + "a" + ",b)" * 5000,
        "let x = if " + "(" * 5000 + '"v"' + ")" * 5000 + " then a else b",
        "let x = if " + "not " * 5000 + '"v" then a else b',
        "if " + '"v" && ' * 5000 + '"v" let x = a end',
        "if " + '"v" || not "w" && ' * 5000 + '"v" let x = a end',
    ],
)
def test_deep_nesting_is_an_error(text: str) -> None:
    with pytest.raises(InputError, match=r"^m\.cat:1:\d+: (statements )?nested too deeply: more than 200 levels$"):
        parse_text(text, "m.cat")


def test_parentheses_are_not_in_the_tree() -> None:
    model = parse_text("let x = " + "(" * 200 + "a" + ")" * 200, "m.cat")
    let = model.statements[0]
    assert isinstance(let, Let) and isinstance(let.bindings[0].body, Variable)
    assert depth(let.bindings[0].body) == 1


def test_size_limit() -> None:
    with pytest.raises(InputError, match="at most"):
        parse_text(" " * (MAX_SIZE + 1), "m.cat")


# Files ------------------------------------------------------------------------------------------------------


def test_includes_are_spliced_from_all_places(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "main.cat").write_text('T include "beside.cat" include "far.cat"\nif "v" include "beside.cat" end')
    (tmp_path / "beside.cat").write_text('"B" let b = po')
    (tmp_path / "inc" / "far.cat").write_text('let c = po include "beside.cat"')
    (tmp_path / "inc" / "beside.cat").write_text("let near = po")
    model = load_model(tmp_path / "main.cat", [tmp_path / "inc"])
    names = [statement.bindings[0].names[0] for statement in model.statements if isinstance(statement, Let)]
    assert names == ["b", "c", "near"]
    branch = model.statements[-1]
    assert isinstance(branch, IfStatement) and isinstance(branch.then[0], Let)
    assert branch.then[0].position.path == str(tmp_path / "beside.cat")


def test_our_library_stands_for_files_of_herd_that_are_missing(tmp_path: Path) -> None:
    (tmp_path / "m.cat").write_text('include "cos.cat" include "stdlib.cat" include "cross.cat" acyclic ca')
    assert len(load_model(tmp_path / "m.cat").statements) > 5
    (tmp_path / "cos.cat").write_text("match this is not")
    with pytest.raises(InputError, match=r"/cos\.cat:1:1: expected"):
        load_model(tmp_path / "m.cat")


def test_include_cycles_and_missing_files(tmp_path: Path) -> None:
    (tmp_path / "a.cat").write_text('let x = po\ninclude "b.cat"')
    (tmp_path / "b.cat").write_text('include "a.cat"')
    with pytest.raises(InputError, match=r"b\.cat:1:1: 'a\.cat' includes itself"):
        load_model(tmp_path / "a.cat")
    (tmp_path / "b.cat").write_text('include "c.cat"')
    with pytest.raises(InputError, match=r"b\.cat:1:1: cannot find 'c\.cat'"):
        load_model(tmp_path / "a.cat")


def test_includes_that_grow_exponentially_are_refused(tmp_path: Path) -> None:
    for level in range(40):
        (tmp_path / f"m{level}.cat").write_text(f'include "m{level + 1}.cat" include "m{level + 1}.cat"')
    (tmp_path / "m40.cat").write_text("")
    with pytest.raises(InputError, match="more than"):
        load_model(tmp_path / "m0.cat")


def test_models_by_name(tmp_path: Path) -> None:
    (tmp_path / "own.cat").write_text("let x = po")
    assert find_model("own", [tmp_path]) == tmp_path / "own.cat"
    assert find_model(tmp_path / "own.cat") == tmp_path / "own.cat"
    for name in shipped_models():
        load_model(name)
    for bad in ("no-such-model", "", "a\0b", "x" * 5000, str(tmp_path)):
        with pytest.raises(InputError, match="no model"):
            load_model(bad)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    (tmp_path / "m.cat").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        load_model(tmp_path / "m.cat")


@pytest.mark.parametrize("piece", ["(*(**)", "not ", "(", "final "])
def test_tokens_take_linear_time(piece: str) -> None:
    start = process_time()
    with suppress(InputError):
        parse_text(piece * (200_000 // len(piece)), "m.cat")
    assert process_time() - start < 8


def test_a_variant_may_be_called_not() -> None:
    expression = parse_expression('if not "not" then po else rf')
    assert format_expression(expression) == 'if not "not" then po else rf'
