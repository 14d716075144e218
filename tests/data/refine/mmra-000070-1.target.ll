; mmra-000070-1
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1 t2)))))
; OBSERVE: @f t0:%r0 t1:%r0 t2:%r0 t2:%r1
@f = addrspace(1) global i32 0
define void @t0() {
  %r0 = atomicrmw add ptr addrspace(1) @f, i32 10 syncscope("singlethread") monotonic, !mmra !2
  ret void
}
define void @t1() {
  %r0 = atomicrmw add ptr addrspace(1) @f, i32 20 seq_cst, !mmra !1
  ret void
}
define void @t2() {
  %r0 = load atomic i32, ptr addrspace(1) @f acquire, align 4
  %r1 = load atomic i32, ptr addrspace(1) @f seq_cst, align 4, !mmra !0
  ret void
}
!0 = !{!"sync-as", !"3"}
!1 = !{!"vulkan", !"nonprivate"}
!2 = !{!0, !1}
