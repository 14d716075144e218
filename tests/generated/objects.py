"""Generated programs over barrier objects (semantics, section 10): named, of the cluster, halves of the workgroup's."""

from __future__ import annotations

from random import Random

from tests.generated.programs import Function, Program, Writer

__all__ = ["PLAIN", "RICH", "random_objects"]

PLAIN = frozenset({"barriers", "fences", "scopes"})
RICH = PLAIN | {"branches", "rmw", "async"}

_NAMED = "ptr addrspace(3) @n"
_INTRINSICS = {
    "init": f"void @llvm.amdgcn.s.barrier.init({_NAMED}, i32 COUNT)",
    "join": f"void @llvm.amdgcn.s.barrier.join({_NAMED})",
    "unjoin": "void @llvm.amdgcn.s.barrier.join(ptr addrspace(3) null)",
    "arrive": f"void @llvm.amdgcn.s.barrier.signal.var({_NAMED}, i32 0)",
    "update": f"void @llvm.amdgcn.s.barrier.signal.var({_NAMED}, i32 COUNT)",
    "wait": "void @llvm.amdgcn.s.barrier.wait(i16 1)",
    "leave": "void @llvm.amdgcn.s.barrier.leave(i16 1)",
    "whole": "void @llvm.amdgcn.s.barrier()",
    "signal": "void @llvm.amdgcn.s.barrier.signal(i32 -1)",
    "workgroup-wait": "void @llvm.amdgcn.s.barrier.wait(i16 -1)",
    "cluster-signal": "void @llvm.amdgcn.s.barrier.signal(i32 -3)",
    "cluster-wait": "void @llvm.amdgcn.s.barrier.wait(i16 -3)",
    "cluster": "void @llvm.amdgcn.s.cluster.barrier()",
    "first": "i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32 -1)",
    "wakeup": f"void @llvm.amdgcn.s.wakeup.barrier({_NAMED})",
}
_DECLARATIONS = (
    "declare void @llvm.amdgcn.s.barrier.init(ptr addrspace(3), i32)",
    "declare void @llvm.amdgcn.s.barrier.join(ptr addrspace(3))",
    "declare void @llvm.amdgcn.s.barrier.signal.var(ptr addrspace(3), i32)",
    "declare void @llvm.amdgcn.s.barrier.wait(i16)",
    "declare void @llvm.amdgcn.s.barrier.leave(i16)",
    "declare void @llvm.amdgcn.s.barrier()",
    "declare void @llvm.amdgcn.s.barrier.signal(i32)",
    "declare void @llvm.amdgcn.s.cluster.barrier()",
    "declare i1 @llvm.amdgcn.s.barrier.signal.isfirst(i32)",
    "declare void @llvm.amdgcn.s.wakeup.barrier(ptr addrspace(3))",
    '@n = internal addrspace(3) global target("amdgcn.named.barrier", 0) poison',
)
_USUAL = (("arrive", "wait"), ("arrive", "wait"), ("arrive", "wait"), ("whole",), ("signal", "workgroup-wait"))
_STRANGE = (
    ("arrive",), ("wait",), ("leave",), ("join",), ("unjoin",), ("update", "wait"), ("update",), ("init",), ("wakeup",),
    ("first", "workgroup-wait"), ("cluster-signal", "cluster-wait"), ("cluster-wait",), ("cluster",), ("signal",),
)  # fmt: skip


class _ObjectWriter(Writer):
    """Writes operations on a named barrier and on that of the cluster where others have a barrier."""

    def barrier(self, function: Function) -> None:
        operations = self.pick(_USUAL if self.number(0, 9) < self.tame else _STRANGE)
        self.barrier_count += len(operations)
        for index, operation in enumerate(operations):
            if index and self.writes > 0 and not self.number(0, 3):
                self.store(function)
            self._emit(function, operation)

    def thread(self, index: int, count: int, shape: str) -> Function:
        """Most often one thread initializes the object, and all join before a barrier of the workgroup."""
        if index == 0:
            self.tame = self.number(3, 10)
            self.named = self.number(0, 5)
        function = super().thread(index, count, shape)
        body, function.lines = function.lines, []
        if index == 0 and self.named:
            self._emit(function, "init")
        if self.named and self.number(0, 9):
            self._emit(function, "join")
        if self.named > 1:
            self._emit(function, "whole")
        function.lines += body
        return function

    def _emit(self, function: Function, operation: str) -> None:
        text = "call " + _INTRINSICS[operation].replace("COUNT", self.one("1", "2", "2", "2", "3"))
        if operation == "first":
            told = function.assign(text, "f")
            function.integers.append(function.assign(f"zext i1 {told} to i32", "v"))
        else:
            function.emit(text)

    def scope_tree(self, threads: list[str]) -> str:
        """Waves of one workgroup, lanes of one wave, or workgroups of one cluster."""
        waves = [f"(wavefront {thread})" for thread in threads]
        match self.number(0, 5):
            case 0:
                inside = f"(workgroup (wavefront {threads[0]} {threads[1]}) {' '.join(waves[2:])})"
            case 1:
                inside = " ".join(f"(workgroup {wave})" for wave in waves)
            case 2:
                inside = f"(workgroup {waves[0]}) (workgroup {' '.join(waves[1:])})"
            case _:
                inside = f"(workgroup {' '.join(waves)})"
        return f"(system (agent (cluster {inside})))"


def random_objects(features: frozenset[str], seed: int, reads: int = 3, writes: int = 3) -> Program:
    """The program of a seed, with operations on barrier objects."""
    made = _ObjectWriter(Random(seed).randint, features, reads, writes).program()
    lines = [line for line in made.lines if line not in _DECLARATIONS]
    place = next(number for number, line in enumerate(lines) if line.startswith("@"))
    return Program((*lines[:place], *_DECLARATIONS[-1:], *lines[place:], *_DECLARATIONS[:-1]), made.tags)
