"""Profiles of users: tags and address spaces of a target's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator.errors import InputError
from enumerator.inspection import inspect_text
from enumerator.inspection.findings import Finding, Status

PROFILE = """extends = "amdgpu"
[known]
amdgpu-synchronize-as = ["global", "local", "scratchpad"]
[[implied]]
tags = ["amdgpu-synchronize-as:scratchpad"]
events = ["access"]
address-spaces = [13]
"""
KERNEL = """target triple = "amdgcn-amd-amdhsa"
define amdgpu_kernel void @k(ptr addrspace(1) %g, ptr addrspace(13) %s) {
  store i32 1, ptr addrspace(13) %s
  fence syncscope("agent") release, !mmra !0
  store atomic i32 1, ptr addrspace(1) %g syncscope("agent") monotonic, align 4
  ret void
}
!0 = !{!"amdgpu-synchronize-as", !"TAG"}
"""


@pytest.fixture
def profile(tmp_path: Path) -> str:
    path = tmp_path / "mine.toml"
    path.write_text(PROFILE)
    return str(path)


def orders(text: str, profile: str | None) -> Status:
    (found,) = inspect_text(text, "k.ll", profile).functions[0].operations
    assert isinstance(found, Finding)
    return found.before.groups[0].status


def test_tags_of_a_target(profile: str) -> None:
    """The fence orders what the profile says is in its address space; a tag close to a known one may be a mistake."""
    assert orders(KERNEL.replace("TAG", "scratchpad"), profile) is Status.ORDERED
    assert orders(KERNEL.replace("TAG", "local"), profile) is Status.UNORDERED
    assert orders(KERNEL.replace("TAG", "local"), None) is Status.ORDERED  # there the access has no tag
    (remark,) = inspect_text(KERNEL.replace("TAG", "scratchpd"), "k.ll", profile).remarks[:1]
    assert remark.name == "unknown-tag" and "did you mean amdgpu-synchronize-as:scratchpad?" in remark.message
    assert [each.name for each in inspect_text(KERNEL.replace("TAG", "scratchpad"), "k.ll", profile).remarks] == []


def test_a_file_names_its_profile(profile: str) -> None:
    path = Path(profile).with_name("k.ll")
    path.write_text("; PROFILE: mine.toml\n" + KERNEL.replace("TAG", "scratchpad"))
    assert inspect_text(path.read_text(), str(path)).profile.endswith("mine.toml")


def test_a_profile_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="mine.toml"):
        inspect_text(KERNEL, "k.ll", str(tmp_path / "mine.toml"))
