; Example 4: one prefix with different tags is enough to lose the order
; REF: LLVM MMRA document, Example 4
; The smallest incompatible pair: sync-as:1 before a release for sync-as:2.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@strict=Sometimes+race
; EXPECT: rc11=Never sc=Never tso=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data, !mmra !{!"sync-as", !"1"}
  store atomic i32 1, ptr addrspace(1) @flag release, align 4, !mmra !{!"sync-as", !"2"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr addrspace(1) @data
  br label %done

done:
  ret void
}
