# SPDX-License-Identifier: Apache-2.0
"""Where the programs are, and the folder for what is made once and kept."""

import pathlib
import sys

BENCHMARKS = pathlib.Path(__file__).resolve().parent.parent
PROJECT = BENCHMARKS.parent
LAUREL = PROJECT / ".build/release/laurel"
INSIDE = PROJECT / ".build/release/LaurelBenchmark"
PEERS = BENCHMARKS / "peers"
CACHE = PROJECT / ".build/bench"

# The ingest clock: after everything that is simulated.
NOW = "2030-01-01T00:00:00Z"
# The rules of every store that is made: those that the peers keep by hand.
RULES = PROJECT / "Rules/bab-language.yaml"


def laurel(command, store, *arguments):
    return [LAUREL, command, "--store", store, *arguments]


def ingest(store, *files):
    """Into a new store."""
    return laurel("ingest", store, "--rules", RULES, "--now", NOW, *files)


def inside(*arguments):
    """What is measured in one process that uses the library, so that starting it does not hide the figure."""
    return [INSIDE, *arguments]


def peer(program, *arguments):
    return [sys.executable, PEERS / f"{program}.py", *arguments]
