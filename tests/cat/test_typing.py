from __future__ import annotations

from pathlib import Path

import pytest

from enumerator.cat import typing
from enumerator.cat.flatten import declared_options, flatten
from enumerator.cat.parser import find_model, parse_text, shipped_models
from enumerator.cat.predefined import PREDEFINED
from enumerator.cat.syntax import Check, Show
from enumerator.cat.tree import format_expression
from enumerator.cat.typing import check_types, select, world
from enumerator.cat.variants import chosen_options, known_variants, option_of, split_variants
from enumerator.errors import InputError


def check(text: str, *variants: str, labels: tuple[str, ...] = ()) -> None:
    check_types(parse_text(text, "m.cat"), frozenset(variants), frozenset(labels))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("let x = W ; po", "m.cat:1:9: ';' needs relations, but 'W' is a set"),
        ("let x = po ; (W | R)", "m.cat:1:15: ';' needs relations, but 'W | R' is a set"),
        ("let x = [po]", "m.cat:1:10: '[…]' needs sets, but 'po' is a relation"),
        ("let x = R * po", "m.cat:1:13: '*' needs sets, but 'po' is a relation"),
        ("let x = W+", "m.cat:1:9: '+' needs relations, but 'W' is a set"),
        ("let x = {po}", "m.cat:1:10: '{…}' needs sets, but 'po' is a relation"),
        (
            "let x = po | W",
            "m.cat:1:14: '|' needs two sets or two relations, but 'po' is a relation and 'W' is a set",
        ),
        ("let x = domain W", "m.cat:1:16: 'domain' needs relations, but 'W' is a set"),
        ("let x = ~domain", "m.cat:1:10: '~' needs sets or relations, but 'domain' is a function"),
        ("acyclic W", "m.cat:1:9: 'acyclic' needs relations, but 'W' is a set"),
        ("empty (po, rf)", "m.cat:1:8: 'empty' needs sets or relations, but '(po, rf)' is a tuple"),
        ("let hb = po acyclic hbb", "m.cat:1:21: unknown name 'hbb'; did you mean 'hb'?"),
        ("show domain", "m.cat:1:6: 'show' needs sets or relations, but 'domain' is a function"),
        ("let x = try zzz & W with po", "m.cat:1:26: 'try' has a set before 'with' and a relation after it"),
        ("let f(x) = x ; zzz", "m.cat:1:16: unknown name 'zzz'"),
        ("let x = po po", "m.cat:1:9: 'po' is a relation, not a function"),
        ("let f(x, y) = x ; y let z = f po", "m.cat:1:31: 'f' takes 2 arguments, but gets 1"),
        ("let f(x) = x let z = f(po, rf)", "m.cat:1:24: 'f' takes 1 argument, but gets 2"),
        (
            "let f x = x ; po\nlet z = f W",
            "m.cat:1:11: ';' needs relations, but 'x' is a set (in 'f', called at line 2)",
        ),
        ("let (a, b) = po", "m.cat:1:14: expected a tuple of 2, but 'po' is a relation"),
        ("let (a, b) = (po, po, po)", "m.cat:1:15: expected a tuple of 2, but this one has 3"),
        ("let a = po and a = rf", "m.cat:1:16: 'a' is defined twice"),
        ("let rec f x = y", "m.cat:1:15: unknown name 'y'"),
        ("let rec a = a | po let c = [a]", "m.cat:1:29: '[…]' needs sets, but 'a' is a relation"),
        ("let rec a = b and b = a | W let c = a ; po", "m.cat:1:37: ';' needs relations, but 'a' is a set"),
        ("with mo from orders(W & A) acyclic co", "m.cat:1:36: there is no 'co' in a model that chooses 'mo'"),
        ("with mo from orders(po)", "m.cat:1:21: 'orders' needs sets, but 'po' is a relation"),
        (
            "let x = domain rf with mo from orders(x)",
            "m.cat:1:39: 'orders' needs a set that does not depend on what is chosen (rf)",
        ),
        ("with mo from orders(W) with co from orders(W)", "m.cat:1:24: a model chooses one order at most"),
        ("with X from subsets(R)", "m.cat:1:1: subsets can be chosen once, under the name 'UNDEF'"),
        (
            "with mo from all(W)",
            "m.cat:1:14: unknown name 'all'",
        ),
        (
            "let x = orders(W)",
            "m.cat:1:9: 'orders' can only be chosen from: with … from orders(S)",
        ),
        ("empty UNDEF", "m.cat:1:7: unknown name 'UNDEF'"),
        ("final po", "m.cat:1:7: 'final' needs sets, but 'po' is a relation"),
        ("final W\nfinal W", "m.cat:2:1: a model has one 'final' at most"),
        ("call p(po)", "m.cat:1:1: unknown procedure 'p'"),
        (
            "procedure p(x) = acyclic x end\ncall p(W)",
            "m.cat:2:1: 'acyclic' needs relations, but 'p W' is a set",
        ),
        ("procedure p(x) =\nwith mo from orders(W) end", "m.cat:2:1: this statement cannot stand in a procedure"),
        (
            "variants a = x | y\nvariants b = y",
            "m.cat:2:1: 'y' is already an alternative of 'a'",
        ),
        ("variants a = x variants a = y", "m.cat:1:16: 'a' has been declared with other alternatives"),
        (
            'if "v" variants a = x end',
            "m.cat:1:8: 'variants' must stand outside 'if' and 'procedure'",
        ),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        check(text)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text",
    [
        "acyclic 0 empty 0 empty {} let x = 0 | W let y = 0 ; po let z = x & W",
        "let f(S, r) = [S] ; r let a = f(W, po) let b = f(R & A, f(W, rf))",
        "let twice(f, r) = f(f(r)) let g(r) = r ; po let x = twice(g, rf)",
        "let twice f = fun r -> f (f r) let x = twice (fun r -> r+) po",
        "let f () = po let x = f () ; po",
        "let either(x, y) = x | y let a = either(W, R) let b = either(po, rf)",
        "let hb = po let hb = hb | rf acyclic hb",
        "let (a, b) = (po, W) let c = [b] ; a",
        "let rec a = po | a ; b and b = rf | b ; a acyclic a | b",
        "let rec S = W | domain (po ; [S]) empty [S]",
        "let x = try Label with emptyset let y = [x]",
        "let x = try [Label] ; po with 0 let y = x ; x",
        "let x = try po with nonsense",
        'let x = if "no" then nonsense else po',
        'if "no" acyclic nonsense end',
        "with UNDEF from subsets(R) with mo from orders(W & A) empty [UNDEF] ; fr ; mo",
        "let co = po with mo from orders(W) acyclic co",
        "let fencerel(S) = [S] let x = fencerel(F)",
        "let x = [AS12] ; [AV] ; [VOLATILE]",
        "procedure p(x, y) = let z = x ; y acyclic z end call p(po, rf) as pq",
        "unshow nothing",
        "let domain = po acyclic domain",
    ],
)
def test_accepted(text: str) -> None:
    check(text)


