"""The reference corpus: tests with answers that were not computed by this project."""
