; MakeVisible: an acquire cmpxchg with amdgcn-av:none does not
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; One notch below MV-cmpxchg.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag.pair = cmpxchg ptr addrspace(1) @flag, i32 1, i32 2 syncscope("agent") acquire monotonic, align 4, !mmra !0
  %flag = extractvalue { i32, i1 } %flag.pair, 0
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}

!0 = !{!"amdgcn-av", !"none"}
