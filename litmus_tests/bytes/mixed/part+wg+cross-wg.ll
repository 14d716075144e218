; A byte of a word that another workgroup stored at its own scope is undef
; REF: LLVM LangRef, sync scopes
; REF: the semantics, section 8, Bytes
; What MP-part+wg+cross-wg branches on. The other byte was not stored, and has its initial value.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; FORALL: t1:%b0 = undef /\ t1:%b3 = 0
; EXPECT: llvm=Always+mixed-atomics+race amdgpu=Always+mixed-atomics+race

@word = addrspace(1) global i32 0

define void @t0() {
  store atomic i16 257, ptr addrspace(1) @word syncscope("workgroup") monotonic, align 2
  ret void
}

define void @t1() {
  %p3 = getelementptr i8, ptr addrspace(1) @word, i64 3
  %b0 = load atomic i8, ptr addrspace(1) @word syncscope("agent") monotonic, align 1
  %b3 = load atomic i8, ptr addrspace(1) %p3 syncscope("agent") monotonic, align 1
  ret void
}
