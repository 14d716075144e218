; What containers of libstdc++ leave to the library: links of lists, balance of trees, sizes of tables.
;
; Sources: GCC's <bits/stl_list.h>, <bits/stl_tree.h>, <bits/hashtable_policy.h>, which declare these functions and lay
; out what they work on; Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms, 13.2 to 13.4 (red-black trees).
; Links, colours and sizes are those that libstdc++ makes: it has been run beside these, on trees made by chance.

; -- Lists ---------------------------------------------------------------------------------------------------------
; A node has the next one at 0, the one before at 8; a list is a node between its last and its first one.

define void @_ZNSt8__detail15_List_node_base7_M_hookEPS0_(ptr %node, ptr %position) {
  %before.place = getelementptr i8, ptr %position, i64 8
  %mine = getelementptr i8, ptr %node, i64 8
  store ptr %position, ptr %node
  %before = load ptr, ptr %before.place
  store ptr %before, ptr %mine
  store ptr %node, ptr %before
  store ptr %node, ptr %before.place
  ret void
}

define void @_ZNSt8__detail15_List_node_base9_M_unhookEv(ptr %node) {
  %mine = getelementptr i8, ptr %node, i64 8
  %next = load ptr, ptr %node
  %before = load ptr, ptr %mine
  store ptr %next, ptr %before
  %place = getelementptr i8, ptr %next, i64 8
  store ptr %before, ptr %place
  ret void
}

; What stands from %first to before %last comes before a node.
define void @_ZNSt8__detail15_List_node_base11_M_transferEPS0_S1_(ptr %node, ptr %first, ptr %last) {
entry:
  %same = icmp eq ptr %node, %last
  br i1 %same, label %done, label %move
move:
  %node.before = getelementptr i8, ptr %node, i64 8
  %first.before = getelementptr i8, ptr %first, i64 8
  %last.before = getelementptr i8, ptr %last, i64 8
  %end = load ptr, ptr %last.before
  store ptr %node, ptr %end
  %above = load ptr, ptr %first.before
  store ptr %last, ptr %above
  %before = load ptr, ptr %node.before
  store ptr %first, ptr %before
  store ptr %end, ptr %node.before
  store ptr %above, ptr %last.before
  store ptr %before, ptr %first.before
  br label %done
done:
  ret void
}

define void @_ZNSt8__detail15_List_node_base10_M_reverseEv(ptr %list) {
entry:
  br label %loop
loop:
  %node = phi ptr [ %list, %entry ], [ %next, %loop ]
  %place = getelementptr i8, ptr %node, i64 8
  %next = load ptr, ptr %node
  %before = load ptr, ptr %place
  store ptr %before, ptr %node
  store ptr %next, ptr %place
  %all = icmp eq ptr %next, %list
  br i1 %all, label %done, label %loop
done:
  ret void
}

; A list that has no nodes is linked with itself.
define void @enumerator.list.relink(ptr %list, ptr %first, ptr %last, i1 %empty) {
entry:
  %place = getelementptr i8, ptr %list, i64 8
  br i1 %empty, label %alone, label %some
alone:
  store ptr %list, ptr %list
  store ptr %list, ptr %place
  ret void
some:
  store ptr %first, ptr %list
  store ptr %last, ptr %place
  store ptr %list, ptr %last
  %back = getelementptr i8, ptr %first, i64 8
  store ptr %list, ptr %back
  ret void
}

define void @_ZNSt8__detail15_List_node_base4swapERS0_S1_(ptr %one, ptr %other) {
entry:
  %one.first = load ptr, ptr %one
  %other.first = load ptr, ptr %other
  %one.empty = icmp eq ptr %one.first, %one
  %other.empty = icmp eq ptr %other.first, %other
  %both = and i1 %one.empty, %other.empty
  br i1 %both, label %done, label %swap
swap:
  %one.place = getelementptr i8, ptr %one, i64 8
  %other.place = getelementptr i8, ptr %other, i64 8
  %one.last = load ptr, ptr %one.place
  %other.last = load ptr, ptr %other.place
  call void @enumerator.list.relink(ptr %one, ptr %other.first, ptr %other.last, i1 %other.empty)
  call void @enumerator.list.relink(ptr %other, ptr %one.first, ptr %one.last, i1 %one.empty)
  br label %done
done:
  ret void
}

