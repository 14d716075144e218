"""Every covered instruction, operand and constant form."""

from __future__ import annotations

import pytest

from enumerator.frontend import load_text
from enumerator.program.instructions import (
    Alloca,
    Annotation,
    Assign,
    Barrier,
    BarrierOperation,
    Branch,
    Call,
    CompareExchange,
    Constant,
    Fence,
    Freeze,
    Instruction,
    Jump,
    Load,
    Operation,
    Ordering,
    ReadModifyWrite,
    Register,
    Return,
    Scope,
    Store,
    Switch,
    Tag,
    Terminator,
    Unreachable,
    Unsupported,
)
from enumerator.program.test import Test
from enumerator.program.types import (
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    VectorType,
)
from enumerator.program.values import NULL, UNDEF, Pointer, Term, Value

I1, I8, I32, I64, PTR = IntType(1), IntType(8), IntType(32), IntType(64), PointerType()

PRELUDE = """; SCOPES: (agent (workgroup f))
; THREADS: f=@f(i32 1, ptr @x, i1 true, <2 x i32> zeroinitializer, i64 5)
@x = global i32 0
@g = addrspace(1) global i32 0
@a = global [4 x i32] zeroinitializer
@q = global <4 x i32> zeroinitializer
declare void @ext()
declare void @llvm.amdgcn.s.barrier()
declare void @llvm.amdgcn.s.barrier.signal(i32)
declare void @llvm.amdgcn.s.barrier.wait(i16)
declare <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1), metadata)
declare <4 x i32> @llvm.amdgcn.av.load.b128(ptr, metadata)
declare void @llvm.amdgcn.av.global.store.b128(ptr addrspace(1), <4 x i32>, metadata)
declare void @llvm.amdgcn.av.store.b128(ptr, <4 x i32>, metadata)
declare i32 @llvm.expect.i32(i32, i32)
declare void @llvm.lifetime.start.p0(ptr)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
%s = type { i32, [2 x i64], { i8, i16 } }
define i32 @callee(i32 %z) {
  ret i32 %z
}
define void @other(i32 %z, ...) {
  ret void
}
"""


def thread(body: str, after: str = "") -> Test:
    text = f"{PRELUDE}define void @f(i32 %n, ptr %p, i1 %c, <2 x i32> %v, i64 %w) {{\n{body}\n}}\n{after}"
    return load_text(text, "test.ll")


def first(body: str, after: str = "") -> Instruction | Terminator:
    """Give the first instruction of a body (of the first block), to which a return is added."""
    block = thread(f"  {body}\n  ret void", after).functions["f"].blocks[0]
    assert block.phis == ()
    return (*block.body, block.terminator)[0]


def operation(body: str) -> Operation:
    part = first(body)
    assert isinstance(part, Assign) and isinstance(part.expression, Operation)
    return part.expression


@pytest.mark.parametrize(
    ("text", "type_", "annotation"),
    [
        ("load i32, ptr %p", I32, Annotation()),
        ("load volatile i8, ptr %p, align 1", I8, Annotation(volatile=True)),
        ("load atomic i32, ptr %p unordered, align 4", I32, Annotation(Ordering.UNORDERED)),
        (
            'load atomic volatile i32, ptr %p syncscope("wavefront") acquire, align 4',
            I32,
            Annotation(Ordering.ACQUIRE, Scope.WAVEFRONT, volatile=True),
        ),
        (
            'load atomic i32, ptr %p syncscope("one-as") seq_cst, align 4',
            I32,
            Annotation(Ordering.SEQ_CST, Scope.SYSTEM, one_as=True),
        ),
        (
            'load atomic i64, ptr %p syncscope("cluster-one-as") monotonic, align 8',
            I64,
            Annotation(Ordering.MONOTONIC, Scope.CLUSTER, one_as=True),
        ),
        ("load ptr addrspace(1), ptr %p", PointerType(1), Annotation()),
        ("load <2 x i32>, ptr %p", VectorType(2, I32), Annotation()),
        ("load float, ptr %p", FloatType("float", 4), Annotation()),
        (
            "load %s, ptr %p",
            StructType((I32, ArrayType(2, I64), StructType((I8, IntType(16))))),
            Annotation(),
        ),
        ("load i32, ptr %p, !thread.private !{}", I32, Annotation(thread_private=True)),
        ('load i32, ptr %p, !mmra !{!"a", !"b"}', I32, Annotation(tags=frozenset({Tag("a", "b")}))),
        (
            'load i32, ptr %p, !mmra !{!{!"a", !"b"}, !{!"a", !"x\\22y"}}',
            I32,
            Annotation(tags=frozenset({Tag("a", "b"), Tag("a", 'x"y')})),
        ),
    ],
)
def test_loads(text: str, type_: object, annotation: Annotation) -> None:
    part = first(f"%r = {text}")
    assert isinstance(part, Load)
    assert (part.target, part.address, part.type, part.annotation) == ("r", Register("p"), type_, annotation)


