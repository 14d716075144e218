; Interoperability: the receiving side must not restrict its acquire to something else
; REF: LLVM MMRA document, SPIRV NonPrivatePointer, interoperability with other environments
; As MMRA-interoperability, but the load belongs to foo:baz while the acquire is for foo:bar.
; EXISTS: t1:%flag = 1 /\ t1:%data = 0
; EXPECT: llvm=Sometimes+race llvm/direct=Sometimes+race llvm/filtered=Sometimes+race
; EXPECT: llvm@vulkan=Sometimes+race llvm@strict=Sometimes+race
@data = global i32 0
@flag = global i32 0
define void @t0() {
  store i32 1, ptr @data, !mmra !{!"vulkan", !"nonprivate"}
  store atomic i32 1, ptr @flag release, align 4, !mmra !{!"vulkan", !"nonprivate"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4, !mmra !{!"foo", !"bar"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load i32, ptr @data, !mmra !{!"foo", !"baz"}
  br label %done

done:
  ret void
}
