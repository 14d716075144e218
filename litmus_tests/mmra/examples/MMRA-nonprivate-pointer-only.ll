; NonPrivatePointer: a program with nonprivate accesses alone is free of races
; REF: LLVM MMRA document, SPIRV NonPrivatePointer
; The example without its private accesses.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@vulkan=Never llvm@strict=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"vulkan", !"nonprivate"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"vulkan", !"nonprivate"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4, !mmra !{!"vulkan", !"nonprivate"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data, !mmra !{!"vulkan", !"nonprivate"}
  br label %done

done:
  ret void
}
