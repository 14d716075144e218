"""Generated programs, on which all engines must agree."""
