"""The reference engine: every candidate execution in the plainest way, relations as networkx graphs."""
