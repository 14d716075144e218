; MakeVisible: an acquire load with amdgcn-av:none keeps the visibility of its own access
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; The data is read by a tagged acquire load: the metadata affects the ordering of other accesses only.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load atomic i32, ptr addrspace(1) @data syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  br label %done

done:
  ret void
}
