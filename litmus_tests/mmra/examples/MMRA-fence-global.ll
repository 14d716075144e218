; Fences: a fence for sync-as:1 orders accesses of the global address space
; REF: LLVM MMRA document, Implementation Example: Adding Address Space Information to Fences
; The flag is untagged: which accesses a fence synchronizes through is not restricted, only what it orders.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@strict=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @data, !mmra !{!"sync-as", !"1"}
  fence release, !mmra !{!"sync-as", !"1"}
  store atomic i32 1, ptr addrspace(1) @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  fence acquire, !mmra !{!"sync-as", !"1"}
  %data = load i32, ptr addrspace(1) @data, !mmra !{!"sync-as", !"1"}
  br label %done

done:
  ret void
}
