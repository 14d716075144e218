; A barrier in a branch that only one thread takes
; REF: LLVM LangRef, convergent
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; The other thread of the workgroup never arrives: undefined, whatever the rest does.
; THREADS: t0=@kernel(i32 0) t1=@kernel(i32 1)
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: true
; EXPECT: llvm=Never+ub+ub-barrier amdgpu=Never+ub+ub-barrier amdgpu-2026=Never+ub+ub-barrier

@data = addrspace(3) global i32 0

define void @kernel(i32 %id) {
  store atomic i32 1, ptr addrspace(3) @data syncscope("workgroup") monotonic, align 4
  %set = icmp eq i32 %id, 0
  br i1 %set, label %enter, label %done

enter:
  call void @llvm.amdgcn.s.barrier()
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
