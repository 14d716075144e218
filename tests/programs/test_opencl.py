"""OpenCL's builtins as clang leaves them: mangled calls without a body."""

from __future__ import annotations

from pathlib import Path

import pytest

from enumerator import check, load
from enumerator.errors import InputError
from enumerator.frontend import load_text
from enumerator.frontend.compiled import Compiler
from enumerator.frontend.llvm.mangling import demangle
from enumerator.program.instructions import (
    Allocate,
    Assign,
    Barrier,
    Call,
    CompareExchange,
    Fence,
    Instruction,
    Load,
    Ordering,
    ReadModifyWrite,
    Scope,
    Store,
    Unsupported,
)
from tests.programs.source import needs_clang

ATOMIC = "PU3AS1VU7_Atomici"


def body(call: str, declaration: str) -> list[Instruction]:
    text = f"""; LAUNCH: @k(ptr addrspace(1) @x)
@x = addrspace(1) global i32 0
@e = addrspace(1) global i32 0
declare {declaration}
define void @k(ptr addrspace(1) %p) {{
  {call}
  ret void
}}
"""
    test = load_text(text, "cl.ll")
    (block,) = test.functions["k"].blocks
    return list(block.body)


def test_loads_and_stores() -> None:
    name = f"@_Z20atomic_load_explicit{ATOMIC}12memory_order12memory_scope"
    (part,) = body(
        f"%v = call i32 {name}(ptr addrspace(1) %p, i32 2, i32 2)", f"i32 {name}(ptr addrspace(1), i32, i32)"
    )
    assert isinstance(part, Load) and part.annotation.address_space == 1
    assert (part.annotation.ordering, part.annotation.scope) == (Ordering.ACQUIRE, Scope.AGENT)
    name = f"@_Z12atomic_store{ATOMIC}i"
    (part,) = body(f"call void {name}(ptr addrspace(1) %p, i32 5)", f"void {name}(ptr addrspace(1), i32)")
    assert isinstance(part, Store)
    assert (part.annotation.ordering, part.annotation.scope) == (Ordering.SEQ_CST, Scope.AGENT)
    name = f"@_Z11atomic_init{ATOMIC}i"
    (part,) = body(f"call void {name}(ptr addrspace(1) %p, i32 5)", f"void {name}(ptr addrspace(1), i32)")
    assert isinstance(part, Store) and part.annotation.ordering == Ordering.NA


@pytest.mark.parametrize(
    ("name", "operator"),
    [
        ("_Z25atomic_fetch_add_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope", "add"),
        ("_Z25atomic_fetch_max_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope", "max"),
        ("_Z25atomic_fetch_max_explicitPU3AS1VU7_Atomicjj12memory_order12memory_scope", "umax"),
        ("_Z24atomic_exchange_explicitPU3AS1VU7_Atomicii12memory_order12memory_scope", "xchg"),
    ],
)
def test_updates(name: str, operator: str) -> None:
    call = f"%v = call i32 @{name}(ptr addrspace(1) %p, i32 1, i32 4, i32 1)"
    (part,) = body(call, f"i32 @{name}(ptr addrspace(1), i32, i32, i32)")
    assert isinstance(part, ReadModifyWrite) and part.operator == operator
    assert (part.annotation.ordering, part.annotation.scope) == (Ordering.ACQ_REL, Scope.WORKGROUP)


def test_old_updates_are_relaxed() -> None:
    for name, operator in (("_Z10atomic_incPU3AS1Vi", "add"), ("_Z10atomic_decPU3AS1Vj", "sub")):
        (part,) = body(f"%v = call i32 @{name}(ptr addrspace(1) %p)", f"i32 @{name}(ptr addrspace(1))")
        assert isinstance(part, ReadModifyWrite) and part.operator == operator
        assert (part.annotation.ordering, part.annotation.scope) == (Ordering.MONOTONIC, Scope.AGENT)
    name = "_Z14atomic_cmpxchgPU3AS1Viii"
    call = f"%v = call i32 @{name}(ptr addrspace(1) %p, i32 0, i32 1)"
    first, second = body(call, f"i32 @{name}(ptr addrspace(1), i32, i32)")
    assert isinstance(first, CompareExchange) and isinstance(second, Assign)


def test_compare_exchange_writes_what_it_finds() -> None:
    name = "_Z39atomic_compare_exchange_strong_explicitPU3AS1VU7_AtomiciPU3AS1ii12memory_orderS4_12memory_scope"
    call = f"%v = call i1 @{name}(ptr addrspace(1) %p, ptr addrspace(1) @e, i32 1, i32 4, i32 2, i32 2)"
    (part,) = body(call, f"i1 @{name}(ptr addrspace(1), ptr addrspace(1), i32, i32, i32, i32)")
    assert isinstance(part, Call) and part.function.startswith("compare exchange")


