"""What can be told of the value of a node of a model from what can be told of its arguments, as bits."""

from __future__ import annotations

from collections.abc import Callable

from enumerator.cat.nodes import Node

__all__ = ["Deduced"]


class Deduced:
    """What is told of nodes: each bit says something that holds, or that nothing is known of.

    Parameters
    ----------
    of_one : callable
        Gives the bits of a node that is no fixed point, from those of its arguments.
    of_empty : int
        The bits of what is empty: a least fixed point begins with that.
    least : int
        Of a fixed point nothing is told where its right sides do not have all of these bits.
    """

    def __init__(self, of_one: Callable[[Node, list[int]], int], of_empty: int, least: int) -> None:
        self._of_one, self._of_empty, self._least = of_one, of_empty, least
        self._known: dict[Node, int] = {}

    def __call__(self, root: Node) -> int:
        """Give the bits of a node.

        Parameters
        ----------
        root : Node

        Returns
        -------
        int
        """
        known, stack = self._known, [root]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            if node.operator == "fix":
                known.update((each, self._of_empty) for each in node.binders if each not in known)
            missing = [each for each in node.arguments if each not in known]
            if missing:
                stack += missing
                continue
            if node.operator == "fix":
                known[node] = self._fixed_point(node)
            else:
                known[node] = self._of_one(node, [known[each] for each in node.arguments])
            stack.pop()
        return known[root]

    def _fixed_point(self, node: Node) -> int:
        """Assume of the variables what holds of all right sides, until that stays."""
        known = self._known
        while True:
            assumed = found = known[node.binders[0]]
            for each in node.arguments:
                found &= self(each)
            if found & self._least != self._least:
                return 0
            if found == assumed:
                return found
            for each in [each for each in known if not each.free.isdisjoint(node.binders)]:
                del known[each]
            known.update(dict.fromkeys(node.binders, found))
