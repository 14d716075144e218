; The shape that clang gives a HIP kernel: a tile in LDS, written and read across __syncthreads
; PROFILE: amdgpu
target triple = "amdgcn-amd-amdhsa"

@tile = internal unnamed_addr addrspace(3) global [256 x float] undef, align 16

define protected amdgpu_kernel void @tile_sum(ptr addrspace(1) noundef readonly captures(none) %in, ptr addrspace(1) noundef writeonly captures(none) %out, i32 noundef %n) local_unnamed_addr #0 !dbg !5 {
entry:
  %i = tail call noundef range(i32 0, 1024) i32 @llvm.amdgcn.workitem.id.x(), !dbg !8
  %wide = zext nneg i32 %i to i64, !dbg !8
  %src = getelementptr inbounds nuw float, ptr addrspace(1) %in, i64 %wide, !dbg !8
  %x = load float, ptr addrspace(1) %src, align 4, !dbg !8, !tbaa !20
  %slot = getelementptr inbounds nuw [256 x float], ptr addrspace(3) @tile, i32 0, i32 %i, !dbg !9
  store float %x, ptr addrspace(3) %slot, align 4, !dbg !9, !tbaa !20
  fence syncscope("workgroup") release, !dbg !10, !mmra !30
  tail call void @llvm.amdgcn.s.barrier(), !dbg !10
  fence syncscope("workgroup") acquire, !dbg !10, !mmra !30
  br label %loop, !dbg !11

loop:
  %k = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.000000e+00, %entry ], [ %more, %loop ]
  %at = getelementptr inbounds nuw [256 x float], ptr addrspace(3) @tile, i32 0, i32 %k, !dbg !12
  %y = load float, ptr addrspace(3) %at, align 4, !dbg !12, !tbaa !20
  %more = fadd contract float %sum, %y, !dbg !12
  %next = add nuw nsw i32 %k, 1, !dbg !11
  %done = icmp eq i32 %next, %n, !dbg !11
  br i1 %done, label %exit, label %loop, !dbg !11

exit:
  %dst = getelementptr inbounds nuw float, ptr addrspace(1) %out, i64 %wide, !dbg !13
  store float %more, ptr addrspace(1) %dst, align 4, !dbg !13, !tbaa !20
  ret void, !dbg !14
}

declare noundef i32 @llvm.amdgcn.workitem.id.x() #1
declare void @llvm.amdgcn.s.barrier() #2

attributes #0 = { convergent mustprogress norecurse nounwind "amdgpu-flat-work-group-size"="1,256" "target-cpu"="gfx942" "uniform-work-group-size"="true" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent nocallback nofree nounwind willreturn }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "tile_sum.hip", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DIFile(filename: "amd_device_functions.h", directory: "/opt/rocm/include/hip")
!5 = distinct !DISubprogram(name: "tile_sum", scope: !1, file: !1, line: 4, type: !6, scopeLine: 4, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 6, column: 13, scope: !5)
!9 = !DILocation(line: 7, column: 11, scope: !5)
!10 = !DILocation(line: 742, column: 3, scope: !15, inlinedAt: !16)
!11 = !DILocation(line: 9, column: 3, scope: !17)
!12 = !DILocation(line: 10, column: 12, scope: !17)
!13 = !DILocation(line: 11, column: 10, scope: !5)
!14 = !DILocation(line: 12, column: 1, scope: !5)
!15 = distinct !DISubprogram(name: "__syncthreads", scope: !3, file: !3, line: 740, type: !6, scopeLine: 740, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0)
!16 = distinct !DILocation(line: 8, column: 3, scope: !5)
!17 = distinct !DILexicalBlock(scope: !5, file: !1, line: 9, column: 3)
!20 = !{!21, !21, i64 0}
!21 = !{!"float", !22, i64 0}
!22 = !{!"omnipotent char", !23, i64 0}
!23 = !{!"Simple C++ TBAA"}
!30 = !{!"amdgpu-synchronize-as", !"local"}
