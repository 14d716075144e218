"""The cat language: parser, typing, and a direct interpreter."""