@pytest.mark.parametrize(("flags", "fences"), [(1, ["local"]), (2, ["global"]), (3, [""]), (0, []), (4, [])])
def test_barriers_and_the_memory_that_they_name(flags: int, fences: list[str]) -> None:
    name = "_Z18work_group_barrierj12memory_scope"
    parts = body(f"call void @{name}(i32 {flags}, i32 2)", f"void @{name}(i32, i32)")
    kinds = [type(part) for part in parts]
    assert kinds == [*[Fence] * len(fences), Barrier, *[Fence] * len(fences)]
    for part, ordering in zip(parts[::2], (Ordering.RELEASE, Ordering.ACQUIRE), strict=False):
        if isinstance(part, Fence):
            assert (part.annotation.ordering, part.annotation.scope) == (ordering, Scope.AGENT)
            assert [tag.suffix for tag in part.annotation.tags] == [each for each in fences if each]
    (plain, _, _) = body("call void @_Z7barrierj(i32 1)", "void @_Z7barrierj(i32)")
    assert isinstance(plain, Fence) and plain.annotation.scope == Scope.WORKGROUP


def test_fences() -> None:
    name = "_Z22atomic_work_item_fencej12memory_order12memory_scope"
    (part,) = body(f"call void @{name}(i32 2, i32 5, i32 3)", f"void @{name}(i32, i32, i32)")
    assert isinstance(part, Fence)
    assert (part.annotation.ordering, part.annotation.scope) == (Ordering.SEQ_CST, Scope.SYSTEM)
    assert body(f"call void @{name}(i32 2, i32 0, i32 3)", f"void @{name}(i32, i32, i32)") == []
    (part,) = body("call void @_Z14read_mem_fencej(i32 3)", "void @_Z14read_mem_fencej(i32)")
    assert isinstance(part, Fence)
    assert (part.annotation.ordering, part.annotation.scope) == (Ordering.ACQUIRE, Scope.WORKGROUP)


def test_a_barrier_of_a_sub_group_is_two_fences_where_that_is_one_thread() -> None:
    check, *fences = body("call void @_Z17sub_group_barrierj(i32 1)", "void @_Z17sub_group_barrierj(i32)")
    assert isinstance(check, Unsupported) and check.unless
    assert [type(part) for part in fences] == [Fence, Fence]
    assert all(isinstance(part, Fence) and part.annotation.scope == Scope.WAVEFRONT for part in fences)


@pytest.mark.parametrize(("count", "size"), [(2, 8), (3, 12), (4, 16)])
def test_vectors_lie_side_by_side(count: int, size: int) -> None:
    name, type_ = f"_Z6vload{count}mPU3AS1Ki", f"<{count} x i32>"
    call = f"%v = call {type_} @{name}(i64 2, ptr addrspace(1) %p)"
    (part,) = body(call, f"{type_} @{name}(i64, ptr addrspace(1))")
    assert isinstance(part, Load) and part.annotation.ordering == Ordering.NA and f"Constant(value={size}" in str(part)
    name = f"_Z7vstore{count}Dv{count}_imPU3AS1i"
    call = f"call void @{name}({type_} zeroinitializer, i64 2, ptr addrspace(1) %p)"
    (part,) = body(call, f"void @{name}({type_}, i64, ptr addrspace(1))")
    assert isinstance(part, Store) and part.annotation.address_space == 1 and f"Constant(value={size}" in str(part)


def test_what_is_printed_is_seen_by_no_thread() -> None:
    (part,) = body("call i32 (ptr, ...) @_Z6printfPU3AS2Kcz(ptr null)", "i32 @_Z6printfPU3AS2Kcz(ptr, ...)")
    assert isinstance(part, Assign)
    (part,) = body("%v = call i64 @__ockl_printf_begin(i64 0)", "i64 @__ockl_printf_begin(i64)")
    assert isinstance(part, Assign)
    (part,) = body("%v = call ptr addrspace(1) @__printf_alloc(i32 12)", "ptr addrspace(1) @__printf_alloc(i32)")
    assert isinstance(part, Allocate)


@pytest.mark.parametrize(
    ("call", "declaration"),
    [
        ("call void @_Z18work_group_barrierj(i32 %n)", "void @_Z18work_group_barrierj(i32)"),
        ("call void @_Z7barrieri(i32 1)", "void @_Z7barrieri(i32)"),
        ("call void @barrier(i32 1)", "void @barrier(i32)"),
        ("call i64 @_Z13get_global_idj(i32 3)", "i64 @_Z13get_global_idj(i32)"),
        ("call i32 @_Z6vload4mPU3AS1Ki(i64 0, ptr @x)", "i32 @_Z6vload4mPU3AS1Ki(i64, ptr)"),
        ("call i32 @_Z21work_group_reduce_muli(i32 1)", "i32 @_Z21work_group_reduce_muli(i32)"),
    ],
)
def test_what_is_not_covered(call: str, declaration: str) -> None:
    try:
        (part,) = body(call.replace("%n", "undef").replace("ptr @x", "ptr null"), declaration)
    except InputError as error:
        pytest.fail(str(error))
    assert isinstance(part, Unsupported)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("_Z13get_global_idj", ("get_global_id", ["unsigned int"])),
        ("_ZN3foo3barEv", ("bar", [])),
        ("_Znwm", ("operator new", ["unsigned long"])),
        ("_ZdaPvSt11align_val_t", ("operator delete[]", ["*", "align_val_t"])),
        ("_Z3fooPKcS0_", ("foo", ["*", "*"])),
        ("_Z3barDv4_fDhPS_", ("bar", ["vector", "half", "*"])),
    ],
)
def test_mangled_names(name: str, found: tuple[str, list[str]]) -> None:
    mangled = demangle(name)
    assert mangled is not None
    assert (mangled.name, [each.name for each in mangled.parameters]) == found


