"""Tables: how many arrays go to a kernel as one pointer.

A table is a row of 64-bit words: for an array its address and its lengths, for a number itself, for a table its address
(:mod:`enumerator.jit.kernel` fills them). An array as numba passes it is seven values and more, and the arrays of a
search are a hundred: as tables they are loaded where they are used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import lower_getattr_generic, models, register_model
from numba.np.arrayobj import populate_array
from numba.np.numpy_support import from_dtype
from numpy import dtype

__all__ = ["Table"]


class Table(types.Type):
    """The type of a table, by the names and layouts of its fields.

    Parameters
    ----------
    fields : tuple
        Pairs of a name and a layout: ``int``, ``uint``, (type of the items, dimensions), or the fields of a table.
    """

    def __init__(self, fields: tuple[Any, ...]) -> None:
        self.fields = {name: (place, type_of(layout)) for name, layout, place in _placed(fields)}
        super().__init__(name="Table" + hashlib.sha256(repr(fields).encode()).hexdigest()[:12])


def _placed(fields: tuple[Any, ...]) -> Iterator[tuple[str, Any, int]]:
    place = 0
    for name, layout in fields:
        yield name, layout, place
        place += 1 + layout[1] if _is_array(layout) else 1


def _is_array(layout: Any) -> bool:
    return isinstance(layout, tuple) and len(layout) == 2 and isinstance(layout[0], str)


def type_of(layout: Any) -> types.Type:
    """Give numba's type of a layout."""
    if layout in ("int", "uint"):
        return types.int64 if layout == "int" else types.uint64
    if _is_array(layout):
        return types.Array(from_dtype(dtype(layout[0])), layout[1], "C")
    return Table(layout)


register_model(Table)(models.OpaqueModel)


@infer_getattr
class _TableAttributes(AttributeTemplate):
    key = Table

    def generic_resolve(self, table: Table, name: str) -> types.Type | None:
        return table.fields[name][1] if name in table.fields else None


@lower_getattr_generic(Table)
def _load_field(context: Any, builder: Any, table: Table, value: Any, name: str) -> Any:
    place, kind = table.fields[name]
    words = builder.bitcast(value, ir.IntType(64).as_pointer())

    def word(offset: int) -> Any:
        """Load a word: nothing changes a table while a kernel runs, whatever is written into arrays."""
        address = builder.gep(words, [ir.Constant(ir.IntType(64), place + offset)], inbounds=True)
        loaded = builder.load(address)
        loaded.set_metadata("invariant.load", builder.module.add_metadata([]))
        return loaded

    if isinstance(kind, Table):
        return builder.inttoptr(word(0), value.type)
    if not isinstance(kind, types.Array):
        return word(0)
    array = context.make_array(kind)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    shape = [word(1 + k) for k in range(kind.ndim)]
    strides = [ir.Constant(ir.IntType(64), size)]
    for length in reversed(shape[1:]):
        strides.insert(0, builder.mul(strides[0], length, flags=["nsw"]))
    populate_array(
        array,
        data=builder.inttoptr(word(0), array.data.type),
        shape=shape,
        strides=strides,
        itemsize=ir.Constant(ir.IntType(64), size),
        meminfo=None,
    )
    return array._getvalue()
