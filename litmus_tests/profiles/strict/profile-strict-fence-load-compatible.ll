; strict: an acquire fence synchronizes through an earlier load with its tag
; REF: LLVM MMRA document, Synchronization
; REF: the semantics, section 2, target profiles
; The twin of profile-strict-fence-load on the safe side of the line.
; PROFILE: strict
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@generic=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4, !mmra !{!"foo", !"x"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  fence acquire, !mmra !{!"foo", !"x"}
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
