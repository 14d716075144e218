; A sequence lock whose reader tries again: what it returns is from one write
; REF: Boehm: Can Seqlocks Get Along with Programming Language Memory Models?, MSPC 2012
; The retry loop only reads: it is one evaluation, in which the counter is even and has not changed.
; EXISTS: ~(t1:%a = t1:%b)
; EXPECT: llvm=Never amdgpu=Never
; EXPECT: rc11=Never sc=Never tso=Never

@seq = global i32 0
@a = global i32 0
@b = global i32 0

define void @t0() {
  store atomic i32 1, ptr @seq monotonic, align 4
  fence release
  store atomic i32 1, ptr @a monotonic, align 4
  store atomic i32 1, ptr @b monotonic, align 4
  store atomic i32 2, ptr @seq release, align 4
  ret void
}

define void @t1() {
  br label %again
again:
  %first = load atomic i32, ptr @seq acquire, align 4
  %a = load atomic i32, ptr @a monotonic, align 4
  %b = load atomic i32, ptr @b monotonic, align 4
  fence acquire
  %second = load atomic i32, ptr @seq monotonic, align 4
  %same = icmp eq i32 %first, %second
  %odd = trunc i32 %first to i1
  %even = xor i1 %odd, true
  %fine = and i1 %same, %even
  br i1 %fine, label %done, label %again
done:
  ret void
}
