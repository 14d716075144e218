; Taking av away adds no outcome: the same with a plain store and an ordinary release
; REF: AMDGPU Memory Model, MakeAvailable and MakeVisible
; REF: AMDGPU Memory Model, store-available
; Now the release makes available what the intrinsic did before.
; SCOPES: (agent (workgroup t0) (workgroup t1))
; EXISTS: t1:%flag = 1 /\ t1:%first = undef
; EXPECT: llvm=Never amdgpu=Never amdgpu-2026=Never
@data = addrspace(1) global <4 x i32> zeroinitializer, align 16
@flag = addrspace(1) global i32 0

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)
declare <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1), metadata)


define void @t0() {
  store <4 x i32> <i32 1, i32 1, i32 1, i32 1>, ptr addrspace(1) @data, align 16
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %set = icmp eq i32 %flag, 1
  br i1 %set, label %read, label %done

read:
  %data = load <4 x i32>, ptr addrspace(1) @data, align 16
  %first = extractelement <4 x i32> %data, i32 0
  br label %done

done:
  ret void
}
