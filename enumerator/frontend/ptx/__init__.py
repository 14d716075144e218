"""PTX litmus tests: threads in columns, with their places, between an initial state and a condition.

The language is that of Dat3M's tests (``LitmusPTX.g4``), instructions are those of NVIDIA's PTX ISA. What the front
end makes of it:

- Integers are 32 bits wide and signed, and wrap. Registers (``r0`` …) and locations start at 0 unless the initial
  state says otherwise; a location need not be named there. ``y = x`` gives y the first value of x.
- ``P0@cta 0, gpu 0`` places a thread; ``P0@cta 0, cluster 0, gpu 0`` names its cluster, too. CTAs of two clusters or
  GPUs are two, whatever their numbers. Scopes are ``cta cluster gpu sys``, the project's workgroup, cluster, agent and
  system; a CTA without a cluster is one of its own.
- An access names a proxy by its instruction: ``ld st atom red`` generic, ``suld sust suatom sured`` surface, ``tld``
  texture, ``cold`` constant. ``y @ generic aliases x`` makes ``y`` a second virtual address of x's memory, which needs
  an alias fence; ``s @ surface aliases x`` makes ``s`` the memory of x as the surface proxy sees it, at x's virtual
  address (so with ``texture`` and ``constant``).
- ``atom`` and ``red`` are a read and a write, linked by ``rmw``: acquire concerns the read, release the write, and the
  other half is relaxed. A compare-and-swap that fails does not write. The read of a ``red`` is in the set `RED`.
- ``bar.cta.sync N`` is the same barrier as those numbered so in other threads of the CTA; ``N, B`` has a second number,
  which may be in a register (0 to 15), and ``N, B, Q`` how many threads have to arrive. All threads of the CTA whose
  code has a barrier without ``Q`` have to arrive at it, unless some of them have its number in a register; too few is
  undefined. ``bar.cta.arrive`` is an arrival that does not wait.
- Without a condition a test asks ``forall (true)``, as in herd7.

Sets: `GEN`, `SUR`, `TEX`, `CON` (proxies: of accesses and fences), `ALIAS` (alias fences), `RED`, `ARRIVE`.
"""

from __future__ import annotations

from enumerator.frontend.columns.test import Language, load
from enumerator.frontend.ptx.code import PtxCode
from enumerator.frontend.ptx.initial import parse_initial_state, parse_instances, place
from enumerator.program.test import Test

__all__ = ["load_text"]

_LANGUAGE = Language("PTX", "P0@cta 0, gpu 0", parse_initial_state, parse_instances, place, PtxCode)


def load_text(text: str, path: str) -> Test:
    """Read a PTX litmus test.

    See Also
    --------
    enumerator.frontend.columns.test.load

    Examples
    --------
    >>> rows = ["PTX one", "{ x = 1; }", "P0@cta 0, gpu 0 ;", "ld.weak r0, x ;", "forall (P0:r0 == 1)"]
    >>> test = load_text(chr(10).join(rows), "one.litmus")
    >>> test.name, [memory.name for memory in test.objects], test.condition.formula.left.text
    ('one', ['x'], 'P0:r0')
    """
    return load(text, path, _LANGUAGE)
