; A racing write that is the only one a read may see: LLVM returns it, AMDGPU undef
; REF: LangRef, Memory Model for Concurrent Operations ("Otherwise R_byte returns undef")
; REF: AMDGPU Memory Model, Reads ("if R may see some write that is not location-ordered before R, then R returns undef")
; REF: MMRA document, The happens-before Relation
; In program order the 1 comes before the 2, in happens-before, by way of t1, the 2 before the 1: the load of @back and the store of
; @there clash. So both hide each other, and both hide the initial write.
; The write of t2 is ordered with nothing. It is one write, not several; AMDGPU asks that it come before the read as well.
; EXISTS: t0:%back = 1 /\ t0:%x = undef
; EXPECT: llvm=Never+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
@x = global i32 0
@there = global i32 0
@back = global i32 0
define void @t0() {
  %back = load atomic i32, ptr @back acquire, align 4, !mmra !{!"foo", !"back"}
  store i32 1, ptr @x, !mmra !{!"foo", !"back"}
  store i32 2, ptr @x, !mmra !{!"foo", !"there"}
  store atomic i32 1, ptr @there release, align 4, !mmra !{!"foo", !"there"}
  %x = load i32, ptr @x
  ret void
}

define void @t1() {
  %there = load atomic i32, ptr @there acquire, align 4
  %set = icmp eq i32 %there, 1
  br i1 %set, label %answer, label %done

answer:
  store atomic i32 1, ptr @back release, align 4
  br label %done

done:
  ret void
}

define void @t2() {
  store i32 3, ptr @x
  ret void
}
