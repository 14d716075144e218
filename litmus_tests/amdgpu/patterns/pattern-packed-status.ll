; Look-back: status and value packed in one atomic word
; REF: Merrill, Garland: Single-pass parallel prefix scan with decoupled look-back, NVIDIA 2016
; Monotonic is enough: the word is its own message.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: ~(t1:%word = 0 \/ t1:%word = 263)
; EXPECT: llvm=Never amdgpu=Never

@word = addrspace(1) global i32 0

define void @t0() {
  store atomic i32 263, ptr addrspace(1) @word syncscope("agent") monotonic, align 4
  ret void
}

define void @t1() {
  %word = load atomic i32, ptr addrspace(1) @word syncscope("agent") monotonic, align 4
  ret void
}
