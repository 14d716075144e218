; mmra-000097-2
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1 t2)))))
; OBSERVE: @f t0:%r0 t1:%r0 t2:%r0 t2:%r1
@f = addrspace(1) global i32 0
define void @t0() {
  %r0 = atomicrmw xchg ptr addrspace(1) @f, i32 10 monotonic, !mmra !0
  ret void
}
define void @t1() {
  %r0 = atomicrmw add ptr addrspace(1) @f, i32 20 monotonic, !mmra !2
  ret void
}
define void @t2() {
  %r0 = load atomic i32, ptr addrspace(1) @f acquire, align 4, !mmra !4
  %r1 = load atomic i32, ptr addrspace(1) @f acquire, align 4
  ret void
}
!0 = !{!"vulkan", !"private"}
!1 = !{!"vulkan", !"nonprivate"}
!2 = !{!1, !0}
!3 = !{!"sync-as", !"3"}
!4 = !{!3, !1}