; -- Trees: std::map, std::set and their like ----------------------------------------------------------------------
; A node has its colour at 0 (0 is red, 1 black), the node above at 8, those below, left and right, at 16 and 24. The
; header of a tree is red, has the root at 8, the first node at 16, the last one at 24, and is above the root. A side is
; 0 or 1.

define ptr @enumerator.tree.below(ptr %node, i64 %side) {
  %below = getelementptr i8, ptr %node, i64 16
  %place = getelementptr ptr, ptr %below, i64 %side
  ret ptr %place
}

; On which side of %above a node is.
define i64 @enumerator.tree.side(ptr %node, ptr %above) {
  %place = getelementptr i8, ptr %above, i64 16
  %left = load ptr, ptr %place
  %right = icmp ne ptr %left, %node
  %side = zext i1 %right to i64
  ret i64 %side
}

define i1 @enumerator.tree.is.red(ptr %node) {
entry:
  %none = icmp eq ptr %node, null
  br i1 %none, label %black, label %look
look:
  %colour = load i32, ptr %node
  %red = icmp eq i32 %colour, 0
  ret i1 %red
black:
  ret i1 false
}

; The last node on a side.
define ptr @enumerator.tree.last(ptr %from, i64 %side) {
entry:
  br label %loop
loop:
  %node = phi ptr [ %from, %entry ], [ %next, %loop ]
  %place = call ptr @enumerator.tree.below(ptr %node, i64 %side)
  %next = load ptr, ptr %place
  %none = icmp eq ptr %next, null
  br i1 %none, label %done, label %loop
done:
  ret ptr %node
}

; The next node on a side. Above the last one is the header; a root that has nothing there is below a header of which it
; is the last.
define ptr @enumerator.tree.next(ptr %from, i64 %side) {
entry:
  %place = call ptr @enumerator.tree.below(ptr %from, i64 %side)
  %below = load ptr, ptr %place
  %none = icmp eq ptr %below, null
  br i1 %none, label %loop, label %down
down:
  %other = sub i64 1, %side
  %found = call ptr @enumerator.tree.last(ptr %below, i64 %other)
  ret ptr %found
loop:
  %node = phi ptr [ %from, %entry ], [ %above, %loop ]
  %up = getelementptr i8, ptr %node, i64 8
  %above = load ptr, ptr %up
  %above.place = call ptr @enumerator.tree.below(ptr %above, i64 %side)
  %there = load ptr, ptr %above.place
  %same = icmp eq ptr %there, %node
  br i1 %same, label %loop, label %over
over:
  %node.place = call ptr @enumerator.tree.below(ptr %node, i64 %side)
  %mine = load ptr, ptr %node.place
  %header = icmp eq ptr %mine, %above
  %result = select i1 %header, ptr %node, ptr %above
  ret ptr %result
}

define ptr @_ZSt18_Rb_tree_incrementPSt18_Rb_tree_node_base(ptr %node) {
  %next = call ptr @enumerator.tree.next(ptr %node, i64 1)
  ret ptr %next
}

define ptr @_ZSt18_Rb_tree_incrementPKSt18_Rb_tree_node_base(ptr %node) {
  %next = call ptr @enumerator.tree.next(ptr %node, i64 1)
  ret ptr %next
}

; Before the header is the last node.
define ptr @_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(ptr %node) {
entry:
  %colour = load i32, ptr %node
  %red = icmp eq i32 %colour, 0
  br i1 %red, label %look, label %before
look:
  %up = getelementptr i8, ptr %node, i64 8
  %above = load ptr, ptr %up
  %further = getelementptr i8, ptr %above, i64 8
  %back = load ptr, ptr %further
  %header = icmp eq ptr %back, %node
  br i1 %header, label %last, label %before
last:
  %place = getelementptr i8, ptr %node, i64 24
  %greatest = load ptr, ptr %place
  ret ptr %greatest
before:
  %found = call ptr @enumerator.tree.next(ptr %node, i64 0)
  ret ptr %found
}

