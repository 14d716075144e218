; A reference count: who gives the last reference back frees the object
; From reference-count.c: clang -O1 -S -emit-llvm -fno-discard-value-names reference-count.c
; EXPECT: llvm=Never amdgpu=Never

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@references = dso_local global i32 2, align 4
@object = dso_local local_unnamed_addr global ptr null, align 8
@sum = dso_local global i32 0, align 4

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #6
  %call = tail call noalias dereferenceable_or_null(4) ptr @malloc(i64 noundef 4) #7
  store ptr %call, ptr @object, align 8, !tbaa !5
  store i32 1, ptr %call, align 4, !tbaa !9
  %call1 = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @use, ptr noundef null) #6
  %0 = load ptr, ptr @object, align 8, !tbaa !5
  %1 = load i32, ptr %0, align 4, !tbaa !9
  %2 = atomicrmw add ptr @sum, i32 %1 monotonic, align 4
  %3 = atomicrmw add ptr @references, i32 -1 acq_rel, align 4
  %cmp.i = icmp eq i32 %3, 1
  br i1 %cmp.i, label %if.then.i, label %use.exit

if.then.i:                                        ; preds = %entry
  %4 = load ptr, ptr @object, align 8, !tbaa !5
  call void @free(ptr noundef %4) #6
  br label %use.exit

use.exit:                                         ; preds = %entry, %if.then.i
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #6
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #2

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #3

define internal noalias ptr @use(ptr nocapture readnone %unused) #4 {
entry:
  %0 = load ptr, ptr @object, align 8, !tbaa !5
  %1 = load i32, ptr %0, align 4, !tbaa !9
  %2 = atomicrmw add ptr @sum, i32 %1 monotonic, align 4
  %3 = atomicrmw add ptr @references, i32 -1 acq_rel, align 4
  %cmp = icmp eq i32 %3, 1
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %4 = load ptr, ptr @object, align 8, !tbaa !5
  tail call void @free(ptr noundef %4) #6
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret ptr null
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare void @free(ptr allocptr nocapture noundef) local_unnamed_addr #5

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nounwind willreturn uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nounwind }
attributes #7 = { nounwind allocsize(0) }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"any pointer", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!10, !10, i64 0}
!10 = !{!"int", !7, i64 0}
