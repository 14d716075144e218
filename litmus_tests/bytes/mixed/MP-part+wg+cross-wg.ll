; A byte of a word that another workgroup released at its own scope: the branch on it is undefined
; REF: LLVM LangRef, sync scopes
; REF: the semantics, section 8, Bytes
; The neighbour of MP-part+agent+cross-wg. The scopes do not include each other, so that the byte is undef in every
; execution.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1
; EXPECT: llvm=Never+ub-undef+ub amdgpu=Never+ub-undef+ub

@data = addrspace(1) global i32 0
@word = addrspace(1) global i16 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i16 257, ptr addrspace(1) @word syncscope("workgroup") release, align 2
  ret void
}

define void @t1() {
  %flag = load atomic i8, ptr addrspace(1) @word syncscope("workgroup") acquire, align 1
  %taken = icmp eq i8 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr addrspace(1) @data
  br label %done
done:
  ret void
}
