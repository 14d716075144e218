"""Small kernels for the tests, and what is found in them."""

from __future__ import annotations

from enumerator.inspection import inspect_text
from enumerator.inspection.findings import BarrierFinding, Finding, Group, Inspection, Remark, Severity

DECLARATIONS = """
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare void @unknown()
declare i32 @pure(i32) nosync memory(none)
@lds = internal addrspace(3) global [256 x i32] undef
@other = internal addrspace(3) global [256 x i32] undef
!0 = !{!"amdgpu-synchronize-as", !"local"}
!1 = !{!"amdgpu-synchronize-as", !"global"}
!2 = !{!0, !1}
!3 = !{}
"""

PARAMETERS = "ptr addrspace(1) %g, ptr addrspace(3) %l, ptr %f, i1 %c"


def kernel(body: str, attributes: str = "", cc: str = "amdgpu_kernel", more: str = "") -> str:
    """A module with one function; the body's first line is line 2 of the text."""
    head = f"define {cc} void @k({PARAMETERS}) {attributes} {{"
    return f"{head}\n{body.strip(chr(10))}\n  ret void\n}}\n{DECLARATIONS}{more}"


def inspect(text: str, profile: str | None = "amdgpu", reading: str = "closure", *, wide: bool = False) -> Inspection:
    return inspect_text(text, "k.ll", profile, reading, wide=wide)


def findings(text: str, profile: str | None = "amdgpu", reading: str = "closure") -> list[Finding]:
    """The synchronizing operations of the first function, without barriers."""
    operations = inspect(text, profile, reading).functions[0].operations
    return [each for each in operations if isinstance(each, Finding)]


def barriers(text: str) -> list[BarrierFinding]:
    operations = inspect(text).functions[0].operations
    return [each for each in operations if isinstance(each, BarrierFinding)]


def remarks(
    text: str, profile: str | None = "amdgpu", severity: Severity | None = None, *, wide: bool = False
) -> list[Remark]:
    return [each for each in inspect(text, profile, wide=wide).remarks if severity in (None, each.severity)]


def names(text: str, profile: str | None = "amdgpu", *, wide: bool = False) -> list[str]:
    return [remark.name for remark in remarks(text, profile, wide=wide)]


def lines(groups: tuple[Group, ...]) -> set[int | None]:
    return {place.line for group in groups for place in group.places}