def test_selected_branches_are_checked() -> None:
    text = 'let x = if "v" then zzz else po if not "v" empty yyy end'
    with pytest.raises(InputError, match="zzz"):
        check(text, "v")
    with pytest.raises(InputError, match="yyy"):
        check(text)


def test_labels() -> None:
    check("empty [Label]", labels=("Label",))
    with pytest.raises(InputError, match="did you mean 'Label'"):
        check("empty [Lable]", labels=("Label",))


def test_functions_that_grow_exponentially_are_refused() -> None:
    text = "let f0(x) = x | x " + " ".join(f"let f{n}(x) = f{n - 1}(f{n - 1}(x))" for n in range(1, 40))
    with pytest.raises(InputError, match="operations once its functions are expanded"):
        check(text)
    text = "procedure p0(x) = acyclic x end " + " ".join(
        f"procedure p{n}(x) = call p{n - 1}(x) call p{n - 1}(x) end" for n in range(1, 40)
    )
    with pytest.raises(InputError, match="procedures expand"):
        check(text)


def test_functions_that_nest_deeply_are_refused() -> None:
    text = "let f0(x) = x " + "\n".join(f"let f{n}(x) = [domain (f{n - 1}(x))]" for n in range(1, 800))
    with pytest.raises(InputError, match=r":\d+:1: the model nests functions too deeply$"):
        check(text)


def test_every_predefined_name_is_known() -> None:
    for entry in PREDEFINED.values():
        if entry.kind != "function":
            check(f"empty {entry.name}")
        assert entry.documentation


# What models say of their world -----------------------------------------------------------------------------


def test_world_of_a_model_that_says_nothing() -> None:
    declarations = world(parse_text("acyclic po", "m.cat"), frozenset())
    assert declarations.order is None and declarations.order_name == "co"
    assert declarations.undef is None and declarations.undef_name is None
    assert declarations.final is None and declarations.options == {}


def test_world() -> None:
    text = """
    variants hb = a | b-c
    let AW = W & A let unused = rf
    with UNDEF from subsets(R \\ A)
    with mo from orders(AW)
    final AW \\ domain(mo)
    """
    declarations = world(parse_text(text, "m.cat"), frozenset())
    assert declarations.order_name == "mo"
    assert declarations.order is not None
    assert format_expression(declarations.order[1]) == "let AW = W & A in AW"
    assert declarations.undef is not None and format_expression(declarations.undef) == "R \\ A"
    assert declarations.undef_name == "UNDEF"
    assert declarations.final is not None
    assert format_expression(declarations.final) == "let AW = W & A in AW \\ domain mo"
    assert declarations.options == {"hb": ("a", "b-c")}


