; NonPrivatePointer: atomics without a tag are nonprivate only if the target says so
; REF: LLVM MMRA document, SPIRV NonPrivatePointer, note on atomic operations
; A front end may write vulkan:private alone. Then it is the profile that makes release and acquire nonprivate.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@vulkan=Sometimes+race llvm@vulkan/direct=Sometimes+race llvm@vulkan/filtered=Sometimes+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"vulkan", !"private"}
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data, !mmra !{!"vulkan", !"private"}
  br label %done

done:
  ret void
}
