"""The command ``new``."""

from __future__ import annotations

import os
import sys
from enum import StrEnum
from typing import Annotated

import typer

from enumerator.errors import InputError

__all__ = ["new"]


class Kind(StrEnum):
    """Kinds of tests to start from."""

    LLVM = "llvm"
    GPU = "gpu"
    C = "c"
    OPENCL = "opencl"
    VULKAN = "vulkan"
    PTX = "ptx"
    PROGRAM = "program"


_LLVM = """\
; Message passing: a flag says that data is ready
; EXISTS: t1:%flag = 1 /\\ t1:%data = 0
; EXPECT: llvm=Never
@data = global i32 0
@flag = global i32 0

define void @t0() {
  store i32 1, ptr @data
  store atomic i32 1, ptr @flag release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr @flag acquire, align 4
  %seen = icmp eq i32 %flag, 1
  br i1 %seen, label %read, label %done
read:
  %data = load i32, ptr @data
  br label %done
done:
  ret void
}
"""

_GPU = """\
; Message passing through global memory between two workgroups
; SCOPES: (agent (workgroup t0) (workgroup t1))
; PROFILE: amdgpu
; EXISTS: t1:%flag = 1 /\\ t1:%data = 0
; EXPECT: amdgpu=Never
@data = addrspace(1) global i32 0
@flag = addrspace(1) global i32 0

define void @t0() {
  store i32 1, ptr addrspace(1) @data
  store atomic i32 1, ptr addrspace(1) @flag syncscope("agent") release, align 4
  ret void
}

define void @t1() {
  %flag = load atomic i32, ptr addrspace(1) @flag syncscope("agent") acquire, align 4
  %seen = icmp eq i32 %flag, 1
  br i1 %seen, label %read, label %done
read:
  %data = load i32, ptr addrspace(1) @data
  br label %done
done:
  ret void
}
"""

_C = """\
C MP
(* Message passing: a flag says that data is ready *)
(* EXPECT: rc11=Never *)
{}

P0 (atomic_int *data, atomic_int *flag) {
  atomic_store_explicit(data, 1, memory_order_relaxed);
  atomic_store_explicit(flag, 1, memory_order_release);
}

P1 (atomic_int *data, atomic_int *flag) {
  int r0 = atomic_load_explicit(flag, memory_order_acquire);
  int r1 = atomic_load_explicit(data, memory_order_relaxed);
}

exists (1:r0 = 1 /\\ 1:r1 = 0)
"""

_VULKAN = """\
VULKAN MP
(* Message passing: the write is made available, and visible where the flag is seen *)
(* EXPECT: vulkan=Never *)
{ data = 0; flag = 0; }
 P0@sg 0, wg 0, qf 0               | P1@sg 0, wg 1, qf 0                  ;
 st.av.dv.sc0 data, 1              | ld.atom.acq.dv.sc0.semsc0 r0, flag   ;
 st.atom.rel.dv.sc0.semsc0 flag, 1 | ld.vis.dv.sc0 r1, data               ;
filter (P1:r0 == 1)
exists (P1:r1 == 0)
"""

_OPENCL = """\
OPENCL MP
(* Message passing: a flag says that data is ready
   EXPECT: opencl=Never *)

{ [data] = 0; [flag] = 0; }

P0@wg 0, dev 0 (global int *data, global atomic_int *flag) {
  *data = 1;
  atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
}

P1@wg 1, dev 0 (global int *data, global atomic_int *flag) {
  int r0 = atomic_load_explicit(flag, memory_order_acquire, memory_scope_device);
  int r1 = 1;
  if (r0 == 1)
    r1 = *data;
}

exists (1:r0 = 1 /\\ 1:r1 = 0)
"""

_PTX = """\
PTX MP
(* Message passing: a flag says that data is ready
   EXPECT: ptx-7.5=Never+race *)
{ data = 0; flag = 0; }
 P0@cta 0, gpu 0        | P1@cta 1, gpu 0          ;
 st.weak data, 1        | ld.acquire.gpu r0, flag  ;
 st.release.gpu flag, 1 | ld.weak r1, data         ;
exists (P1:r0 == 1 /\\ P1:r1 == 0)
"""

_PROGRAM = """\
// Message passing: a flag says that data is ready
// EXPECT: llvm=Never
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int flag;

void *producer(void *unused) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, producer, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire))
    assert(data == 1);
  pthread_join(thread, 0);
}
"""

_TEXTS = {
    Kind.LLVM: _LLVM,
    Kind.GPU: _GPU,
    Kind.C: _C,
    Kind.OPENCL: _OPENCL,
    Kind.VULKAN: _VULKAN,
    Kind.PTX: _PTX,
    Kind.PROGRAM: _PROGRAM,
}
_EXTENSIONS = {".ll": Kind.LLVM, ".litmus": Kind.C, ".c": Kind.PROGRAM}


def new(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help="Where; default: the standard output.")] = None,
    kind: Annotated[
        Kind | None, typer.Option("--kind", help="What to start from; default: by the name of the file, else llvm.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that is there.")] = False,
) -> int:
    """Write a test to start from.

    It is message passing, with a condition and what is expected of it.

    Exit codes: 0 written, 2 the file is there already, or cannot be written.
    """
    if kind is None:
        kind = _EXTENSIONS.get(os.path.splitext(file or "")[1].lower(), Kind.LLVM)
    text = _TEXTS[kind]
    if file is None:
        sys.stdout.write(text)
        return 0
    if os.path.exists(file) and not force:
        raise InputError("there is such a file already; --force writes over it", file)
    with open(file, "w", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
    sys.stdout.write(f"{file}: now try\n  enumerator run {file}\n  enumerator explain {file}\n")
    return 0
