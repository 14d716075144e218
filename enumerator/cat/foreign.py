"""Names that Dat3M's models find defined, as far as they mean something on tests of the languages that are read here.

Each is a formula over the predefined names, or a choice that the model makes by using it. Any other name stays unknown,
which is an error where a model uses it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["FOREIGN", "IMPLIED", "Predefined", "foreign"]


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
        What it is in terms of others, in cat; ``{order}`` stands for the order that the model chooses.
    chosen : bool
        It depends on what the search chooses (reads-from and the order), and not on the program alone.
    """

    name: str
    kind: str
    documentation: str
    formula: str | None = None
    chosen: bool = False


_SETS = (
    ("NAL", "accesses to locations that no thread accesses atomically", "M \\ range([A & M \\ IW] ; loc)"),
    ("WI", "work-item scope", "SINGLETHREAD"),
    ("ALL", "all-svm-devices scope", "SYSTEM"),
    ("CTA", "scope of a cooperative thread array", "WORKGROUP"),
    ("GPU", "scope of a device", "AGENT"),
    ("SYS", "system scope", "SYSTEM"),
    ("GLOBAL", "accesses to global memory (address spaces 0 and 1), and fences", "AS0 | AS1 | F"),
    ("LOCAL", "accesses to local memory (address space 3), and fences", "AS3 | F"),
    ("EF", "barrier entries", "domain(bar)"),
    ("XF", "barrier exits", "range(bar)"),
    ("UB", "undefined operations of the program: none is an event here", "{}"),
    ("ALLOC", "allocations: no language here has any", "{}"),
    ("FREE", "deallocations: no language here has any", "{}"),
    ("GEN", "accesses by the generic proxy: all", "_"),
    ("SUR", "accesses by the surface proxy: no language here has any", "{}"),
    ("TEX", "accesses by the texture proxy: no language here has any", "{}"),
    ("ALIAS", "fences between aliases: no language here has any", "{}"),
)
_RELATIONS = (
    ("scta", "same cooperative thread array", "same-workgroup"),
    ("sdv", "same device", "same-agent"),
    ("sr", "scopes that include each other", "incl"),
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
"""Names that stand for a choice, as PTX's order of seq_cst fences: what a model begins with that uses one undefined.

PTX ISA, "Fence-SC": a partial order that relates each pair of morally strong fences. The order of fences that are not
is chosen with it, and then forgotten: executions are counted once for each."""


def foreign(name: str) -> Predefined | None:
    """Look a name of Dat3M's up.

    Examples
    --------
    >>> foreign("scta").formula, foreign("sync_proxy")
    ('same-workgroup', None)
    """
    return FOREIGN.get(name)
