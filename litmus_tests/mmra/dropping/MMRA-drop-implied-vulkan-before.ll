; Dropping tags where the target implies some, vulkan, before: private ordered with private
; REF: LLVM MMRA document, Definitions, compatibility (deleting metadata)
; REF: LLVM MMRA document, SPIRV NonPrivatePointer, note on atomic operations
; The release is marked private, so it flushes what is private.
; PROFILE: vulkan
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Never llvm/direct=Never llvm/filtered=Never
; EXPECT: llvm@generic=Never
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"vulkan", !"private"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"vulkan", !"private"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data
  br label %done

done:
  ret void
}