@pytest.mark.parametrize(
    "name", ("main", "_Z", "_Z5abc", "_ZTV3foo", "_Z3fooIiEvT_", "_Z3fooS_", "_Z1f" + "P" * 500 + "i")
)
def test_names_that_are_not_read(name: str) -> None:
    assert demangle(name) is None


def test_a_spin_lock_waits() -> None:
    """What a compare-exchange leaves in the variable that it is lent is written again before it is read."""
    name = "_Z39atomic_compare_exchange_strong_explicitPU3AS1VU7_AtomiciPU3AS0ii12memory_orderS4_12memory_scope"
    text = f"""; LAUNCH: @k(i32 0) workgroups=2
; FORALL: @count = 2
@held = addrspace(1) global i32 0
@count = addrspace(1) global i32 0
declare i1 @{name}(ptr addrspace(1), ptr, i32, i32, i32, i32)
define void @k(i32 %unused) {{
entry:
  %free = alloca i32, addrspace(5)
  %cast = addrspacecast ptr addrspace(5) %free to ptr
  br label %loop
loop:
  store i32 0, ptr addrspace(5) %free
  %taken = call i1 @{name}(ptr addrspace(1) @held, ptr %cast, i32 1, i32 2, i32 0, i32 2)
  br i1 %taken, label %done, label %loop
done:
  %v = load i32, ptr addrspace(1) @count
  %w = add i32 %v, 1
  store i32 %w, ptr addrspace(1) @count
  store atomic i32 0, ptr addrspace(1) @held syncscope("agent") release, align 4
  ret void
}}
"""
    for model in ("llvm", "amdgpu", "sc"):
        result = check(load_text(text, "lock.ll"), model)
        assert (result.status, result.observation, result.flags) == ("complete", "Always", ())


@pytest.mark.parametrize(
    ("name", "arguments", "value"),
    [
        ("_Z3maxii", (-1, 2), 2),
        ("_Z3maxjj", (-1, 2), -1),
        ("_Z3minjj", (-1, 2), 2),
        ("_Z5clampiii", (9, 0, 4), 4),
        ("_Z5clampjjj", (-1, 1, 4), 4),
        ("_Z3clzj", (1,), 31),
        ("_Z3clzj", (0,), 32),
        ("_Z3ctzj", (8,), 3),
        ("_Z8popcountj", (7,), 3),
        ("_Z3absi", (-5,), 5),
        ("_Z3absj", (-5,), -5),
        ("_Z6rotatejj", (-2147483647, 1), 3),
        ("_Z3absi", (-2147483648,), -2147483648),
        ("_Z8abs_diffii", (2147483647, -1), -2147483648),
        ("_Z8abs_diffjj", (1, -1), -2),
        ("_Z7add_satii", (2147483647, 1), 2147483647),
        ("_Z7sub_satjj", (1, 2), 0),
        ("_Z4haddii", (-3, 2), -1),
        ("_Z5rhaddii", (-3, 2), 0),
        ("_Z4haddjj", (-1, -1), -1),
        ("_Z6mul_hiii", (-1, 1), -1),
        ("_Z6mul_hijj", (-1, -1), -2),
        ("_Z6mad_hiiii", (65536, 65536, 5), 6),
        ("_Z7mad_satiii", (65536, 65536, 5), 2147483647),
        ("_Z7mad_satiii", (-65536, 65536, 5), -2147483648),
        ("_Z7mad_satjjj", (-1, 2, 5), -1),
        ("_Z9bitselectiii", (12, 10, 6), 10),
        ("_Z6selectiii", (1, 2, -1), 2),
        ("_Z6selectiii", (1, 2, 0), 1),
        ("_Z3anyi", (1,), 0),
        ("_Z3alli", (-1,), 1),
        ("_Z15convert_int_satj", (-1,), 2147483647),
        ("_Z16convert_uint_sati", (-1,), 0),
        ("_Z11convert_inti", (-1,), -1),
        ("_Z13sub_group_alli", (3,), 1),
        ("_Z28sub_group_scan_exclusive_mini", (3,), 2147483647),
        ("_Z19sub_group_broadcastij", (3, 0), 3),
        ("_Z5mul24ii", (6, 7), 42),
        ("_Z5mad24iii", (6, 7, -2), 40),
    ],
)
def test_functions_on_integers(name: str, arguments: tuple[int, ...], value: int) -> None:
    given, types = ", ".join(f"i32 {each}" for each in arguments), ", ".join("i32" for _ in arguments)
    test = load_text(
        f"; FORALL: @x = {value}\n@x = global i32 99\ndeclare i32 @{name}({types})\n"
        f"define void @k() {{\n%v = call i32 @{name}({given})\nstore i32 %v, ptr @x\nret void\n}}\n",
        "integers.cl.ll",
    )
    assert check(test, "llvm").verdict == "Ok"


