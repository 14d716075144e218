; Fences: a fence without annotation orders all address spaces
; REF: LLVM MMRA document, Implementation Example: Adding Address Space Information to Fences
; Annotations are opt-in: the accesses are tagged, the fences are not, and nothing is relaxed.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@strict=Never
@data = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(3) @data, !mmra !{!"sync-as", !"3"}
  fence release
  store atomic i32 1, ptr addrspace(1) @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  fence acquire
  %data = load i32, ptr addrspace(3) @data, !mmra !{!"sync-as", !"3"}
  br label %done

done:
  ret void
}
