; Treiber's stack: one thread pushes a node from the heap, one pops it
; REF: Treiber: Systems programming: coping with parallelism, 1986
; From treiber-stack.c: clang -O1 -S -emit-llvm -fno-discard-value-names treiber-stack.c
; EXPECT: llvm=Never amdgpu=Never

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i64, ptr }

@top = dso_local global ptr null, align 8
@found = dso_local local_unnamed_addr global i64 0, align 8

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #7
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #7
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @push, ptr noundef nonnull inttoptr (i64 7 to ptr)) #7
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @pop, ptr noundef null) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #7
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #7
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @push(ptr noundef %value) #3 {
entry:
  %call = tail call noalias dereferenceable_or_null(16) ptr @malloc(i64 noundef 16) #8
  %0 = ptrtoint ptr %value to i64
  store i64 %0, ptr %call, align 8, !tbaa !5
  %1 = load atomic i64, ptr @top monotonic, align 8
  %2 = inttoptr i64 %1 to ptr
  %next = getelementptr inbounds %struct.node, ptr %call, i64 0, i32 1
  store ptr %2, ptr %next, align 8, !tbaa !11
  %3 = ptrtoint ptr %call to i64
  %4 = cmpxchg ptr @top, i64 %1, i64 %3 release monotonic, align 8
  %5 = extractvalue { i64, i1 } %4, 1
  br i1 %5, label %while.end, label %cmpxchg.store_expected

cmpxchg.store_expected:                           ; preds = %entry, %cmpxchg.store_expected
  %6 = phi { i64, i1 } [ %8, %cmpxchg.store_expected ], [ %4, %entry ]
  %7 = extractvalue { i64, i1 } %6, 0
  store i64 %7, ptr %next, align 8
  %8 = cmpxchg ptr @top, i64 %7, i64 %3 release monotonic, align 8
  %9 = extractvalue { i64, i1 } %8, 1
  br i1 %9, label %while.end, label %cmpxchg.store_expected, !llvm.loop !12

while.end:                                        ; preds = %cmpxchg.store_expected, %entry
  ret ptr null
}

define internal noalias ptr @pop(ptr nocapture readnone %unused) #4 {
entry:
  %0 = load atomic i64, ptr @top acquire, align 8
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %1 = inttoptr i64 %0 to ptr
  %next = getelementptr inbounds %struct.node, ptr %1, i64 0, i32 1
  %2 = load ptr, ptr %next, align 8, !tbaa !11
  %3 = ptrtoint ptr %2 to i64
  %4 = cmpxchg ptr @top, i64 %0, i64 %3 monotonic monotonic, align 8
  %5 = extractvalue { i64, i1 } %4, 1
  br i1 %5, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  %6 = load i64, ptr %1, align 8, !tbaa !5
  store i64 %6, ptr @found, align 8, !tbaa !15
  tail call void @free(ptr noundef %1) #7
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %entry
  ret ptr null
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #5

declare void @free(ptr allocptr nocapture noundef) local_unnamed_addr #6

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nofree nounwind memory(readwrite, argmem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nounwind willreturn uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #7 = { nounwind }
attributes #8 = { nounwind allocsize(0) }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !7, i64 0}
!6 = !{!"node", !7, i64 0, !10, i64 8}
!7 = !{!"long", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C/C++ TBAA"}
!10 = !{!"any pointer", !8, i64 0}
!11 = !{!6, !10, i64 8}
!12 = distinct !{!12, !13, !14}
!13 = !{!"llvm.loop.mustprogress"}
!14 = !{!"llvm.loop.unroll.disable"}
!15 = !{!7, !7, i64 0}