@pytest.mark.parametrize(
    ("name", "arguments", "type_", "value"),
    [
        ("_Z3minDv2_iS_", ("<2 x i32> <i32 -1, i32 5>", "<2 x i32> <i32 2, i32 2>"), "<2 x i32>", (-1, 2)),
        ("_Z3maxDv2_jj", ("<2 x i32> <i32 -1, i32 5>", "i32 7"), "<2 x i32>", (-1, 7)),
        (
            "_Z6selectDv2_iS_S_",
            ("<2 x i32> <i32 1, i32 2>", "<2 x i32> <i32 3, i32 4>", "<2 x i32> <i32 -1, i32 1>"),
            "<2 x i32>",
            (3, 2),
        ),
        (
            "_Z7shuffleDv4_iDv2_j",
            ("<4 x i32> <i32 1, i32 2, i32 3, i32 4>", "<2 x i32> <i32 7, i32 1>"),
            "<2 x i32>",
            (4, 2),
        ),
        (
            "_Z8shuffle2Dv2_iS_Dv2_j",
            ("<2 x i32> <i32 1, i32 2>", "<2 x i32> <i32 3, i32 4>", "<2 x i32> <i32 3, i32 0>"),
            "<2 x i32>",
            (4, 1),
        ),
        ("_Z8upsampleDv2_sDv2_t", ("<2 x i16> <i16 -1, i16 1>", "<2 x i16> <i16 -2, i16 2>"), "<2 x i32>", (-2, 65538)),
        ("_Z13convert_uint2Dv2_h", ("<2 x i8> <i8 -1, i8 1>",), "<2 x i32>", (255, 1)),
        ("_Z16convert_int2_satDv2_l", ("<2 x i64> <i64 -9999999999, i64 1>",), "<2 x i32>", (-2147483648, 1)),
        (
            "_Z7isequalDv2_fS_",
            ("<2 x float> <float 1.0, float 2.0>", "<2 x float> <float 1.0, float 3.0>"),
            "<2 x i32>",
            (-1, 0),
        ),
        ("_Z6rotateDv2_iS_", ("<2 x i32> <i32 1, i32 2>", "<2 x i32> <i32 33, i32 1>"), "<2 x i32>", (2, 4)),
        ("_Z3absDv2_i", ("<2 x i32> <i32 -1, i32 2>",), "<2 x i32>", (1, 2)),
        ("_Z3ctzDv2_j", ("<2 x i32> <i32 0, i32 2>",), "<2 x i32>", (32, 1)),
    ],
)
def test_functions_on_vectors(name: str, arguments: tuple[str, ...], type_: str, value: tuple[int, int]) -> None:
    types = ", ".join(each.partition(">")[0] + ">" if each[0] == "<" else each.split()[0] for each in arguments)
    test = load_text(
        f"; FORALL: @x = {value[0]} /\\ @y = {value[1]}\n@x = global i32 99\n@y = global i32 99\n"
        f"declare {type_} @{name}({types})\ndefine void @k() {{\n%v = call {type_} @{name}({', '.join(arguments)})\n"
        f"%a = extractelement {type_} %v, i32 0\n%b = extractelement {type_} %v, i32 1\n"
        "store i32 %a, ptr @x\nstore i32 %b, ptr @y\nret void\n}\n",
        "vectors.cl.ll",
    )
    assert check(test, "llvm").verdict == "Ok"


@pytest.mark.parametrize(
    ("name", "argument"),
    [("_Z11convert_intf", "float 1.0"), ("_Z20work_group_reduce_ori", "i32 1"), ("_Z3sqrti", "i32 1")],
)
def test_functions_that_are_not_covered(name: str, argument: str) -> None:
    (part,) = body(f"%v = call i32 @{name}({argument})", f"i32 @{name}({argument.split()[0]})")
    assert isinstance(part, Unsupported)


def test_a_prefetch_does_nothing() -> None:
    name = "_Z8prefetchPU3AS1Kim"
    assert body(f"call void @{name}(ptr addrspace(1) %p, i64 4)", f"void @{name}(ptr addrspace(1), i64)") == []