define ptr @_ZSt18_Rb_tree_decrementPKSt18_Rb_tree_node_base(ptr %node) {
  %before = call ptr @_ZSt18_Rb_tree_decrementPSt18_Rb_tree_node_base(ptr %node)
  ret ptr %before
}

; Whoever has %old below has %new now.
define void @enumerator.tree.put(ptr %old, ptr %new, ptr %header) {
entry:
  %root.place = getelementptr i8, ptr %header, i64 8
  %root = load ptr, ptr %root.place
  %is.root = icmp eq ptr %root, %old
  br i1 %is.root, label %first, label %inner
first:
  store ptr %new, ptr %root.place
  ret void
inner:
  %up = getelementptr i8, ptr %old, i64 8
  %above = load ptr, ptr %up
  %side = call i64 @enumerator.tree.side(ptr %old, ptr %above)
  %place = call ptr @enumerator.tree.below(ptr %above, i64 %side)
  store ptr %new, ptr %place
  ret void
}

; A rotation: %top goes down on a side, and what was below it on the other side comes up.
define void @enumerator.tree.rotate(ptr %top, i64 %side, ptr %header) {
entry:
  %other = sub i64 1, %side
  %place = call ptr @enumerator.tree.below(ptr %top, i64 %other)
  %below = load ptr, ptr %place
  %inner = call ptr @enumerator.tree.below(ptr %below, i64 %side)
  %middle = load ptr, ptr %inner
  store ptr %middle, ptr %place
  %none = icmp eq ptr %middle, null
  br i1 %none, label %up, label %link
link:
  %middle.up = getelementptr i8, ptr %middle, i64 8
  store ptr %top, ptr %middle.up
  br label %up
up:
  %top.up = getelementptr i8, ptr %top, i64 8
  %above = load ptr, ptr %top.up
  %below.up = getelementptr i8, ptr %below, i64 8
  store ptr %above, ptr %below.up
  call void @enumerator.tree.put(ptr %top, ptr %below, ptr %header)
  store ptr %top, ptr %inner
  store ptr %below, ptr %top.up
  ret void
}

define void @_ZSt29_Rb_tree_insert_and_rebalancebPSt18_Rb_tree_node_baseS0_RS_(i1 %left, ptr %new, ptr %above, ptr %header) {
entry:
  %new.up = getelementptr i8, ptr %new, i64 8
  %new.left = getelementptr i8, ptr %new, i64 16
  %new.right = getelementptr i8, ptr %new, i64 24
  store ptr %above, ptr %new.up
  store ptr null, ptr %new.left
  store ptr null, ptr %new.right
  store i32 0, ptr %new
  %right = xor i1 %left, true
  %new.side = zext i1 %right to i64
  %place = call ptr @enumerator.tree.below(ptr %above, i64 %new.side)
  store ptr %new, ptr %place
  %root.place = getelementptr i8, ptr %header, i64 8
  %alone = icmp eq ptr %above, %header
  br i1 %alone, label %first, label %among
first:
  %last.place = getelementptr i8, ptr %header, i64 24
  store ptr %new, ptr %root.place
  store ptr %new, ptr %last.place
  br label %loop
among:
  %end.place = call ptr @enumerator.tree.below(ptr %header, i64 %new.side)
  %end = load ptr, ptr %end.place
  %beyond = icmp eq ptr %end, %above
  br i1 %beyond, label %extend, label %loop
extend:
  store ptr %new, ptr %end.place
  br label %loop
loop:
  %node = phi ptr [ %new, %first ], [ %new, %among ], [ %new, %extend ], [ %top, %recolour ]
  %root = load ptr, ptr %root.place
  %is.root = icmp eq ptr %node, %root
  br i1 %is.root, label %done, label %look
look:
  %up = getelementptr i8, ptr %node, i64 8
  %parent = load ptr, ptr %up
  %red = call i1 @enumerator.tree.is.red(ptr %parent)
  br i1 %red, label %mend, label %done
mend:
  %parent.up = getelementptr i8, ptr %parent, i64 8
  %top = load ptr, ptr %parent.up
  %side = call i64 @enumerator.tree.side(ptr %parent, ptr %top)
  %other = sub i64 1, %side
  %uncle.place = call ptr @enumerator.tree.below(ptr %top, i64 %other)
  %uncle = load ptr, ptr %uncle.place
  %both = call i1 @enumerator.tree.is.red(ptr %uncle)
  br i1 %both, label %recolour, label %turn
recolour:
  store i32 1, ptr %parent
  store i32 1, ptr %uncle
  store i32 0, ptr %top
  br label %loop
turn:
  %inner.place = call ptr @enumerator.tree.below(ptr %parent, i64 %other)
  %inner = load ptr, ptr %inner.place
  %is.inner = icmp eq ptr %inner, %node
  br i1 %is.inner, label %out, label %over
out:
  call void @enumerator.tree.rotate(ptr %parent, i64 %side, ptr %header)
  br label %over
over:
  %middle = phi ptr [ %parent, %turn ], [ %node, %out ]
  store i32 1, ptr %middle
  store i32 0, ptr %top
  call void @enumerator.tree.rotate(ptr %top, i64 %other, ptr %header)
  br label %done
done:
  %at.end = load ptr, ptr %root.place
  store i32 1, ptr %at.end
  ret void
}

