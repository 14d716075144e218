"""The ids of workitems and workgroups, which the scope tree gives."""

from __future__ import annotations

import pytest

from enumerator import check
from enumerator.errors import InputError
from enumerator.frontend import load_text

KERNEL = """; ids
SCOPES
; THREADS: c=@k() a=@k() b=@k()
; EXISTS: true
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workitem.id.y()
declare i32 @llvm.amdgcn.workgroup.id.x()
define i32 @inner() {
  %id = call i32 @llvm.amdgcn.workitem.id.x()
  ret i32 %id
}
define amdgpu_kernel void @k() {
  %item = call noundef i32 @llvm.amdgcn.workitem.id.x()
  %other = call i32 @llvm.amdgcn.workitem.id.y()
  %group = call i32 @llvm.amdgcn.workgroup.id.x()
  %called = call i32 @inner()
  ret void
}
"""


def test_ids_follow_the_scope_tree() -> None:
    test = load_text(KERNEL.replace("SCOPES", "; SCOPES: (agent (workgroup a b) (workgroup c))"), "ids.ll")
    (state,) = check(test, "llvm", all_values=True).states
    for thread, item, group in (("a", 0, 0), ("b", 1, 0), ("c", 0, 1)):
        assert state.values[f"{thread}:%item"] == state.values[f"{thread}:%called"] == item
        assert state.values[f"{thread}:%group"] == group
        assert state.values[f"{thread}:%other"] == 0
    assert not any("workitem" in name for name in state.values), "they are no registers of the test"


def test_they_need_a_scope_tree() -> None:
    with pytest.raises(InputError, match=r"ids.ll:13: llvm.amdgcn.workitem.id.x needs a SCOPES: directive"):
        load_text(KERNEL.replace("SCOPES\n", "; none\n"), "ids.ll")
