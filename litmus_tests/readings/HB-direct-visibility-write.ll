; A write is ordered by availability and happens-before, not by visibility, under direct
; REF: MMRA document, The happens-before Relation
; REF: AMDGPU Memory Model, Visibility Operation; AMDGPU Memory Model, Ordering
; "Before a write W1 if there exists an availability operation Z on W such that Z happens-before W1": the release does not happen
; before the second write, though the fence before it, which does not synchronize with t0, makes the first one visible.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ @data = undef
; EXPECT: llvm/direct=Sometimes+race amdgpu/direct=Sometimes+race amdgpu-2026/direct=Sometimes+race
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"foo", !"a"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %go, label %done

go:
  fence syncscope("workgroup") acquire, !mmra !{!{!"foo", !"a"}, !{!"foo", !"b"}}
  store i32 2, ptr addrspace(1) @data, !mmra !{!"foo", !"b"}
  br label %done

done:
  ret void
}
