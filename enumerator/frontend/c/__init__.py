"""C litmus tests in herd7's format: threads of C11 code between an initial state and a condition.

What the front end makes of C, beyond the language itself:

- Integers of all types are 64 bits wide and signed, and wrap; declared widths mean nothing, as in herd7. Every
  location that is no array or part of one is 8 bytes.
- A plain access (``*x``, ``a[1]``, ``*x = 1``) is not atomic, also where the object is: that is herd7's reading, and
  what its tests are written for. (In C it would be seq_cst.) Only the ``atomic_`` functions are atomic, whatever
  the type of the object.
- Locals are registers, and start at 0 as herd7's do, unless the initial state says otherwise (``0:r1=2;``). A local
  whose address is taken, or an array, is memory instead: results name it ``[0:a]``.
- A parameter that is a pointer is the address of the location of its name; one that is passed by value is the
  thread's register.
- ``memory_order_consume`` is relaxed, in the set ``CON`` and not in ``RLX``.
"""

from __future__ import annotations

from enumerator.frontend.c.test import load_text

__all__ = ["load_text"]
