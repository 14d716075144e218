; A barrier in a branch that all threads take
; REF: LLVM LangRef, convergent
; REF: LLVM AMDGPUUsage, llvm.amdgcn.s.barrier
; The condition is the same in all threads.
; THREADS: t0=@kernel(i32 0, i32 1) t1=@kernel(i32 1, i32 1)
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: ~(t0:%got = 2 /\ t1:%got = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(3) global [2 x i32] zeroinitializer

define void @kernel(i32 %id, i32 %uniform) {
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(3) @data, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(3) @data, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(3) %mine
  %set = icmp eq i32 %uniform, 1
  br i1 %set, label %enter, label %done

enter:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  br label %done

done:
  %got = load i32, ptr addrspace(3) %theirs
  ret void
}

declare void @llvm.amdgcn.s.barrier()
