"""Importing this module readies the kernels of nearly all searches: processes that are forked afterwards have them."""

from __future__ import annotations

from enumerator.cat.typing import select
from enumerator.mmra import load_profile
from enumerator.program.condition import Condition, Quantifier, TrueFormula
from enumerator.program.instructions import Annotation, Block, Constant, Function, Return, Store
from enumerator.program.test import MemoryObject, Placement, Test, Thread
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import Pointer
from enumerator.request import Request
from enumerator.search.bitset import enumerate_test

__all__ = ["compile_all", "warm_up"]


def warm_up() -> None:
    """Run a search once: on one store, under a model that is shipped and so has been read before."""
    byte = IntType(8)
    store = Store(Constant(Pointer("@x"), PointerType()), Constant(1, byte), byte, Annotation())
    test = Test(
        name="warm-up",
        title="",
        path="warm-up.ll",
        format="llvm",
        objects=(MemoryObject("@x", byte),),
        functions={"t": Function("t", (), (Block("entry", (), (store,), Return()),))},
        threads=(Thread("t", "t"),),
        placements={"t": Placement((0, 0, 0, 0, 0, 0))},
        condition=Condition(Quantifier.EXISTS, TrueFormula(), "true"),
    )
    enumerate_test(Request(test, select("llvm"), load_profile("generic"), ("@x",)))


def compile_all() -> None:
    """Ready the kernels of models in which memory is sequentially consistent, too."""
    from enumerator.search.interleaving.search import prepare  # imports networkx

    prepare()


warm_up()
