; A barrier over two workgroups by a counter of scope workgroup: the scope is too small
; REF: Sorensen, Donaldson, Batty, Gopalakrishnan, Rakamaric: Portable Inter-workgroup Barrier Synchronisation for GPUs, OOPSLA 2016
; The load in the loop may not see, or may race with, the addition of the other workgroup: it returns undef.
; SCOPES: (system (agent (cluster (workgroup (wavefront t0)) (workgroup (wavefront t1)))))
; EXISTS: t0:%got = 0 \/ t1:%got = 0
; EXPECT: llvm=Never+ub-undef amdgpu=Never+ub-undef

@arrived = global i32 0
@x = global i32 0
@y = global i32 0

define void @meet() {
  %before = atomicrmw add ptr @arrived, i32 1 syncscope("workgroup") acq_rel, align 4
  br label %wait
wait:
  %now = load atomic i32, ptr @arrived syncscope("workgroup") acquire, align 4
  %all = icmp eq i32 %now, 2
  br i1 %all, label %done, label %wait
done:
  ret void
}

define void @t0() {
  store i32 1, ptr @x
  call void @meet()
  %got = load i32, ptr @y
  ret void
}

define void @t1() {
  store i32 1, ptr @y
  call void @meet()
  %got = load i32, ptr @x
  ret void
}
