; MakeVisible: a tagged acquire load makes its own access visible, and no other
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; The plain load after it may see the initial value; compare MV-own-access.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%mark = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@mark = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store i32 1, ptr addrspace(1) @mark
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %mark = load atomic i32, ptr addrspace(1) @mark syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
