"""Results: final states, what the condition says of them, the verdict, and how JSON holds it."""
