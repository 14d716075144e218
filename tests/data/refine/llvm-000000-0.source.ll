; llvm-000000-0
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @d @f t0:%r0 t1:%r0
@d = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @d, align 4
  %r0 = load atomic i32, ptr addrspace(1) @f acquire, align 4
  ret void
}
define void @t1() {
  store atomic i32 2, ptr addrspace(1) @f seq_cst, align 4
  %r0 = load i32, ptr addrspace(1) @d, align 4
  ret void
}
