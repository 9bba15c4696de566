# SPDX-License-Identifier: Apache-2.0
"""The same questions as commands, with the start of a process included."""

import json
import sqlite3

from .. import process, tools
from ..contest import Trial

EVENT = {
    "specversion": "1.0", "source": "benchmark/phone", "type": "line.spoken", "language": "es",
    "time": "2029-06-01T18:00:00Z", "timezone": "Europe/Madrid",
    "data": {"line": "cafe-07", "accuracy": 0.93, "errors": 1, "words": 7, "durationMs": 3120},
}


def trials(source, options):
    store = source.path("commands.db")
    learner = []

    def prepare():
        source.copy_of_store(store.name)
        learner[:] = [ordinary_learner(store)]
        event = EVENT | {"id": "e1", "subject": learner[0]}
        source.path("one.ndjson").write_text(json.dumps(event) + "\n")

    def trial(name, command, arguments):
        def measure():
            words = [learner[0] if word is None else word for word in arguments]
            return process.run(tools.laurel(command, store, *words)).numbers()

        return Trial("commands", source.name, name, measure, prepare)

    yield trial("ingest of one event", "ingest", ["--now", tools.NOW, source.path("one.ndjson")])
    yield trial("progress", "progress", [None, "--at", tools.NOW, "--json"])
    yield trial("words", "words", [None, "--at", tools.NOW, "--json"])
    yield trial("learners", "learners", ["--json"])
    yield trial("leaderboard", "leaderboard", ["--all-time", "--at", tools.NOW, "--limit", 10, "--json"])


def ordinary_learner(store):
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        return connection.execute(
            "SELECT subject FROM learners ORDER BY abs(events - (SELECT avg(events) FROM learners)), subject LIMIT 1"
        ).fetchone()[0]
