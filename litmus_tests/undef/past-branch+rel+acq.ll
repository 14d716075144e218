; A buffer that is read, branched on, and handed back by a release that the next write waits for
; REF: LLVM LangRef, br; Memory Model for Concurrent Operations ("Otherwise R_byte returns undef")
; REF: RC11, section 3
; EXISTS: t1:%free = 1
; EXPECT: rc11=Sometimes llvm=Sometimes amdgpu=Sometimes

@buffer = global i32 1
@free = global i32 0
define void @t0() {
  %read = load i32, ptr @buffer
  %full = icmp eq i32 %read, 1
  br i1 %full, label %hand, label %done
hand:
  store atomic i32 1, ptr @free release, align 4
  br label %done
done:
  ret void
}
define void @t1() {
  %free = load atomic i32, ptr @free acquire, align 4
  %mine = icmp eq i32 %free, 1
  br i1 %mine, label %fill, label %done
fill:
  store i32 2, ptr @buffer
  br label %done
done:
  ret void
}