def test_address_space_is_that_of_the_pointer() -> None:
    part = first("store i32 1, ptr addrspace(1) @g")
    assert isinstance(part, Store)
    assert part.annotation.address_space == 1
    assert part.address == Constant(Pointer("@g"), PointerType(1))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("i32 4294967295", -1),
        ("i8 -128", -128),
        ("i1 true", 1),
        ("i1 false", 0),
        ("i128 -170141183460469231731687303715884105728", -(1 << 127)),
        ("ptr null", NULL),
        ("ptr @x", Pointer("@x")),
        ("i32 undef", UNDEF),
        ("i32 poison", UNDEF),
        ("<2 x i32> <i32 1, i32 undef>", (1, UNDEF)),
        ("<2 x i32> splat (i32 7)", (7, 7)),
        ("<2 x i32> zeroinitializer", (0, 0)),
        ("%s zeroinitializer", (0, (0, 0), (0, 0))),
        ("{ i32, i8 } { i32 1, i8 2 }", (1, 2)),
        ("<{ i32, i8 }> <{ i32 1, i8 2 }>", (1, 2)),
        ("[2 x i8] [i8 1, i8 2]", (1, 2)),
        ('[3 x i8] c"a\\00\\FF"', (97, 0, -1)),
        ("float 1.5", Term("1.500000e+00")),
        ("ptr getelementptr (i8, ptr @a, i64 3)", Pointer("@a", 3)),
        ("ptr getelementptr inbounds ([4 x i32], ptr @a, i32 0, i32 2)", Pointer("@a", 8)),
        ("ptr getelementptr (%s, ptr @a, i32 1, i32 2, i32 1)", Pointer("@a", 32 + 26)),
        ("i64 ptrtoint (ptr @x to i64)", Pointer("@x")),
        ("i64 add (i64 ptrtoint (ptr @x to i64), i64 4)", Pointer("@x", 4)),
        ("i64 sub (i64 ptrtoint (ptr getelementptr (i8, ptr @a, i64 8) to i64), i64 ptrtoint (ptr @a to i64))", 8),
        ("ptr inttoptr (i64 16 to ptr)", Pointer("", 16)),
        ("ptr addrspacecast (ptr addrspace(1) @g to ptr)", Pointer("@g")),
    ],
)
def test_constants(text: str, value: Value) -> None:
    part = first(f"store {text}, ptr %p")
    assert isinstance(part, Store) and isinstance(part.value, Constant)
    assert part.value.value == value
    assert part.value.type == part.type


@pytest.mark.parametrize("opcode", "add sub mul udiv sdiv urem srem shl lshr ashr and or xor".split())
def test_integer_arithmetic(opcode: str) -> None:
    found = operation(f"%r = {opcode} i32 %n, -3")
    assert found == Operation(opcode, (Register("n"), Constant(-3, I32)), I32, I32)


@pytest.mark.parametrize("flags", ["add nuw nsw", "shl nsw", "lshr exact", "or disjoint", "sdiv exact"])
def test_flags_are_read_and_dropped(flags: str) -> None:
    assert operation(f"%r = {flags} i32 %n, 1").operator == flags.split()[0]


