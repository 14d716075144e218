; Value: undef that is read is written on
; REF: AMDGPU Memory Model, Location Order, the value of a read
; The second reader sees one write, of the value undef: it is ordered and visible, but undefined.
; SCOPES: (agent (workgroup t0) (workgroup t1) (workgroup t2))
; EXISTS: t2:%second = 1 /\ t2:%copy = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@copy = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @first syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("agent") acquire, align 4
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  %data = load i32, ptr addrspace(1) @data
  store i32 %data, ptr addrspace(1) @copy
  store atomic i32 1, ptr addrspace(1) @second syncscope("agent") release, align 4
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("agent") acquire, align 4
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %copy = load i32, ptr addrspace(1) @copy
  br label %done

done:
  ret void
}
