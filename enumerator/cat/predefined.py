"""The predefined names of cat, each with a line of documentation.

A name with a formula stands for that formula, unless an execution supplies its value; an execution supplies all others.

References
----------
``README.md`` in this folder; semantics, section 1 (*Programs and events*).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from enumerator.cat.foreign import FOREIGN, Predefined
from enumerator.cat.parser import parse_expression
from enumerator.cat.syntax import Expression

__all__ = ["DEFAULT_ORDER", "PREDEFINED", "RETURN_SET", "UNDEF_SET", "Predefined", "formula", "parsed", "predefined"]

DEFAULT_ORDER = "co"
"""The coherence order of all writes, in models that choose no order themselves."""

UNDEF_SET = "UNDEF"
"""The only name that a set of subsets can be chosen for."""

RETURN_SET = "RET"
"""The reads of every location where a thread returns: they exist only in models that name this set."""


def _sets() -> list[Predefined]:
    rows = [
        ("R", "reads", None),
        ("W", "writes, the initial ones included", None),
        ("M", "memory accesses", "R | W"),
        ("F", "fences, and barriers that have an ordering, as Vulkan's may", None),
        ("B", "execution barriers: arrivals and waits", None),
        ("IW", "initial writes, one a location", None),
        ("I", "the same as IW", "IW"),
        ("RMW", "both halves of read-modify-writes", None),
        ("NA", "not atomic", None),
        ("UNORDERED", "annotated unordered", None),
        ("RLX", "annotated monotonic (relaxed), and not consume", None),
        ("CON", "annotated consume, in languages that have it; in PTX, operations of the constant proxy", None),
        ("ACQ", "annotated acquire, and nothing stronger", None),
        ("REL", "annotated release, and nothing stronger", None),
        ("ACQ_REL", "annotated acq_rel", None),
        ("SC", "annotated seq_cst", None),
        ("A", "accesses and fences that are monotonic or stronger, and initial writes", None),
        ("Atomic", "accesses and fences that are not na (unordered ones included), and initial writes", None),
        ("SINGLETHREAD", "whose own scope is singlethread", None),
        ("WAVEFRONT", "whose own scope is wavefront", None),
        ("WORKGROUP", "whose own scope is workgroup", None),
        ("CLUSTER", "whose own scope is cluster", None),
        ("AGENT", "whose own scope is agent", None),
        ("SYSTEM", "whose own scope is system; initial writes", None),
        *((f"AS{number}", f"accesses in address space {number} (so for every number)", None) for number in range(6)),
        ("TP", "accesses annotated !thread.private", None),
        ("VOLATILE", "volatile accesses", None),
        ("ONE_AS", "accesses and fences written with a -one-as scope", None),
        ("FREE", "writes that end an object of the heap, or a stack slot", None),
        ("AV", "the availability and visibility intrinsics; in Vulkan, operations with av", None),
        ("VIS", "in Vulkan, operations with vis", None),
        ("SEMAV", "in Vulkan, operations with semav", None),
        ("SEMVIS", "in Vulkan, operations with semvis", None),
        ("AVDEVICE", "in Vulkan, availability operations to the device domain", None),
        ("VISDEVICE", "in Vulkan, visibility operations from the device domain", None),
        ("NONPRIV", "in Vulkan, accesses that are not private", None),
        *((f"SC{number}", f"in Vulkan, accesses in storage class {number}", None) for number in range(4)),
        *(
            (f"SEMSC{number}", f"in Vulkan, operations with storage class {number} in their semantics", None)
            for number in range(4)
        ),
        ("ATOM", "atomic accesses, without the initial writes", "A & M \\ IW"),
        ("CBAR", "control barriers: the same as B", "B"),
        ("SG", "the same as WAVEFRONT: the scope of a subgroup", "WAVEFRONT"),
        ("WG", "the same as WORKGROUP", "WORKGROUP"),
        ("QF", "the same as CLUSTER: the scope of a queue family", "CLUSTER"),
        ("DV", "the same as AGENT: the scope of a device", "AGENT"),
        ("AV_NONE", "operations tagged amdgcn-av:none", None),
        ("OBS", "accesses to locations that the condition, its filter or `locations` names", None),
        ("ASYNC", "reads and writes of asynchronous operations, which are in no program order", None),
        ("ASYNC_START", "instructions that start an asynchronous operation", None),
        ("ASYNC_WAIT", "waits that complete asynchronous operations", None),
        ("FLAT_LDS", "accesses by a flat address (address space 0) that go to LDS (address space 3)", None),
        ("MAKE_AVAILABLE", "make.available, of the drafts of AMDGPU's model", None),
        ("MAKE_VISIBLE", "make.visible, of the drafts of AMDGPU's model", None),
        ("GEN", "operations of the generic proxy: all but those of other proxies, and alias fences", None),
        ("SUR", "in PTX, operations of the surface proxy", None),
        ("TEX", "in PTX, operations of the texture proxy", None),
        ("ALIAS", "in PTX, fences between virtual aliases", None),
        ("PROXY", "in PTX, proxy fences, those between aliases included", None),
        ("RED", "in PTX, both halves of a reduction, whose read is none that a pattern acquires by", None),
        ("ARRIVE", "in PTX, arrivals at a barrier that do not wait", None),
        ("GLOBAL", "accesses to address spaces 0 and 1; fences and barriers of global memory, or of none named", None),
        ("LOCAL", "accesses to address space 3; fences and barriers of local memory, or of none named", None),
        ("DECLARED", "initial writes of locations whose declaration says whether they are atomic", None),
        ("NONATOMIC", "initial writes of locations that are declared, and not atomic", None),
        ("RET", "reads of every location where a thread returns, in models that name this set", None),
        ("LS", "lock acquisitions that succeed: no language here has locks", "{}"),
        ("LK", "lock acquisitions: no language here has locks", "{}"),
        ("UL", "lock releases: no language here has locks", "{}"),
        ("emptyset", "the empty set", "{}"),
    ]
    final = Predefined("FW", "set", "final writes of observed locations", "W & OBS \\ domain({order})", True)
    return [*(Predefined(name, "set", text, formula) for name, text, formula in rows), final]


def _relations() -> list[Predefined]:
    program = [
        ("id", "equality", "[_]"),
        ("po", "program order inside a thread", None),
        ("loc", "accesses to the same location", None),
        ("int", "events of the same thread; an initial write only with itself", None),
        ("ext", "events of different threads", "~int"),
        ("rmw", "the read half of a read-modify-write to its write half", None),
        ("amo", "the same as rmw", "rmw"),
        ("addr", "from a read to an access whose address depends on it", None),
        ("data", "from a read to a write whose value depends on it", None),
        ("ctrl", "from a read to everything after a branch that depends on it", None),
        ("tok", "from an operation, and all its earlier runs, to one that waits for its ordering token", None),
        ("same-as", "accesses to the same address space: that of the memory, if the address is flat", None),
        ("po-loc", "program order between accesses to the same location", "po & loc"),
        ("mmra", "compatible tags, implied ones included (reflexive and symmetric)", None),
        ("mmra-sync", "what the profile asks of tags for synchronization: mmra if strict, else everything", None),
        ("inscope", "(a, b): b is in the instance that the scope of a names; initial writes are in every one", None),
        ("incl", "inclusive scopes: each in the instance that the other's scope names", "inscope & inscope^-1"),
        ("same-singlethread", "in the same thread; initial writes with everything", None),
        ("same-wavefront", "in the same wavefront; initial writes with everything", None),
        ("same-workgroup", "in the same workgroup; initial writes with everything", None),
        ("same-cluster", "in the same cluster; initial writes with everything", None),
        ("same-agent", "on the same agent; initial writes with everything", None),
        ("same-system", "all pairs", None),
        ("bar", "from an arrival at a barrier to the waits of the other threads of the workgroup at it", None),
        (
            "syncbar",
            "barriers with the same number that ran as often before, also each with itself, if all wait for the first "
            "and the second is no mere arrival",
            None,
        ),
        ("ssw", "from a thread's events to those of threads that the system synchronizes after it", None),
        ("vloc", "accesses of one location through the same reference; its initial write with each", None),
        ("ssg", "the same as same-wavefront: in the same subgroup", "same-wavefront"),
        ("swg", "the same as same-workgroup", "same-workgroup"),
        ("sqf", "the same as same-cluster: in the same queue family", "same-cluster"),
        (
            "unsequenced",
            "in no program order: in other operands, the first before; asynchronous accesses",
            None,
        ),
        ("started", "from an instruction to the asynchronous accesses that it starts", None),
        ("completed", "from an asynchronous access to the waits at which it is complete", None),
        ("si", "events of the same instruction, each with itself, too", None),
        ("parts", "the other parts of the same read or write: an access of several cells has one for each", None),
        ("text-order", "(a, b): a comes first when the threads are read one after the other", None),
    ]
    chosen = [
        ("rf", "reads-from", None),
        ("fr", "from-reads: from a read to the writes after the one it reads", "rf^-1 ; {order}"),
        ("rfe", "rf between threads", "rf & ext"),
        ("rfi", "rf inside a thread", "rf & int"),
        ("fre", "fr between threads", "(rf^-1 ; {order}) & ext"),
        ("fri", "fr inside a thread", "(rf^-1 ; {order}) & int"),
        ("co", "coherence order (in models that choose no order of another name)", None),
        ("coe", "co between threads", "co & ext"),
        ("coi", "co inside a thread", "co & int"),
        ("co0", "initial writes before, final writes after the others", "loc & (IW * (W \\ IW) | (W \\ FW) * FW)"),
    ]
    return [Predefined(name, "relation", text, formula) for name, text, formula in program] + [
        Predefined(name, "relation", text, formula, True) for name, text, formula in chosen
    ]


def _functions() -> list[Predefined]:
    rows = [
        ("domain", "domain r: the events that r relates to something"),
        ("range", "range r: the events that r relates something to"),
        ("fencerel", "fencerel(S): po ; [S] ; po"),
        ("toid", "toid(S): [S]"),
        ("orders", "with x from orders(S): a total order of the writes in S, a location at a time"),
        ("subsets", "with UNDEF from subsets(S): the reads in S that return undef"),
        ("generate_orders", "with x from generate_orders(S, r): a product of linearisations(T, r), T the parts of S"),
        ("generate_cos", "with x from generate_cos(r): the same as generate_orders(W, r)"),
        ("linearisations", "linearisations(S, r): all total orders of S that extend r+ (a set of relations)"),
        ("classes-loc", "classes-loc S: the parts of S by location (a set of sets)"),
        ("partition", "the same as classes-loc"),
        ("classes", "classes r: the classes of an equivalence (a set of sets)"),
        ("tag2events", "not supported: there are no tags in models"),
    ]
    return [Predefined(name, "function", text) for name, text in rows]


PREDEFINED: Mapping[str, Predefined] = MappingProxyType(
    {entry.name: entry for entry in (*_sets(), *_relations(), *_functions())}
)
"""All predefined names but ``_`` and ``0``, which are symbols, in the order in which documentation shows them."""

_ADDRESS_SPACE = re.compile(r"AS(0|[1-9][0-9]*)")
_ORDER_NAMES = ("co", "coe", "coi")


def predefined(name: str, order: str = DEFAULT_ORDER) -> Predefined | None:
    """Look up a predefined name.

    Parameters
    ----------
    name : str
    order : str
        The name of the coherence order: in a model with another one there is no ``co``.

    Returns
    -------
    Predefined or None

    Examples
    --------
    >>> predefined("AS7").documentation, predefined("co", "mo"), predefined("hb")
    ('accesses in address space 7 (so for every number)', None, None)
    """
    name = name.removesuffix("#")  # no model can write the mark, and so hide the name
    if order != DEFAULT_ORDER and name in _ORDER_NAMES:
        return None
    entry = PREDEFINED.get(name) or FOREIGN.get(name)
    if entry is None and (space := _ADDRESS_SPACE.fullmatch(name)):
        return Predefined(name, "set", f"accesses in address space {space[1]} (so for every number)")
    return entry


def formula(name: str, order: str = DEFAULT_ORDER) -> str | None:
    """Give the formula of a predefined name in cat, or None where the execution supplies its value.

    Examples
    --------
    >>> formula("fr", "mo"), formula("po")
    ('rf^-1 ; mo', None)
    """
    entry = predefined(name, order)
    return None if entry is None or entry.formula is None else entry.formula.replace("{order}", order)


@lru_cache(maxsize=1024)
def parsed(text: str) -> Expression:
    """Parse a formula, once."""
    return parse_expression(text, "<predefined>")
