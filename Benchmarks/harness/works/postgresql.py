# SPDX-License-Identifier: Apache-2.0
"""The store in PostgreSQL, compared with the store in a file and with tables with a row for each event.

Needs a server's programs, `postgresql-15` with its `pgbench`, which `make bench-tools` installs. The benchmark starts its own
server, in a folder beside its inputs."""

import atexit
import concurrent.futures
import contextlib
import json
import pathlib
import sys
import time

from .. import process, tools
from ..contest import Trial
from . import serve

sys.path.append(str(tools.PROJECT / "Tests"))
from Harness.postgresql import Server  # noqa: E402: the tests' own server

# The number of lines loaded as rows: enough for a mean, while all lines would take gigabytes.
ROWS = 200_000
SETTINGS = {"shared_buffers": "512MB", "max_wal_size": "4GB", "checkpoint_timeout": "30min", "max_connections": "100"}
# A row per event, as in a store of documents: its stream, its number in the stream, and its text.
DOCUMENTS = """
CREATE TABLE documents(
    sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, id uuid NOT NULL, stream text NOT NULL, version bigint NOT NULL,
    type text NOT NULL, at timestamptz NOT NULL DEFAULT now(), data jsonb NOT NULL, UNIQUE (stream, version))
"""
TYPED = """
CREATE TABLE typed AS SELECT line->>'id' AS id, line->>'source' AS source, line->>'type' AS type, line->>'subject' AS subject,
    (line->>'time')::timestamptz AS at, line->>'language' AS language, line->>'sessionid' AS session, (line->'data'->>'accuracy')::float8 AS accuracy,
    line->'data'->>'word' AS word, line->'data'->>'grade' AS grade, (line->'data'->>'durationms')::bigint AS duration
    FROM lines
"""


def trials(source, options):
    if source.name != "classroom":
        return
    bench = Bench(source, options)
    yield Trial("ingest into PostgreSQL", source.name, "laurel", bench.ingest)
    yield Trial("ingest into PostgreSQL", source.name, "laurel, in a file", lambda: process.run(
        tools.ingest(bench.file_store(), source.file)).numbers() | {"events": source.events})
    yield Trial("replay in PostgreSQL", source.name, "laurel", lambda: bench.replay(bench.stored()), bench.stored)
    yield Trial("replay in PostgreSQL", source.name, "laurel, in a file", lambda: bench.replay(bench.file))
    for name, measure in (("laurel", bench.blocks), ("laurel, in a file", bench.file_blocks), ("rows of documents", bench.documents)):
        yield Trial("events in PostgreSQL", source.name, name, measure, bench.stored, once=True)
    yield Trial("reading all events of PostgreSQL", source.name, "laurel", bench.scan, bench.stored)
    yield Trial("reading all events of PostgreSQL", source.name, "typed rows", bench.typed, bench.stored)
    yield Trial("appends of 32 to PostgreSQL", source.name, "laurel", lambda: bench.appends(32), bench.stored)
    yield Trial("appends of 32 to PostgreSQL", source.name, "rows of documents", lambda: bench.inserts(32, 1))
    yield Trial("appends of 32 to PostgreSQL", source.name, "rows of documents, a statement each", lambda: bench.inserts(32, 1, each=True))
    yield Trial("POST of one event, 32 connections, PostgreSQL", source.name, "laurel", bench.posts)
    yield Trial("POST of one event, 32 connections, PostgreSQL", source.name, "rows of documents", lambda: bench.inserts(1, 32))
    for nodes in (1, 2, 4):
        name = f"{nodes} node{'s' * (nodes > 1)}"
        yield Trial("POST of 8 events, 32 connections, nodes over PostgreSQL", source.name, name, lambda nodes=nodes: bench.nodes(nodes))


