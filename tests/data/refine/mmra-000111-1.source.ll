; mmra-000111-1
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @d @f t0:%r0 t0:%r1 t0:%r2 t1:%r0 t1:%r1
@d = addrspace(3) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  %r0 = load atomic i32, ptr addrspace(1) @f seq_cst, align 4
  %r1 = load i32, ptr addrspace(3) @d, align 4
  %r2 = load atomic i32, ptr addrspace(1) @f monotonic, align 4, !mmra !0
  ret void
}
define void @t1() {
  %r0 = load atomic i32, ptr addrspace(1) @f seq_cst, align 4, !mmra !1
  %r1 = load atomic i32, ptr addrspace(1) @f monotonic, align 4
  ret void
}
!0 = !{!"vulkan", !"nonprivate"}
!1 = !{!"sync-as", !"3"}
