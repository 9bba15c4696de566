# SPDX-License-Identifier: Apache-2.0
"""Laurel's work, done by DuckDB.

    duckdb_peer.py ingest {json|typed} FILE DATABASE    loads the file into a table and commits
    duckdb_peer.py replay DATABASE                      computes every output from the table, in SQL
    duckdb_peer.py parquet DATABASE FILE                writes the table as Parquet, by learner and time
    duckdb_peer.py lossless FILE DATABASE               checks that the typed table keeps every field of the file

Prints the cost from opening to closing the database, without the start of Python.
"""

import json
import pathlib
import sys
import time

import duckdb

SQL = pathlib.Path(__file__).parent / "sql"


def ingest(kind, file, database):
    with duckdb.connect(database) as connection:
        connection.execute((SQL / f"load_{kind}.sql").read_text(), {"file": file})
        connection.execute("CHECKPOINT")


def replay(database):
    with duckdb.connect(database) as connection:
        connection.execute("BEGIN")
        for file in sorted(SQL.glob("replay_*.sql")):
            connection.execute(file.read_text())
        connection.execute("COMMIT")
        connection.execute("CHECKPOINT")


def parquet(database, file):
    with duckdb.connect(database) as connection:
        connection.execute(
            f"COPY (FROM events ORDER BY subject, ms, source, id) TO '{file}' "
            "(FORMAT parquet, COMPRESSION zstd, COMPRESSION_LEVEL 19)"
        )


def lossless(file, database):
    """Checks that the table has as many fields as the file, so that none was dropped or turned into null."""
    with duckdb.connect(database) as connection:
        fields = [column[0] for column in connection.execute("SELECT unnest(data) FROM events LIMIT 0").description]
        counts = " + ".join(f'count(data."{field}")' for field in fields)
        kept = connection.execute(f"SELECT {counts} FROM events").fetchone()[0]
        sent = connection.execute(
            "SELECT sum(len(json_keys(data))) FROM read_json($file, format = 'newline_delimited', "
            "columns = {data: 'JSON'})",
            {"file": file},
        ).fetchone()[0]
    if kept != sent:
        sys.exit(f"of {sent} fields in {file}, DuckDB's table has {kept}")


def main(work, *arguments):
    works = {"ingest": ingest, "replay": replay, "parquet": parquet, "lossless": lossless}
    start, start_cpu = time.perf_counter(), time.process_time()
    works[work](*arguments)
    print(json.dumps({"seconds": time.perf_counter() - start, "cpu_seconds": time.process_time() - start_cpu}))


if __name__ == "__main__":
    main(*sys.argv[1:])