def test_world_depends_on_variants() -> None:
    model = parse_text('if "v" with mo from orders(W) else with co from orders(W & A) end', "m.cat")
    assert world(model, frozenset("v")).order_name == "mo"
    assert world(model, frozenset()).order_name == "co"


# Selection --------------------------------------------------------------------------------------------------


def test_select(tmp_path: Path) -> None:
    path = tmp_path / "m.cat"
    path.write_text(
        'variants hb = near | far variants other = none | some\nlet hb = if "far" then po else rf acyclic hb'
    )
    default = select(str(path))
    assert default.name == str(path)
    assert default.variants == {"near", "none"} and default.options == {"hb": "near", "other": "none"}
    assert select(path, (), {"hb": "far"}).variants == {"far", "none"}
    assert option_of(default.model, "far") == "hb" and option_of(default.model, "x") is None
    assert declared_options(default.model)["other"] == ("none", "some")
    with pytest.raises(InputError, match="has no option 'thin-air': it has 'hb', 'other'"):
        select(path, (), {"thin-air": "none"})
    with pytest.raises(InputError, match="has no 'wide' for 'hb': there is 'near', 'far'"):
        select(path, (), {"hb": "wide"})


def test_variants_by_name(tmp_path: Path) -> None:
    path = tmp_path / "m.cat"
    path.write_text('variants hb = near | far\nif not "near" acyclic po end let x = if "extra" then po else rf')
    model = select(path).model
    assert known_variants(model) == {"near": "hb", "far": "hb", "extra": "extra"}
    assert option_of(model, "extra") == "extra" and option_of(model, "x") is None
    assert chosen_options(model, "m", ()) == {}
    chosen = select(f"{path}/far/extra")
    assert chosen.name == str(path) and chosen.variants == {"far", "extra"}
    assert chosen.options == {"hb": "far", "extra": "extra"}
    assert select(path, variants=["extra", "far"]).options == chosen.options
    assert select(path, (), {"hb": "far"}, ["far"]).options == {"hb": "far"}
    with pytest.raises(InputError, match="has no variant 'wide': there are near, far, extra"):
        select(f"{path}/wide")
    with pytest.raises(InputError, match="'far' and 'near' exclude each other: both are 'hb'"):
        select(f"{path}/near/far")
    with pytest.raises(InputError, match="'far' and 'near' exclude each other"):
        select(path, (), {"hb": "near"}, ["far"])
    with pytest.raises(InputError, match="no model 'nothing/far'"):
        select("nothing/far")


def test_a_name_that_is_a_file_has_no_variants(tmp_path: Path) -> None:
    (tmp_path / "far").write_text("variants hb = near | far")
    assert split_variants(tmp_path / "far" / "near") == (str(tmp_path / "far"), tmp_path / "far", ("near",))
    assert split_variants(tmp_path / "far") == (str(tmp_path / "far"), tmp_path / "far", ())
    assert split_variants("rc11") == ("rc11", find_model("rc11"), ())


def test_shipped_models_make_sense_in_all_variants() -> None:
    for name in shipped_models():
        model = select(name)
        assert model.name == name
        for option, alternatives in declared_options(model.model).items():
            for alternative in alternatives:
                assert select(name, (), {option: alternative}).options[option] == alternative


# Flattening -------------------------------------------------------------------------------------------------


def test_procedures_keep_their_names_and_meaning() -> None:
    text = """
    let r = po
    procedure p(x) = let y = x ; r acyclic y as own irreflexive y show y end
    let r = rf
    procedure q(x, y) = call p(x) as inner call p(y) end
    call q(rf, fr) as outer
    """
    flat = flatten(parse_text(text, "m.cat"), frozenset())
    checks = [statement for statement in flat if isinstance(statement, Check)]
    assert [(c.test, c.name) for c in checks] == [
        ("acyclic", "own"),
        ("irreflexive", "inner"),
        ("acyclic", "own"),
        ("irreflexive", "outer"),
    ]
    assert sum(isinstance(statement, Show) for statement in flat) == 2


# The document -----------------------------------------------------------------------------------------------


def readme() -> str:
    return (Path(typing.__file__).parent / "README.md").read_text(encoding="utf-8")


def test_readme_documents_every_predefined_name() -> None:
    text = readme()
    for entry in PREDEFINED.values():
        formula = f": `{entry.formula.replace('{order}', 'ORDER')}`" if entry.formula else ""
        row = f"{entry.documentation}{formula}".replace("|", "\\|")
        assert f"| `{entry.name}` | {row} |" in text


def test_readme_example_is_a_model() -> None:
    check(readme().split("```")[1])
