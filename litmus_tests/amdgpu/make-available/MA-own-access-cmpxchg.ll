; MakeAvailable: a release cmpxchg with amdgcn-av:none keeps the availability of its own access
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; As MA-own-access.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  %old.pair = cmpxchg ptr addrspace(1) @data, i32 0, i32 1 syncscope("agent") release monotonic, align 4, !mmra !0
  %old = extractvalue { i32, i1 } %old.pair, 0
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !0
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

!0 = !{!"amdgcn-av", !"none"}