; One black node is missing on the way to %from, which is below %above, or nothing.
define void @enumerator.tree.mend(ptr %from, ptr %above, ptr %header) {
entry:
  %root.place = getelementptr i8, ptr %header, i64 8
  br label %loop
loop:
  %node = phi ptr [ %from, %entry ], [ %parent, %up ]
  %parent = phi ptr [ %above, %entry ], [ %further, %up ]
  %root = load ptr, ptr %root.place
  %is.root = icmp eq ptr %node, %root
  br i1 %is.root, label %blacken, label %look
look:
  %red = call i1 @enumerator.tree.is.red(ptr %node)
  br i1 %red, label %blacken, label %mend
mend:
  %side = call i64 @enumerator.tree.side(ptr %node, ptr %parent)
  %far = sub i64 1, %side
  %place = call ptr @enumerator.tree.below(ptr %parent, i64 %far)
  %found = load ptr, ptr %place
  %found.red = call i1 @enumerator.tree.is.red(ptr %found)
  br i1 %found.red, label %lift, label %beside
lift:
  store i32 1, ptr %found
  store i32 0, ptr %parent
  call void @enumerator.tree.rotate(ptr %parent, i64 %side, ptr %header)
  %lifted = load ptr, ptr %place
  br label %beside
beside:
  %other = phi ptr [ %found, %mend ], [ %lifted, %lift ]
  %near.place = call ptr @enumerator.tree.below(ptr %other, i64 %side)
  %far.place = call ptr @enumerator.tree.below(ptr %other, i64 %far)
  %near.node = load ptr, ptr %near.place
  %far.node = load ptr, ptr %far.place
  %near.red = call i1 @enumerator.tree.is.red(ptr %near.node)
  %far.red = call i1 @enumerator.tree.is.red(ptr %far.node)
  %some = or i1 %near.red, %far.red
  br i1 %some, label %turn, label %up
up:
  store i32 0, ptr %other
  %parent.up = getelementptr i8, ptr %parent, i64 8
  %further = load ptr, ptr %parent.up
  br label %loop
turn:
  br i1 %far.red, label %over, label %out
out:
  store i32 1, ptr %near.node
  store i32 0, ptr %other
  call void @enumerator.tree.rotate(ptr %other, i64 %far, ptr %header)
  %turned = load ptr, ptr %place
  br label %over
over:
  %high = phi ptr [ %other, %turn ], [ %turned, %out ]
  %colour = load i32, ptr %parent
  store i32 %colour, ptr %high
  store i32 1, ptr %parent
  %end.place = call ptr @enumerator.tree.below(ptr %high, i64 %far)
  %end = load ptr, ptr %end.place
  store i32 1, ptr %end
  call void @enumerator.tree.rotate(ptr %parent, i64 %side, ptr %header)
  br label %blacken
blacken:
  %none = icmp eq ptr %node, null
  br i1 %none, label %done, label %store
store:
  store i32 1, ptr %node
  br label %done
done:
  ret void
}

