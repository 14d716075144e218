; Load buffering: a store behind a branch on whether a compare-exchange succeeds depends on what that expected
; Whether it succeeds is a comparison of what it reads and what it expects. Else 1 would come out of thin air here.
; EXISTS: t0:%r = 1
; EXPECT: llvm=Never llvm/rc11=Never llvm/none=Sometimes amdgpu=Never

@x = global i32 0
@y = global i32 0
@u = global i32 1

define void @t0() {
  %r = load atomic i32, ptr @x monotonic, align 4
  %pair = cmpxchg ptr @u, i32 %r, i32 2 monotonic monotonic
  %ok = extractvalue { i32, i1 } %pair, 1
  br i1 %ok, label %then, label %done
then:
  store atomic i32 1, ptr @y monotonic, align 4
  br label %done
done:
  ret void
}

define void @t1() {
  %s = load atomic i32, ptr @y monotonic, align 4
  store atomic i32 %s, ptr @x monotonic, align 4
  ret void
}
