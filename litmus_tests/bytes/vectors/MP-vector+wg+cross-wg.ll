; A vector is published in its workgroup, and read from another one
; REF: LLVM LangRef, sync scopes
; REF: LLVM LangRef, Vector Type
; The neighbour of MP-vector+wg+same-wg. The flag is undef, and frozen.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%frozen = 1 /\ t1:%element = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race

@v = addrspace(1) global <4 x i32> zeroinitializer
@flag = addrspace(1) global i32 0

define void @t0() {
  store <4 x i32> splat (i32 1), ptr addrspace(1) @v
  store atomic i32 1, ptr addrspace(1) @flag syncscope("workgroup") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("workgroup") acquire, align 4
  %frozen = freeze i32 %flag
  %taken = icmp eq i32 %frozen, 1
  br i1 %taken, label %then, label %done
then:
  %p = getelementptr i32, ptr addrspace(1) @v, i64 3
  %element = load i32, ptr addrspace(1) %p
  br label %done
done:
  ret void
}
