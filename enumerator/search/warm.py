"""Importing this module readies the kernels: worker processes that are forked afterwards find them compiled."""

from __future__ import annotations

from enumerator.cat.parser import parse_text
from enumerator.cat.selected import SelectedModel
from enumerator.mmra import load_profile
from enumerator.program.condition import Condition, Quantifier, TrueFormula
from enumerator.program.instructions import Annotation, Block, Constant, Function, Return, Store
from enumerator.program.test import MemoryObject, Placement, Test, Thread
from enumerator.program.types import IntType, PointerType
from enumerator.program.values import Pointer
from enumerator.request import Request
from enumerator.search.bitset import enumerate_test
from enumerator.search.interleaving.search import prepare

__all__ = ["warm_up"]


def warm_up() -> None:
    """Run each search once: on one store under a model without axioms, and on nothing."""
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
    model = SelectedModel("warm-up", parse_text('"warm-up"', "warm-up.cat"), frozenset())
    enumerate_test(Request(test, model, load_profile("generic"), ("@x",)))
    prepare()


warm_up()
