"""Benchmarks: what reflection costs, measured against what a cell costs without it."""
