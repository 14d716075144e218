; Property 2: availability expands outwards, to a scope instance that contains the write
; REF: AMDGPU Memory Model, Properties, 2
; Only the scope of the second thread's release differs from property2-outside: the system contains the write.
; SCOPES: (system (agent (workgroup t0)) (agent (workgroup t1) (workgroup t2)))
; EXISTS: t2:%second = 1 /\ ~(t2:%data = 1)
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never

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
  fence release
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
