"""Tests with answers that were not computed by this project."""
