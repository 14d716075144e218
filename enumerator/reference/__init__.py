"""The reference engine: it evaluates the model on every candidate execution, with relations as networkx graphs."""
