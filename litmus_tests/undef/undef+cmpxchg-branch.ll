; A branch on the success of a cmpxchg that compared undef is undefined behaviour
; REF: LLVM LangRef, Undefined Values
; REF: LLVM LangRef, cmpxchg instruction
; There is no execution with an outcome.
; EXISTS: true
; EXPECT: llvm=Never+ub-undef+ub

@x = global i32 undef

define void @t0() {
  %pair = cmpxchg ptr @x, i32 0, i32 1 seq_cst seq_cst, align 4
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %then, label %done
then:
  br label %done
done:
  ret void
}