class Bench:
    """One server for all trials, until the program ends."""

    def __init__(self, source, options):
        self.source, self.options = source, options
        self.file = source.path("postgresql.db")
        self.made = None
        self.number = 0
        self.seconds = 1 if options.check else 10

    @property
    def server(self):
        if self.made is None:
            self.made = Server(parent=str(tools.CACHE), settings=SETTINGS)
            atexit.register(self.made.close)
            self.made.ask("CREATE EXTENSION IF NOT EXISTS pgcrypto")
        return self.made

    def new_store(self):
        self.number += 1
        store = self.server.address(f"bench_{self.number}")
        process.run([tools.LAUREL, "store", "create", store])
        return store

    def stored(self):
        """A store with all events, made once."""
        if not hasattr(self, "full"):
            self.full = self.new_store()
            process.run(tools.ingest(self.full, self.source.file))
            self.server.ask("VACUUM (ANALYZE)")
            self.file_store()
            process.run(tools.ingest(self.file, self.source.file))
        return self.full

    def file_store(self):
        for path in self.file.parent.glob(self.file.name + "*"):
            path.unlink()
        return self.file

    # MARK: Many events at once

    def ingest(self):
        store = self.new_store()
        used = process.run(tools.ingest(store, self.source.file))
        self.server.ask(f"DROP SCHEMA bench_{self.number} CASCADE")
        return used.numbers() | {"events": self.source.events}

    def replay(self, store):
        usage = process.run([*tools.laurel("replay", store), "--json"])
        report = json.loads(usage.output)
        prints = {process.run(tools.laurel("fingerprint", place)).output.strip() for place in (self.full, self.file)}
        if prints != {report["fingerprint"]}:
            raise process.Failed(f"the database and the file have not one fingerprint: {prints}")
        return usage.numbers() | {"events": self.source.events}

    def scan(self):
        return process.run_reporting(tools.inside("scan", self.stored())) | {"events": self.source.events}

    def typed(self):
        """The same fields as columns, with all rows copied out."""
        self.load_lines()
        if not self.server.ask("SELECT to_regclass('typed')")[0][0]:
            self.server.ask(TYPED)
        command = [f"{self.server.bin}/psql", "-XAtq", "-h", self.server.folder, "-U", "laurel", "-d", "faults", "-c", r"\copy typed TO /dev/null (FORMAT binary)"]
        return process.run(command).numbers() | {"events": self.rows}

    # MARK: Size

    def schema(self):
        return self.stored().split("schema=")[1].split("&")[0]

    def blocks(self):
        size = self.server.ask(f"SELECT sum(pg_total_relation_size(format('%I.%I', '{self.schema()}', name)::regclass)) FROM unnest(ARRAY['blocks', 'runs']) AS name")
        return {"bytes_per_event": float(size[0][0]) / self.source.events}

    def file_blocks(self):
        found = process.run(["sqlite3", self.file, "SELECT sum(pgsize) FROM dbstat WHERE name IN ('blocks', 'blocks_by_generation', 'runs')"])
        return {"bytes_per_event": float(found.output) / self.source.events}

    def documents(self):
        self.load_lines()
        self.server.ask(DOCUMENTS.replace("documents(", "loaded("))
        self.server.ask(
            "INSERT INTO loaded(id, stream, version, type, data) SELECT gen_random_uuid(), line->>'subject',"
            " row_number() OVER (PARTITION BY line->>'subject'), line->>'type', line FROM lines")
        size = float(self.server.ask("SELECT pg_total_relation_size('loaded')")[0][0])
        self.server.ask("DROP TABLE loaded")
        return {"bytes_per_event": size / self.rows}

    def load_lines(self):
        if self.server.ask("SELECT to_regclass('lines')")[0][0]:
            return
        lines = self.source.path("rows.ndjson")
        with open(self.source.file) as events, open(lines, "w") as some:
            # COPY has its own meaning for backslashes.
            self.rows = sum(some.write(line.replace("\\", "\\\\")) > 0 for line, _ in zip(events, range(ROWS)))
        self.server.ask("CREATE TABLE lines(line jsonb)")
        command = [f"{self.server.bin}/psql", "-Xq", "-h", self.server.folder, "-U", "laurel", "-d", "faults", "-c", rf"\copy lines FROM '{lines}'"]
        process.run(command)
        lines.unlink()

    # MARK: Few events at once

    def appends(self, batch):
        """Appends to a recently active learner; each batch is one commit."""
        store, some = self.new_store(), self.source.path("some.ndjson")
        with open(self.source.file) as events, open(some, "w") as beginning:
            beginning.writelines(line for line, _ in zip(events, range(2000)))
        process.run(tools.ingest(store, some))
        found = process.run_reporting(tools.inside("append", store, batch, self.options.appends, self.source.path("append.bytes")))
        return {"seconds": 1 / found["millionth_per_second"], "events": batch, "p50_ms": found["millionth_p50_ms"], "p99_ms": found["millionth_p99_ms"]}

    def inserts(self, batch, clients, each=False):
        """Inserts a row for each event, `batch` in a transaction, without progress. There is one statement or, with `each`, a
        prepared statement per row, all sent together."""
        self.server.ask("DROP TABLE IF EXISTS documents")
        self.server.ask(DOCUMENTS)
        rows = [
            "(gen_random_uuid(), 'learner-' || :learner, (SELECT coalesce(max(version), 0) FROM documents WHERE stream = 'learner-' || :learner)"
            f" + {1 if each else n + 1}, 'line.spoken', '{{\"accuracy\": 0.9, \"language\": \"es\", \"durationMs\": 3200, \"lineId\": \"a1-greetings-3\"}}')"
            for n in range(batch)]
        script = self.source.path("insert.sql")
        insert = "INSERT INTO documents(id, stream, version, type, data) VALUES"
        statements = [f"{insert} {','.join(rows)};"]
        if each:
            statements = ["\\startpipeline", "BEGIN;", *(f"{insert} {row};" for row in rows), "COMMIT;", "\\endpipeline"]
        # Each client has its own learners, so that no client waits for another's number.
        script.write_text("\n".join(["\\set learner :client_id * 1000 + random(1, 1000)", *statements, ""]))
        log = self.source.path("pgbench")
        for path in log.parent.glob(log.name + ".*"):
            path.unlink()
        command = [f"{self.server.bin}/pgbench", "-n", "-M", "prepared" if each else "simple", "-h", self.server.folder, "-U", "laurel", "-c", clients, "-j", min(2, clients), "-T", self.seconds,
                   "-f", script, "-l", f"--log-prefix={log}", "faults"]
        process.run(command)
        taken = sorted(int(line.split()[2]) for path in log.parent.glob(log.name + ".*") for line in path.read_text().splitlines())
        for path in log.parent.glob(log.name + ".*"):
            path.unlink()
        return {"seconds": self.seconds, "events": len(taken) * batch, "p50_ms": taken[len(taken) // 2] / 1000, "p99_ms": taken[len(taken) * 99 // 100] / 1000}

    def posts(self):
        store = self.new_store()
        with serve.running("laurel", store) as (_, port):
            serve.wrk(port, "/v1/events", 32, 1, 1, 1000)
            # The ids contain the second, so they differ in the next second.
            time.sleep(1.1)
            found = serve.wrk(port, "/v1/events", 32, self.seconds, 1, 1000)
        return {"seconds": found["seconds"], "events": found["requests"], "p50_ms": found["p50_ms"], "p99_ms": found["p99_ms"]}

    def nodes(self, count):
        """The same number of connections, shared among several services over one store, each with its own learners."""
        store = self.new_store()
        with contextlib.ExitStack() as running, concurrent.futures.ThreadPoolExecutor(count) as threads:
            services = [running.enter_context(serve.running("laurel", store)) for _ in range(count)]
            ports = [port for _, port in services]

            def post(seconds):
                return list(threads.map(
                    lambda number: serve.wrk(ports[number], "/v1/events", 32 // count, seconds, 8, 1000 // count, f"node{number}-"),
                    range(count)))

            def used():
                return sum(serve.cpu(pid) for pid, _ in services), self.database_cpu()

            post(1)
            time.sleep(1.1)
            before = used()
            found = post(self.seconds)
            after = used()
        requests = sum(one["requests"] for one in found)
        slowest = max(found, key=lambda one: one["p50_ms"])
        return {"seconds": max(one["seconds"] for one in found), "events": 8 * requests, "p50_ms": slowest["p50_ms"],
                "p99_ms": max(one["p99_ms"] for one in found), "cpu_seconds": after[0] - before[0], "database_cpu_seconds": after[1] - before[1]}

    def database_cpu(self):
        """The processor seconds of the server and of its child processes, ended ones included."""
        def ticks(process):
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
            return fields[1], [int(field) for field in fields[11:15]]

        pid = str(self.server.process.pid)
        total = sum(ticks(pathlib.Path("/proc") / pid)[1])
        for process_folder in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                parent, times = ticks(process_folder)
                total += sum(times[:2]) if parent == pid else 0
        return total / serve.TICKS
