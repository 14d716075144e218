"""The search for tests that tell two models apart, beside whole checks and known answers."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from enumerator import check
from enumerator.cli.app import app
from enumerator.distinguishing.alphabet import Alphabet, make_alphabet
from enumerator.distinguishing.executions import Outcome, outcomes, prepare_side
from enumerator.distinguishing.paths import UNDEF
from enumerator.distinguishing.programs import Program, programs
from enumerator.distinguishing.search import distinguish
from enumerator.distinguishing.shapes import shapes
from enumerator.distinguishing.sides import Language, Side, parse_side
from enumerator.distinguishing.slices import ALL, closure, packed, sequence
from enumerator.errors import InputError
from enumerator.frontend import load, load_text
from enumerator.generation import to_test
from enumerator.generation.building import location_names
from enumerator.generation.skeleton import DependencyKind, Kind, register_names
from enumerator.generation.vulkan import vulkan_text
from enumerator.passes.translate import to_llvm
from enumerator.program.condition import Name
from enumerator.program.instructions import Ordering, Scope, Tag
from enumerator.program.test import Test
from enumerator.program.types import ArrayType
from enumerator.program.values import UNDEF as UNDEF_VALUE
from enumerator.program.values import Value

DATA_AND_CONTROL = (DependencyKind.DATA, DependencyKind.CTRL)
TAGS = ((Tag("a", "x"),), (Tag("a", "y"),), (Tag("amdgcn-av", "none"),))


def whole_test(program: Program, number: int, language: Language) -> tuple[Test, list[str], list[str]]:
    """Give a test, with the names of what its reads get and of what its locations hold."""
    skeleton = program.skeleton(number)
    registers = [(node.thread, node.index) for node in program.accesses if node.letter == "R"]
    names = [register_names(thread) for thread in skeleton.threads]
    places = location_names(len(skeleton.locations))
    if language is Language.LLVM:
        test = to_test(skeleton, joined=True)
        return test, [f"t{at}:%{names[at][index]}" for at, index in registers], [f"@{place}" for place in places]
    asked = skeleton._replace(reads=tuple((*read, 0) for read in registers))
    test = load_text(vulkan_text(asked, "test", joined=True), "test.litmus")
    if language is Language.VULKAN:
        return test, [f"P{at}:{names[at][index]}" for at, index in registers], [f"[{place}]" for place in places]
    test = load_text(to_llvm(test), "test.ll")
    wide = {each.name for each in test.objects if isinstance(each.type, ArrayType)}
    held = [f"@{place}[0]" if f"@{place}" in wide else f"@{place}" for place in places]
    return test, [f"P{at}:%{names[at][index]}" for at, index in registers], held


def by_checks(program: Program, number: int, side: Side) -> tuple[set[Outcome], bool]:
    """Find the outcomes of a test, and whether it is undefined, by an engine."""
    test, registers, locations = whole_test(program, number, side.language)
    test = replace(test, locations=tuple(map(Name, locations)))
    result = check(test, side.model, profile=side.profile, all_values=True)

    def values(names: Sequence[str], state: dict[str, Value]) -> tuple[int, ...]:
        return tuple(UNDEF if state[name] == UNDEF_VALUE else int(str(state[name])) for name in names)

    found = {(values(registers, dict(each.values)), values(locations, dict(each.values))) for each in result.states}
    racy = side.language is Language.VULKAN and "race" in result.flags
    return found, result.verdict == "Undef" or racy


@pytest.mark.parametrize(
    ("text", "scoped"),
    [
        ("sc", False),
        ("tso", False),
        ("rc11", False),
        ("c11_simp", False),
        ("llvm", True),
        ("llvm@strict/direct/rc11", True),
        ("amdgpu", True),
        ("amdgpu-2026", True),
        ("vulkan", True),
        ("ptx-7.5", True),
    ],
)
def test_outcomes_are_those_of_whole_checks(text: str, scoped: bool) -> None:
    agree(text, scoped)


def test_models_that_choose_total_orders(tmp_path: Path) -> None:
    model = tmp_path / "total.cat"
    model.write_text(
        "with co from generate_cos(co0) let fr = (rf^-1 ; co) \\ id let com = rf | co | fr\n"
        "acyclic po & loc | com as coherence\n"
        "with S from linearisations(SC, po) with T from generate_orders(M \\ IW, po & loc)\n"
        "irreflexive S ; (com | fr ; rf) irreflexive T ; [RMW] ; S ; fr"
    )
    agree(str(model), False, count=2)  # each takes long


def test_recursive_definitions(tmp_path: Path) -> None:
    model = tmp_path / "recursive.cat"
    model.write_text(
        "let rec chain = rf | po & loc | (chain ; (rmw | co) ; chain)\n"
        "and back = [R] ; chain | (back & ext) ; chain ; [W]\n"
        "irreflexive chain ; fr empty back & rf^-1"
    )
    agree(str(model), False)


EVERY_KIND = (Kind.READ, Kind.WRITE, Kind.UPDATE, Kind.FENCE, Kind.BARRIER)
ACCESSES = (Kind.READ, Kind.WRITE)


@pytest.mark.parametrize("text", ["vulkan", "vulkan/nochains"])
def test_outcomes_in_vulkans_language(text: str) -> None:
    side = parse_side(text, language=Language.VULKAN)
    compare(side, make_alphabet([side], kinds=EVERY_KIND, scopes=(Scope.WORKGROUP,)), size=4, count=4)
    compare(side, make_alphabet([side], kinds=ACCESSES, dependencies=DATA_AND_CONTROL), size=4, count=3)


def test_outcomes_of_translations() -> None:
    sides = parse_side("vulkan", language=Language.VULKAN), parse_side("amdgpu", language=Language.TRANSLATED)
    compare(sides[1], make_alphabet(sides, kinds=EVERY_KIND, scopes=(Scope.WORKGROUP,)), size=4, count=5)
    compare(sides[1], make_alphabet(sides, kinds=ACCESSES, dependencies=DATA_AND_CONTROL), size=4, count=4)


@pytest.mark.parametrize("text", ["llvm", "amdgpu", "amdgpu-2026", "llvm/none", "ptx-7.5", "rc11"])
def test_dependencies_comparisons_barriers_and_availability(text: str) -> None:
    side = parse_side(text)
    every = (Kind.READ, Kind.WRITE, Kind.UPDATE)
    for size, parts in (
        (4, {"kinds": ACCESSES, "dependencies": tuple(DependencyKind)}),
        (3, {"kinds": every, "operators": ("xchg", "cmpxchg"), "dependencies": tuple(DependencyKind)}),
        (4, {"kinds": EVERY_KIND, "scopes": (Scope.WORKGROUP,), "availability": True}),
    ):
        compare(side, make_alphabet([side], **parts), size=size, count=3)  # type: ignore[arg-type]


def agree(text: str, scoped: bool, count: int = 6) -> None:
    """Compare the outcomes of some programs under a side with those of whole checks."""
    side = parse_side(text)
    alphabet = make_alphabet(
        [side],
        scopes=(Scope.WORKGROUP, Scope.AGENT) if scoped else (),
        tags=TAGS if scoped else (),
        spaces=(1, 3) if scoped else (0,),
    )
    compare(side, alphabet, size=4, count=count)


def compare(side: Side, alphabet: Alphabet, size: int, count: int) -> None:
    """Compare the outcomes of some programs of a size with those of whole checks."""
    chance = random.Random(f"{side.text} {size}")
    prepared = prepare_side(side, alphabet)
    every = list(alphabet.shapes(size))
    left = count
    while left:
        shape = chance.choice(every)
        locations = 1 + max(item.location for thread in shape for item in thread)
        where = chance.choice(list(alphabet.places(len(shape))))
        spaces = [chance.choice(alphabet.spaces) for _ in range(locations)]
        some = list(programs(shape, alphabet, where, spaces))
        if not some:  # threads do not meet at the same barriers
            continue
        left -= 1
        program = chance.choice(some)
        found = outcomes(program, prepared)
        for number in chance.sample(range(program.count), min(4, program.count)):

            def has(bits: np.ndarray, number: int = number) -> bool:  # type: ignore[type-arg]
                return bool(int(bits[number // 64 if len(bits) > 1 else 0]) >> number % 64 & 1)

            if side.language is Language.TRANSLATED and has(program.untranslatable):
                with pytest.raises(InputError, match="128 bits wide"):
                    whole_test(program, number, side.language)
                continue
            here = {outcome for outcome, bits in found.allowed.items() if has(bits)}, has(found.undefined)
            whole = by_checks(program, number, side)
            if whole[1] and side.language is Language.LLVM:  # an undefined program has any outcome
                assert here[1], program.skeleton(number)
            else:
                assert here == whole, program.skeleton(number)


def test_relations_of_bits_are_relations() -> None:
    chance = np.random.default_rng(1)
    count, many = 5, 130
    one, other = (chance.random((count, count, many)) < 0.25 for _ in range(2))
    composed = np.zeros_like(one)
    for a, b, c in product(range(count), repeat=3):
        composed[a, c] |= one[a, b] & other[b, c]
    assert np.array_equal(sequence(packed(one), packed(other)), packed(composed))
    closed = one.copy()
    for _ in range(count):
        for a, b, c in product(range(count), repeat=3):
            closed[a, c] |= closed[a, b] & one[b, c]
    assert np.array_equal(closure(packed(one)), packed(closed))
    constant = np.zeros((count, count, 1), dtype=np.uint64)
    constant[0, 1] = ALL
    assert np.array_equal(sequence(constant, packed(one))[0], packed(one)[1])


Threads = tuple[tuple[tuple[Kind, int], ...], ...]


def least(shape: Threads) -> Threads:
    """Give the least of all renamings of a shape, by trying them."""
    return min(
        tuple(tuple((kind, names[at] if at >= 0 else at) for kind, at in shape[number]) for number in order)
        for order in permutations(range(len(shape)))
        for names in permutations(range(2))
    )


def is_admissible(shape: Threads) -> bool:
    """Say what shapes there are, in the plainest way."""
    for thread in shape:
        fences = [kind == Kind.FENCE for kind, _ in thread]
        if fences[0] or fences[-1] or any(one and other for one, other in zip(fences, fences[1:], strict=False)):
            return False
    for location in range(2):
        kinds = [kind for thread in shape for kind, at in thread if at == location]
        if kinds and set(kinds) == {Kind.READ} or len(kinds) == 1 and kinds != [Kind.UPDATE]:
            return False
    joined = {0}
    for _ in shape:
        here = {at for number in joined for _, at in shape[number] if at >= 0}
        joined |= {number for number, thread in enumerate(shape) if any(at in here for _, at in thread)}
    return len(joined) == len(shape)


def test_shapes_are_all_there_are_up_to_names() -> None:
    kinds = (Kind.READ, Kind.WRITE, Kind.UPDATE, Kind.FENCE)
    events = [*product(kinds[:3], range(2)), (Kind.FENCE, -1)]
    wanted = set()
    for lengths in ((1, 1, 1), (1, 2), (3,)):
        for flat in product(events, repeat=3):
            left = iter(flat)
            shape = tuple(tuple(next(left) for _ in range(length)) for length in lengths)
            if is_admissible(shape):
                wanted.add(least(shape))
    found = [
        tuple(tuple((item.kind, item.location) for item in thread) for thread in shape)
        for shape in shapes(3, kinds, 3, 2)
    ]
    assert len(found) == len(wanted) and set(map(least, found)) == wanted


@pytest.mark.parametrize(
    ("a", "b", "bound", "size", "count"),
    [("tso", "sc", 4, 4, 2), ("sc", "sc", 3, None, 0), ("llvm", "llvm/rc11", 4, 4, 1), ("tso", "tso", 2, None, 0)],
)
def test_smallest_differences(a: str, b: str, bound: int, size: int | None, count: int) -> None:
    sides = parse_side(a), parse_side(b)
    # of llvm: load buffering of relaxed accesses
    orderings = (Ordering.MONOTONIC,) if a == "llvm" else None
    alphabet = make_alphabet(sides, kinds=(Kind.READ, Kind.WRITE), orderings=orderings)
    found = distinguish(*sides, alphabet, bound)
    assert found.status == "complete" and found.complete == (size or bound)
    assert len(found.differences) == count
    for each in found.differences:
        assert each.a != each.b


def test_bad_sides() -> None:
    for text, message in [
        ("llvm@", "profile is missing"),
        ("@strict", "model is missing"),
        ("llvm@nowhere", "nowhere"),
    ]:
        with pytest.raises(InputError, match=message):
            parse_side(text)
    side = parse_side("csa")
    with pytest.raises(InputError, match="returns"):
        prepare_side(side, make_alphabet([parse_side("sc")]))


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["distinguish", *arguments])
    return result.exit_code, result.stdout


def test_command() -> None:
    code, text = run("tso", "sc", "--kinds", "read,write", "--format", "json")
    answers = json.loads(text)
    assert code == 1
    assert [(each["outcome"], each["a"], each["b"]) for each in answers] == [
        ({"t0:%r0": 0, "t1:%r0": 0}, "Sometimes", "Never"),
        ({"t0:%r0": 0, "@x": 1}, "Sometimes", "Never"),
    ]
    assert "EXISTS: t0:%r0 = 0" in answers[0]["test"]
    code, text = run("sc", "sc", "--bound", "2")
    assert code == 0 and "No differences" in text
    assert run("sc", "nothing")[0] == 2
    assert run("sc", "tso", "--kinds", "barrier")[0] == 2
    assert run("sc", "tso", "--timeout", "0")[0] == 3


def test_found_tests_are_read_as_they_were_found(tmp_path: Path) -> None:
    chosen = ["--dependencies", "data,ctrl", "--kinds", "read,write", "--orderings", "monotonic"]
    assert run("llvm", "llvm/rc11", *chosen, "-o", str(tmp_path))[0] == 1
    found = sorted(tmp_path.glob("*.ll"))
    assert len(found) == 3  # load buffering with no dependency, or one of either kind
    for path in found:
        for side, observation in (("llvm", "Sometimes"), ("llvm/rc11", "Never")):
            assert check(load(path), parse_side(side).model).observation == observation
    tags = ["--tags", "amdgcn-av:none", "--orderings", "na,acquire,release", "--kinds", "read,write", "--threads", "2"]
    code, text = run("llvm", "amdgpu", *tags, "--availability", "--count", "5", "--format", "llvm", "--bound", "4")
    fifth = "; llvm and amdgpu differ" + text.split("; llvm and amdgpu differ")[5]
    assert code == 1 and "call i32 @llvm.amdgcn.av.load.b32.p0(ptr @y" in fifth
    assert [check(load_text(fifth, "t.ll"), side).observation for side in ("llvm", "amdgpu")] == ["Never", "Sometimes"]


def test_translations_that_allow_more(tmp_path: Path) -> None:
    assert run("vulkan", "amdgpu", "--translate", "--bound", "2")[0] == 0
    accesses = ["--translate", "--kinds", "read,write", "--orderings", "monotonic"]
    code, text = run("sc", "amdgpu", *accesses, "--format", "json", "-o", str(tmp_path))
    answers = json.loads(text)
    # of two threads: message passing, load and store buffering, S, R, 2+2W, and more of them than one
    assert code == 1 and len(answers) == len(list(tmp_path.glob("*.litmus"))) == len(list(tmp_path.glob("*.ll")))
    for number, answer in enumerate(answers, 1):
        assert answer["a"] == "Never" and answer["b"] == "Sometimes"
        source, native = (load(tmp_path / f"difference-{number}{suffix}") for suffix in (".litmus", ".ll"))
        assert check(source, "sc").observation == "Never" and native.profile == "amdgpu"
        assert check(native, "amdgpu").observation == "Sometimes"
        assert answer["test"] == (tmp_path / f"difference-{number}.litmus").read_text()
    assert {"P0:r0": 0, "P1:r0": 0} in [answer["outcome"] for answer in answers]
    for refused in (["--tags", "a:b"], ["--scopes", "cluster"], ["--kinds", "write,compare"], ["--availability"]):
        assert run("vulkan", "amdgpu", "--translate", *refused)[0] == 2
