; Inside a thread location order stops needing happens-before: program order is enough
; REF: AMDGPU Memory Model, Properties
; The tags of the two accesses are incompatible, so neither happens before the other; the load returns the store's value.
; EXISTS: t0:%data = 1
; EXPECT: llvm=Always amdgpu=Always amdgpu-2026=Always
; EXPECT: llvm/direct=Always amdgpu/direct=Always
@data = addrspace(1) global i32 0


define void @t0() {
  store i32 1, ptr addrspace(1) @data, !mmra !{!"foo", !"x"}
  %data = load i32, ptr addrspace(1) @data, !mmra !{!"foo", !"y"}
  ret void
}
