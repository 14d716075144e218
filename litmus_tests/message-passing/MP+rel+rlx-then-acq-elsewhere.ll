; Message passing: an acquire load of another location does not acquire for the relaxed load before it
; REF: Boehm, Adve: Foundations of the C++ concurrency memory model, PLDI 2008
; A relaxed load synchronizes only with a fence behind it. The acquire load reads the initial value, and so from no
; release.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race
; EXPECT: rc11=Sometimes+race sc=Never tso=Never

@data = global i32 0
@flag = global i32 0
@other = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %other = load atomic i32, ptr @other acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
