; A barrier in a loop: every round is a phase of its own
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; The reader takes each round's value; a second barrier an iteration keeps the next write away.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)))
; EXISTS: ~(t1:%sum = 3)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global i32 0

define void @t0() {
  br label %round

round:
  %i = phi i32 [ 1, %0 ], [ %next, %round ]
  store i32 %i, ptr addrspace(3) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %next = add i32 %i, 1
  %more = icmp sle i32 %next, 2
  br i1 %more, label %round, label %done

done:
  ret void
}

define void @t1() {
  br label %round

round:
  %i = phi i32 [ 1, %0 ], [ %next, %round ]
  %before = phi i32 [ 0, %0 ], [ %sum, %round ]
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %data = load i32, ptr addrspace(3) @data
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %sum = add i32 %before, %data
  %next = add i32 %i, 1
  %more = icmp sle i32 %next, 2
  br i1 %more, label %round, label %done

done:
  ret void
}

declare void @llvm.amdgcn.s.barrier()
