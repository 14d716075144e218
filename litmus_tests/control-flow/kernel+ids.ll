; One kernel: the workitem and workgroup ids tell the threads apart
; REF: LLVM AMDGPUUsage, LLVM IR Intrinsics (llvm.amdgcn.workitem.id, llvm.amdgcn.workgroup.id)
; The ids follow the scope tree: the place of the thread in its workgroup, and of the workgroup in the tree.
; SCOPES: (agent (workgroup a b) (workgroup c))
; THREADS: c=@k() a=@k() b=@k()
; FORALL: a:%g = 0 /\ b:%w = 1 /\ c:%g = 1 /\ c:%w = 0 /\ @x[2] = 12 /\ b:%h.1.q = 1
; EXPECT: llvm=Always amdgpu=Always
@x = global [3 x i32] zeroinitializer
declare i32 @llvm.amdgcn.workitem.id.x()
declare i32 @llvm.amdgcn.workgroup.id.x()
define i32 @h() {
  %q = call i32 @llvm.amdgcn.workitem.id.x()
  ret i32 %q
}
define amdgpu_kernel void @k() {
  %w = call noundef i32 @llvm.amdgcn.workitem.id.x()
  %g = call i32 @llvm.amdgcn.workgroup.id.x()
  %z = call i32 @h()
  %t = mul i32 %g, 2
  %i = add i32 %w, %t
  %p = getelementptr [3 x i32], ptr @x, i32 0, i32 %i
  %v = add i32 %i, 10
  store i32 %v, ptr %p
  ret void
}
