; Location order: non-av fences inside of a thread change nothing
; REF: AMDGPU Memory Model, Location Order
; Program order is enough.
; EXISTS: ~(t0:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

@data = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence seq_cst, !mmra !{!"amdgcn-av", !"none"}
  %data = load i32, ptr addrspace(1) @data
  ret void
}
