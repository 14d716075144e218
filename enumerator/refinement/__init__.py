"""The questions that a compiler engineer has (semantics, section 7): may this become that, and what is enough?

========================= =============================================================================================
``refine``                whether a target refines a source: as they are, and next to all threads up to a size
``neighbours``, ``rules`` adjacent operations: may they be exchanged or merged, by rule and by enumeration
``weakest``, ``points``   the weakest annotations that keep what a test expects, or make its condition unreachable
``optimize``, ``batch``   whether what LLVM's optimizer makes of a test refines it
``machine``               what fences, atomics and barriers become on an AMDGPU processor
------------------------- ---------------------------------------------------------------------------------------------
``outcomes``              what is observed, and when an outcome covers another one
``correspondence``        what a source and a target share
``alphabet``, ``contexts`` what contexts are made of, and all of them, smallest first
``program``, ``search``   contexts as programs in memory; thousands of them by one search
``witness``, ``emit``     counterexamples: executions, what was lost, complete tests
``lattice``, ``edit``     orders of annotations and their lowest points; programs changed at one place
``rewrite``, ``instrument`` tests written with other annotations, or with registers stored
``pair``, ``llvm``        reading a source and a target; LLVM in a child process (``llvm_worker``)
========================= =============================================================================================

Everything here asks engines through :mod:`enumerator.request`, and knows no model: what is order, and what undefined,
the model file says.
"""
