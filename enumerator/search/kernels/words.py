"""Rows of words that go through wide registers: numba leaves loops over eight words as they are."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from enumerator.search.opcodes import BATCH
from enumerator.search.opcodes import BATCH_WORDS as WORDS

__all__ = ["BATCH", "WORDS", "bit_count", "combine", "leading_zeros", "trailing_zeros"]

_WORD = ir.IntType(64)
_ROW = ir.VectorType(_WORD, WORDS)
_FIRST = ir.Constant(ir.VectorType(ir.IntType(32), WORDS), [0] * WORDS)


@intrinsic
def combine(typing, W, signal, left, right, keep, invert):
    """Set a row of words to ``row & keep | left & (right ^ invert)``, where `keep` and `invert` are 0 or -1."""

    def generate(context, builder, signature, arguments):
        given = signature.args
        data = context.make_array(given[0])(context, builder, arguments[0]).data

        def row(k):
            place = context.cast(builder, arguments[k], given[k], types.intp)
            start = builder.gep(data, [builder.mul(place, ir.Constant(_WORD, WORDS))])
            return builder.bitcast(start, _ROW.as_pointer())

        def in_all(k):
            word = context.cast(builder, arguments[k], given[k], types.int64)
            one = builder.insert_element(ir.Constant(_ROW, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
            return builder.shuffle_vector(one, ir.Constant(_ROW, ir.Undefined), _FIRST)

        kept = builder.and_(builder.load(row(1), align=8), in_all(4))
        other = builder.xor(builder.load(row(3), align=8), in_all(5))
        new = builder.and_(builder.load(row(2), align=8), other)
        builder.store(builder.or_(kept, new), row(1), align=8)
        return context.get_dummy_value()

    return types.void(W, signal, left, right, keep, invert), generate


@intrinsic
def trailing_zeros(typing, word):
    """Count the zeros below the lowest bit that is set; the word is not 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@intrinsic
def leading_zeros(typing, word):
    """Count the zeros above the highest bit that is set; the word is not 0."""

    def generate(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@intrinsic
def bit_count(typing, word):
    """Count the bits that are set."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate
