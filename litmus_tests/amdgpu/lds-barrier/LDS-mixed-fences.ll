; The scopes of the fences need only include each other
; REF: MLIR amdgpu.lds_barrier lowering; https://github.com/llvm/llvm-project/pull/157919
; Agent on one side, workgroup on the other.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; PROFILE: amdgpu
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(3) @data
  fence syncscope("agent") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("agent") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  ret void
}

define void @t1() {
  fence syncscope("workgroup") release, !mmra !{!"amdgpu-synchronize-as", !"local"}
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire, !mmra !{!"amdgpu-synchronize-as", !"local"}
  %data = load i32, ptr addrspace(3) @data
  ret void
}

declare void @llvm.amdgcn.s.barrier()
