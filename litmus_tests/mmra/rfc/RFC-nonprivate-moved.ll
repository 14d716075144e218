; Message passing of the RFC: moving the nonprivate load above the fence is wrong
; REF: RFC: MMRAs, https://discourse.llvm.org/t/rfc-mmras-memory-model-relaxation-annotations/76361
; RFC-nonprivate with fence and load exchanged: a new outcome, so a compiler must not do it.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@vulkan=Sometimes+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"vulkan", !"nonprivate"}
  fence acq_rel, !mmra !{!"vulkan", !"nonprivate"}
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data, !mmra !{!"vulkan", !"nonprivate"}
  fence acq_rel, !mmra !{!"vulkan", !"nonprivate"}
  br label %done

done:
  ret void
}
