; Waiting for a flag that nobody sets in time: each thread waits for the other
; REF: Herlihy, Shavit: The Art of Multiprocessor Programming, 2008, section 2.3
; The flag stuck: under fair scheduling both threads wait for ever. No execution comes to an end.
; EXISTS: true
; EXPECT: llvm=Never+stuck amdgpu=Never+stuck
; EXPECT: rc11=Never+stuck sc=Never+stuck tso=Never+stuck

@x = global i32 0
@y = global i32 0

define void @t0() {
  br label %spin
spin:
  %seen = load atomic i32, ptr @y acquire, align 4
  %unset = icmp eq i32 %seen, 0
  br i1 %unset, label %spin, label %done
done:
  store atomic i32 1, ptr @x release, align 4
  ret void
}

define void @t1() {
  br label %spin
spin:
  %seen = load atomic i32, ptr @x acquire, align 4
  %unset = icmp eq i32 %seen, 0
  br i1 %unset, label %spin, label %done
done:
  store atomic i32 1, ptr @y release, align 4
  ret void
}
