; A barrier of all workgroups by a counter: monotonic arrival
; REF: Xiao, Feng: Inter-block GPU communication via fast barrier synchronization, IPDPS 2010
; Nothing is released.
; THREADS: a=@kernel(i32 0) b=@kernel(i32 1)
; SCOPES: (agent (workgroup a) (workgroup b))
; EXISTS: a:%seen = 2 /\ a:%got = undef \/ b:%seen = 2 /\ b:%got = undef
; EXPECT: llvm=Always+race amdgpu=Always+race

@slots = addrspace(1) global [2 x i32] zeroinitializer
@count = addrspace(1) global i32 0

define void @kernel(i32 %id) {
  %other = xor i32 %id, 1
  %mine = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %id
  %theirs = getelementptr [2 x i32], ptr addrspace(1) @slots, i32 0, i32 %other
  %value = add i32 %id, 1
  store i32 %value, ptr addrspace(1) %mine
  %ticket = atomicrmw add ptr addrspace(1) @count, i32 1 syncscope("agent") monotonic, align 4
  %seen = load atomic i32, ptr addrspace(1) @count syncscope("agent") acquire, align 4
  %set = icmp eq i32 %seen, 2
  br i1 %set, label %pass, label %done

pass:
  %got = load i32, ptr addrspace(1) %theirs
  br label %done

done:
  ret void
}
