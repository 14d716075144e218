; Two buffers take turns in a loop whose length is read: the next copy does not wait for the readers
; REF: LLVM, AMDGPUAsyncOperations.md
; SCOPES: (agent (workgroup t0 t1) (workgroup t2))
; PROFILE: amdgpu
; UNROLL: 4
; FORALL: @out[0] = 2 \/ @out[0] = 6 \/ @out[0] = 20
; EXPECT: llvm=Sometimes+race
@in = addrspace(1) global [8 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8]
@last = addrspace(1) global i32 0
@tiles = addrspace(3) global [4 x i32] zeroinitializer
@length = addrspace(3) global i32 0
@out = addrspace(1) global [2 x i32] zeroinitializer

define void @t0() {
  %last = load atomic i32, ptr addrspace(1) @last monotonic, align 4
  store i32 %last, ptr addrspace(3) @length
  call void @work(i32 0)
  ret void
}

define void @t1() {
  call void @work(i32 1)
  ret void
}

define void @t2() {
  store atomic i32 1, ptr addrspace(1) @last monotonic, align 4
  store atomic i32 3, ptr addrspace(1) @last monotonic, align 4
  ret void
}

; Two buffers take turns; how many tiles there are is read, and told to the other wave through LDS
define void @work(i32 %t) {
entry:
  %other = xor i32 %t, 1
  %first = getelementptr i32, ptr addrspace(1) @in, i32 %t
  %to.first = getelementptr i32, ptr addrspace(3) @tiles, i32 %t
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %first, ptr addrspace(3) %to.first, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %length = load i32, ptr addrspace(3) @length
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %n, %more ]
  %sum = phi i32 [ 0, %entry ], [ %added, %more ]
  %n = add i32 %i, 1
  %again = icmp ult i32 %i, %length
  br i1 %again, label %copy, label %drain

copy:
  %row = shl i32 %n, 1
  %place = or i32 %row, %t
  %from = getelementptr i32, ptr addrspace(1) @in, i32 %place
  %buffer = and i32 %row, 2
  %slot = or i32 %buffer, %t
  %to = getelementptr i32, ptr addrspace(3) @tiles, i32 %slot
  call void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1) %from, ptr addrspace(3) %to, i32 4, i32 0, i32 0)
  call void @llvm.amdgcn.asyncmark()
  call void @llvm.amdgcn.wait.asyncmark(i16 1)
  br label %use

drain:
  call void @llvm.amdgcn.wait.asyncmark(i16 0)
  br label %use

use:
  fence syncscope("workgroup") release
  call void @llvm.amdgcn.s.barrier()
  fence syncscope("workgroup") acquire
  %now = shl i32 %i, 1
  %half = and i32 %now, 2
  %place.read = or i32 %half, %other
  %far = getelementptr i32, ptr addrspace(3) @tiles, i32 %place.read
  %x = load i32, ptr addrspace(3) %far
  %added = add i32 %sum, %x
  br i1 %again, label %more, label %done

more:
  br label %loop

done:
  %result = getelementptr i32, ptr addrspace(1) @out, i32 %t
  store i32 %added, ptr addrspace(1) %result
  ret void
}

declare void @llvm.amdgcn.asyncmark()
declare void @llvm.amdgcn.load.async.to.lds.p1(ptr addrspace(1), ptr addrspace(3), i32, i32, i32)
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.wait.asyncmark(i16)
