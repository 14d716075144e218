; Synchronization: a store with the same tag as the fence synchronizes under every target
; REF: LLVM MMRA document, Synchronization
; The twin of MMRA-synchronization on the safe side of the line.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@strict=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  fence release, !mmra !{!"foo", !"bar"}
  store atomic i32 1, ptr @flag monotonic, align 4, !mmra !{!"foo", !"bar"}
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
