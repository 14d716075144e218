; Safe by default holds with tags, under closure and direct
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; REF: LLVM MMRA document, The happens-before Relation
; The untagged store in between orders the two under closure, for both models; under direct it does so for neither.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: llvm/direct=Sometimes+race amdgpu/direct=Sometimes+race
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
@z = addrspace(1) global i32 0


define void @t0() {
  store i32 1, ptr addrspace(1) @data, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr addrspace(1) @z syncscope("agent") monotonic, align 4
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
