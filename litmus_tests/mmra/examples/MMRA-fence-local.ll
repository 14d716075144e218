; Fences: a fence for sync-as:1 does not order accesses of the local address space
; REF: LLVM MMRA document, Implementation Example: Adding Address Space Information to Fences
; Only the global address space needs to be fenced; the message in local memory may be missing.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@strict=Sometimes+race
@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(3) @data, !mmra !{!"sync-as", !"3"}
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
  %data = load i32, ptr addrspace(3) @data, !mmra !{!"sync-as", !"3"}
  br label %done

done:
  ret void
}
