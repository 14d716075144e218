"""Tags, compatibility, combination, and target profiles."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from enumerator.errors import InputError
from enumerator.mmra import (
    Profile,
    Tag,
    at_least,
    combine,
    compatible,
    conflicting_prefixes,
    drop,
    format_tags,
    load_profile,
    parse_tags,
    profile_names,
)
from enumerator.program.instructions import Ordering

TAGS = st.frozensets(st.builds(Tag, st.sampled_from(["foo", "bar", "bux"]), st.sampled_from(["x", "y", "z"])))


def literally_compatible(x: frozenset[Tag], y: frozenset[Tag]) -> bool:
    """The document's definition, word by word: for every prefix in at least one set, one of its two clauses."""
    for prefix in {tag.prefix for tag in x | y}:
        missing = not any(tag.prefix == prefix for tag in x) or not any(tag.prefix == prefix for tag in y)
        common = any(tag.prefix == prefix for tag in x & y)
        if not (missing or common):
            return False
    return True


@given(TAGS, TAGS)
def test_compatible_is_the_documents_definition(x: frozenset[Tag], y: frozenset[Tag]) -> None:
    assert compatible(x, y) == literally_compatible(x, y) == compatible(y, x) == (not conflicting_prefixes(x, y))


def test_compatible_is_not_transitive() -> None:
    assert compatible("foo:x", "") and compatible("", "foo:y") and not compatible("foo:x", "foo:y")


@given(TAGS, TAGS, TAGS)
def test_merging_is_safe(x: frozenset[Tag], y: frozenset[Tag], other: frozenset[Tag]) -> None:
    merged = combine(x, y)
    assert merged == combine(y, x)
    if compatible(x, other) or compatible(y, other):
        assert compatible(merged, other)


@given(TAGS, TAGS, st.sampled_from([None, "foo", "bar"]))
def test_dropping_all_tags_or_all_of_a_prefix_keeps_compatibility(
    x: frozenset[Tag], y: frozenset[Tag], prefix: str | None
) -> None:
    if compatible(x, y):
        assert compatible(drop(x, prefix), y)


def test_dropping_one_tag_of_several_is_not_safe() -> None:
    assert compatible("foo:x,foo:y", "foo:x") and not compatible("foo:y", "foo:x")


@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [
        # the document shows foo:x for the first two, which contradicts its rule
        ("foo:x,foo:y,bar:x", "foo:x,bar:y", "bar:x,bar:y,foo:x,foo:y"),
        ("foo:x,foo:y", "foo:x,bux:y", "foo:x,foo:y"),
        ("", "foo:x,bar:y", ""),
    ],
)
def test_combination_of_the_documents_examples(x: str, y: str, expected: str) -> None:
    assert format_tags(combine(x, y)) == expected


@given(TAGS)
def test_tags_are_read_as_they_are_written(tags: frozenset[Tag]) -> None:
    assert parse_tags(format_tags(tags)) == tags


@pytest.mark.parametrize("text", ["foo", ":x", "foo:", "foo:x,", ",", "foo:x,,bar:y"])
def test_what_is_no_tag(text: str) -> None:
    with pytest.raises(InputError, match="prefix:suffix"):
        parse_tags(text)


def test_a_suffix_may_hold_colons() -> None:
    assert parse_tags(" a:b:c ") == {Tag("a", "b:c")}


# Profiles


def effective(
    profile: Profile, tags: str, kind: str, ordering: Ordering, *, synchronizing: bool = False, space: int = 0
) -> str:
    return format_tags(
        profile.effective_tags(
            parse_tags(tags), kind=kind, ordering=ordering, synchronizing=synchronizing, address_space=space
        )
    )


def test_shipped_profiles_load() -> None:
    assert profile_names() == ("amdgpu", "amdgpu-strict", "generic", "strict", "vulkan")
    for name in profile_names():
        profile = load_profile(name)
        assert profile.name == name and profile.description
        assert profile.synchronize == ("compatible" if name in ("strict", "amdgpu-strict") else "always")


@pytest.mark.parametrize("name", ["generic", "strict"])
@given(TAGS, st.sampled_from("RWFB"), st.sampled_from(Ordering), st.booleans(), st.integers(0, 5))
def test_profiles_that_imply_nothing(
    name: str, tags: frozenset[Tag], kind: str, ordering: Ordering, synchronizing: bool, space: int
) -> None:
    found = load_profile(name).effective_tags(
        tags, kind=kind, ordering=ordering, synchronizing=synchronizing, address_space=space
    )
    assert found == tags


def test_vulkan_profile() -> None:
    vulkan = load_profile("vulkan")
    nonprivate = "vulkan:nonprivate"
    assert effective(vulkan, "", "F", Ordering.ACQUIRE, synchronizing=True) == nonprivate
    assert effective(vulkan, "foo:x", "F", Ordering.ACQUIRE, synchronizing=True) == f"foo:x,{nonprivate}"
    assert effective(vulkan, "", "R", Ordering.MONOTONIC) == nonprivate
    assert effective(vulkan, "", "W", Ordering.RELEASE, synchronizing=True) == nonprivate
    assert effective(vulkan, "", "W", Ordering.UNORDERED) == ""
    assert effective(vulkan, "", "R", Ordering.NA) == ""
    assert effective(vulkan, "", "B", Ordering.NA) == ""
    assert effective(vulkan, "vulkan:private", "R", Ordering.MONOTONIC) == "vulkan:private"
    assert effective(vulkan, "", "IW", Ordering.NA) == ""


