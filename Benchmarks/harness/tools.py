# SPDX-License-Identifier: Apache-2.0
"""The paths of programs, and of the folder for cached files."""

import pathlib
import sys

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
PROJECT = BENCHMARKS.parent
LAUREL = PROJECT / ".build/release/laurel"
INSIDE = PROJECT / ".build/release/LaurelBenchmark"
PEERS = BENCHMARKS / "peers"
CACHE = PROJECT / ".build/bench"

# The ingest clock, after all simulated events.
NOW = "2030-01-01T00:00:00Z"
# The rules of stores. The peers implement them by hand.
RULES = PROJECT / "Rules/bab-language.yaml"
# The rules of a store without rules of its own; a replay is also measured under them.
STARTER = PROJECT / "Rules/starter.yaml"


def laurel(command, store, *arguments):
    return [LAUREL, command, "--store", store, *arguments]


def ingest(store, *files, rules=RULES):
    """The command that ingests files into a new store."""
    return laurel("ingest", store, "--rules", rules, "--now", NOW, *files)


def inside(*arguments):
    """The command for a measurement within a process that uses the library, without the start of the process."""
    return [INSIDE, *arguments]


def peer(program, *arguments):
    return [sys.executable, PEERS / f"{program}.py", *arguments]
