"""Vulkan litmus tests: threads in columns, with their places, between an initial state and a condition.

The language is that of Dat3M's tests. What the front end makes of it:

- Integers are 32 bits wide and signed, and wrap. Registers (``r0`` …) and locations start at 0 unless the initial
  state says otherwise; a location need not be named there.
- ``P0@sg 0, wg 1, qf 0`` places a thread: a subgroup belongs to its workgroup, that to its queue family, and all of
  these to one device. Scopes are ``sg wg qf dv``, which are the project's wavefront, workgroup, cluster and agent.
- ``y aliases x`` in the initial state makes ``y`` another reference to the memory of ``x``.
- ``{ ssw 0 1; }`` behind the initial state: the system synchronizes thread 0 before thread 1.
- A control barrier (``cbar``) is the same as those with its number in other threads; one that runs repeatedly meets
  them turn by turn. It is no error that a thread never arrives at one.
- Without a condition a test asks ``forall (true)``, as in herd7.
"""

from __future__ import annotations

from enumerator.frontend.columns.test import Language, load
from enumerator.frontend.vulkan.code import VulkanCode
from enumerator.frontend.vulkan.initial import parse_initial_state, parse_instances, place
from enumerator.program.test import Test

__all__ = ["load_text"]

_LANGUAGE = Language("Vulkan", "P0@sg 0, wg 0, qf 0", parse_initial_state, parse_instances, place, VulkanCode)


def load_text(text: str, path: str) -> Test:
    """Read a Vulkan litmus test.

    See Also
    --------
    enumerator.frontend.columns.test.load

    Examples
    --------
    >>> rows = ["VULKAN one", "{ x = 1; }", "P0@sg 0, wg 0, qf 0 ;", "ld.sc0 r0, x ;", "forall (P0:r0 == 1)"]
    >>> test = load_text(chr(10).join(rows), "one.litmus")
    >>> test.name, [memory.name for memory in test.objects], test.condition.formula.left.text
    ('one', ['x'], 'P0:r0')
    """
    return load(text, path, _LANGUAGE)
