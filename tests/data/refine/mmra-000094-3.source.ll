; mmra-000094-3
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1 t2)))))
; OBSERVE: @d @f t0:%r0 t0:%r1 t0:%r2 t1:%r0
@d = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  %r0 = load atomic i32, ptr addrspace(1) @f monotonic, align 4
  %r1 = load atomic i32, ptr addrspace(1) @f monotonic, align 4, !mmra !0
  %r2 = load atomic i32, ptr addrspace(1) @f seq_cst, align 4, !mmra !1
  ret void
}
define void @t1() {
  %r0 = load i32, ptr addrspace(1) @d, align 4, !mmra !2
  store i32 1, ptr addrspace(1) @d, align 4
  ret void
}
define void @t2() {
  store atomic i32 2, ptr addrspace(1) @f seq_cst, align 4, !mmra !0
  store atomic i32 3, ptr addrspace(1) @f release, align 4, !mmra !4
  ret void
}
!0 = !{!"sync-as", !"1"}
!1 = !{!"vulkan", !"private"}
!2 = !{!"vulkan", !"nonprivate"}
!3 = !{!"sync-as", !"3"}
!4 = !{!3, !2}
