; Compatibility is symmetric: an acquire for foo:x orders a load of foo:x after it
; REF: LLVM MMRA document, Definitions, compatibility
; The twin of MMRA-symmetric-acquire on the safe side of the line.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4, !mmra !{!"foo", !"x"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data, !mmra !{!{!"foo", !"x"}, !{!"foo", !"y"}}
  br label %done

done:
  ret void
}
