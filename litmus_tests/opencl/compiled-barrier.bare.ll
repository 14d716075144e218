; Compiled OpenCL: a work-group barrier is fences around a barrier of LLVM; without them it orders nothing
; EXISTS: w1:%v = 0
; SCOPES: (agent (workgroup w0 w1))
; EXPECT: opencl=Always+race

@s = addrspace(1) global i32 0

define void @w0() {
  store i32 1, ptr addrspace(1) @s
  call void @llvm.amdgcn.s.barrier()
  ret void
}

define void @w1() {
  call void @llvm.amdgcn.s.barrier()
  %v = load i32, ptr addrspace(1) @s
  ret void
}

declare void @llvm.amdgcn.s.barrier()
