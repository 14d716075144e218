; In a wave of one lane its first lane is the thread itself
; REF: LLVM, AMDGPUUsage, llvm.amdgcn.readfirstlane
; SCOPES: (agent (workgroup t0 t1))
; PROFILE: amdgpu
; EXISTS: t1:%v = 1 /\ ~(t1:%b = 1)
; EXPECT: llvm=Never
@x = addrspace(1) global i32 0
define void @t0() {
  store atomic i32 1, ptr addrspace(1) @x syncscope("workgroup") monotonic, align 4
  ret void
}
define void @t1() {
  %r = load atomic i32, ptr addrspace(1) @x syncscope("workgroup") monotonic, align 4
  %v = call i32 @llvm.amdgcn.readfirstlane.i32(i32 %r)
  %c = icmp eq i32 %v, 1
  %b = call i64 @llvm.amdgcn.ballot.i64(i1 %c)
  ret void
}
declare i32 @llvm.amdgcn.readfirstlane.i32(i32)
declare i64 @llvm.amdgcn.ballot.i64(i1)
