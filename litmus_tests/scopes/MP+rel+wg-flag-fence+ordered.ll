; A release and a fence of the system do not synchronize through a load whose own scope is too small
; REF: the semantics, section 3 (sw: reads-from between inclusive scopes)
; REF: LangRef, Atomic Memory Ordering Constraints (sync scopes); MMRA document, The happens-before Relation
; The load reads the flag, which another release of t0 has put before it. Its workgroup does not include t0: only the reading in
; which the flag's release happens before the other, with all that is before it, orders the data.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%before = 1 /\ t1:%data = 0
; EXPECT: llvm/direct=Sometimes+race llvm=Never
@data = global i32 0
@flag = global i32 0
@before = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"foo", !"data"}
  store atomic i32 1, ptr @flag release, align 4
  store atomic i32 1, ptr @before release, align 4, !mmra !{!"foo", !"before"}
  ret void
}

define void @t1() {
  %before = load atomic i32, ptr @before acquire, align 4
  %set = icmp eq i32 %before, 1
  br i1 %set, label %read, label %done

read:
  %flag = load atomic i32, ptr @flag syncscope("workgroup") monotonic, align 4
  fence acquire
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
