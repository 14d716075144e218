; The queue of Michael and Scott, without the helping of others: one thread puts a value in, one takes it: the consumer follows the link relaxed
; REF: Michael, Scott: Simple, fast, and practical non-blocking and blocking concurrent queue algorithms, PODC 1996
; From msq.c: clang -O1 -S -emit-llvm -fno-discard-value-names -DFOLLOW=rlx msq.c
; EXPECT: llvm=Never+ub+ub-undef amdgpu=Never+ub+ub-undef

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { ptr, i32 }

@dummy = dso_local global %struct.node zeroinitializer, align 8
@head = dso_local global ptr @dummy, align 8
@tail = dso_local global ptr @dummy, align 8
@first = dso_local global %struct.node zeroinitializer, align 8
@.str = private unnamed_addr constant [17 x i8] c"next->value == 7\00", align 1
@.str.1 = private unnamed_addr constant [6 x i8] c"msq.c\00", align 1
@__PRETTY_FUNCTION__.dequeue = private unnamed_addr constant [22 x i8] c"void *dequeue(void *)\00", align 1

define dso_local i32 @main() local_unnamed_addr #0 {
entry:
  %a = alloca i64, align 8
  %b = alloca i64, align 8
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %a) #5
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %b) #5
  %call = call i32 @pthread_create(ptr noundef nonnull %a, ptr noundef null, ptr noundef nonnull @enqueue, ptr noundef null) #5
  %call1 = call i32 @pthread_create(ptr noundef nonnull %b, ptr noundef null, ptr noundef nonnull @dequeue, ptr noundef null) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %b) #5
  call void @llvm.lifetime.end.p0(i64 8, ptr nonnull %a) #5
  ret i32 0
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

declare i32 @pthread_create(ptr noundef, ptr noundef, ptr noundef, ptr noundef) local_unnamed_addr #2

define internal noalias ptr @enqueue(ptr nocapture readnone %unused) #3 {
entry:
  %0 = load atomic i64, ptr @tail acquire, align 8
  %1 = inttoptr i64 %0 to ptr
  store i32 7, ptr getelementptr inbounds (%struct.node, ptr @first, i64 0, i32 1), align 8, !tbaa !5
  %2 = cmpxchg ptr %1, i64 0, i64 ptrtoint (ptr @first to i64) release monotonic, align 8
  %3 = extractvalue { i64, i1 } %2, 1
  br i1 %3, label %if.then, label %if.end

if.then:                                          ; preds = %entry
  %4 = cmpxchg ptr @tail, i64 %0, i64 ptrtoint (ptr @first to i64) release monotonic, align 8
  br label %if.end

if.end:                                           ; preds = %if.then, %entry
  ret ptr null
}

define internal noalias ptr @dequeue(ptr nocapture readnone %unused) #0 {
entry:
  %0 = load atomic i64, ptr @head acquire, align 8
  %1 = inttoptr i64 %0 to ptr
  %2 = load atomic i64, ptr %1 monotonic, align 8
  %3 = inttoptr i64 %2 to ptr
  %tobool.not = icmp eq i64 %2, 0
  br i1 %tobool.not, label %if.end5, label %land.lhs.true

land.lhs.true:                                    ; preds = %entry
  %4 = cmpxchg ptr @head, i64 %0, i64 %2 release monotonic, align 8
  %5 = extractvalue { i64, i1 } %4, 1
  br i1 %5, label %if.then, label %if.end5

if.then:                                          ; preds = %land.lhs.true
  %value = getelementptr inbounds %struct.node, ptr %3, i64 0, i32 1
  %6 = load i32, ptr %value, align 8, !tbaa !5
  %cmp = icmp eq i32 %6, 7
  br i1 %cmp, label %if.end5, label %if.else

if.else:                                          ; preds = %if.then
  tail call void @__assert_fail(ptr noundef nonnull @.str, ptr noundef nonnull @.str.1, i32 noundef 25, ptr noundef nonnull @__PRETTY_FUNCTION__.dequeue) #6
  unreachable

if.end5:                                          ; preds = %if.then, %land.lhs.true, %entry
  ret ptr null
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

declare void @__assert_fail(ptr noundef, ptr noundef, i32 noundef, ptr noundef) local_unnamed_addr #4

attributes #0 = { nounwind uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #3 = { mustprogress nofree norecurse nounwind willreturn memory(readwrite, inaccessiblemem: none) uwtable "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #4 = { noreturn nounwind "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }
attributes #5 = { nounwind }
attributes #6 = { noreturn nounwind }

!llvm.module.flags = !{!0, !1, !2, !3}

!0 = !{i32 1, !"wchar_size", i32 4}
!1 = !{i32 8, !"PIC Level", i32 2}
!2 = !{i32 7, !"PIE Level", i32 2}
!3 = !{i32 7, !"uwtable", i32 2}
!4 = !{!"Debian clang version 16.0.6 (15~deb12u1)"}
!5 = !{!6, !9, i64 8}
!6 = !{!"node", !7, i64 0, !9, i64 8}
!7 = !{!"omnipotent char", !8, i64 0}
!8 = !{!"Simple C/C++ TBAA"}
!9 = !{!"int", !7, i64 0}
