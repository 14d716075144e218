; Visibility: a wide acquire cannot make visible further out than the write already is
; REF: AMDGPU Memory Model, Visibility Operation
; The write is visible in the first workgroup. The third thread's acquire names the agent, but the intersection is
; the workgroup, and the last thread is outside.
; SCOPES: (agent (workgroup t0 t1 t2) (workgroup t3))
; EXISTS: t3:%third = 1 /\ t3:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0
@third = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @first syncscope("workgroup") release, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("workgroup") acquire, align 4
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @second syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("agent") acquire, align 4
  %set = icmp eq i32 %second, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @third syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  br label %done

done:
  ret void
}

define void @t3() {
  %third = load atomic i32, ptr addrspace(1) @third syncscope("agent") acquire, align 4
  %set = icmp eq i32 %third, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
