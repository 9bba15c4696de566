# SPDX-License-Identifier: Apache-2.0
"""From a file of NDJSON to durable and, for Laurel, projected."""

from .. import inputs, process, tools
from ..contest import Trial


def trials(source, options):
    def contestant(name, database, measure):
        def prepare():
            inputs.remove(database)

        def counted():
            numbers = measure() | {"events": source.events}
            # Nobody reads these gigabytes again.
            inputs.remove(database)
            return numbers

        return Trial("ingest", source.name, name, counted, prepare)

    store = source.path("ingest.db")
    yield contestant("laurel", store, lambda: process.run(
        tools.ingest(store, source.file)).numbers())
    for kind in ("json", "typed"):
        table = source.path(f"ingest-{kind}.duckdb")
        command = tools.peer("duckdb_peer", "ingest", kind, source.file, table)
        yield contestant(f"duckdb, {kind}", table, lambda command=command: process.run_reporting(command))
    rows = source.path("ingest.sqlite")
    yield contestant("sqlite", rows, lambda: process.run_reporting(tools.peer("sqlite_peer", source.file, rows)))
