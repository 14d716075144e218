; Example 3: a prefix that only one operation has cannot make two operations incompatible
; REF: LLVM MMRA document, Example 3
; The release has no sync-as tag at all, which means no restriction, and the vulkan tags agree.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@strict=Never llvm@vulkan=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data, !mmra !{!{!"sync-as", !"1"}, !{!"vulkan", !"nonprivate"}}
  store atomic i32 1, ptr addrspace(1) @flag release, align 4, !mmra !{!"vulkan", !"nonprivate"}
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
