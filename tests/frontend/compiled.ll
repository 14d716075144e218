; ModuleID = 'mp.hip'
source_filename = "mp.hip"
target datalayout = "e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128-i64:64-A5-G1-ni:7:8:9"
target triple = "amdgcn-amd-amdhsa"

%struct.node = type { i32, ptr }
$shared = comdat any
; THREADS: a=@producer(ptr addrspace(1) @buffer, i32 0) b=@consumer(ptr addrspace(1) @buffer)
; SCOPES: (agent (workgroup a b))
; EXISTS: b:%2 = 1
@buffer = protected local_unnamed_addr addrspace(1) externally_initialized global [64 x i32] zeroinitializer, align 4
@__hip_cuid = addrspace(1) global i8 0
@llvm.compiler.used = appending addrspace(1) global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @__hip_cuid to ptr)], section "llvm.metadata"
@shared = linkonce_odr dso_local global %struct.node { i32 1, ptr null }, comdat, align 8

; Function Attrs: convergent mustprogress norecurse nounwind
define protected amdgpu_kernel void @producer(ptr addrspace(1) noalias nocapture noundef writeonly align 4 dereferenceable(256) %data.coerce, i32 noundef range(i32 0, 64) %i) local_unnamed_addr #0 !dbg !9 !kernel_arg_type !16 {
entry:
  %x.addr = alloca i32, align 4, addrspace(5)
    #dbg_declare(ptr addrspace(5) %x.addr, !13, !DIExpression(), !14)
  call void @llvm.lifetime.start.p5(ptr addrspace(5) %x.addr) #2, !dbg !14
  %idx = zext nneg i32 %i to i64, !dbg !14
  %arrayidx = getelementptr inbounds nuw i32, ptr addrspace(1) %data.coerce, i64 %idx, !dbg !14
  store i32 1, ptr addrspace(1) %arrayidx, align 4, !dbg !14, !tbaa !17
    #dbg_value(i32 %i, !13, !DIExpression(), !14)
  fence syncscope("agent-one-as") release, !dbg !14
  %call = tail call noundef i32 @helper(i32 noundef %i) #2, !dbg !14
  ret void, !dbg !14
}

define protected amdgpu_kernel void @consumer(ptr addrspace(1) noundef readonly captures(none) %p) #0 {
  br label %1

1:                                                ; preds = %1, %0
  %2 = load atomic volatile i32, ptr addrspace(1) %p syncscope("agent") acquire, align 4, !noundef !15, !invariant.group !15
  %3 = icmp eq i32 %2, 0
  br i1 %3, label %1, label %4, !prof !19, !llvm.loop !20

4:
  %5 = tail call i32 @llvm.amdgcn.workitem.id.x(), !range !18
  ret void
}

define internal fastcc noundef i32 @helper(i32 noundef returned %v) unnamed_addr #1 section ".text" align 256 gc "none" {
  ret i32 %v
}

declare void @llvm.lifetime.start.p5(ptr addrspace(5) captures(none)) #3
declare noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x() #3

attributes #0 = { convergent mustprogress norecurse nounwind "amdgpu-flat-work-group-size"="1,1024" "target-cpu"="gfx90a" }
attributes #1 = { alwaysinline nounwind memory(none) }
attributes #2 = { nounwind }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!llvm.ident = !{!5}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang (x", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "mp.hip", directory: "/tmp")
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"amdhsa_code_object_version", i32 500}
!5 = !{!"clang version"}
!9 = distinct !DISubprogram(name: "producer", scope: !1, file: !1, line: 3, type: !10, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0)
!10 = !DISubroutineType(types: !11)
!11 = !{null}
!13 = !DILocalVariable(name: "x", scope: !9, file: !1, line: 4, type: !22)
!14 = !DILocation(line: 4, column: 1, scope: !9)
!15 = !{}
!16 = !{!"int*", !"int"}
!17 = !{!21, !21, i64 0}
!18 = !{i32 0, i32 1024}
!19 = !{!"branch_weights", i32 1, i32 2000}
!20 = distinct !{!20}
!21 = !{!"int", !23, i64 0}
!22 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!23 = !{!"omnipotent char", !24, i64 0}
!24 = !{!"Simple C++ TBAA"}