KERNEL = """// LAUNCH: @k(ptr addrspace(1) @o)
// FORALL: @r = 1
global int o[16] = {5, 7, -3, 300}, r;
kernel void k(global int *o) {
  int4 a = (int4)(1, -2, 3, o[4]); uint4 u = as_uint4(a);
  int4 m = min(a, 2), x = max(a, (int4)(o[0]));
  int ok = m.x == 1 && m.y == -2 && m.z == 2 && m.w == 0 && x.x == 5 && x.w == 5;
  int4 s = select(a, x, a < m); ok &= s.x == 1 && s.z == 3;
  int4 sh = shuffle(a, (uint4)(3, 2, 1, 0)); ok &= sh.x == 0 && sh.w == 1;
  uchar c = convert_uchar_sat(o[3]); ok &= c == 255;
  ok &= mul_hi(o[0], -1) == -1 && hadd(o[0], o[1]) == 6 && popcount(o[1]) == 3 && abs(o[2]) == 3 && clz(o[0]) == 29;
  long l = mul_hi((long)o[0] << 62, (long)o[1]); ok &= l == 1;
  ok &= isgreater((float)o[1], 1.5f) && any(a < 0) && !all(a < 0) && sub_group_reduce_add(o[0]) == 5;
  ok &= upsample((short)o[0], (ushort)o[1]) == 327687 && mad_sat(o[0], 0x7fffffff, 1) == 0x7fffffff;
  prefetch(o, 4);
  r = ok;
}
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1", "2"])
def test_functions_in_a_kernel(level: str, tmp_path: Path) -> None:
    path = tmp_path / "functions.cl"
    path.write_text(KERNEL)
    assert check(load(path, compiler=Compiler(level=level)), "opencl").verdict == "Ok"


COLLECTIVE = """// LAUNCH: @k() workgroups=2 waves=3 lanes=1
// FORALL: @ok[0] = 3 /\\ @ok[1] = 3
global atomic_int ok[2];
kernel void k() {
  int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0), v = i - 2;
  int all = work_group_reduce_add(v) == (g ? 6 : -3) && work_group_reduce_min(v) == 3 * g - 2;
  all &= work_group_reduce_max(v) == 3 * g && work_group_reduce_max((uint)v) == (g ? 3 : -1);
  all &= work_group_scan_inclusive_add(v) == (l + 1) * (3 * g - 2) + l * (l + 1) / 2;
  all &= work_group_scan_exclusive_add((long)v) == l * (3 * g - 2) + l * (l - 1) / 2;
  all &= work_group_scan_exclusive_min(v) == (l ? 3 * g - 2 : 0x7fffffff);
  all &= work_group_scan_exclusive_max((uint)l) == (l ? l - 1 : 0);
  all &= work_group_broadcast(v, 1) == 3 * g - 1;
  all &= work_group_any(i == 4) == g && work_group_all(i < 3) == 1 - g;
  atomic_fetch_add_explicit(&ok[g], all, memory_order_relaxed, memory_scope_device);
}
"""


@needs_clang
@pytest.mark.parametrize("model", ["llvm", "amdgpu"])
def test_collective_functions_of_a_workgroup(model: str, tmp_path: Path) -> None:
    path = tmp_path / "collective.cl"
    path.write_text(COLLECTIVE)
    assert check(load(path), model, outcomes_only=True).verdict == "Ok"


SILENT = """// LAUNCH: @k() workgroups=1 waves=2 lanes=1
// NEVER: race
global int data, seen[2];
kernel void k() {
  int i = get_local_id(0);
  if (i == 1)
    data = 1;
  int sum = work_group_reduce_add(i);
  if (i == 0)
    seen[0] = data + sum;
}
"""


@needs_clang
def test_collective_functions_order_no_other_memory(tmp_path: Path) -> None:
    path = tmp_path / "silent.cl"
    path.write_text(SILENT)
    assert check(load(path), "amdgpu").verdict == "No"
    path.write_text(SILENT.replace("  if (i == 0)", "  work_group_barrier(CLK_GLOBAL_MEM_FENCE);\n  if (i == 0)"))
    assert check(load(path), "amdgpu").verdict == "Ok"
    path.write_text(SILENT.replace("int sum = ", "int sum = 0;\n  if (i) sum = "))
    assert "stuck" in check(load(path), "amdgpu").flags  # one does not come


@needs_clang
def test_collective_functions_of_no_integers_are_not_covered(tmp_path: Path) -> None:
    path = tmp_path / "floats.cl"
    path.write_text(SILENT.replace("work_group_reduce_add(i)", "work_group_reduce_add((float)i)"))
    with pytest.raises(InputError, match="work_group_reduce_add of no integers"):
        check(load(path), "amdgpu")


# Address spaces of generic pointers ---------------------------------------------------------------------------

GENERIC = "PU3AS0VU7_Atomici"
ADD = f"@_Z25atomic_fetch_add_explicit{GENERIC}i12memory_order12memory_scope"
EXCHANGE = f"@_Z39atomic_compare_exchange_strong_explicit{GENERIC}PU3AS0ii12memory_orderS4_12memory_scope"

POINTERS = f"""; LAUNCH: @k(ptr addrspace(1) @x, i1 true)
@x = addrspace(1) global [2 x i32] zeroinitializer
@y = addrspace(1) global i32 0
@l = addrspace(3) global [2 x i32] undef
@f = global i32 0
declare i32 {ADD}(ptr, i32, i32, i32)
declare i1 {EXCHANGE}(ptr, ptr, i32, i32, i32, i32)
CALLEE
define amdgpu_kernel void @k(ptr addrspace(1) %p, i1 %c) {{
entry:
  %slot = alloca ptr, addrspace(5)
  %wide = addrspacecast ptr addrspace(5) %slot to ptr
  %g = addrspacecast ptr addrspace(1) %p to ptr
  %s = addrspacecast ptr addrspace(3) @l to ptr
  br i1 %c, label %then, label %done
then:
  br label %done
done:
  BODY
  ret void
}}
"""


def spaces(body: str, callee: str = "") -> tuple[list[int], tuple[str, ...]]:
    """Give the address spaces of the atomic updates, and what is noted."""
    text = POINTERS.replace("BODY", body.replace("ADD", f"call i32 {ADD}").replace("END", "i32 1, i32 0, i32 2)"))
    callee = callee.replace("ADD", f"call i32 {ADD}").replace("END", "i32 1, i32 0, i32 2)")
    test = load_text(text.replace("CALLEE", callee), "generic.ll")
    parts = (part for function in test.functions.values() for part in function.instructions)
    return [part.annotation.address_space for part in parts if isinstance(part, ReadModifyWrite)], test.notes


@pytest.mark.parametrize(
    ("body", "space"),
    [
        ("%v = ADD(ptr %g, END", 1),
        ("%v = ADD(ptr %s, END", 3),
        ("%v = ADD(ptr addrspacecast (ptr addrspace(3) @l to ptr), END", 3),
        ("%v = ADD(ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @x to ptr), i64 4), END", 1),
        ("%q = getelementptr i32, ptr %s, i64 1\n  %v = ADD(ptr %q, END", 3),
        ("%q = select i1 %c, ptr %g, ptr addrspacecast (ptr addrspace(1) @y to ptr)\n  %v = ADD(ptr %q, END", 1),
        ("%q = select i1 %c, ptr %g, ptr null\n  %v = ADD(ptr %q, END", 1),
        ("%q = phi ptr [ %g, %entry ], [ %g, %then ]\n  %v = ADD(ptr %q, END", 1),
        ("store ptr %s, ptr addrspace(5) %slot\n  %q = load ptr, ptr %wide\n  %v = ADD(ptr %q, END", 3),
    ],
)
def test_where_a_generic_pointer_points_to(body: str, space: int) -> None:
    assert spaces(body) == ([space], ())


@pytest.mark.parametrize(
    "body",
    [
        "%q = select i1 %c, ptr %g, ptr %s\n  %v = ADD(ptr %q, END",
        "%q = phi ptr [ %g, %entry ], [ %s, %then ]\n  %v = ADD(ptr %q, END",
        "%v = ADD(ptr @f, END",
        "%q = load ptr, ptr addrspace(1) @x\n  %v = ADD(ptr %q, END",
        "store ptr %s, ptr %wide\n  store ptr %wide, ptr addrspace(1) @x\n  %q = load ptr, ptr %wide\n"
        "  %v = ADD(ptr %q, END",
        "store ptr %s, ptr %wide\n  store ptr %g, ptr %wide\n  %q = load ptr, ptr %wide\n  %v = ADD(ptr %q, END",
    ],
)
def test_where_a_generic_pointer_points_to_is_not_told(body: str) -> None:
    found, notes = spaces(body)
    assert found == [0] and len(notes) == 1 and "is not told (line" in notes[0] and "counts as flat" in notes[0]


def test_a_generic_pointer_that_a_function_is_given() -> None:
    callee = "define internal void @add(ptr %at) {\n  %v = ADD(ptr %at, END\n  ret void\n}"
    assert spaces("call void @add(ptr %s)\n  call void @add(ptr %s)", callee) == ([3], ())
    found, notes = spaces("call void @add(ptr %s)\n  call void @add(ptr %g)", callee)
    assert found == [0] and len(notes) == 1


def test_functions_that_no_thread_reaches_are_no_callers() -> None:
    callee = "define internal void @add(ptr %at) {\n  %v = ADD(ptr %at, END\n  ret void\n}\n"
    callee += "define void @other(ptr %at) {\n  call void @add(ptr %at)\n  %v = ADD(ptr %at, END\n  ret void\n}"
    assert spaces("call void @add(ptr %s)", callee) == ([3, 0], ())
    found, notes = spaces("call void @add(ptr %s)\n  store ptr @add, ptr %wide", callee)
    assert found == [0, 0] and len(notes) == 1  # it may be called with any


def test_a_generic_pointer_that_a_thread_is_given() -> None:
    callee = "define internal void @add(ptr %at) {\n  %v = ADD(ptr %at, END\n  ret void\n}"
    text = POINTERS.replace("BODY", "").replace("CALLEE", callee.replace("ADD", f"call i32 {ADD}"))
    text = text.replace("END", "i32 1, i32 0, i32 2)").replace("@k(ptr addrspace(1) @x, i1 true)", "@add(POINTER)")
    for given, space in (("ptr addrspacecast (ptr addrspace(1) @x to ptr)", 1), ("ptr @f", 0)):
        test = load_text(text.replace("POINTER", given), "generic.ll")
        (update,) = test.functions["add"].instructions
        assert isinstance(update, ReadModifyWrite) and update.annotation.address_space == space


def test_instructions_with_generic_pointers_stay_flat() -> None:
    found, notes = spaces("%v = atomicrmw add ptr %s, i32 1 monotonic\n  %w = ADD(ptr %s, END")
    assert (found, notes) == ([0, 3], ())


def test_a_compare_exchange_has_the_address_spaces_of_both_pointers() -> None:
    calls = (
        f"  %v{n} = call i1 {EXCHANGE}(ptr %{p}, ptr %{q}, i32 1, i32 4, i32 2, i32 2)"
        for n, p, q in ((1, "s", "g"), (2, "g", "wide"))
    )
    test = load_text(POINTERS.replace("BODY", "\n".join(calls)).replace("CALLEE", ""), "generic.ll")
    made = [each for name, each in test.functions.items() if name.startswith("compare exchange")]
    found = [
        [(type(part), part.annotation.address_space) for part in each.instructions if hasattr(part, "annotation")]
        for each in made
    ]
    assert found == [
        [(Load, 1), (CompareExchange, 3), (Store, 1)],
        [(Load, 5), (CompareExchange, 1), (Store, 5)],
    ]


KERNELS = f"""; LAUNCH: @KIND() workgroups=1 waves=2 lanes=1
; PROFILE: amdgpu
; FORALL: @r[1] = 5
@h = addrspace(3) global [2 x i32] undef
@n = addrspace(1) global i32 0
@r = addrspace(1) global [2 x i32] zeroinitializer
declare i64 @_Z12get_local_idj(i32)
declare void @_Z18work_group_barrierj(i32)
declare i32 {ADD}(ptr, i32, i32, i32)
declare void @_Z21atomic_store_explicit{GENERIC}i12memory_order12memory_scope(ptr, i32, i32, i32)
declare i32 @_Z20atomic_load_explicit{GENERIC}12memory_order12memory_scope(ptr, i32, i32)
define amdgpu_kernel void @atomic() {{
  %i = call i64 @_Z12get_local_idj(i32 0)
  %first = icmp eq i64 %i, 0
  br i1 %first, label %write, label %wait
write:
  call void @_Z21atomic_store_explicit{GENERIC}i12memory_order12memory_scope(
    ptr addrspacecast (ptr addrspace(3) @h to ptr), i32 5, i32 0, i32 1)
  br label %wait
wait:
  call void @_Z18work_group_barrierj(i32 FLAGS)
  %word = addrspacecast ptr addrspace(3) @h to ptr
  %v = call i32 @_Z20atomic_load_explicit{GENERIC}12memory_order12memory_scope(ptr %word, i32 0, i32 1)
  %to = getelementptr i32, ptr addrspace(1) @r, i64 %i
  store i32 %v, ptr addrspace(1) %to
  ret void
}}
define amdgpu_kernel void @beside() {{
  %i = call i64 @_Z12get_local_idj(i32 0)
  %mine = getelementptr i32, ptr addrspace(3) @h, i64 %i
  store i32 5, ptr addrspace(3) %mine
  %n = addrspacecast ptr addrspace(1) @n to ptr
  %before = call i32 {ADD}(ptr %n, i32 1, i32 0, i32 2)
  call void @_Z18work_group_barrierj(i32 FLAGS)
  %after = call i32 {ADD}(ptr addrspacecast (ptr addrspace(1) @n to ptr), i32 1, i32 0, i32 2)
  %other = sub i64 1, %i
  %from = getelementptr i32, ptr addrspace(3) @h, i64 %other
  %v = load i32, ptr addrspace(3) %from
  %to = getelementptr i32, ptr addrspace(1) @r, i64 %i
  store i32 %v, ptr addrspace(1) %to
  ret void
}}
"""


@pytest.mark.parametrize(("kind", "flags"), [("atomic", ()), ("beside", ("race",))])
def test_a_barrier_for_other_memory_than_is_used(kind: str, flags: tuple[str, ...]) -> None:
    text = KERNELS.replace("KIND", kind)
    right = check(load_text(text.replace("FLAGS", "1"), "kernels.ll"), "amdgpu")
    assert (right.verdict, right.flags) == ("Ok", ())
    wrong = check(load_text(text.replace("FLAGS", "2"), "kernels.ll"), "amdgpu")
    assert (wrong.verdict, wrong.flags) == ("No", flags)


SHARED = """// LAUNCH: @o(i32 0) workgroups=1 waves=2 lanes=1
// FORALL: @r[1] = 5
global int r[2];
kernel void o(int unused) {
  local atomic_int h[2];
  int me = get_local_id(0);
  if (me == 0) atomic_store_explicit(&h[1], 5, memory_order_relaxed, memory_scope_work_group);
  work_group_barrier(FLAGS);
  r[me] = atomic_load_explicit(&h[1], memory_order_relaxed, memory_scope_work_group);
}
"""

BESIDE = """// LAUNCH: @o(i32 0) workgroups=1 waves=2 lanes=1
// FORALL: @r[0] = 2 /\\ @r[1] = 1
global int r[2];
global atomic_int unrelated;
kernel void o(int unused) {
  local int h[2];
  int me = get_local_id(0);
  h[me] = me + 1;
  atomic_fetch_add_explicit(&unrelated, 1, memory_order_relaxed, memory_scope_device);
  work_group_barrier(FLAGS);
  atomic_fetch_add_explicit(&unrelated, 1, memory_order_relaxed, memory_scope_device);
  r[me] = h[1 - me];
}
"""

PASSED = """// LAUNCH: @o(i32 0) workgroups=2 waves=1 lanes=1
// NEVER: @bad = 1
global int data, bad;
global atomic_int flag, n;
void add(atomic_int *at) { atomic_fetch_add_explicit(at, 1, memory_order_relaxed, memory_scope_device); }
kernel void o(int unused) {
  if (get_group_id(0) == 0) {
    data = 1;
    add(&n);
    atomic_work_item_fence(FLAGS, memory_order_release, memory_scope_device);
    atomic_store_explicit(&flag, 1, memory_order_relaxed, memory_scope_device);
  } else if (atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_device)) {
    atomic_work_item_fence(FLAGS, memory_order_acquire, memory_scope_device);
    add(&n);
    bad = data != 1;
  }
}
"""


@needs_clang
@pytest.mark.parametrize("level", ["0", "1", "2"])
@pytest.mark.parametrize(
    ("text", "right", "wrong"),
    [(SHARED, "LOCAL", "GLOBAL"), (BESIDE, "LOCAL", "GLOBAL"), (PASSED, "GLOBAL", "LOCAL")],
)
def test_atomics_of_other_memory_do_not_mend_a_fence(
    text: str, right: str, wrong: str, level: str, tmp_path: Path
) -> None:
    path = tmp_path / "fences.cl"
    path.write_text(text.replace("FLAGS", f"CLK_{right}_MEM_FENCE"))
    assert check(load(path, Compiler(level=level)), "amdgpu").verdict == "Ok"
    path.write_text(text.replace("FLAGS", f"CLK_{wrong}_MEM_FENCE"))
    result = check(load(path, Compiler(level=level)), "amdgpu")
    assert result.verdict == "No" and ("race" in result.flags or text is SHARED)
    assert check(load(path, Compiler(level=level)), "llvm").verdict == "Ok"


FENCES = """// LAUNCH: @k() workgroups=2 lanes=1
// EXISTS: @seen = 2
global int data, seen; global atomic_int flag;
kernel void k() {
  if (get_group_id(0) == 0) {
    data = 1;
    atomic_work_item_fence(FLAGS, memory_order_release, memory_scope_device);
    atomic_store_explicit(&flag, 1, memory_order_relaxed, memory_scope_device);
  } else if (atomic_load_explicit(&flag, memory_order_relaxed, memory_scope_device)) {
    atomic_work_item_fence(FLAGS, memory_order_acquire, memory_scope_device);
    seen = data;
  }
}
"""
AT_BARRIER = """// LAUNCH: @k() workgroups=1 waves=2 lanes=1
// EXISTS: @seen = 2
global int data, seen;
kernel void k() {
  if (get_local_id(0) == 0) data = 1;
  work_group_barrier(FLAGS);
  if (get_local_id(0) == 1) seen = data;
}
"""
BOTH = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"


@needs_clang
@pytest.mark.parametrize("model", ("opencl", "amdgpu"))
@pytest.mark.parametrize("flags", ("CLK_LOCAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", BOTH))
@pytest.mark.parametrize("text", ("FENCES", "BARRIER"))
def test_fences_and_barriers_order_the_memory_that_they_name(text: str, flags: str, model: str, tmp_path: Path) -> None:
    """OpenCL, 3.3.6: as the flags of compiled code say, too, which are tags there."""
    (tmp_path / "k.cl").write_text({"FENCES": FENCES, "BARRIER": AT_BARRIER}[text].replace("FLAGS", flags))
    found = check(load(tmp_path / "k.cl", Compiler()), model)
    assert ("race" in found.flags) is (flags == "CLK_LOCAL_MEM_FENCE")


HANDED_OVER = """// LAUNCH: @k() workgroups=1 waves=2 lanes=1
// EXISTS: ~(@out = 0 \\/ @out = 1)
global int data, out;
kernel void k() {
  SPACE atomic_int flag;
  int me = get_local_id(0);
  if (me == 0) atomic_store_explicit(&flag, 0, memory_order_relaxed, memory_scope_work_group);
  work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (me == 0) {
    data = 1;
    RELEASE
  } else if (ACQUIRE == 1) {
    FENCE
    out = data;
  }
}
"""
SCOPED = "memory_scope_work_group"
BOTH_FENCES = f"atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_order_%s, {SCOPED});"


@needs_clang
@pytest.mark.parametrize("model", ("amdgpu", "llvm"))
@pytest.mark.parametrize(
    ("space", "orders", "fences", "ordered"),
    [
        ("local", ("release", "acquire"), False, False),
        ("global", ("release", "acquire"), False, True),
        ("local", ("seq_cst", "seq_cst"), False, True),
        ("local", ("relaxed", "relaxed"), True, True),
    ],
)
def test_an_atomic_of_local_memory_orders_no_global_memory(
    space: str, orders: tuple[str, str], fences: bool, ordered: bool, model: str, tmp_path: Path
) -> None:
    """OpenCL, 3.3.6.2: but for seq_cst, an atomic of local memory synchronizes local memory only; fences say which."""
    store = f"atomic_store_explicit(&flag, 1, memory_order_{orders[0]}, {SCOPED});"
    load_it = f"atomic_load_explicit(&flag, memory_order_{orders[1]}, {SCOPED})"
    text = HANDED_OVER.replace("RELEASE", (BOTH_FENCES % "release" if fences else "") + store)
    text = text.replace("ACQUIRE", load_it).replace("FENCE\n", (BOTH_FENCES % "acquire" if fences else "") + "\n")
    text = text.replace("SPACE atomic_int flag;", "local atomic_int flag;" if space == "local" else "")
    text = text.replace(
        "global int data", "global atomic_int flag; global int data" if space == "global" else "global int data"
    )
    (tmp_path / "k.cl").write_text(text)
    found = check(load(tmp_path / "k.cl", Compiler()), model)
    assert ("race" in found.flags) is not ordered
