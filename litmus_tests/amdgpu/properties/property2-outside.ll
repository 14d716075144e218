; Property 2: a write cannot be made available in a scope instance that does not contain it
; REF: AMDGPU Memory Model, Properties, 2
; The second thread releases at the scope of its own agent, where the write is not: nothing for a reader on that
; agent to see.
; SCOPES: (system (agent (workgroup t0)) (agent (workgroup t1) (workgroup t2)))
; EXISTS: t2:%second = 1 /\ t2:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global i32 0
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  fence release
  store atomic i32 1, ptr addrspace(1) @first monotonic, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first monotonic, align 4
  fence acquire, !mmra !{!"amdgcn-av", !"none"}
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  fence syncscope("agent") release
  store atomic i32 1, ptr addrspace(1) @second syncscope("agent") monotonic, align 4
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("agent") monotonic, align 4
  fence syncscope("agent") acquire
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
