; load-visible: it makes visible its own location only
; REF: AMDGPU Memory Model, load-visible
; REF: AMDGPU Memory Model, Visibility Operation
; The load-visible operation of one location leaves the plain load of the other as it was.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%seen = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@other = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store i32 1, ptr addrspace(1) @other
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %seen = load atomic i32, ptr addrspace(1) @other syncscope("agent") monotonic, align 4
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
