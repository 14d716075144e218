; Hazard pointers: a reader announces what it is about to read, and a node that is announced is not freed: the fences are acq_rel only
; REF: Michael: Hazard pointers, TPDS 2004
; From hazard-pointer.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DFENCE=acq_rel hazard-pointer.c
; EXPECT: llvm=Never+race+ub+ub-free amdgpu=Never+race+ub+ub-free

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@shared = dso_local local_unnamed_addr global ptr null, align 8
@hazard = dso_local local_unnamed_addr global ptr null, align 8
@found = dso_local local_unnamed_addr global i32 0, align 4

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %reader = alloca i64, align 8
  %call = tail call noalias dereferenceable_or_null(4) ptr @malloc(i64 noundef 4) #6
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %reader) #7
  store i32 1, ptr %call, align 4, !tbaa !5
  %0 = ptrtoint ptr %call to i64
  store atomic i64 %0, ptr @shared release, align 8
  %call1 = call i32 @pthread_create(ptr noundef nonnull %reader, ptr noundef null, ptr noundef nonnull @read, ptr noundef null) #7
  store atomic i64 0, ptr @shared monotonic, align 8
  fence acq_rel
  %1 = load atomic i64, ptr @hazard acquire, align 8
  %2 = inttoptr i64 %1 to ptr
  %cmp.not = icmp eq ptr %call, %2
  br i1 %cmp.not, label %if.end, label %if.then

if.then:                                          ; preds = %entry
  call void @free(ptr noundef %call) #7
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %reader) #7
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare noalias noundef ptr @malloc(i64 noundef) local_unnamed_addr #2

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #3

define internal noalias ptr @read(ptr nocapture readnone %unused) #4 {
entry:
  %0 = load atomic i64, ptr @shared acquire, align 8
  %1 = inttoptr i64 %0 to ptr
  store atomic i64 %0, ptr @hazard monotonic, align 8
  fence acq_rel
  %tobool.not = icmp eq i64 %0, 0
  br i1 %tobool.not, label %if.end, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %2 = load atomic i64, ptr @shared acquire, align 8
  %3 = inttoptr i64 %2 to ptr
  %cmp = icmp eq ptr %3, %1
  br i1 %cmp, label %if.then, label %if.end

if.then:                                          ; preds = %land.lhs.true
  %4 = load i32, ptr %1, align 4, !tbaa !5
  store i32 %4, ptr @found, align 4, !tbaa !5
  br label %if.end

if.end:                                           ; preds = %if.then, %land.lhs.true, %entry
  store atomic i64 0, ptr @hazard release, align 8
  ret ptr null
}

declare void @free(ptr allocptr nocapture noundef) local_unnamed_addr #5

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { mustprogress nofree norecurse nounwind willreturn uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { mustprogress nounwind willreturn allockind("free") memory(argmem: readwrite, inaccessiblemem: readwrite) "alloc-family"="malloc" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #6 = { nounwind allocsize(0) }
attributes #7 = { nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !6, i64 0}
!6 = !{!"int", !7, i64 0}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