; A node with two below it gives its place, and its colour, to the next one.
define ptr @_ZSt28_Rb_tree_rebalance_for_erasePSt18_Rb_tree_node_baseRS_(ptr %node, ptr %header) {
entry:
  %up = getelementptr i8, ptr %node, i64 8
  %left.place = getelementptr i8, ptr %node, i64 16
  %right.place = getelementptr i8, ptr %node, i64 24
  %left = load ptr, ptr %left.place
  %right = load ptr, ptr %right.place
  %no.left = icmp eq ptr %left, null
  %no.right = icmp eq ptr %right, null
  %few = or i1 %no.left, %no.right
  br i1 %few, label %one, label %two
two:
  %next = call ptr @enumerator.tree.last(ptr %right, i64 0)
  %next.up = getelementptr i8, ptr %next, i64 8
  %next.left = getelementptr i8, ptr %next, i64 16
  %next.right = getelementptr i8, ptr %next, i64 24
  %behind = load ptr, ptr %next.right
  %left.up = getelementptr i8, ptr %left, i64 8
  store ptr %next, ptr %left.up
  store ptr %left, ptr %next.left
  %direct = icmp eq ptr %next, %right
  br i1 %direct, label %place, label %far
far:
  %next.above = load ptr, ptr %next.up
  %none.behind = icmp eq ptr %behind, null
  br i1 %none.behind, label %close, label %behind.up
behind.up:
  %behind.place = getelementptr i8, ptr %behind, i64 8
  store ptr %next.above, ptr %behind.place
  br label %close
close:
  %gap = getelementptr i8, ptr %next.above, i64 16
  store ptr %behind, ptr %gap
  store ptr %right, ptr %next.right
  %right.up = getelementptr i8, ptr %right, i64 8
  store ptr %next, ptr %right.up
  br label %place
place:
  %gap.above = phi ptr [ %next, %two ], [ %next.above, %close ]
  call void @enumerator.tree.put(ptr %node, ptr %next, ptr %header)
  %node.above = load ptr, ptr %up
  store ptr %node.above, ptr %next.up
  %next.colour = load i32, ptr %next
  %node.colour = load i32, ptr %node
  store i32 %node.colour, ptr %next
  store i32 %next.colour, ptr %node
  br label %colour
one:
  %below = select i1 %no.left, ptr %right, ptr %left
  %above = load ptr, ptr %up
  %none = icmp eq ptr %below, null
  br i1 %none, label %take, label %below.up
below.up:
  %below.place = getelementptr i8, ptr %below, i64 8
  store ptr %above, ptr %below.place
  br label %take
take:
  call void @enumerator.tree.put(ptr %node, ptr %below, ptr %header)
  call void @enumerator.tree.end(ptr %node, ptr %right, ptr %above, i64 0, ptr %header)
  call void @enumerator.tree.end(ptr %node, ptr %left, ptr %above, i64 1, ptr %header)
  %own.colour = load i32, ptr %node
  br label %colour
colour:
  %rest = phi ptr [ %behind, %place ], [ %below, %take ]
  %rest.above = phi ptr [ %gap.above, %place ], [ %above, %take ]
  %gone = phi i32 [ %next.colour, %place ], [ %own.colour, %take ]
  %black = icmp ne i32 %gone, 0
  br i1 %black, label %mend, label %done
mend:
  call void @enumerator.tree.mend(ptr %rest, ptr %rest.above, ptr %header)
  br label %done
done:
  ret ptr %node
}

; Where a node goes that is the last one on a side, another one is: of what is below it on the other side, or above.
define void @enumerator.tree.end(ptr %node, ptr %below, ptr %above, i64 %side, ptr %header) {
entry:
  %place = call ptr @enumerator.tree.below(ptr %header, i64 %side)
  %end = load ptr, ptr %place
  %is.end = icmp eq ptr %end, %node
  br i1 %is.end, label %look, label %done
look:
  %none = icmp eq ptr %below, null
  br i1 %none, label %store, label %down
down:
  %found = call ptr @enumerator.tree.last(ptr %below, i64 %side)
  br label %store
store:
  %new = phi ptr [ %above, %look ], [ %found, %down ]
  store ptr %new, ptr %place
  br label %done
done:
  ret void
}

