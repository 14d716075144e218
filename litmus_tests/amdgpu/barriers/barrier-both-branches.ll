; A barrier in both branches of a divergent condition
; REF: LLVM LangRef, convergent
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; Every thread executes one barrier: they meet, wherever the instruction stands.
; THREADS: t0=@kernel(i32 0) t1=@kernel(i32 1)
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: ~(t1:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @kernel(i32 %id) {
  %first = icmp eq i32 %id, 0
  br i1 %first, label %writer, label %reader

writer:
  store i32 1, ptr addrspace(3) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br label %done

reader:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %data = load i32, ptr addrspace(3) @data
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
