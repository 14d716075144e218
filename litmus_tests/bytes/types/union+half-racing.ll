; A half of a union is written while another thread reads all of it
; REF: LLVM LangRef, Memory Model for Concurrent Operations
; REF: LLVM LangRef, Undefined Values
; A float with a byte that is undef is undef; the half that is not written is there.
; FORALL: t1:%f = undef /\ t1:%low = 0
; EXPECT: llvm=Always+race amdgpu=Always+race
; EXPECT: rc11=Never+race sc=Never tso=Never

@u = global float 1.0

define void @t0() {
  %p = getelementptr i16, ptr @u, i64 1
  store i16 16384, ptr %p
  ret void
}

define void @t1() {
  %f = load float, ptr @u
  %low = load i16, ptr @u
  ret void
}
