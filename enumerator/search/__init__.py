"""The fast engines: a test and a model as bitsets and bytecode, searched by compiled kernels."""
