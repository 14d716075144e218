"""OpenCL litmus tests: threads of OpenCL C between an initial state and a condition, as herd and Dat3M have them.

All that C litmus tests have (:mod:`enumerator.frontend.c`), and:

- ``P0@wg 0, dev 0 (…)`` places a work-item: a work-group belongs to its device. ``sg 0`` may stand before, for the
  sub-group; without it a work-item is one of its own. Scopes are ``memory_scope_work_item``, ``…_sub_group``,
  ``…_work_group``, ``…_device``, ``…_all_svm_devices``, the project's singlethread, wavefront, workgroup, agent and
  system.
- The type of a pointer says where its location is, ``global`` or ``local`` (also ``__global``, ``__local``), and by
  ``atomic_int`` or ``int`` whether it is atomic: it is only where all threads say so. As in Dat3M, a location in local
  memory is one location for the test, whatever work-groups it is passed to; one that threads give different regions is
  in both; and one that no thread gives a region (a pointer to the generic address space) is in neither.
- The atomic functions take a scope after their memory orders; without one it is the device. A plain access has the
  scope of the work-item.
- ``atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, order, scope)``.
- ``B1: barrier(CLK_GLOBAL_MEM_FENCE)``, with a scope or without, and ``work_group_barrier``: the label says which
  barriers of other work-items of the work-group it is. All work-items of the work-group whose code has it have to
  arrive.

Sets: `GLOBAL`, `LOCAL` (accesses by their region, fences and barriers by their flags), `NAL` (locations that are not
atomic).
"""

from __future__ import annotations

from enumerator.frontend.opencl.language import OpenCL
from enumerator.program.test import Test

__all__ = ["load_text"]


def load_text(text: str, path: str) -> Test:
    """Read an OpenCL litmus test.

    See Also
    --------
    enumerator.frontend.c.load_text

    Examples
    --------
    >>> rows = ["OPENCL one", "{ }", "P0@wg 0, dev 0 (local int *x) {", "  *x = 1;", "}", "exists (x = 1)"]
    >>> test = load_text(chr(10).join(rows), "one.litmus")
    >>> test.name, [(memory.name, memory.address_space) for memory in test.objects], test.condition.formula.left.text
    ('one', [('x', 3)], '[x]')
    """
    from enumerator.frontend.c.test import load_text as load

    return load(text, path, OpenCL())
