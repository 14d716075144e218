; Waiting for a flag that is taken back: the waiting thread may miss it
; REF: Herlihy, Shavit: The Art of Multiprocessor Programming, 2008, section 8.2
; A lost wake-up: the flag is set and cleared. Either the loop sees it set, or it is stuck.
; EXISTS: t1:%flag = 1
; EXPECT: llvm=Always+stuck amdgpu=Always+stuck
; EXPECT: rc11=Always+stuck sc=Always+stuck tso=Always+stuck

@flag = global i32 0

define void @t0() {
  store atomic i32 1, ptr @flag release, align 4
  store atomic i32 0, ptr @flag release, align 4
  ret void
}

define void @t1() {
  br label %spin
spin:
  %flag = load atomic i32, ptr @flag acquire, align 4
  %unset = icmp eq i32 %flag, 0
  br i1 %unset, label %spin, label %done
done:
  ret void
}
