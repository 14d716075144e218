; Synchronization: whether a fence synchronizes through a store with another tag is up to the target
; REF: LLVM MMRA document, Synchronization
; The example of the document: fence release for foo:bar, then an atomic store of foo:bux.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@strict=Sometimes+race llvm@strict/direct=Sometimes+race llvm@strict/filtered=Sometimes+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  fence release, !mmra !{!"foo", !"bar"}
  store atomic i32 1, ptr @flag monotonic, align 4, !mmra !{!"foo", !"bux"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  fence acquire
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
