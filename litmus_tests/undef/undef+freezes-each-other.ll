; Two loads may be undef because of each other
; REF: semantics, section 3
; REF: LLVM LangRef, freeze instruction
; Each races with a store that the other thread comes to only if what it loads, and freezes, is not the 0 that is there.
; EXISTS: t0:%r = undef /\ t1:%r = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0
@y = global i32 0

define void @t0() {
  %r = load i32, ptr @x
  %f = freeze i32 %r
  %c = icmp eq i32 %f, 5
  br i1 %c, label %write, label %done
write:
  store i32 1, ptr @y
  br label %done
done:
  ret void
}

define void @t1() {
  %r = load i32, ptr @y
  %f = freeze i32 %r
  %c = icmp eq i32 %f, 5
  br i1 %c, label %write, label %done
write:
  store i32 1, ptr @x
  br label %done
done:
  ret void
}
