"""The child process in which LLVM optimizes and compiles modules: it may crash, and must not take the checker with it.

This file is run as a script by :mod:`enumerator.refinement.llvm`, with the folder that holds llvmlite as its argument,
and imports nothing else. A request is a line of JSON, and so is the answer: ``{"text": …}`` or ``{"error": …}``.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from typing import Any

_ALIASES = {
    "adce": "aggressive_dce",
    "aggressive-instcombine": "aggressive_instcombine",
    "constmerge": "constant_merge",
    "dce": "dead_code_elimination",
    "deadargelim": "dead_arg_elimination",
    "dse": "dead_store_elimination",
    "globaldce": "global_dead_code_eliminate",
    "globalopt": "global_opt",
    "instcombine": "instruction_combine",
    "loop-reduce": "loop_strength_reduce",
    "memcpyopt": "mem_copy_opt",
    "mergefunc": "merge_functions",
    "newgvn": "new_gvn",
    "reg2mem": "register_to_memory",
    "simplifycfg": "simplify_cfg",
    "sink": "sinking",
    "tailcallelim": "tail_call_elimination",
}
"""What ``opt`` calls passes, and what this version of llvmlite does, where that is more than a matter of dashes."""

_OTHER = (
    "printer",
    "viewer",
    "verifier",
    "refprune",
    "internalize",
    "module_debug_info",
    "instruction_namer",
    "aa_eval",
)


def main() -> None:
    """Answer requests until the input ends."""
    sys.path.append(sys.argv[1])
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()  # type: ignore[no-untyped-call]
    llvm.initialize_all_asmprinters()  # type: ignore[no-untyped-call]
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = {"text": _answer(llvm, request)}
        except Exception as error:  # noqa: BLE001 - whatever LLVM says is the answer
            answer = {"error": " ".join(str(error).split()) or type(error).__name__}
        print(json.dumps(answer), flush=True)


def _answer(llvm: Any, request: dict[str, Any]) -> Any:
    if request["do"] == "passes":
        return sorted(_passes(llvm))
    module = llvm.parse_assembly(request["text"], llvm.create_context())
    if request["cpu"]:
        module.triple = "amdgcn-amd-amdhsa"
    triple = module.triple or llvm.get_default_triple()
    target = llvm.Target.from_triple(triple)
    # The machine keeps its level of code generation, whatever the optimizer does before.
    machine = _machine(target, request["cpu"] or "")
    if request["cpu"]:
        module.data_layout = str(machine.target_data)
    if request["do"] == "assemble":
        module.verify()
        return machine.emit_assembly(module)
    options = llvm.create_pipeline_tuning_options(speed_level=request["speed"])
    builder = llvm.create_pass_builder(machine, options)
    if request["passes"]:
        known = _passes(llvm)
        manager = llvm.create_new_module_pass_manager()
        for name in request["passes"]:
            if name not in known:
                raise ValueError(f"this version of llvmlite has no pass {name!r}; it has {', '.join(sorted(known))}")
            getattr(manager, known[name])()
    else:
        manager = builder.getModulePassManager()
    manager.run(module, builder)
    module.verify()
    return str(module)


def _machine(target: Any, cpu: str) -> Any:
    """Make the target machine. LLVM says on its error stream, and nowhere else, that there is no such processor."""
    with tempfile.TemporaryFile() as told:
        stream = os.dup(2)
        os.dup2(told.fileno(), 2)
        try:
            machine = target.create_target_machine(cpu=cpu, opt=2, reloc="pic")
        finally:
            os.dup2(stream, 2)
            os.close(stream)
        told.seek(0)
        if b"not a recognized processor" in told.read():
            raise ValueError(f"there is no processor {cpu!r}")
    return machine


def _passes(llvm: Any) -> dict[str, str]:
    """Give the passes that can be asked for by name, each with the method that adds it."""
    methods = [name for name in dir(llvm.ModulePassManager) if name.startswith("add_") and name.endswith("_pass")]
    stems = {name[4:-5]: name for name in methods if not any(other in name for other in _OTHER)}
    found = {alias: stems[stem] for alias, stem in _ALIASES.items() if stem in stems}
    named = set(found.values())
    return found | {stem.replace("_", "-"): name for stem, name in stems.items() if name not in named}


if __name__ == "__main__":
    main()