; -- Tables: std::unordered_map and its like -------------------------------------------------------------------------
; A policy has how full a table may be at 0, as a float, and at 8 how many elements make it grow. Its sizes are primes.

declare void @enumerator.a.hash.table.of.more.than.2179.buckets()

define i64 @_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(ptr %policy, i64 %least) {
entry:
  %none = icmp eq i64 %least, 0
  br i1 %none, label %first, label %look
first:
  ret i64 1
look:
  %large = icmp ugt i64 %least, 2179
  br i1 %large, label %unknown, label %find
unknown:
  call void @enumerator.a.hash.table.of.more.than.2179.buckets()
  br label %find
find:
  %up.to.2029 = icmp ule i64 %least, 2029
  %from.2029 = select i1 %up.to.2029, i64 2029, i64 2179
  %up.to.1879 = icmp ule i64 %least, 1879
  %from.1879 = select i1 %up.to.1879, i64 1879, i64 %from.2029
  %up.to.1741 = icmp ule i64 %least, 1741
  %from.1741 = select i1 %up.to.1741, i64 1741, i64 %from.1879
  %up.to.1613 = icmp ule i64 %least, 1613
  %from.1613 = select i1 %up.to.1613, i64 1613, i64 %from.1741
  %up.to.1493 = icmp ule i64 %least, 1493
  %from.1493 = select i1 %up.to.1493, i64 1493, i64 %from.1613
  %up.to.1381 = icmp ule i64 %least, 1381
  %from.1381 = select i1 %up.to.1381, i64 1381, i64 %from.1493
  %up.to.1289 = icmp ule i64 %least, 1289
  %from.1289 = select i1 %up.to.1289, i64 1289, i64 %from.1381
  %up.to.1193 = icmp ule i64 %least, 1193
  %from.1193 = select i1 %up.to.1193, i64 1193, i64 %from.1289
  %up.to.1109 = icmp ule i64 %least, 1109
  %from.1109 = select i1 %up.to.1109, i64 1109, i64 %from.1193
  %up.to.1031 = icmp ule i64 %least, 1031
  %from.1031 = select i1 %up.to.1031, i64 1031, i64 %from.1109
  %up.to.953 = icmp ule i64 %least, 953
  %from.953 = select i1 %up.to.953, i64 953, i64 %from.1031
  %up.to.887 = icmp ule i64 %least, 887
  %from.887 = select i1 %up.to.887, i64 887, i64 %from.953
  %up.to.823 = icmp ule i64 %least, 823
  %from.823 = select i1 %up.to.823, i64 823, i64 %from.887
  %up.to.761 = icmp ule i64 %least, 761
  %from.761 = select i1 %up.to.761, i64 761, i64 %from.823
  %up.to.709 = icmp ule i64 %least, 709
  %from.709 = select i1 %up.to.709, i64 709, i64 %from.761
  %up.to.661 = icmp ule i64 %least, 661
  %from.661 = select i1 %up.to.661, i64 661, i64 %from.709
  %up.to.619 = icmp ule i64 %least, 619
  %from.619 = select i1 %up.to.619, i64 619, i64 %from.661
  %up.to.577 = icmp ule i64 %least, 577
  %from.577 = select i1 %up.to.577, i64 577, i64 %from.619
  %up.to.541 = icmp ule i64 %least, 541
  %from.541 = select i1 %up.to.541, i64 541, i64 %from.577
  %up.to.503 = icmp ule i64 %least, 503
  %from.503 = select i1 %up.to.503, i64 503, i64 %from.541
  %up.to.467 = icmp ule i64 %least, 467
  %from.467 = select i1 %up.to.467, i64 467, i64 %from.503
  %up.to.439 = icmp ule i64 %least, 439
  %from.439 = select i1 %up.to.439, i64 439, i64 %from.467
  %up.to.409 = icmp ule i64 %least, 409
  %from.409 = select i1 %up.to.409, i64 409, i64 %from.439
  %up.to.383 = icmp ule i64 %least, 383
  %from.383 = select i1 %up.to.383, i64 383, i64 %from.409
  %up.to.359 = icmp ule i64 %least, 359
  %from.359 = select i1 %up.to.359, i64 359, i64 %from.383
  %up.to.337 = icmp ule i64 %least, 337
  %from.337 = select i1 %up.to.337, i64 337, i64 %from.359
  %up.to.313 = icmp ule i64 %least, 313
  %from.313 = select i1 %up.to.313, i64 313, i64 %from.337
  %up.to.293 = icmp ule i64 %least, 293
  %from.293 = select i1 %up.to.293, i64 293, i64 %from.313
  %up.to.277 = icmp ule i64 %least, 277
  %from.277 = select i1 %up.to.277, i64 277, i64 %from.293
  %up.to.257 = icmp ule i64 %least, 257
  %from.257 = select i1 %up.to.257, i64 257, i64 %from.277
  %up.to.241 = icmp ule i64 %least, 241
  %from.241 = select i1 %up.to.241, i64 241, i64 %from.257
  %up.to.227 = icmp ule i64 %least, 227
  %from.227 = select i1 %up.to.227, i64 227, i64 %from.241
  %up.to.211 = icmp ule i64 %least, 211
  %from.211 = select i1 %up.to.211, i64 211, i64 %from.227
  %up.to.199 = icmp ule i64 %least, 199
  %from.199 = select i1 %up.to.199, i64 199, i64 %from.211
  %up.to.193 = icmp ule i64 %least, 193
  %from.193 = select i1 %up.to.193, i64 193, i64 %from.199
  %up.to.179 = icmp ule i64 %least, 179
  %from.179 = select i1 %up.to.179, i64 179, i64 %from.193
  %up.to.167 = icmp ule i64 %least, 167
  %from.167 = select i1 %up.to.167, i64 167, i64 %from.179
  %up.to.157 = icmp ule i64 %least, 157
  %from.157 = select i1 %up.to.157, i64 157, i64 %from.167
  %up.to.149 = icmp ule i64 %least, 149
  %from.149 = select i1 %up.to.149, i64 149, i64 %from.157
  %up.to.139 = icmp ule i64 %least, 139
  %from.139 = select i1 %up.to.139, i64 139, i64 %from.149
  %up.to.137 = icmp ule i64 %least, 137
  %from.137 = select i1 %up.to.137, i64 137, i64 %from.139
  %up.to.127 = icmp ule i64 %least, 127
  %from.127 = select i1 %up.to.127, i64 127, i64 %from.137
  %up.to.113 = icmp ule i64 %least, 113
  %from.113 = select i1 %up.to.113, i64 113, i64 %from.127
  %up.to.109 = icmp ule i64 %least, 109
  %from.109 = select i1 %up.to.109, i64 109, i64 %from.113
  %up.to.103 = icmp ule i64 %least, 103
  %from.103 = select i1 %up.to.103, i64 103, i64 %from.109
  %up.to.97 = icmp ule i64 %least, 97
  %from.97 = select i1 %up.to.97, i64 97, i64 %from.103
  %up.to.89 = icmp ule i64 %least, 89
  %from.89 = select i1 %up.to.89, i64 89, i64 %from.97
  %up.to.83 = icmp ule i64 %least, 83
  %from.83 = select i1 %up.to.83, i64 83, i64 %from.89
  %up.to.79 = icmp ule i64 %least, 79
  %from.79 = select i1 %up.to.79, i64 79, i64 %from.83
  %up.to.73 = icmp ule i64 %least, 73
  %from.73 = select i1 %up.to.73, i64 73, i64 %from.79
  %up.to.71 = icmp ule i64 %least, 71
  %from.71 = select i1 %up.to.71, i64 71, i64 %from.73
  %up.to.67 = icmp ule i64 %least, 67
  %from.67 = select i1 %up.to.67, i64 67, i64 %from.71
  %up.to.61 = icmp ule i64 %least, 61
  %from.61 = select i1 %up.to.61, i64 61, i64 %from.67
  %up.to.59 = icmp ule i64 %least, 59
  %from.59 = select i1 %up.to.59, i64 59, i64 %from.61
  %up.to.53 = icmp ule i64 %least, 53
  %from.53 = select i1 %up.to.53, i64 53, i64 %from.59
  %up.to.47 = icmp ule i64 %least, 47
  %from.47 = select i1 %up.to.47, i64 47, i64 %from.53
  %up.to.43 = icmp ule i64 %least, 43
  %from.43 = select i1 %up.to.43, i64 43, i64 %from.47
  %up.to.41 = icmp ule i64 %least, 41
  %from.41 = select i1 %up.to.41, i64 41, i64 %from.43
  %up.to.37 = icmp ule i64 %least, 37
  %from.37 = select i1 %up.to.37, i64 37, i64 %from.41
  %up.to.31 = icmp ule i64 %least, 31
  %from.31 = select i1 %up.to.31, i64 31, i64 %from.37
  %up.to.29 = icmp ule i64 %least, 29
  %from.29 = select i1 %up.to.29, i64 29, i64 %from.31
  %up.to.23 = icmp ule i64 %least, 23
  %from.23 = select i1 %up.to.23, i64 23, i64 %from.29
  %up.to.19 = icmp ule i64 %least, 19
  %from.19 = select i1 %up.to.19, i64 19, i64 %from.23
  %up.to.17 = icmp ule i64 %least, 17
  %from.17 = select i1 %up.to.17, i64 17, i64 %from.19
  %up.to.13 = icmp ule i64 %least, 13
  %from.13 = select i1 %up.to.13, i64 13, i64 %from.17
  %up.to.11 = icmp ule i64 %least, 11
  %from.11 = select i1 %up.to.11, i64 11, i64 %from.13
  %up.to.7 = icmp ule i64 %least, 7
  %from.7 = select i1 %up.to.7, i64 7, i64 %from.11
  %up.to.5 = icmp ule i64 %least, 5
  %from.5 = select i1 %up.to.5, i64 5, i64 %from.7
  %up.to.3 = icmp ule i64 %least, 3
  %from.3 = select i1 %up.to.3, i64 3, i64 %from.5
  %up.to.2 = icmp ule i64 %least, 2
  %from.2 = select i1 %up.to.2, i64 2, i64 %from.3
  call void @enumerator.table.limit(ptr %policy, i64 %from.2)
  ret i64 %from.2
}

