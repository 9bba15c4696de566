# SPDX-License-Identifier: Apache-2.0
"""Learners as aggregates of Python's `eventsourcing`, rebuilt from their stored events.

    eventsourcing_peer.py STORE SUBJECT…

Takes the learners' events from Laurel's store, and records them with eventsourcing's SQLite persistence. Then it rebuilds
every aggregate; only that is measured. It fails if XP, words or lines differ from Laurel's.
"""

import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import time

from eventsourcing.application import Application

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from learner_aggregate import Learner  # noqa: E402

LAUREL = pathlib.Path(__file__).parents[2] / ".build/release/laurel"


def record(application, store, subjects):
    """Stores the learners' events as aggregates; returns the number of events."""
    count = 0
    for subject in subjects:
        command = [LAUREL, "export", "--store", store, "--learner", subject]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
        learner = Learner(subject)
        for line in lines:
            learner.practise(json.loads(line))
        application.save(learner)
        count += len(lines)
    return count


def check(connection, learner):
    """Ends the program if Laurel's numbers of a learner differ. Words' schedules are not compared: here they are in double precision."""
    row = connection.execute(
        "SELECT xp_by_bucket, words_known, words_learned, metrics ->> 'lines' FROM progress "
        "WHERE subject = ? AND language = '*'",
        [learner.subject],
    ).fetchone()
    ours = (learner.xp, len(learner.words), learner.learned, learner.counts.get("line.spoken", 0))
    theirs = (json.loads(row[0]), *row[1:])
    if ours != theirs:
        sys.exit(f"{learner.subject}: eventsourcing has {ours}, Laurel {theirs}")


def main(store, *subjects):
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PERSISTENCE_MODULE"] = "eventsourcing.sqlite"
        os.environ["SQLITE_DBNAME"] = f"{folder}/events.db"
        application = Application()
        ids = [Learner.create_id(subject) for subject in subjects]
        events = record(application, store, subjects)
        start, start_cpu = time.perf_counter(), time.process_time()
        learners = [application.repository.get(id_) for id_ in ids]
        seconds, cpu_seconds = time.perf_counter() - start, time.process_time() - start_cpu
        application.close()
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        for learner in learners:
            check(connection, learner)
    print(json.dumps({"seconds": seconds, "cpu_seconds": cpu_seconds, "events": events}))


if __name__ == "__main__":
    main(*sys.argv[1:])
