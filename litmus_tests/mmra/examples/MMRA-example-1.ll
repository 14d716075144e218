; Example 1: a release that names another address space does not order the store before it
; REF: LLVM MMRA document, Example 1
; The prefix sync-as is on both sides with no tag in common, so the vulkan tag that is in common does not help. The
; models of the herd family know no tags.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@strict=Sometimes+race llvm@vulkan=Sometimes+race
; EXPECT: rc11=Never sc=Never tso=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data, !mmra !{!{!"sync-as", !"1"}, !{!"vulkan", !"nonprivate"}}
  store atomic i32 1, ptr addrspace(1) @flag release, align 4, !mmra !{!{!"sync-as", !"0"}, !{!"vulkan", !"nonprivate"}}
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