@pytest.mark.parametrize(
    ("text", "operator", "type_", "operand"),
    [
        ("icmp slt i32 %n, 3", "icmp slt", I1, I32),
        ("icmp samesign ult i32 %n, 3", "icmp ult", I1, I32),
        ("icmp eq ptr %p, null", "icmp eq", I1, PTR),
        ("icmp ne <2 x i32> %v, splat (i32 1)", "icmp ne", VectorType(2, I1), VectorType(2, I32)),
        ("select i1 %c, i32 %n, i32 2", "select", I32, I1),
        ("trunc nuw i32 %n to i8", "trunc", I8, I32),
        ("zext nneg i32 %n to i64", "zext", I64, I32),
        ("sext i1 %c to i32", "sext", I32, I1),
        ("inttoptr i64 %w to ptr", "inttoptr", PTR, I64),
        ("ptrtoint ptr %p to i64", "ptrtoint", I64, PTR),
        ("bitcast <2 x i32> %v to i64", "bitcast", I64, VectorType(2, I32)),
        ("addrspacecast ptr %p to ptr addrspace(1)", "addrspacecast", PointerType(1), PTR),
        ("extractelement <2 x i32> %v, i32 %n", "extractelement", I32, VectorType(2, I32)),
        ("insertelement <2 x i32> %v, i32 %n, i64 1", "insertelement", VectorType(2, I32), VectorType(2, I32)),
        ("sitofp i32 %n to float", "sitofp", FloatType("float", 4), I32),
        ("fadd nnan nsz double 1.0, 2.0", "fadd", FloatType("double", 8), FloatType("double", 8)),
        ("fcmp fast olt float 1.0, 2.0", "fcmp olt", I1, FloatType("float", 4)),
        ("fneg float 1.0", "fneg", FloatType("float", 4), FloatType("float", 4)),
    ],
)
def test_operations(text: str, operator: str, type_: object, operand: object) -> None:
    found = operation(f"%r = {text}")
    assert (found.operator, found.type, found.operand_type) == (operator, type_, operand)


def test_aggregates() -> None:
    pair = "{ i32, { i8, i16 } }"
    inner = StructType((I8, IntType(16)))
    found = operation(f"%r = insertvalue {pair} poison, i16 3, 1, 1")
    assert (found.indices, found.arguments[1]) == ((1, 1), Constant(3, IntType(16)))
    found = operation(f"%r = extractvalue {pair} zeroinitializer, 1")
    assert (found.indices, found.type, found.operand_type) == ((1,), inner, StructType((I32, inner)))


def test_constant_addresses_are_computed() -> None:
    part = first("%r = getelementptr inbounds nuw [4 x i32], ptr @a, i64 0, i32 3")
    assert part == Assign("r", Constant(Pointer("@a", 12), PTR), part.line)
    found = operation("%r = getelementptr %s, ptr %p, i32 -1, i32 1, i64 1")
    assert found == Operation("ptradd", (Register("p"), Constant(-32 + 16, I64)), PTR, PTR)


def test_computed_addresses() -> None:
    wide = Operation("sext", (Register("n"),), I64, I32)
    scaled = Operation("mul", (wide, Constant(8, I64)), I64, I64)
    offset = Operation("add", (scaled, Constant(32 + 8, I64)), I64, I64)
    found = operation("%r = getelementptr %s, ptr %p, i32 1, i32 1, i32 %n")
    assert found == Operation("ptradd", (Register("p"), offset), PTR, PTR)
    found = operation("%r = getelementptr i8, ptr @a, i64 %w")
    assert found.arguments == (Constant(Pointer("@a"), PTR), Register("w"))


@pytest.mark.parametrize(
    "operator",
    "xchg add sub and nand or xor max min umax umin uinc_wrap udec_wrap usub_cond usub_sat".split(),
)
def test_read_modify_writes(operator: str) -> None:
    part = first(f'%r = atomicrmw volatile {operator} ptr %p, i32 2 syncscope("agent") acq_rel, align 4')
    assert part == ReadModifyWrite(
        "r",
        operator,
        Register("p"),
        Constant(2, I32),
        I32,
        Annotation(Ordering.ACQ_REL, Scope.AGENT, volatile=True),
        part.line,
    )


@pytest.mark.parametrize("operator", "fadd fsub fmax fmin xchg".split())
def test_floating_read_modify_writes(operator: str) -> None:
    part = first(f"%r = atomicrmw {operator} ptr %p, float 1.0 monotonic, align 4")
    assert isinstance(part, ReadModifyWrite)
    assert (part.operator, part.operand) == (operator, Constant(Term("1.000000e+00"), FloatType("float", 4)))


