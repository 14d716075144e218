; mmra-000109-1
; SCOPES: (system (agent (cluster (workgroup (wavefront t0 t1)))))
; OBSERVE: @f @h t0:%r0 t1:%r0
@f = addrspace(1) global i32 0
@h = addrspace(1) global i32 0
define void @t0() {
  %r0 = load atomic i32, ptr addrspace(1) @f monotonic, align 4
  store atomic i32 1, ptr addrspace(1) @h monotonic, align 4
  ret void
}
define void @t1() {
  %r0 = load atomic i32, ptr addrspace(1) @h monotonic, align 4, !mmra !0
  store atomic i32 2, ptr addrspace(1) @f monotonic, align 4, !mmra !3
  ret void
}
!0 = !{!"sync-as", !"3"}
!1 = !{!"sync-as", !"1"}
!2 = !{!"vulkan", !"private"}
!3 = !{!1, !2}
