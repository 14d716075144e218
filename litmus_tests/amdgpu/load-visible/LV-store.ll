; Load-visible: an atomic store is no visibility operation on the write before it
; REF: AMDGPU Memory Model, load-visible; AMDGPU Memory Model, Visibility Operation ("a load-visible operation")
; Nothing makes the plain 1 available, so that it is before nothing in t1. Only the atomic 2 could hide it, if it were before the
; read; but neither the acquire nor the store in t1 makes the 2 visible.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%x = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@x = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @x
  store atomic i32 2, ptr addrspace(1) @x monotonic, align 4
  store atomic i32 1, ptr addrspace(1) @flag release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag acquire, align 4, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  store atomic i32 3, ptr addrspace(1) @x monotonic, align 4
  %x = load i32, ptr addrspace(1) @x
  br label %done

done:
  ret void
}
