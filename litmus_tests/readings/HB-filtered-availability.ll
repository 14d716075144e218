; filtered breaks the AMDGPU model's promise of being safe by default
; REF: AMDGPU memory model, MakeAvailable and MakeVisible
; REF: LLVM MMRA document, Ordering; the semantics, section 2, "Happens-before"
; The store is before the load in happens-before under filtered, but it is not before the release that would make it
; available. Under closure and direct the two models agree.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Sometimes+race llvm/filtered=Never
; EXPECT: amdgpu=Never amdgpu/direct=Sometimes+race amdgpu/filtered=Sometimes+race
@data = global i32 0
@z = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"x"}
  store atomic i32 1, ptr @z monotonic, align 4
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"foo", !"y"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
