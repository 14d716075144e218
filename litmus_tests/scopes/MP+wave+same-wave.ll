; Scopes: wavefront scope works inside a wavefront
; REF: AMDGPU memory model, sync scopes
; The strong side of MP+wave+same-wg.
; SCOPES: (agent (workgroup (wavefront t0 t1)))
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never

@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag syncscope("wavefront") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag syncscope("wavefront") acquire, align 4
  %taken = icmp eq i32 %flag, 1
  br i1 %taken, label %then, label %done
then:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
