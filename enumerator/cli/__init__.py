"""The command line: parses options, calls the Python interface, prints."""

from enumerator.cli.app import main

__all__ = ["main"]
