"""Where inputs come from: the tests, models, profiles and results of the checkout, and the commands that read them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from random import Random

from tests.dataflow.programs import program as token_program
from tests.fuzz.cases import Case
from tests.fuzz.comparing import questions
from tests.fuzz.mutations import mutate, tokens
from tests.fuzz.semantic import CHANGED, change_test
from tests.generated.programs import ALL_FEATURES, random_program
from tests.generated.ptx import random_ptx
from tests.generated.vulkan import random_vulkan

__all__ = ["KINDS", "Inputs"]

ROOT = Path(__file__).resolve().parents[2]

KINDS = {
    "llvm": 28, "c": 16, "opencl": 8, "vulkan": 20, "ptx": 12, "alloy": 10, "cat": 14, "profile": 14, "log": 34,
    "json": 32, "jsonl": 16, "tags": 14, "engines": 2,
}  # fmt: skip
"""What is mutated, and its share of the inputs: much of what takes little time."""

SECONDS = "0.25"
"""The limit that commands get which take one."""

_LARGEST = 20_000
_EXTENSIONS = {
    "llvm": ".ll", "c": ".litmus", "opencl": ".litmus", "vulkan": ".litmus", "ptx": ".litmus", "alloy": ".test",
    "cat": ".cat", "profile": ".toml", "log": ".log", "json": ".json", "jsonl": ".jsonl",
}  # fmt: skip
_MODELS = (
    "llvm", "llvm", "amdgpu", "amdgpu", "amdgpu-2026", "rc11", "sc", "tso", "csa", "vulkan", "c11_simp",
    "c11_partialSC", "ptx-6.0", "ptx-7.5", "opencl", "llvm/direct", "vulkan/nochains", "nosuch", "llvm/nosuch",
)  # fmt: skip
_PROFILES = ("generic", "strict", "vulkan", "amdgpu", "nosuch")
_TAGS = ("foo:x", "foo:y", "bar:x,foo:x", "amdgpu-synchronize-as:local,vulkan:nonprivate", "", "a:b,a:c,b:a", "none")
_SHOW = ("hb", "rf,mo", "co", "po,sw,lo", "nosuch", "hb,,", "fr", "avail,vis")
_EXTRA_FEATURES = tuple(sorted(ALL_FEATURES))


class Inputs:
    """Cases of a campaign; each is determined by the campaign's seed and its own number.

    Parameters
    ----------
    seed : int
    kinds : sequence of str, optional
        Only these.
    """

    def __init__(self, seed: int, kinds: Sequence[str] = tuple(KINDS)) -> None:
        self.seed = seed
        self.kinds = tuple(kinds)

    def case(self, number: int) -> Case:
        choose = Random(f"{self.seed} {number}")
        (kind,) = choose.choices(self.kinds, [KINDS[each] for each in self.kinds])
        if kind == "engines":
            return self._engines(number, choose)
        if kind == "tags":
            return self._tags(number, choose)
        text = self._semantic(kind, choose) if choose.random() < 0.15 else None
        if text is None:
            text = self._text(kind, choose)
            data = mutate(text, self.words[kind], self._text(kind, choose), choose)
        else:
            data = text.encode()
        name = f"input{number}{_EXTENSIONS[kind]}"
        files = [(name, data)]
        arguments = self._command(kind, name, files, text, choose)
        return Case(number, kind, tuple(arguments), tuple(files))

    def examples(self) -> list[Case]:
        """Give unchanged inputs for all commands: what a process runs once, it need not prepare again."""
        choose = Random(0)
        found = []
        for kind in ("llvm", "c", "opencl", "vulkan", "ptx", "alloy", "cat", "profile", "log"):
            for _ in range(12 if kind == "llvm" else 5):
                text = choose.choice((self.small if kind in self.small else self.texts)[kind])
                name = f"example{_EXTENSIONS[kind]}"
                files = [(name, text.encode())]
                command = self._command(kind, name, files, text, choose)
                found.append(Case(-1, kind, tuple(command), tuple(files)))
        for kind, model in (("c", "rc11"), ("vulkan", "vulkan"), ("llvm", "llvm"), ("llvm", "amdgpu"), ("llvm", "csa")):
            name = f"example{_EXTENSIONS[kind]}"
            files = ((name, self.small[kind][0].encode()),)
            found.append(Case(-1, kind, ("run", *_LIMITED, "--model", model, "--verbose", name), files))
            for seen in (("explain", "--no-repair"), ("draw", "--all"), ("draw", "--format", "html")):
                found.append(Case(-1, kind, (*seen, "--timeout", SECONDS, "--model", model, name), files))
            found.append(Case(-1, kind, ("engines", model, "generic", "", ""), files, engines=True))
        return [*found, Case(-1, "tags", ("tags", "a:b", "a:c"))]

    # Texts ----------------------------------------------------------------------------------------------------

    def _text(self, kind: str, choose: Random) -> str:
        if kind == "llvm" and choose.random() < 0.25:
            return self._generated(choose)
        if kind == "vulkan" and choose.random() < 0.25:
            return random_vulkan(choose.randrange(1000))
        if kind == "ptx" and choose.random() < 0.25:
            return random_ptx(choose.randrange(1000))
        return choose.choice(self.texts[kind])

    def _generated(self, choose: Random) -> str:
        if choose.random() < 0.3:
            return token_program(choose.randrange(1000))
        features = frozenset(choose.sample(_EXTRA_FEATURES, choose.randint(1, 6)))
        reads, writes = choose.choice(((2, 2), (3, 3), (4, 3)))
        return random_program(features, choose.randrange(100_000), reads, writes).text

    def _semantic(self, kind: str, choose: Random) -> str | None:
        """A valid test with changes of meaning, which should get deeper into the commands."""
        if kind not in CHANGED:
            return None
        return change_test(self._text(kind, choose), kind, choose)

    def _engines(self, number: int, choose: Random) -> Case:
        kind = choose.choices(("llvm", "tokens", "c", "vulkan", "opencl", "ptx"), (10, 3, 3, 3, 2, 3))[0]
        if kind == "tokens":
            text, language = token_program(choose.randrange(100_000)), "llvm"
        elif kind == "llvm" and choose.random() < 0.6:
            features = frozenset(choose.sample(_EXTRA_FEATURES, choose.randint(1, 8)))
            text, language = random_program(features, choose.randrange(1_000_000), 3, 3).text, "llvm"
        elif kind == "vulkan" and choose.random() < 0.5:
            text, language = random_vulkan(choose.randrange(100_000)), "vulkan"
        elif kind == "ptx" and choose.random() < 0.5:
            text, language = random_ptx(choose.randrange(100_000)), "ptx"
        else:
            text, language = choose.choice(self.small[kind]), kind
        text = change_test(text, language, choose)
        name = f"input{number}{_EXTENSIONS[language]}"
        return Case(number, kind, ("engines", *questions(kind, choose)), ((name, text.encode()),), engines=True)

    def _tags(self, number: int, choose: Random) -> Case:
        sides = [choose.choice(_TAGS) for _ in range(2)]
        changed = mutate(sides[0], self.words["tags"], sides[1], choose).decode("utf-8", "replace")
        sides[0] = changed.replace("\0", "")[:5000]
        choose.shuffle(sides)
        return Case(number, "tags", ("tags", *_format(choose, "text", "json"), "--", *sides))

    @cached_property
    def texts(self) -> dict[str, tuple[str, ...]]:
        """The texts of each kind that the checkout has, in a fixed order."""
        native = [*ROOT.glob("litmus_tests/**/*.ll"), *ROOT.glob("tests/*/kernels/*.ll")]
        litmus = [_read(path) for path in sorted(ROOT.glob("litmus_tests/**/*.litmus"))]
        found = {
            "llvm": [_read(path) for path in sorted(native)],
            "c": [text for text in litmus if re.match(r"\s*C\b", text)],
            "vulkan": [text for text in litmus if re.match(r"\s*(VULKAN|Vulkan)\b", text)],
            "opencl": [text for text in litmus if re.match(r"\s*OPENCL\b", text)],
            "ptx": [text for text in litmus if re.match(r"\s*PTX\b", text)],
            "alloy": [_read(path) for path in sorted(ROOT.glob("litmus_tests/**/*.test"))],
            "cat": [_read(path) for path in sorted(ROOT.glob("enumerator/**/*.cat"))],
            "profile": [_read(path) for path in sorted(ROOT.glob("enumerator/profiles/*.toml"))],
            **self._results(),
        }
        kept = {kind: tuple(text for text in texts if len(text) <= _LARGEST) for kind, texts in found.items()}
        assert all(kept.values()), "a kind of input has no example"
        return kept

    @cached_property
    def small(self) -> dict[str, tuple[str, ...]]:
        """Tests that all engines finish soon."""
        return {
            "llvm": tuple(text for text in self.texts["llvm"] if len(re.findall(r"ptr\b", text)) <= 9),
            "c": tuple(text for text in self.texts["c"] if text.count("atomic_") <= 9),
            "opencl": tuple(text for text in self.texts["opencl"] if text.count("atomic_") <= 9),
            "ptx": tuple(text for text in self.texts["ptx"] if text.count("\n") <= 12 and "fence.sc" not in text),
            "vulkan": tuple(text for text in self.texts["vulkan"] if len(re.findall(r"\b(ld|st|rmw)\.", text)) <= 6),
        }

    @cached_property
    def words(self) -> dict[str, tuple[str, ...]]:
        """Tokens of each kind, one of each, in a fixed order."""
        texts = {**self.texts, "tags": _TAGS}
        return {
            kind: tuple(sorted({token for text in chosen for token in tokens(text) if not token.isspace()}))
            for kind, chosen in texts.items()
        }

    def _results(self) -> dict[str, list[str]]:
        """Files of results, as ``run`` writes them."""
        from io import StringIO

        from enumerator import check, load
        from enumerator.report import writer

        chosen = ["message-passing", "c11", "vulkan", "undef", "mmra"]
        paths = [sorted(ROOT.glob(f"litmus_tests/{folder}/**/*.l*"))[0::7][:3] for folder in chosen]
        results = [check(load(path)) for group in paths for path in group]
        texts: dict[str, list[str]] = {}
        for name, kind in (("text", "log"), ("json", "json"), ("jsonl", "jsonl")):
            for few in (results[0:1], results[1:3], results[3:6], results[6:9]):
                stream = StringIO()
                writer(name)(few, stream)
                steady = re.sub(r"(Time \S+|\"seconds\":) *[\d.e-]+", r"\1 0.0", stream.getvalue())
                texts.setdefault(kind, []).append(steady.replace(str(ROOT), "tests"))
        return texts

    # Commands -------------------------------------------------------------------------------------------------

    def _command(self, kind: str, name: str, files: list[tuple[str, bytes]], text: str, choose: Random) -> list[str]:
        if kind in ("log", "json", "jsonl"):
            other = f"other{_EXTENSIONS[kind]}"
            files.append(
                (other, choose.choice((text, choose.choice(self.texts[choose.choice(("log", "json"))]))).encode())
            )
            sides = [name, other]
            choose.shuffle(sides)
            return ["compare", *_format(choose, "text", "json"), *sides]
        if kind == "profile":
            if choose.random() < 0.4:
                return ["profiles", *_format(choose, "text", "json"), name]
            files.append(("test.ll", choose.choice(self.small["llvm"]).encode()))
            if choose.random() < 0.3:
                return ["inspect", "--profile", name, "test.ll"]
            return [choose.choice(("run", "check")), *_LIMITED, "--profile", name, "test.ll"]
        if kind == "cat":
            if choose.random() < 0.4:
                return ["models", *_format(choose, "text", "json"), name]
            language = choose.choice(CHANGED)
            test = f"test{_EXTENSIONS[language]}"
            files.append((test, choose.choice(self.small[language]).encode()))
            engine = choose.choice(((), (), ("--engine", "networkx")))
            show = choose.choice(((), (), ("--show", choose.choice(_SHOW))))
            return [choose.choice(("run", "run", "check")), *_LIMITED, "--model", name, *engine, *show, test]
        return self._on_test(kind, name, choose)

    def _on_test(self, kind: str, name: str, choose: Random) -> list[str]:
        commands = {
            "run": 6,
            "check": 3,
            "infer": 1,
            "compare": 1,
            "translate": 1,
            "order": 1,
            "tokens": 1,
            "inspect": 1,
        }
        if kind == "llvm":
            commands |= {"order": 3, "inspect": 4, "infer": 2, "tokens": 2}
        elif kind in ("vulkan", "alloy"):
            commands |= {"translate": 4}
        (command,) = choose.choices(tuple(commands), tuple(commands.values()))
        match command:
            case "translate":
                return ["translate", "--to", "llvm", name]
            case "tokens":
                return ["tokens", *_format(choose, "text", "json", "dot", "svg"), name]
            case "inspect":
                extra = choose.choice(((), ("--verbose",), ("--profile", choose.choice(_PROFILES)), ("--hb", "direct")))
                return ["inspect", *extra, *_format(choose, "text", "json"), name]
            case "order":
                mode = choose.choice((("--mode", "linear"), ("--mode", "race"), ("--mode", "alias"), ("--check",)))
                extra = choose.choice(((), ("--emit",), ("--check", "--timeout", SECONDS), ("--function", "t0")))
                return ["order", *mode, *(each for each in extra if each not in mode), name]
            case "compare":
                models = (choose.choice(_MODELS), choose.choice(_MODELS))
                return ["compare", *_LIMITED, "--model", models[0], "--model", models[1], name]
            case "infer":
                return ["infer", "thread-private", "--timeout", SECONDS, *_format(choose, "text", "json"), name]
            case _:
                return [command, *_LIMITED, *self._options(choose), name]

    def _options(self, choose: Random) -> list[str]:
        some: list[str] = []
        for chance, option, values in (
            (0.3, "--model", _MODELS),
            (0.15, "--profile", _PROFILES),
            (0.1, "--hb", ("closure", "direct", "filtered", "nosuch")),
            (0.1, "--thin-air", ("dep", "rc11", "none")),
            (0.02, "--variant", ("direct", "nochains", "nosuch", "")),
            (0.1, "--unroll", ("0", "1", "3", "1000000", "-1", "99999999999999999999", "x")),
            (0.1, "--max-executions", ("1", "2", "100", "0", "99999999999999999999")),
            (0.5, "--format", ("text", "json", "jsonl", "csv", "junit")),
            (0.1, "--engine", ("bitset", "networkx", "interleaving")),
            (0.1, "--show", _SHOW),
        ):
            if choose.random() < chance:
                some += [option, choose.choice(values)]
        some += [each for each in ("--verbose", "--all-values", "--outcomes-only", "--first") if choose.random() < 0.1]
        return some


_LIMITED = ("--jobs", "1", "--timeout", SECONDS)


def _format(choose: Random, *names: str) -> tuple[str, ...]:
    return ("--format", choose.choice(names))


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")
