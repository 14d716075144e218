; mmra-000039-3
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @d @f t0:%r0 t1:%r0 t1:%r1
@d = addrspace(1) global i32 0
@f = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @d, align 4, !mmra !2
  %r0 = atomicrmw xchg ptr addrspace(1) @f, i32 20 release, !mmra !2
  ret void
}
define void @t1() {
  %r0 = atomicrmw add ptr addrspace(1) @f, i32 30 seq_cst
  %r1 = load i32, ptr addrspace(1) @d, align 4, !mmra !3
  ret void
}
!0 = !{!"sync-as", !"3"}
!1 = !{!"vulkan", !"nonprivate"}
!2 = !{!0, !1}
!3 = !{!"sync-as", !"1"}
