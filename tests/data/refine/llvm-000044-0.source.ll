; llvm-000044-0
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @d @e @f t1:%r0 t1:%r1 t1:%r2
@d = addrspace(1) global i32 0
@e = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @d, align 4
  store i32 2, ptr addrspace(1) @e, align 4
  store atomic i32 3, ptr addrspace(1) @f release, align 4
  ret void
}
define void @t1() {
  %r0 = load atomic i32, ptr addrspace(1) @f monotonic, align 4
  %r1 = load i32, ptr addrspace(1) @e, align 4
  %r2 = load i32, ptr addrspace(1) @d, align 4
  ret void
}
