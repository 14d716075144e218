"""``python -m enumerator`` is the command ``enumerator``."""

from enumerator.cli import main

if __name__ == "__main__":
    main()
