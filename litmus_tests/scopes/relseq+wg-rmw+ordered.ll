; A read-modify-write whose scope does not include the release is no part of its release sequence
; REF: the semantics, section 3 (rs: reads-from between inclusive scopes); ISO C++20, 6.9.2 (release sequences)
; REF: LangRef, Atomic Memory Ordering Constraints (sync scopes); MMRA document, The happens-before Relation
; As MP+rel+wg-flag-fence+ordered, with a read-modify-write of the workgroup before a load of the system, both of t1.
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
  %own = atomicrmw add ptr @flag, i32 1 syncscope("workgroup") monotonic, align 4
  %flag = load atomic i32, ptr @flag monotonic, align 4
  fence acquire
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
