; A barrier in loops of different length
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; One thread goes round twice, the other once: undefined.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: true
; EXPECT: llvm=Never+ub+ub-barrier amdgpu=Never+ub+ub-barrier amdgpu-2026=Never+ub+ub-barrier

@data = addrspace(3) global i32 0

define void @t0() {
  br label %round

round:
  %i = phi i32 [ 1, %0 ], [ %next, %round ]
  call void @llvm.amdgcn.s.barrier()
  %next = add i32 %i, 1
  %more = icmp sle i32 %next, 2
  br i1 %more, label %round, label %done

done:
  store i32 1, ptr addrspace(3) @data
  ret void
}

define void @t1() {
  br label %round

round:
  %i = phi i32 [ 1, %0 ], [ %next, %round ]
  call void @llvm.amdgcn.s.barrier()
  %next = add i32 %i, 1
  %more = icmp sle i32 %next, 1
  br i1 %more, label %round, label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
