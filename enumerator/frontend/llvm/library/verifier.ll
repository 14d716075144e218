; What verifiers of C programs have in common (SV-COMP): an assertion.

declare void @abort()

define void @__VERIFIER_assert(i32 %condition) {
entry:
  %fails = icmp eq i32 %condition, 0
  br i1 %fails, label %abort, label %done
abort:
  call void @abort()
  unreachable
done:
  ret void
}
