"""What a model declares (:func:`enumerator.cat.typing.world`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from enumerator.cat.predefined import DEFAULT_ORDER
from enumerator.cat.syntax import Expression, Position
from enumerator.frozen import dataclass

__all__ = ["Declarations"]


@dataclass(frozen=True)
class Declarations:
    """What a model declares besides its axioms: what the search chooses, final values, options.

    The expressions are closed: the definitions of the model that they use are in them, as ``let … in``.

    Parameters
    ----------
    order : (str, Expression) or None
        ``with name from orders(S)``: the name and S. None: ``co`` over all writes.
    undef : Expression or None
        ``with UNDEF from subsets(S)``: S.
    undef_name : str or None
        ``UNDEF`` in a model that chooses it.
    final : Expression or None
        ``final S``. None: the writes with no successor in the order.
    options : mapping of str to tuple of str
        The ``variants`` statements: for each option its alternatives, the default first.
    returns : bool
        The model names ``RET``: a return reads every location.
    unshown : tuple of (str, Position)
        Names in ``show`` that are not defined.
    """

    order: tuple[str, Expression] | None = None
    undef: Expression | None = None
    undef_name: str | None = None
    final: Expression | None = None
    options: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    returns: bool = False
    unshown: tuple[tuple[str, Position], ...] = ()

    @property
    def order_name(self) -> str:
        """The name of the order: the chosen one, or ``co``."""
        return self.order[0] if self.order else DEFAULT_ORDER
