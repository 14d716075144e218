; Location order: under the filtered reading of happens-before a store loses its availability
; REF: AMDGPU Memory Model, Location Order
; REF: LLVM MMRA document, The happens-before Relation
; An untagged access between clashing tags keeps the store before the load, but not before the release that would
; make it available.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never llvm/direct=Sometimes+race llvm/filtered=Never
; EXPECT: amdgpu=Never amdgpu-2026=Never amdgpu/direct=Sometimes+race amdgpu/filtered=Sometimes+race

@data = addrspace(1) global i32 0
@other = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data, !mmra !{!"space", !"x"}
  store atomic i32 1, ptr addrspace(1) @other syncscope("agent") monotonic, align 4
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"space", !"y"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
