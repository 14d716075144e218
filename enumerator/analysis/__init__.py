"""Analysis with networkx: base relations, the plain engine, classification of executions, execution graphs.

Importing this package imports nothing heavy; its modules import networkx.
"""