def test_amdgpu_profile() -> None:
    amdgpu = load_profile("amdgpu")
    own, local = "amdgpu-synchronize-as:global", "amdgpu-synchronize-as:local"
    assert effective(amdgpu, "", "W", Ordering.NA, space=1) == own
    assert effective(amdgpu, "", "R", Ordering.MONOTONIC, space=3) == local
    assert effective(amdgpu, "", "R", Ordering.NA, space=0) == ""
    assert effective(amdgpu, "", "R", Ordering.ACQUIRE, synchronizing=True, space=1) == ""
    # the write half of a read-modify-write synchronizes if the instruction does
    assert effective(amdgpu, "", "W", Ordering.ACQUIRE, synchronizing=True, space=1) == ""
    assert effective(amdgpu, "", "F", Ordering.RELEASE, synchronizing=True, space=1) == ""
    for spelling in ("amdgpu-synchronize-as", "amdgpu-as", "opencl-fence-mem"):
        assert effective(amdgpu, f"{spelling}:local", "W", Ordering.NA, space=1) == local
        assert effective(amdgpu, f"{spelling}:local", "F", Ordering.RELEASE, synchronizing=True) == local
    # tags that the profile does not know still count
    assert effective(amdgpu, "foo:x,sync-as:1", "W", Ordering.NA) == "foo:x,sync-as:1"
    assert amdgpu.unknown_tags(parse_tags("amdgpu-as:globl,foo:x")) == (Tag("amdgpu-synchronize-as", "globl"),)


def test_acquire_and_release_are_not_comparable() -> None:
    assert [ordering for ordering in Ordering if at_least(ordering, Ordering.ACQUIRE)] == [
        Ordering.ACQUIRE,
        Ordering.ACQ_REL,
        Ordering.SEQ_CST,
    ]
    assert [ordering for ordering in Ordering if at_least(ordering, Ordering.RELEASE)] == [
        Ordering.RELEASE,
        Ordering.ACQ_REL,
        Ordering.SEQ_CST,
    ]


def test_own_profile(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'description = "mine"\nsynchronize = "compatible"\n'
        '[[implied]]\ntags = ["a:b", "c:d"]\nevents = ["write", "barrier"]\nat-least = "release"\n'
        'synchronizing = true\naddress-spaces = [1]\nabsent = ["e"]\n'
    )
    profile = load_profile(str(path))
    assert profile.name == str(path)
    rule = {"synchronizing": True, "space": 1}
    assert effective(profile, "", "W", Ordering.RELEASE, **rule) == "a:b,c:d"
    assert effective(profile, "c:x", "W", Ordering.SEQ_CST, **rule) == "a:b,c:x"
    assert effective(profile, "e:x", "W", Ordering.RELEASE, **rule) == "e:x"
    assert effective(profile, "", "W", Ordering.ACQUIRE, **rule) == ""
    assert effective(profile, "", "R", Ordering.ACQ_REL, **rule) == ""
    assert effective(profile, "", "W", Ordering.RELEASE, synchronizing=True, space=2) == ""


def test_a_profile_that_extends_another(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('extends = "amdgpu"\n[known]\nfoo = ["x"]\n')
    profile, amdgpu = load_profile(str(path)), load_profile("amdgpu")
    assert (profile.implied, profile.aliases, profile.synchronize) == (amdgpu.implied, amdgpu.aliases, "always")
    assert (profile.name, profile.path, profile.known) == (str(path), str(path), {"foo": ("x",)})
    strict = load_profile("amdgpu-strict")
    assert (strict.implied, strict.known, strict.synchronize) == (amdgpu.implied, amdgpu.known, "compatible")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends = 1", "expected a string"),
        ("extends = 'mine'", r"extends: expected a shipped profile \(amdgpu, "),
        ("synchronise = 'always'", "unknown key synchronise"),
        ("synchronize = 'never'", "'always' or 'compatible'"),
        ("synchronize = 1", "expected a string"),
        ("x = ]", r":1:5: not valid TOML"),
        ("[implied]\n", "expected an array"),
        ("implied = [1]", r"implied\[1\]: expected a table"),
        ("[[implied]]\n", "which tags are implied"),
        ("[[implied]]\ntags = ['a']", r"implied\[1\].tags: expected a tag"),
        ("[[implied]]\ntags = ['a:b']\nevents = ['loads']", "some of access, read"),
        ("[[implied]]\ntags = ['a:b']\nat-least = 'strong'", "an ordering"),
        ("[[implied]]\ntags = ['a:b']\nsynchronizing = 1", "true or false"),
        ("[[implied]]\ntags = ['a:b']\naddress-spaces = [-1]", "numbers of address spaces"),
        ("[[implied]]\ntags = ['a:b']\naddress-spaces = [true]", "numbers of address spaces"),
        ("[[implied]]\ntags = ['a:b']\nwhen = 1", r"unknown key implied\[1\].when"),
        ("[aliases]\na = 'b'\nb = 'c'", "itself an alias"),
        ("[known]\na = 'b'", "expected an array"),
        ("x = " + "[" * 100_000, "not valid TOML"),
    ],
)
def test_invalid_profiles(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        load_profile(str(path))
    assert caught.value.path == str(path)


@pytest.mark.parametrize("name", ["", "nope", "/nonexistent/p.toml", "a\0b", "/", "/dev/zero", "x" * 5000])
def test_no_such_profile(name: str) -> None:
    with pytest.raises(InputError, match="no such profile"):
        load_profile(name)


def test_profile_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not UTF-8"):
        load_profile(str(path))
