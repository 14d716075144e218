; Message passing of the RFC: the private load above the fence has the same outcomes
; REF: RFC: MMRAs, https://discourse.llvm.org/t/rfc-mmras-memory-model-relaxation-annotations/76361
; RFC-private with fence and load exchanged: nothing that RFC-private did not allow.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@vulkan=Sometimes+race llvm@strict=Sometimes+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"vulkan", !"private"}
  fence acq_rel, !mmra !{!"vulkan", !"nonprivate"}
  store atomic i32 1, ptr @flag monotonic, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag monotonic, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data, !mmra !{!"vulkan", !"private"}
  fence acq_rel, !mmra !{!"vulkan", !"nonprivate"}
  br label %done

done:
  ret void
}
