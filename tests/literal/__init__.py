"""A literal enumerator: the semantics in plain Python, as slow and as plain as it can be.

It shares the front end and the data of a test with the product and nothing else: neither unfolding, engines, cat
models nor profiles. What it answers was written from the definitions alone, one function a definition.
"""

from tests.literal.enumerate import Outcome, all_names, enumerate_literally
from tests.literal.events import Trace

__all__ = ["Outcome", "Trace", "all_names", "enumerate_literally"]
