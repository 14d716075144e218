"""``python -m benchmarks.contexts``: how many contexts of a function ``refines`` tries in a second, one process."""

from __future__ import annotations

import time

from enumerator.frontend import load_text
from enumerator.refinement.refine import refines

FUNCTION = """; SCOPES: (system (agent (workgroup f)))
@x = {space}global i32 0
@y = {space}global i32 0
define void @f() {{
  store i32 1, ptr {space}@x{tag}
  fence {scope}release{tag}
  store atomic i32 1, ptr {space}@y {scope}monotonic, align 4
  ret void
}}
!0 = !{{!"foo", !"x"}}
"""

CASES = (
    ("orderings", "llvm", "", "", ""),
    ("a scope", "llvm", "", 'syncscope("workgroup") ', ""),
    ("a scope", "amdgpu", "addrspace(1) ", 'syncscope("workgroup") ', ""),
    ("a tag", "llvm", "", "", ", !mmra !0"),
)


def main() -> None:
    """Print a line a case: what contexts differ in, the model, how many, and how many a second."""
    print(f"{'what differs':14}{'model':9}{'operations':>10}{'contexts':>10}{'a second':>10}")
    for name, model, space, scope, tag in CASES:
        test = load_text(FUNCTION.format(space=space, scope=scope, tag=tag), "f.ll")
        refines(test, test, model, contexts=1)  # loads what is compiled
        for size in (1, 2, 3):
            begun = time.perf_counter()
            found = refines(test, test, model, contexts=size, timeout=20)
            rate = found.contexts / (time.perf_counter() - begun)
            limit = "" if found.refines else "  (stopped)"
            print(f"{name:14}{model:9}{size:10}{found.contexts:10}{rate:10.0f}{limit}")


if __name__ == "__main__":
    main()
