; mmra-000040-3
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @e @f
@e = addrspace(3) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  fence seq_cst
  store i32 1, ptr addrspace(3) @e, align 4
  ret void
}
define void @t1() {
  store atomic i32 2, ptr addrspace(1) @f monotonic, align 4
  fence seq_cst
  ret void
}
