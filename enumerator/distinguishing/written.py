"""Tests that are found, with a condition that asks for an outcome: as records, and as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from enumerator.distinguishing.paths import UNDEF
from enumerator.distinguishing.sides import Language
from enumerator.frontend import load_text
from enumerator.frozen import dataclass
from enumerator.generation.building import location_names, to_test
from enumerator.generation.llvm import llvm_text
from enumerator.generation.skeleton import Skeleton, register_names
from enumerator.generation.vulkan import vulkan_text
from enumerator.passes.translate import to_llvm
from enumerator.program.condition import And, Condition, Equal, Formula, Literal, Name, Quantifier, TrueFormula
from enumerator.program.test import Test
from enumerator.program.values import UNDEF as UNDEF_VALUE
from enumerator.program.values import Value, format_value

__all__ = ["Told", "Written", "write"]

Told = tuple[tuple[int, int], ...]
"""An outcome, or as much of it as matters: what is asked (a read, in order; then a location), and its value."""


@dataclass(frozen=True)
class Written:
    """A test that asks for an outcome.

    Parameters
    ----------
    test : Test
    outcome : mapping of str to Value
    translated : Test or None
        Its translation, which asks the same.
    skeleton : Skeleton
    """

    test: Test
    outcome: Mapping[str, Value]
    translated: Test | None
    skeleton: Skeleton

    def text(self, remarks: Sequence[str]) -> str:
        """Write the test in its language."""
        if self.test.format == "llvm":
            return llvm_text(self.test, remarks)
        return vulkan_text(self.skeleton, self.test.name, self.test.title, remarks, joined=True)

    @property
    def suffix(self) -> str:
        """What a file with the text is called."""
        return ".ll" if self.test.format == "llvm" else ".litmus"

    def translation(self) -> str:
        """Write the translation as text, if there is one."""
        if self.translated is None:
            return ""
        lines = self.translated.source.splitlines()
        at = next(number for number, line in enumerate(lines) if line.startswith("; EXISTS:"))
        lines[at] = f"; EXISTS: {self.translated.condition.text}"
        return "\n".join(lines) + "\n"


def write(skeleton: Skeleton, told: Told, name: str, title: str, profile: str, language: Language) -> Written:
    """Write a test that asks for an outcome.

    Parameters
    ----------
    skeleton : Skeleton
    told : Told
        It may have undef in it.
    name, title, profile : str
    language : Language
        That of the second side: the test may have a translation.

    Returns
    -------
    Written
    """
    reads = [(number, index) for number, index, event in skeleton.events() if event.reads]
    names = location_names(len(skeleton.locations))
    registers = [register_names(thread) for thread in skeleton.threads]

    def named(thread: str, location: str) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for place, value in told:
            if place < len(reads):
                number, index = reads[place]
                key = thread.format(number, registers[number][index])
            else:
                key = location.format(names[place - len(reads)])
            found[key] = UNDEF_VALUE if value == UNDEF else value
        return found

    if language is Language.LLVM:
        outcome = named("t{}:%{}", "@{}")
        test = to_test(skeleton, name, title, profile, joined=True)
        return Written(replace(test, condition=_asking(outcome)), outcome, None, skeleton)

    def with_undef(value: int | None) -> Skeleton:
        """Ask for the outcome in Vulkan's language, which has no undef."""
        known = [(place, value if held == UNDEF else held) for place, held in told]
        return skeleton._replace(
            reads=tuple((*reads[place], held) for place, held in known if place < len(reads) and held is not None),
            finals=tuple(
                (place - len(reads), held) for place, held in known if place >= len(reads) and held is not None
            ),
        )

    text = partial(vulkan_text, name=name, title=title, joined=True)
    outcome = named("P{}:{}", "[{}]")
    source = replace(load_text(text(with_undef(0)), f"{name}.litmus"), condition=_asking(outcome), title=title)
    if language is Language.VULKAN:
        return Written(source, outcome, None, with_undef(None))
    native = to_llvm(load_text(text(with_undef(0)), f"{name}.litmus"))
    translated = load_text(native, f"{name}.ll")
    wide = {each.name for each in translated.objects if each.name + "[0]" in native}
    here = {each + "[0]" if each in wide else each: value for each, value in named("P{}:%{}", "@{}").items()}
    return Written(source, outcome, replace(translated, condition=_asking(here), source=native), with_undef(None))


def _asking(outcome: Mapping[str, Value]) -> Condition:
    atoms = tuple(Equal(Name(each), Literal(value)) for each, value in outcome.items())
    formula: Formula = And(atoms) if len(atoms) > 1 else atoms[0] if atoms else TrueFormula()
    text = " /\\ ".join(f"{each} = {format_value(value)}" for each, value in outcome.items()) or "true"
    return Condition(Quantifier.EXISTS, formula, text)
