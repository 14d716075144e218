; Message passing of the RFC: a private load is not ordered after the nonprivate fence
; REF: RFC: MMRAs, https://discourse.llvm.org/t/rfc-mmras-memory-model-relaxation-annotations/76361
; A compiler may move the load above the fence, because its order there means nothing.
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
  fence acq_rel, !mmra !{!"vulkan", !"nonprivate"}
  %data = load i32, ptr @data, !mmra !{!"vulkan", !"private"}
  br label %done

done:
  ret void
}
