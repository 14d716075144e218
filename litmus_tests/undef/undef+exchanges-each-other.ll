; Two compare-exchanges may be undef because of each other
; REF: semantics, section 3
; Their scopes exclude each other, so each races with what the other one writes. It writes only if it is undef: otherwise
; it finds 0, and fails.
; EXISTS: t0:%r = undef /\ t1:%r = undef
; EXPECT: llvm=Sometimes+race amdgpu=Sometimes+race amdgpu-2026=Sometimes+race
; EXPECT: rc11=Never sc=Never tso=Never

@x = global i32 0

define void @t0() {
  %a = cmpxchg ptr @x, i32 1, i32 1 syncscope("singlethread") monotonic monotonic
  %r = extractvalue { i32, i1 } %a, 0
  ret void
}

define void @t1() {
  %a = cmpxchg ptr @x, i32 1, i32 2 syncscope("singlethread") monotonic monotonic
  %r = extractvalue { i32, i1 } %a, 0
  ret void
}
