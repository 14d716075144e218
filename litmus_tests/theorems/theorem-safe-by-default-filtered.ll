; Safe by default stops at the filtered reading of happens-before
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; REF: LLVM MMRA document, The happens-before Relation
; Filtered keeps the store before the load, across the threads, and not the acquire before the load: what the acquire
; makes visible does not reach the load. The two models differ, with neither intrinsics nor amdgcn-av tags.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm/filtered=Never amdgpu/filtered=Sometimes+race
; EXPECT: llvm=Never amdgpu=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
@z = addrspace(1) global i32 0


define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"foo", !"y"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %z = load atomic i32, ptr addrspace(1) @z syncscope("agent") monotonic, align 4
  %data = load i32, ptr addrspace(1) @data, !mmra !{!"foo", !"x"}
  br label %done

done:
  ret void
}
