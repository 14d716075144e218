"""Predefined names of Dat3M and herd, as far as they have a meaning on tests of the languages that the checker reads.

Each is a formula over other predefined names, or a choice that a model makes by using the name. Other names of theirs
are unknown names.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from enumerator.frozen import dataclass

__all__ = ["FOREIGN", "IMPLIED", "Predefined"]


@dataclass(frozen=True, slots=True)
class Predefined:
    """A predefined name.

    Parameters
    ----------
    name : str
    kind : {'set', 'relation', 'function'}
    documentation : str
        One line.
    formula : str or None
        Its definition in cat over other predefined names; ``{order}`` stands for the name of the coherence order.
    chosen : bool
        Whether it depends on the choices of the search (reads-from, the coherence order).
    """

    name: str
    kind: str
    documentation: str
    formula: str | None = None
    chosen: bool = False


_SETS = (
    (
        "NAL",
        "accesses to locations that are not declared atomic; undeclared: that no thread accesses atomically",
        "range([NONATOMIC] ; loc) | M \\ range([A & M \\ IW | DECLARED] ; loc)",
    ),
    ("WI", "work-item scope", "SINGLETHREAD"),
    ("ALL", "all-svm-devices scope", "SYSTEM"),
    ("CTA", "scope of a cooperative thread array", "WORKGROUP"),
    ("GPU", "scope of a device", "AGENT"),
    ("SYS", "system scope", "SYSTEM"),
    ("EF", "barrier entries", "domain(bar)"),
    ("XF", "barrier exits", "range(bar)"),
    ("UB", "undefined operations of the program: none is an event here", "{}"),
    ("ADDR", "herd's: register reads that an address is made of, which are no events here", "{}"),
    ("Exp", "herd's: events that an instruction asks for: all", "_"),
    ("NExp", "herd's: events that the hardware adds: none", "{}"),
    ("X", "herd's: both halves of atomic instructions", "RMW"),
    ("ALLOC", "allocations: no language here has any", "{}"),
    ("FREE", "deallocations: no language here has any", "{}"),
)
_RELATIONS = (
    ("scta", "same cooperative thread array", "same-workgroup"),
    ("sdv", "same device", "same-agent"),
    ("sr", "scopes that include each other", "incl"),
    ("sm", "herd's: parts of the same access, each with itself, too", "parts?"),
    ("same-instance", "herd's: events of the same instruction", "si"),
    ("iico_data", "herd's: data inside an instruction: from the read to the write of a read-modify-write", "rmw"),
    ("lxsx", "from a load-link to its store-conditional: no language here has any", "0"),
    ("sync_barrier", "from a barrier's entries to its exits", "bar"),
    ("allocptr", "allocations and deallocations through one pointer", "0"),
    ("allocmem", "allocations and the accesses to their memory", "0"),
)

FOREIGN: Mapping[str, Predefined] = MappingProxyType(
    {
        **{name: Predefined(name, "set", text, formula) for name, text, formula in _SETS},
        **{name: Predefined(name, "relation", text, formula) for name, text, formula in _RELATIONS},
    }
)
"""By name."""


IMPLIED: Mapping[str, str] = MappingProxyType(
    {"sync_fence": "with sync_fence from linearisations(F & SC, 0) let sync_fence = sync_fence & incl"}
)
"""Statements that a model begins with where it uses such a name without a definition: PTX's order of seq_cst fences.

PTX ISA, "Fence-SC": a partial order that relates each pair of morally strong fences. Here a total order of the fences
is chosen and then restricted to such pairs, so that executions are counted once for each total order."""
