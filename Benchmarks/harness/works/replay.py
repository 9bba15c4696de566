# SPDX-License-Identifier: Apache-2.0
"""Replay of a closed store, until all progress is rebuilt and written."""

import json
import sqlite3

from .. import inputs, process, tools
from ..contest import Trial

# The number of learners for `eventsourcing`; all learners would take it a day.
AGGREGATES = 8


def trials(source, options):
    store = source.path("replay.db")
    starter = source.path("replay-starter.db")
    table = source.path("replay.duckdb")

    def prepare_laurel():
        if not store.exists():
            source.copy_of_store(store.name)
            note_fingerprint(store, source)

    def prepare_starter():
        if not starter.exists():
            source.make_store(store=starter, rules=tools.STARTER)
            note_fingerprint(starter, source)

    def prepare_duckdb():
        if not table.exists():
            process.run(tools.peer("duckdb_peer", "ingest", "typed", source.file, table))

    for database in (store, starter, table):
        inputs.remove(database)
    yield Trial("replay", source.name, "laurel", lambda: laurel(store, source), prepare_laurel)
    yield Trial("replay", source.name, "duckdb", lambda: duckdb(table, store, source), prepare_duckdb)
    unpack = tools.inside("unpack", store)
    yield Trial("replay", source.name, "bare loop", lambda: bare(unpack, source), prepare_laurel)
    floor = tools.inside("floor", store)
    yield Trial("replay", source.name, "by hand", lambda: bare(floor, source), prepare_laurel)
    if source.name == "classroom":
        yield Trial("replay", source.name, "starter rules", lambda: laurel(starter, source), prepare_starter)
        yield Trial("replay", source.name, "eventsourcing", lambda: eventsourcing(store), prepare_laurel)


def note_fingerprint(store, source):
    source.fingerprints[store] = process.run(tools.laurel("fingerprint", store)).output.strip()


def laurel(store, source):
    usage = process.run([*tools.laurel("replay", store), "--json"])
    report = json.loads(usage.output)
    if report["events"] != source.events:
        raise process.Failed(f"{store}: a replay folded {report['events']} events of {source.events}")
    if report["fingerprint"] != source.fingerprints[store]:
        raise process.Failed(f"{store}: two replays give two fingerprints")
    return usage.numbers() | {"events": source.events, "fingerprint": report["fingerprint"]}


def duckdb(table, store, source):
    numbers = process.run_reporting(tools.peer("duckdb_peer", "replay", table))
    if not source.compared:
        # Both must have done the same work. One comparison is enough, because neither side changes between runs.
        agreed = json.loads(process.run(tools.peer("compare", store, table)).output)
        source.compared = agreed
    return numbers | {"events": source.events, **{f"equal_{name}": count for name, count in source.compared.items()}}


def bare(command, source):
    return process.run_reporting(command) | {"events": source.events}


def eventsourcing(store):
    return process.run_reporting(tools.peer("eventsourcing_peer", store, *uncorrected_learners(store)))


def uncorrected_learners(store):
    """Learners without void events, because aggregates cannot undo any event. Each has about the mean number of events."""
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT l.subject FROM learners l JOIN progress_rows p USING (learner) "
            "WHERE p.language = 0 AND p.events = l.events "
            "ORDER BY abs(l.events - (SELECT avg(events) FROM learners)), l.subject LIMIT ?",
            [AGGREGATES],
        ).fetchall()
    return [subject for (subject,) in rows]
