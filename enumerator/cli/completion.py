"""The command ``completion``."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

__all__ = ["completion"]


class Shell(StrEnum):
    """Shells that can complete."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


_WHERE = {
    Shell.BASH: "enumerator completion bash > ~/.local/share/bash-completion/completions/enumerator",
    Shell.ZSH: "enumerator completion zsh > ~/.zfunc/_enumerator, with ~/.zfunc in fpath before compinit",
    Shell.FISH: "enumerator completion fish > ~/.config/fish/completions/enumerator.fish",
}


def completion(shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="bash, zsh or fish.")]) -> int:
    """Print what makes a shell complete commands and options.

    For bash: enumerator completion bash > ~/.local/share/bash-completion/completions/enumerator
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(prog_name="enumerator", complete_var="_ENUMERATOR_COMPLETE", shell=shell.value)
    sys.stdout.write(f"# {_WHERE[shell]}\n{script}\n" if shell is not Shell.ZSH else f"{script}\n# {_WHERE[shell]}\n")
    return 0
