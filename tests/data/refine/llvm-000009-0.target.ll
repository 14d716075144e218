; llvm-000009-0
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @f @h t0:%r0 t1:%r0
@f = addrspace(1) global i32 0
@h = addrspace(1) global i32 0
define void @t0() {
  %r0 = load atomic i32, ptr addrspace(1) @f monotonic, align 4
  store atomic i32 %r0, ptr addrspace(1) @h monotonic, align 4
  ret void
}
define void @t1() {
  %r0 = load atomic i32, ptr addrspace(1) @h monotonic, align 4
  fence acq_rel
  store atomic i32 %r0, ptr addrspace(1) @f syncscope("cluster") monotonic, align 4
  ret void
}