; So many elements may be in a table of a size.
define void @enumerator.table.limit(ptr %policy, i64 %size) {
  %load = load float, ptr %policy
  %full = fpext float %load to double
  %buckets = uitofp i64 %size to double
  %product = fmul double %buckets, %full
  %limit = fptoui double %product to i64
  %place = getelementptr i8, ptr %policy, i64 8
  store i64 %limit, ptr %place
  ret void
}

; Whether a table grows that gets some more elements, and to what size: at least 11 at first, else twice as many.
define { i8, i64 } @_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm(ptr %policy, i64 %size, i64 %elements, i64 %more) {
entry:
  %place = getelementptr i8, ptr %policy, i64 8
  %limit = load i64, ptr %place
  %all = add i64 %elements, %more
  %over = icmp ugt i64 %all, %limit
  br i1 %over, label %look, label %stays
stays:
  ret { i8, i64 } { i8 0, i64 0 }
look:
  %unused = icmp eq i64 %limit, 0
  %few = icmp ult i64 %all, 11
  %first = and i1 %unused, %few
  %count = select i1 %first, i64 11, i64 %all
  %wanted = uitofp i64 %count to double
  %load = load float, ptr %policy
  %full = fpext float %load to double
  %least = fdiv double %wanted, %full
  %buckets = uitofp i64 %size to double
  %small = fcmp oge double %least, %buckets
  br i1 %small, label %grow, label %fits
fits:
  call void @enumerator.table.limit(ptr %policy, i64 %size)
  ret { i8, i64 } { i8 0, i64 0 }
grow:
  %floor = fptoui double %least to i64
  %enough = add i64 %floor, 1
  %twice = shl i64 %size, 1
  %less = icmp ult i64 %enough, %twice
  %asked = select i1 %less, i64 %twice, i64 %enough
  %new = call i64 @_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm(ptr %policy, i64 %asked)
  %result = insertvalue { i8, i64 } { i8 1, i64 undef }, i64 %new, 1
  ret { i8, i64 } %result
}
