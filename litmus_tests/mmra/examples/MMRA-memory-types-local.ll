; Memory types: a release for sync-as:3 orders the local store before it
; REF: LLVM MMRA document, Memory Types
; B happens before C, although the flag itself is global. The race is on @global.
; EXISTS: t1:%flag = 1 /\ t1:%local = 0
; EXPECT: llvm=Never+race llvm/direct=Never+race llvm/filtered=Never+race
@global = addrspace(1) global i32 0
@local = addrspace(3) global i32 0
@flag = addrspace(1) global i32 0
define void @t0() {
  store i32 1, ptr addrspace(1) @global, !mmra !{!"sync-as", !"1"}
  store i32 1, ptr addrspace(3) @local, !mmra !{!"sync-as", !"3"}
  store atomic i32 1, ptr addrspace(1) @flag release, align 4, !mmra !{!"sync-as", !"3"}
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag acquire, align 4, !mmra !{!"sync-as", !"3"}
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %local = load i32, ptr addrspace(3) @local, !mmra !{!"sync-as", !"3"}
  %global = load i32, ptr addrspace(1) @global, !mmra !{!"sync-as", !"1"}
  br label %done

done:
  ret void
}
