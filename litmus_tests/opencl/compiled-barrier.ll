; Compiled OpenCL: a work-group barrier is fences around a barrier of LLVM
; EXISTS: w1:%v = 0
; SCOPES: (agent (workgroup w0 w1))
; EXPECT: opencl=Never

@s = addrspace(1) global i32 0

define void @w0() {
  store i32 1, ptr addrspace(1) @s
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  ret void
}

define void @w1() {
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %v = load i32, ptr addrspace(1) @s
  ret void
}

declare void @llvm.amdgcn.s.barrier()
