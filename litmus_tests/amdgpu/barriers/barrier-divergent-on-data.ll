; A barrier in a branch on data that two threads may see differently
; REF: LLVM LangRef, convergent
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; Only the executions in which the reader sees the flag are defined.
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t1:%flag = 1
; EXPECT: llvm=Always+ub+ub-barrier amdgpu=Always+ub+ub-barrier amdgpu-2026=Always+ub+ub-barrier

@flag = addrspace(3) global i32 0

define void @t0() {
  store atomic i32 1, ptr addrspace(3) @flag syncscope("workgroup") monotonic, align 4
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(3) @flag syncscope("workgroup") monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %enter, label %done

enter:
  call void @llvm.amdgcn.s.barrier()
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