def test_compare_exchange() -> None:
    part = first('%r = cmpxchg weak volatile ptr %p, i32 %n, i32 1 syncscope("workgroup") acq_rel monotonic, align 4')
    assert part == CompareExchange(
        "r",
        Register("p"),
        Register("n"),
        Constant(1, I32),
        I32,
        Annotation(Ordering.ACQ_REL, Scope.WORKGROUP, volatile=True),
        Ordering.MONOTONIC,
        True,
        part.line,
    )


def test_fences_and_barriers() -> None:
    part = first('fence syncscope("singlethread-one-as") seq_cst, !mmra !{!"a", !"b"}')
    tags = frozenset({Tag("a", "b")})
    assert isinstance(part, Fence)
    assert part.annotation == Annotation(Ordering.SEQ_CST, Scope.SINGLETHREAD, one_as=True, tags=tags)
    for text, arrives, waits in (
        ("@llvm.amdgcn.s.barrier()", True, True),
        ("@llvm.amdgcn.s.barrier.signal(i32 -1)", True, False),
        ("@llvm.amdgcn.s.barrier.wait(i16 -1)", False, True),
    ):
        part = first(f"call void {text}")
        assert isinstance(part, Barrier) and (part.arrives, part.waits) == (arrives, waits)
    part = first("call void @llvm.amdgcn.s.barrier.signal(i32 3)")
    assert isinstance(part, BarrierOperation) and (part.operation, part.object) == ("arrive", "named barrier 3")


def test_availability_and_visibility_intrinsics() -> None:
    load = first('%r = call <4 x i32> @llvm.amdgcn.av.global.load.b128(ptr addrspace(1) @g, metadata !"workgroup")')
    assert load == Load(
        "r",
        Constant(Pointer("@g"), PointerType(1)),
        VectorType(4, I32),
        Annotation(scope=Scope.WORKGROUP, address_space=1, labels=frozenset({"AV"})),
        load.line,
    )
    store = first(
        "call void @llvm.amdgcn.av.store.b128(ptr %p, <4 x i32> splat (i32 1), metadata !0)", '!0 = !{!"agent"}'
    )
    assert store == Store(
        Register("p"),
        Constant((1, 1, 1, 1), VectorType(4, I32)),
        VectorType(4, I32),
        Annotation(scope=Scope.AGENT, labels=frozenset({"AV"})),
        store.line,
    )


def test_assembly_that_waits_for_own_accesses_does_nothing() -> None:
    part = first('call void asm sideeffect "s_waitcnt vmcnt(0) lgkmcnt(0)", "~{memory}"()\n  store i32 1, ptr @x')
    assert isinstance(part, Store)
    part = first('call void asm sideeffect "s_waitcnt lgkmcnt(0)\\0As_barrier", ""()')
    assert isinstance(part, Unsupported)


def test_calls() -> None:
    part = first("%r = tail call fastcc noundef signext i32 @callee(i32 noundef signext %n) nounwind")
    assert part == Call("r", "callee", (Register("n"),), part.line)
    part = first("call void @llvm.memcpy.p0.p0.i32(ptr %p, ptr @x, i32 %n, i1 false)")
    assert isinstance(part, Call) and part.function == "enumerator.copy", "of a length that is computed"
    part = first("call i32 @callee(i32 3)")
    assert isinstance(part, Call) and part.function == "callee"


@pytest.mark.parametrize(
    "text",
    [
        "call void @ext()",
        'call void asm sideeffect "s_nop 0", ""()',
        "%r = call i32 @llvm.amdgcn.mbcnt.lo(i32 15, i32 0)",
        "call void @llvm.memcpy.p0.p0.i32(ptr %p, ptr @x, i32 %n, i1 true)",
        "%r = call float @llvm.sqrt.f32(float 2.0)",
        "%r = va_arg ptr %p, i32",
        "%r = alloca <vscale x 2 x i32>",
        "call void (i32, ...) @other(i32 1, i32 2)",
        "%r = call i64 @callee(i64 3)",
        "%r = load <vscale x 2 x i32>, ptr %p",
    ],
)
def test_what_is_not_covered_is_kept_for_the_thread_that_reaches_it(text: str) -> None:
    part = first(text)
    assert isinstance(part, Unsupported)
    assert part.text.startswith(text[:12]) and part.line is not None


