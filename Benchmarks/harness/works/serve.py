# SPDX-License-Identifier: Apache-2.0
"""Requests to a service: POSTs of events, GETs, and idle streams, compared with programs that only insert.

Needs `wrk`, and for the peers `golang` and `golang-github-mattn-go-sqlite3-dev`; `make bench-tools` installs them."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from .. import process, tools
from ..contest import Trial

TICKS = os.sysconf("SC_CLK_TCK")


def trials(source, options):
    if source.name != "classroom":
        return
    seconds = 1 if options.check else 10
    for connections in (64, 256):
        for name in ("laurel", "go", "fastapi"):
            yield Trial(f"POST of one event, {connections} connections", source.name, name,
                        lambda name=name, connections=connections: posts(name, connections, 1, seconds))
    yield Trial("POST of 50 events", source.name, "laurel", lambda: posts("laurel", 64, 50, seconds))
    yield Trial("POST of 50 events", source.name, "laurel ingest", lambda: ingest(source))
    for name, path in (("laurel", "/v1/learners/learner-1/progress"), ("laurel, static", "/healthz"), ("go, static", "/static")):
        yield Trial("GET progress", source.name, name, lambda name=name, path=path: gets(name, path, seconds))
    for name in ("laurel", "go"):
        yield Trial("idle stream", source.name, name, lambda name=name: streams(name, 50 if options.check else 2000))


@contextlib.contextmanager
def running(name, place=None):
    """A service over a new store, or over the store at `place`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    kind = name.split(",")[0]
    with tempfile.TemporaryDirectory(dir=tools.CACHE) as folder:
        store = place or f"{folder}/store.db"
        if kind == "laurel":
            command = [tools.LAUREL, "serve", "--open", "--store", store, "--listen", f"127.0.0.1:{port}", "--log", "none", "--rules", tools.RULES]
        elif kind == "go":
            command = [go_program(), f"127.0.0.1:{port}", store]
        else:
            command = tools.peer("service_fastapi", port, store)
        service = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(port)
            yield service.pid, port
        finally:
            service.send_signal(signal.SIGKILL)
            service.wait()


def go_program():
    program = tools.CACHE / "service-go"
    source = tools.PEERS / "service.go"
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        if not shutil.which("go"):
            raise process.Failed("go is missing: `make bench-tools` installs it")
        # Go finds the libraries in Debian's packages, so no network is needed.
        environment = os.environ | {"GO111MODULE": "off", "GOPATH": "/usr/share/gocode", "GOFLAGS": "", "GOCACHE": str(tools.CACHE / "go")}
        subprocess.run(["go", "build", "-o", str(program), str(source)], check=True, env=environment)
    return program


def wait_for(port):
    for _ in range(600):
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port)).close()
            return
        time.sleep(0.05)
    raise process.Failed("a service does not start")


def cpu(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def wrk(port, path, connections, seconds, *arguments):
    command = ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "30s", "-s", str(tools.PEERS / "post.lua"),
               f"http://127.0.0.1:{port}{path}", "--", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout.strip().splitlines()[-1])
    if found["failed"]:
        raise process.Failed(f"{found['failed']} requests failed: {' '.join(command)}")
    return found


def posts(name, connections, events, seconds):
    with running(name) as (pid, port):
        wrk(port, "/v1/events", connections, 1, events, 1000)
        start = cpu(pid)
        # The ids contain the second, so they differ in the next second.
        time.sleep(1.1)
        found = wrk(port, "/v1/events", connections, seconds, events, 1000)
        used = cpu(pid) - start
    return {
        "seconds": found["seconds"], "events": found["requests"] * events, "cpu_seconds": used,
        "cpu_us_per_event": used / found["requests"] / events * 1e6, "p50_ms": found["p50_ms"], "p99_ms": found["p99_ms"],
    }


def ingest(source):
    """The cost of an event in an ordinary ingest of a file."""
    with tempfile.TemporaryDirectory(dir=tools.CACHE) as folder:
        used = process.run(tools.ingest(f"{folder}/store.db", source.file))
    return used.numbers() | {"events": source.events, "cpu_us_per_event": used.cpu_seconds / source.events * 1e6}


def gets(name, path, seconds):
    with running(name) as (pid, port):
        if name == "laurel":
            body = "\n".join(json.dumps({"id": str(i), "source": "bench", "type": "line.spoken", "subject": "learner-1", "language": "es",
                                         "time": "2026-04-05T18:00:00Z", "data": {"accuracy": 0.9}}) for i in range(1000))
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("POST", "/v1/events", body, {"Content-Type": "application/x-ndjson", "Host": "localhost"})
            connection.getresponse().read()
        command = ["wrk", "-t", "1", "-c", "64", "-d", f"{seconds}s", "-H", "Host: localhost", f"http://127.0.0.1:{port}{path}"]
        start = cpu(pid)
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        used = cpu(pid) - start
        if "Non-2xx" in text:
            raise process.Failed(f"GET {path}: {text}")
        requests = int(re.search(r"(\d+) requests in", text)[1])
    return {"seconds": seconds, "events": requests, "cpu_seconds": used, "cpu_us_per_event": used / requests * 1e6}


def streams(name, count):
    path = "/v1/learners/learner-1/stream" if name == "laurel" else "/stream"
    with running(name) as (pid, port):
        def memory():
            return int(re.search(r"Rss:\s+(\d+)", pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text())[1]) * 1024

        def opened(number):
            sockets = []
            for _ in range(number):
                connection = socket.create_connection(("127.0.0.1", port))
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                sockets.append(connection)
            time.sleep(2)
            return sockets
        few = opened(20)
        before = memory()
        many = opened(count)
        after = memory()
        for connection in few + many:
            connection.close()
    return {"bytes_per_stream": (after - before) / count}
