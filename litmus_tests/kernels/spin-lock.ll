; A lock of relaxed atomics and fences (clang)
; INSPECT: none
target triple = "amdgcn-amd-amdhsa"

define amdgpu_kernel void @locked(ptr addrspace(1) %lock, ptr addrspace(1) %data) #0 {
entry:
  br label %spin

spin:
  %pair = cmpxchg ptr addrspace(1) %lock, i32 0, i32 1 syncscope("agent") monotonic monotonic, align 4
  %got = extractvalue { i32, i1 } %pair, 1
  br i1 %got, label %held, label %spin

held:
  fence syncscope("agent") acquire
  %x = load i32, ptr addrspace(1) %data, align 4
  %y = add i32 %x, 1
  store i32 %y, ptr addrspace(1) %data, align 4
  fence syncscope("agent") release
  store atomic i32 0, ptr addrspace(1) %lock syncscope("agent") monotonic, align 4
  ret void
}



attributes #0 = { "amdgpu-flat-work-group-size"="256,256" "target-cpu"="gfx950" }
