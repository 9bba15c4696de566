# SPDX-License-Identifier: Apache-2.0
"""One caller that sends as much as it can, and another whose answers must not become much slower."""
import contextlib, gzip, http.client, json, shutil, socket, subprocess, threading, time

from Harness.service import event

LINES, ARRAY, ONE = "application/x-ndjson", "application/json", "application/cloudevents+json"


def zstd(data):
    return subprocess.run(["zstd", "-q", "-c"], input=data, capture_output=True, check=True).stdout


class Attack:
    """Connections that send one request again and again, each as soon as the last is answered."""

    def __init__(self, port, key, name, body, type=LINES, headers={}, connections=4, slow=False, number=None, most=4):
        self.port, self.name, self.body, self.connections, self.slow, self.number = port, name, body, connections, slow, number
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": type} | headers
        self.statuses, self.stop = {}, threading.Event()
        # The largest factor by which another caller's answers may become slower.
        self.most = most

    def __enter__(self):
        self.workers = [threading.Thread(target=self.trickle if self.slow else self.send, daemon=True) for _ in range(self.connections)]
        for worker in self.workers:
            worker.start()
        return self

    def __exit__(self, *_):
        self.stop.set()
        for worker in self.workers:
            worker.join(30)

    def send(self):
        while not self.stop.is_set():
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
                body = self.body if self.number is None else self.body.replace(b"NUMBER", self.second().encode())
                connection.request("POST", "/v1/events", body, self.headers)
                status = connection.getresponse().status
                self.statuses[status] = self.statuses.get(status, 0) + 1
                connection.close()

    def second(self):
        number = next(self.number)
        return f"{number // 3600 % 10}:{number // 60 % 60:02}:{number % 60:02}"

    def trickle(self):
        """The most of a body at once, and the rest byte by byte."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=20) as peer:
            fields = "".join(f"{name}: {value}\r\n" for name, value in self.headers.items())
            peer.sendall(f"POST /v1/events HTTP/1.1\r\nHost: localhost\r\n{fields}Content-Length: {len(self.body) + 1000}\r\n\r\n".encode())
            peer.sendall(self.body)
            while not self.stop.wait(0.1):
                peer.sendall(b" ")


def attacks(port, key):
    objects = b"[" + b"{}," * 1_400_000 + b"{}]"
    # Each upload's events are a second later, so that no event is late.
    events = "\n".join(json.dumps(event(f"NUMBER-{i}", f"crowd-{i % 50}", time="2026-04-05T1NUMBER.%04dZ" % i)) for i in range(5000)).encode()
    yield Attack(port, key, "arrays of a million empty objects", gzip.compress(objects), ARRAY, {"Content-Encoding": "gzip"})
    yield Attack(port, key, "ten thousand empty objects a line", b"{}\n" * 10_000)
    if shutil.which("zstd"):
        yield Attack(port, key, "newlines, packed", zstd(b"\n" * (256 << 20)), LINES, {"Content-Encoding": "zstd"})
    data = json.dumps({"text": "a" * (8 << 20)}).encode()
    binary = {f"ce-{name}": value for name, value in (("specversion", "1.0"), ("id", "1"), ("source", "test"), ("type", "line.spoken"),
                                                      ("subject", "ana"), ("time", "2026-04-05T18:00:00Z"))}
    yield Attack(port, key, "large data in binary mode", data, ARRAY, binary, connections=2)
    yield Attack(port, key, "slow bodies", b"[" + b" " * (2 << 20), ARRAY, connections=60, slow=True)
    # A load, not an attack. Sometimes a transaction writes blocks, which takes longer than any refusal.
    yield Attack(port, key, "uploads of good events", events, number=iter(range(1 << 40)), most=20)


class Client:
    """A learner's app: it sends an event, asks for progress, and so on."""

    def __init__(self, port, key):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self.headers = {"Authorization": f"Bearer {key}", "Content-Type": ONE}
        self.count, self.failures = 0, []

    def ask(self, method, path, body=None):
        start = time.monotonic()
        self.connection.request(method, path, body, self.headers)
        answer = self.connection.getresponse()
        answer.read()
        if answer.status != 200:
            self.failures.append(f"{method} {path}: {answer.status}")
        return time.monotonic() - start

    def times(self, seconds):
        """The times of answers in seconds, ascending."""
        found, end = [], time.monotonic() + seconds
        while time.monotonic() < end:
            self.count += 1
            found.append(self.ask("POST", "/v1/events", json.dumps(event(f"own-{self.count}"))))
            found.append(self.ask("GET", "/v1/learners/ana/progress"))
            time.sleep(0.005)
        return sorted(found)


def percentile(times, share):
    return times[min(len(times) - 1, int(len(times) * share))]
