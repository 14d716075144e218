; A buffer that is handed back too early, where the branch rests on what freeze made of the read
; REF: LLVM LangRef, br; Memory Model for Concurrent Operations ("Otherwise R_byte returns undef")
; REF: LLVM LangRef, freeze
; Either way may be taken, so the write is there and the read is undef: a race, but nothing undefined.
; EXISTS: t1:%free = 1
; EXPECT: rc11=Sometimes+race llvm=Sometimes+race amdgpu=Sometimes+race

@buffer = global i32 1
@free = global i32 0
define void @t0() {
  %read = load i32, ptr @buffer
  %known = freeze i32 %read
  %full = icmp eq i32 %known, 1
  br i1 %full, label %hand, label %done
hand:
  store atomic i32 1, ptr @free monotonic, align 4
  br label %done
done:
  ret void
}
define void @t1() {
  %free = load atomic i32, ptr @free monotonic, align 4
  %mine = icmp eq i32 %free, 1
  br i1 %mine, label %fill, label %done
fill:
  store i32 2, ptr @buffer
  br label %done
done:
  ret void
}
