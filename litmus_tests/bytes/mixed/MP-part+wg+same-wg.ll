; Synchronization through a byte, at the scope of the workgroup that both threads are in
; REF: LLVM LangRef, sync scopes
; REF: the semantics, section 8, Bytes
; SCOPES: (agent (workgroup t0 t1))
; EXISTS: t1:%flag = 1 /\ ~(t1:%data = 1)
; EXPECT: llvm=Never+mixed-atomics amdgpu=Never+mixed-atomics

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
