; mmra-000110-1
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1 t2)))))
; OBSERVE: @f t0:%r0 t1:%r0 t2:%r0 t2:%r1
@f = addrspace(1) global i32 0
define void @t0() {
  %r0 = atomicrmw add ptr addrspace(1) @f, i32 10 seq_cst
  ret void
}
define void @t1() {
  %r0 = atomicrmw xchg ptr addrspace(1) @f, i32 20 release, !mmra !2
  ret void
}
define void @t2() {
  %r0 = load atomic i32, ptr addrspace(1) @f acquire, align 4
  fence acq_rel, !mmra !1
  %r1 = load atomic i32, ptr addrspace(1) @f seq_cst, align 4
  ret void
}
!0 = !{!"vulkan", !"nonprivate"}
!1 = !{!"vulkan", !"private"}
!2 = !{!0, !1}
