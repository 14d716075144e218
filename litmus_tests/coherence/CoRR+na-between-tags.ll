; Modification order is of atomic writes: a plain write between two of them in happens-before orders neither
; REF: MMRA document, The happens-before Relation
; REF: the semantics, section 3 ("mo is one total order a location over its A writes")
; The first write happens before the plain one, which program order alone puts before the last: their tags clash. So the last
; may be first in modification order, and a reader that it happens before may still see the first. Memory holds the last:
; the first is before the plain one, and that before the last.
; EXISTS: t2:%last = 1 /\ t2:%x = 1 /\ ~(@x = undef)
; EXPECT: llvm=Sometimes+race
@x = global i32 0
@first = global i32 0
@last = global i32 0
define void @t0() {
  store atomic i32 1, ptr @x monotonic, align 4
  store atomic i32 1, ptr @first release, align 4
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr @first acquire, align 4, !mmra !{!"foo", !"a"}
  %set = icmp eq i32 %first, 1
  br i1 %set, label %write, label %done

write:
  store i32 2, ptr @x, !mmra !{!"foo", !"a"}
  store atomic i32 3, ptr @x monotonic, align 4, !mmra !{!"foo", !"b"}
  store atomic i32 1, ptr @last release, align 4, !mmra !{!"foo", !"b"}
  br label %done

done:
  ret void
}

define void @t2() {
  %last = load atomic i32, ptr @last acquire, align 4
  %set = icmp eq i32 %last, 1
  br i1 %set, label %read, label %done

read:
  %x = load atomic i32, ptr @x monotonic, align 4
  br label %done

done:
  ret void
}
