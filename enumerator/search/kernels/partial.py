"""What a circuit says of partial candidates: of each signal whether it is certainly true, and whether it may be."""

from __future__ import annotations

from numba import uint8, uint64

from enumerator.jit.decorators import inner
from enumerator.search import opcodes as op
from enumerator.search.kernels.relations import ONE, ZERO

OPEN = uint8(255)
"""In a candidate: what is not decided."""


@inner
def evaluate_both(memo, words):
    """Compute of all signals whether they are certainly true (`T`) and whether they may be (`P`)."""
    circuit, T, P = memo.circuit, memo.T, memo.P
    pc = 0
    start = 0
    changed = False
    while pc < circuit.shape[0]:
        what, d, a, b = circuit[pc, 0], circuit[pc, 1], circuit[pc, 2], circuit[pc, 3]
        pc += 1
        if what == op.G_AND:
            for v in range(words):
                T[d, v] = T[a, v] & T[b, v]
                P[d, v] = P[a, v] & P[b, v]
        elif what == op.G_OR_AND:
            for v in range(words):
                T[d, v] |= T[a, v] & T[b, v]
                P[d, v] |= P[a, v] & P[b, v]
        elif what == op.G_OR_IN:
            for v in range(words):
                T[d, v] |= T[a, v]
                P[d, v] |= P[a, v]
        elif what == op.G_COPY:
            for v in range(words):
                T[d, v] = T[a, v]
                P[d, v] = P[a, v]
        elif what == op.G_AND_NOT:
            for v in range(words):
                sure = T[a, v] & ~P[b, v]
                P[d, v] = P[a, v] & ~T[b, v]
                T[d, v] = sure
        elif what == op.G_NOT:
            for v in range(words):
                sure = ~P[a, v]
                P[d, v] = ~T[a, v]
                T[d, v] = sure
        elif what == op.G_ZERO:
            for v in range(words):
                T[d, v] = ZERO
                P[d, v] = ZERO
        elif what == op.G_ASSIGN:
            for v in range(words):
                if T[d, v] != T[a, v] or P[d, v] != P[a, v]:
                    T[d, v] = T[a, v]
                    P[d, v] = P[a, v]
                    changed = True
        elif what == op.G_LOOP:
            start = pc
            changed = False
        elif changed:
            changed = False
            pc = start


@inner
def refute(memo, words):
    """Find signals that must be false (`N`) for no output in `bad` to be true: from outputs back to what they take."""
    circuit, bad, T, P, N = memo.circuit, memo.bad, memo.T, memo.P, memo.N
    for w in range(N.shape[0]):
        for v in range(words):
            N[w, v] = ZERO
    for k in range(bad.shape[0]):
        for v in range(words):
            N[bad[k], v] = ~ZERO
    for step in range(circuit.shape[0]):
        pc = circuit.shape[0] - 1 - step
        what, d, a, b = circuit[pc, 0], circuit[pc, 1], circuit[pc, 2], circuit[pc, 3]
        if what == op.G_AND or what == op.G_OR_AND:
            for v in range(words):
                N[a, v] |= N[d, v] & T[b, v]
                N[b, v] |= N[d, v] & T[a, v]
        elif what == op.G_OR_IN or what == op.G_COPY or what == op.G_ASSIGN:
            for v in range(words):
                N[a, v] |= N[d, v]
        elif what == op.G_AND_NOT:
            for v in range(words):
                N[a, v] |= N[d, v] & ~P[b, v]


@inner
def rule_out(memo, words):
    """Take sources that no axiom allows any more for what will not be read; True where there are such."""
    inputs, T, P, N = memo.inputs, memo.T, memo.P, memo.N
    changed = ZERO
    for k in range(inputs.shape[0]):
        if inputs[k, 1] == 0:
            signal = inputs[k, 0]
            for v in range(words):
                gone = P[signal, v] & N[signal, v] & ~T[signal, v]
                changed |= gone
                P[signal, v] &= ~gone
    return changed != ZERO


@inner
def look_back(memo, words):
    """Mark in `L` the signals that an output still open depends on: the outputs, and what open signals among them take.

    What an operation takes is marked where the operation's signal is open and no other thing that the operation takes
    makes it idle. Signals may be computed in several steps, which other signals see in between: hence rounds, until no
    mark is new.
    """
    circuit, outputs, T, P, L = memo.circuit, memo.outputs, memo.T, memo.P, memo.L
    for w in range(L.shape[0]):
        for v in range(words):
            L[w, v] = ZERO
    for k in range(outputs.shape[0]):
        for v in range(words):
            L[outputs[k], v] = ~ZERO
    again = True
    while again:
        again = False
        for step in range(circuit.shape[0]):
            pc = circuit.shape[0] - 1 - step
            what, d, a, b = circuit[pc, 0], circuit[pc, 1], circuit[pc, 2], circuit[pc, 3]
            if what >= op.G_LOOP or what == op.G_ZERO:
                continue
            two = what == op.G_AND or what == op.G_OR_AND or what == op.G_AND_NOT
            new = ZERO
            for v in range(words):
                open_ = L[d, v] & P[d, v] & ~T[d, v]
                left, right = open_, open_
                if what == op.G_AND or what == op.G_OR_AND:
                    left = open_ & P[b, v]
                    right = open_ & P[a, v]
                elif what == op.G_AND_NOT:
                    left = open_ & ~T[b, v]
                    right = open_ & P[a, v]
                new |= left & ~L[a, v]
                L[a, v] |= left
                if two:
                    new |= right & ~L[b, v]
                    L[b, v] |= right
            again = again or new != ZERO


@inner
def fill_block(memo, candidates):
    """Write the signals of the inputs of all candidates in the block."""
    inputs, block, item_slot = memo.inputs, memo.block, memo.item_slot
    items, reads = item_slot.shape[0], memo.reads.shape[0]
    for k in range(inputs.shape[0]):
        signal, kind, a, b = inputs[k, 0], inputs[k, 1], inputs[k, 2], inputs[k, 3]
        for v in range((candidates + 63) >> 6):
            sure, may = ZERO, ZERO
            for bit in range(min(64, candidates - 64 * v)):
                candidate = 64 * v + bit
                if kind == 0:
                    x = block[items + a, candidate]
                    yes = x == b
                    open_ = x == OPEN
                else:
                    x, y = block[a, candidate], block[b, candidate]
                    last = block[items + reads + item_slot[a], candidate]
                    open_ = x == y and last != a and last != b
                    yes = x < y or (x == y and last == b)
                sure |= (ONE if yes else ZERO) << uint64(bit)
                may |= (ONE if yes or open_ else ZERO) << uint64(bit)
            memo.T[signal, v] = sure
            memo.P[signal, v] = may


@inner
def settle(memo, candidates):
    """Say of each candidate whether an axiom refuses it, some output is open, or all that can be seen is settled."""
    bad, outputs, T, P, fate = memo.bad, memo.outputs, memo.T, memo.P, memo.fate
    for v in range((candidates + 63) >> 6):
        refused, open_ = ZERO, ZERO
        for k in range(bad.shape[0]):
            refused |= T[bad[k], v]
        for k in range(outputs.shape[0]):
            open_ |= P[outputs[k], v] & ~T[outputs[k], v]
        for bit in range(min(64, candidates - 64 * v)):
            if (refused >> uint64(bit)) & ONE != ZERO:
                fate[64 * v + bit] = op.FATE_REFUSED
            elif (open_ >> uint64(bit)) & ONE != ZERO:
                fate[64 * v + bit] = op.FATE_OPEN
            else:
                fate[64 * v + bit] = op.FATE_SETTLED
