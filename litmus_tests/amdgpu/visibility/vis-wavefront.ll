; Visibility: a release of the wavefront and an acquire of the system, in one wavefront: the common scope is the wavefront
; REF: AMDGPU Memory Model, Visibility Operation ("in the common scope instance")
; REF: AMDGPU Memory Model, Scopes
; As vis-common-scope, one level below.
; SCOPES: (agent (workgroup (wavefront t0 t1)))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("wavefront") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
