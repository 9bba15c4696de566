# SPDX-License-Identifier: Apache-2.0
"""SQLite as an event store: a row per event with its JSON, in one durable transaction.

    sqlite_peer.py FILE DATABASE

Prints the cost. There is no index, so an identity can be stored twice.
"""

import json
import sqlite3
import sys
import time

TABLE = "CREATE TABLE events(subject TEXT, time TEXT, source TEXT, id TEXT, event TEXT)"
INSERT = """
    INSERT INTO events VALUES (?1 ->> 'subject', ?1 ->> 'time', ?1 ->> 'source', ?1 ->> 'id', ?1)
"""


def ingest(file, database):
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(TABLE)
    connection.execute("BEGIN")
    with open(file, encoding="utf-8") as lines:
        connection.executemany(INSERT, ((line.rstrip("\n"),) for line in lines))
    connection.execute("COMMIT")
    connection.close()


if __name__ == "__main__":
    start, start_cpu = time.perf_counter(), time.process_time()
    ingest(*sys.argv[1:])
    print(json.dumps({"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - start_cpu}))
