; Message passing whose reader asserts what it should see: without release and acquire the assertion can fail
; REF: GenMC and other stateless model checkers ask for assertions in the program
; EXPECT: llvm=Sometimes+assert
; EXPECT: sc=Never
@data = global i32 0
@flag = global i32 0
declare void @abort()
define void @t0() {
  store atomic i32 1, ptr @data monotonic, align 4
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}
define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %seen = icmp eq i32 %flag, 1
  br i1 %seen, label %read, label %done
read:
  %data = load atomic i32, ptr @data monotonic, align 4
  %stale = icmp eq i32 %data, 0
  br i1 %stale, label %fail, label %done
fail:
  call void @abort()
  unreachable
done:
  ret void
}
