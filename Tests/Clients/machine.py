# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of clients: a service, a proxy that cuts connections, a site with pages, and the acknowledged events."""
import asyncio, http.server, json, os, subprocess, threading, time

from Harness import expect, laurel, service, until

here = os.path.dirname(os.path.abspath(__file__))


def run(*words, **how):
    return subprocess.run(words, capture_output=True, text=True, timeout=300, **how)


class Service(service.Service):
    """A service that allows pages of `origins`."""

    def __init__(self, folder, *origins, rules=None, **how):
        words = [word for origin in origins for word in ("--cors-origins", origin)]
        super().__init__(*words, *(["--rules", rules] if rules else []), folder=folder, **how)


def check_once(service, acknowledged, what):
    """Every acknowledged event is in the store, and none is there twice."""
    marks = [event["data"]["line"] for event in service.stored()]
    missing = set(acknowledged) - set(marks)
    expect(acknowledged, f"{what}: something is acknowledged")
    expect(not missing, f"{what}: {len(missing)} of {len(acknowledged)} acknowledged events are gone, such as {sorted(missing)[:3]}")
    expect(len(marks) == len(set(marks)), f"{what}: {len(marks) - len(set(marks))} events are there twice")
    quarantine = run(laurel, "quarantine", "list", "--store", service.store).stdout
    expect(not quarantine.strip(), f"{what}: nothing is refused: {quarantine[:500]}")
    return len(marks)


class Proxy:
    """Forwards bytes to a port, and cuts `cuts` of a hundred connections at a random byte in either direction."""

    def __init__(self, target, random, cuts=50):
        self.target, self.random, self.cuts, self.count = target, random, cuts, 0
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self.work, args=[ready], daemon=True).start()
        ready.wait()
        self.address = f"http://127.0.0.1:{self.port}"

    def work(self, ready):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()

    async def serve(self, reader, writer):
        try:
            there = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        is_cut = self.random.randrange(100) < self.cuts
        # The number of bytes that pass: requests are long, answers short.
        left = [self.random.randrange(1, 6_000) if is_cut else None, self.random.randrange(1, 600) if is_cut else None]
        writers = [there[1], writer]

        async def pass_on(source, number):
            try:
                while data := await source.read(65_536):
                    if left[number] is not None and len(data) >= left[number]:
                        writers[number].write(data[:left[number]])
                        await writers[number].drain()
                        self.count += 1
                        break
                    if left[number] is not None:
                        left[number] -= len(data)
                    writers[number].write(data)
                    await writers[number].drain()
            except OSError:
                pass
            for one in writers:
                one.transport.abort()

        await asyncio.gather(pass_on(reader, 0), pass_on(there[0], 1))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """Ignores errors, because killed browsers reset their connections."""


class Site:
    """A site with pages at /, the folder's files, laurel.js, and an address to which pages report acknowledged events."""

    def __init__(self, folders):
        self.acknowledged, self.told = [], []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                name = self.path.split("?")[0].strip("/") or "index.html"
                for folder in folders:
                    path = f"{folder}/{name}"
                    if os.path.isfile(path) and ".." not in name:
                        kind = {"html": "text/html; charset=utf-8", "js": "text/javascript"}.get(name.split(".")[-1], "text/plain")
                        return self.answer(200, kind, open(path, "rb").read())
                self.answer(404, "text/plain", b"")

            def do_POST(self):
                text = self.rfile.read(int(self.headers["Content-Length"])).decode()
                (site.acknowledged if self.path == "/acknowledged" else site.told).extend(text.split("\n"))
                self.answer(200, "text/plain", b"")

            def answer(self, status, kind, body):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()

    def wait_for(self, what, seconds=60):
        return until(seconds, lambda: what in self.told)


class Answering:
    """A service that answers as a script says, one answer a request and the last for ever: a function of a body's lines and its header
    that gives status, document and header fields."""

    def __init__(self, script):
        self.bodies, self.times = [], []
        double, left = self, list(script)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                lines = body.split("\n")
                double.bodies.append(lines)
                double.times.append(time.monotonic())
                answer = left.pop(0) if len(left) > 1 else left[0]
                status, document, headers = answer(lines, self.headers)
                text = (document if isinstance(document, str) else json.dumps(document)).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", "Content-Length": str(len(text)), **headers}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=[0.02], daemon=True).start()

    def end(self):
        self.server.shutdown()
        self.server.server_close()
