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

from enumerator.frontend.ptx.test import load_text

__all__ = ["load_text"]
