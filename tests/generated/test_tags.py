"""Properties of tags that the semantics, section 2, claims: dropping and merging are safe."""

from __future__ import annotations

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from enumerator.frontend import load_text
from enumerator.mmra import combine
from enumerator.mmra import compatible as product_compatible
from enumerator.program.instructions import Tag
from tests.generated.engines import Answer, answer, available, covers
from tests.generated.programs import Program, programs
from tests.generated.test_agreement import plainly
from tests.literal import all_names
from tests.literal.tags import compatible

TAGS = st.frozensets(st.builds(Tag, st.sampled_from("abc"), st.sampled_from("xyz")), max_size=5)


@plainly
@given(TAGS, TAGS)
def test_compatibility_is_the_definition(x: frozenset[Tag], y: frozenset[Tag]) -> None:
    assert product_compatible(x, y) == compatible(x, y) == compatible(y, x)


@plainly
@given(TAGS, TAGS, TAGS)
def test_merging_is_safe(x: frozenset[Tag], y: frozenset[Tag], other: frozenset[Tag]) -> None:
    """An operation with the combined tags is compatible with everything that either was compatible with."""
    merged = combine(x, y)
    if compatible(x, other) or compatible(y, other):
        assert compatible(merged, other)


@pytest.mark.parametrize("hb", ["closure", "direct", "filtered"])
@pytest.mark.parametrize("profile", ["generic", "strict"])
def test_dropping_is_safe(profile: str, hb: str) -> None:
    """Under profiles that imply no tags, dropping all tags, or all of a prefix, adds no outcome."""
    engine = "bitset" if available("bitset") else "literal"

    @plainly
    @given(programs(frozenset({"tags", "fences", "rmw", "branches"})), st.data())
    def safe(program: Program, data: st.DataObject) -> None:
        if not program.tags:
            return
        which = data.draw(st.integers(0, len(program.tags) - 1))
        prefix = data.draw(st.sampled_from(["", *(_prefix(tag) for tag in program.tags[which])]))
        kept = tuple(tag for tag in program.tags[which] if prefix and _prefix(tag) != prefix)
        dropped = program.with_tags((*program.tags[:which], kept, *program.tags[which + 1 :]))
        note(program.text)
        note(dropped)
        before, after = (_answer(engine, text, profile, hb) for text in (program.text, dropped))
        assert covers(before, after) == []

    safe()


def _prefix(tag: str) -> str:
    return tag.split(",")[0]


def _answer(engine: str, text: str, profile: str, hb: str) -> Answer | None:
    test = load_text(text, "generated.ll")
    return answer(engine, test, all_names(test, 1), profile=profile, hb=hb, unroll=1)
