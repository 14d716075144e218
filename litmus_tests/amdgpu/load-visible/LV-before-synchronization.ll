; load-visible: it makes visible what happens before it, and not what comes later
; REF: AMDGPU Memory Model, load-visible
; REF: AMDGPU Memory Model, Visibility Operation
; The atomic load comes before the acquire: it races with the store, under LLVM too, and the plain load afterwards
; has no visibility operation.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %early = load atomic i32, ptr addrspace(1) @data syncscope("agent") monotonic, align 4
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
