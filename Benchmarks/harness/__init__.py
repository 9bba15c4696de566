# SPDX-License-Identifier: Apache-2.0
"""Runs the benchmark: makes inputs, lets the contestants take turns, and reports. See Benchmarks/README.md."""
