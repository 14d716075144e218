; A buffer that is read, branched on, and handed back by a relaxed store: the next write races with the read
; REF: LLVM LangRef, br; Memory Model for Concurrent Operations ("Otherwise R_byte returns undef")
; REF: RC11, section 3; the same program in C has a data race
; The write is there only because t0 goes on past a branch on the read, which it makes undef: no execution has both.
; The program is undefined all the same, as it is where t0 does not branch.
; EXISTS: t1:%free = 1
; EXPECT: rc11=Sometimes+race llvm=Never+ub-undef+ub amdgpu=Never+ub-undef+ub

@buffer = global i32 1
@free = global i32 0
define void @t0() {
  %read = load i32, ptr @buffer
  %full = icmp eq i32 %read, 1
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
