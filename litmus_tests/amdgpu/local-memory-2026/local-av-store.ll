; Local memory: the same through an av intrinsic and a generic pointer
; REF: AMDGPU Memory Model, addrspace(3); https://github.com/llvm/llvm-project/pull/212707
; The intrinsic's operand is its scope, and wavefront is too small; but the flat address resolves to addrspace(3), where
; accesses are available at workgroup scope.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Never

@data = addrspace(3) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  %vector.flat = addrspacecast ptr addrspace(3) @data to ptr
  call void @llvm.amdgcn.av.store.b128(ptr %vector.flat, <4 x i32> splat (i32 1), metadata !"wavefront")
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %vector = load <4 x i32>, ptr addrspace(3) @data
  %data = extractelement <4 x i32> %vector, i32 0
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.av.store.b128(ptr, <4 x i32>, metadata)
