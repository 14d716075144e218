; Visibility is bounded by availability: a wide acquire does not widen a narrow release
; REF: AMDGPU Memory Model, Properties
; The fence makes the data available in its workgroup; the reader, in another one, acquires at system scope.
; The flag is released at agent scope, non-av: happens-before is there, availability is not.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0


define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence syncscope("workgroup") release
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4, !mmra !{!"amdgcn-av", !"none"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  fence acquire
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
