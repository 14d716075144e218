; Availability: an av store of wavefront scope does not even reach the thread that would pass it on
; REF: AMDGPU Memory Model, Availability Operation
; REF: LLVM AMDGPUUsage, llvm.amdgcn.av intrinsics; https://github.com/llvm/llvm-project/pull/191390
; The second thread runs in another wavefront: its release is not included in the scope instance of the store.
; SCOPES: (agent (workgroup (wavefront t0) (wavefront t1)) (workgroup t2))
; EXISTS: t2:%second = 1 /\ t2:%data = undef
; EXPECT: llvm=Never amdgpu=Sometimes+race amdgpu-2026=Sometimes+race

@data = addrspace(1) global <4 x i32> zeroinitializer
@first = addrspace(1) global i32 0
@second = addrspace(1) global i32 0

define void @t0() {
  call void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1) @data, <4 x i32> splat (i32 1), metadata !"wavefront")
  store atomic i32 1, ptr addrspace(1) @first syncscope("workgroup") release, align 4, !mmra !0
  ret void
}

define void @t1() {
  %first = load atomic i32, ptr addrspace(1) @first syncscope("workgroup") acquire, align 4, !mmra !0
  %set = icmp eq i32 %first, 1
  br i1 %set, label %pass, label %done

pass:
  store atomic i32 1, ptr addrspace(1) @second syncscope("agent") release, align 4
  br label %done

done:
  ret void
}

define void @t2() {
  %second = load atomic i32, ptr addrspace(1) @second syncscope("agent") acquire, align 4
  %set = icmp eq i32 %second, 1
  br i1 %set, label %read, label %done

read:
  %vector = load <4 x i32>, ptr addrspace(1) @data
  %data = extractelement <4 x i32> %vector, i32 0
  br label %done

done:
  ret void
}

declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)

!0 = !{!"amdgcn-av", !"none"}
