; mmra-000040-1
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1 t2 t3)))))
; OBSERVE: @f @h t2:%r0 t2:%r1 t3:%r0 t3:%r1
@f = addrspace(1) global i32 0
@h = addrspace(1) global i32 0
define void @t0() {
  store atomic i32 1, ptr addrspace(1) @f seq_cst, align 4
  ret void
}
define void @t1() {
  store atomic i32 2, ptr addrspace(1) @h monotonic, align 4
  ret void
}
define void @t2() {
  %r0 = load atomic i32, ptr addrspace(1) @f monotonic, align 4
  %r1 = load atomic i32, ptr addrspace(1) @h acquire, align 4, !mmra !2
  ret void
}
define void @t3() {
  %r0 = load atomic i32, ptr addrspace(1) @h acquire, align 4, !mmra !4
  %r1 = load atomic i32, ptr addrspace(1) @f acquire, align 4, !mmra !1
  ret void
}
!0 = !{!"sync-as", !"1"}
!1 = !{!"vulkan", !"nonprivate"}
!2 = !{!0, !1}
!3 = !{!"vulkan", !"private"}
!4 = !{!1, !3}
