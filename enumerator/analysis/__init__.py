"""Analysis of executions with networkx: why one is forbidden, what races, which reads are undef, what is missing.

Importing this package imports nothing heavy; its modules import networkx.
"""
