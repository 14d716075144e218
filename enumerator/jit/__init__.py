"""All that touches the inside of numba: how kernels are compiled, kept on disk, and called (README.md)."""
