; Visibility goes on by single steps of program order where happens-before does not, under direct
; REF: MMRA document, The happens-before Relation
; REF: AMDGPU Memory Model, Visibility Operation; AMDGPU Memory Model, Ordering
; Each acquire is compatible with the next only, and the last with the read. The read does not happen after the release, but a
; visibility operation on the write stands before it: a fence that passes on what a fence of its own thread has made visible. Neither
; fence synchronizes with the release, as their scopes do not include t0.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm/direct=Sometimes+race amdgpu/direct=Never amdgpu-2026/direct=Never
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
  fence syncscope("singlethread") acquire, !mmra !{!{!"foo", !"a"}, !{!"foo", !"b"}}
  fence syncscope("workgroup") acquire, !mmra !{!{!"foo", !"b"}, !{!"foo", !"c"}}
  %data = load i32, ptr addrspace(1) @data, !mmra !{!"foo", !"c"}
  br label %done

done:
  ret void
}