@pytest.mark.parametrize(
    "text",
    ["call void @llvm.lifetime.start.p0(ptr %p)", "call void @llvm.donothing()", "call void @llvm.assume(i1 true)"],
)
def test_ignored_calls(text: str) -> None:
    after = "declare void @llvm.donothing()\ndeclare void @llvm.assume(i1)"
    body = "  %p2 = alloca i32\n  " + text.replace("%p", "%p2") + "\n  ret void"
    assert len(thread(body, after).functions["f"].blocks[0].body) == 1


def test_small_instructions() -> None:
    assert isinstance(first("%r = freeze i32 %n"), Freeze)
    part = first("%r = call i32 @llvm.expect.i32(i32 %n, i32 1)")
    assert part == Assign("r", Register("n"), part.line)
    part = first("%r = alloca [2 x i32], i32 3, align 8, addrspace(5)")
    assert part == Alloca("r", ArrayType(2, I32), 3, 5, part.line)


def test_control_flow() -> None:
    body = """  br i1 %c, label %"a b", label %1
"a b":
  %m = phi i32 [ %n, %0 ], [ 7, %1 ], [ 7, %1 ]
  switch i32 %m, label %1 [
    i32 -1, label %2
    i32 2, label %1
  ]
1:
  switch i32 %n, label %"a b" [
    i32 5, label %"a b"
  ]
2:
  unreachable"""
    entry, loop, back, end = thread(body).functions["f"].blocks
    assert (entry.name, loop.name, back.name, end.name) == ("0", "a b", "1", "2")
    assert isinstance(entry.terminator, Branch)
    assert (entry.terminator.then, entry.terminator.otherwise) == ("a b", "1")
    assert loop.phis[0].incoming == (("0", Register("n")), ("1", Constant(7, I32)), ("1", Constant(7, I32)))
    assert isinstance(loop.terminator, Switch)
    assert (loop.terminator.cases, loop.terminator.default) == (((-1, "2"), (2, "1")), "1")
    assert isinstance(end.terminator, Unreachable)
    jump = first("br label %1\n1:")
    assert jump == Jump("1", jump.line)
    assert isinstance(thread("  ret void").functions["f"].blocks[0].terminator, Return)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("global i32 7", 7),
        ("global i32 zeroinitializer", 0),
        ("global [2 x i32] zeroinitializer", None),
        ('global [2 x [2 x i8]] [[2 x i8] c"ab", [2 x i8] zeroinitializer]', ((97, 98), (0, 0))),
        ("addrspace(3) global i32 undef", UNDEF),
        ("addrspace(3) global [4 x i32] poison", UNDEF),
        ("external global i32", UNDEF),
        ("external addrspace(3) global [0 x i32]", UNDEF),
        ("internal unnamed_addr constant ptr @x, align 8", Pointer("@x")),
        ("global float 0.5", Term("5.000000e-01")),
        ("global { i8, ptr } { i8 1, ptr getelementptr (i8, ptr @a, i64 4) }", (1, Pointer("@a", 4))),
    ],
)
def test_initial_values(text: str, value: Value | None) -> None:
    test = thread("  ret void", f"@new = {text}")
    assert {obj.name: obj.initial for obj in test.objects}["@new"] == value


def test_thread_local_and_aliases() -> None:
    after = "@t = thread_local global i32 0\n@b = alias { i32, i32 }, ptr getelementptr (i8, ptr @a, i64 4)"
    stored = first("store i32 1, ptr @t", after)
    assert isinstance(stored, Store) and stored.address == Register("%@t")
    assert isinstance(first("store ptr getelementptr (i8, ptr @t, i64 1), ptr @x", after), Unsupported)
    part = first("store i32 1, ptr @b", after)
    assert isinstance(part, Store) and part.address == Constant(Pointer("@a", 4), PTR)
    after = "@alias = alias void (ptr), ptr @aliased\n@again = alias void (ptr), ptr @alias\n"
    part = first("store ptr @again, ptr @a", after + "define void @aliased(ptr %p) {\n  ret void\n}")
    assert isinstance(part, Store) and part.value == Constant(Pointer("@aliased"), PTR)
