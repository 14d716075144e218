; store-available: a plain vector store is not
; REF: AMDGPU Memory Model, store-available
; The vector twin of SA-plain, for comparison with the intrinsics.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  store <4 x i32> splat (i32 1), ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %vector = load <4 x i32>, ptr addrspace(1) @data
  %data = extractelement <4 x i32> %vector, i32 0
  br label %done

done:
  ret void
}
