"""The machine that computes what must and what may be in the values of a model (:mod:`enumerator.search.undef`)."""

from __future__ import annotations

from enumerator.jit.decorators import njit
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import narrow_operation, relation_operation, set_operation


@njit
def run_extents(code, R, flat, S, alive, changed, n):
    """Run a program whose loops may be inside each other: `changed` says of each that is open whether to go round."""
    pc, w = 0, R.shape[2]
    while pc < code.shape[0]:
        what, d, a, b = code[pc, 0], code[pc, 1], code[pc, 2], code[pc, 3]
        pc += 1
        if what < op.S_OR:
            if w == 1:
                narrow_operation(what, flat, S, d, a, b, n)
            else:
                relation_operation(what, R, flat, S, alive, d, a, b, n, w)
        elif what < op.FIX_BEGIN:
            set_operation(what, R, S, d, a, b, n, w)
        elif what == op.FIX_BEGIN:
            changed[b + 1] = 0
        elif what == op.FIX_RELATION:
            for i in range(n):
                for v in range(w):
                    if R[d, i, v] != R[a, i, v]:
                        R[d, i, v] = R[a, i, v]
                        changed[b] = 1
        elif what == op.FIX_SET:
            for v in range(w):
                if S[d, v] != S[a, v]:
                    S[d, v] = S[a, v]
                    changed[b] = 1
        elif changed[b + 1] != 0:
            changed[b + 1] = 0
            pc = d
