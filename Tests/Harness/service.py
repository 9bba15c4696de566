# SPDX-License-Identifier: Apache-2.0
"""`laurel serve` as a process."""
import http.client, json, re, signal, subprocess, tempfile, time

from Harness import Failure, laurel, run


class Service:
    """A service, by default on a free port, in a new folder, with a store in that folder."""

    def __init__(self, *words, folder=None, store=None, port=0, access=("--open",), key=None, log="log.txt", patience=30, starts=True, **how):
        """key: the scopes of a key that the store gets first. patience: the seconds that a start may take. how: options of Popen."""
        self.temporary = None if folder else tempfile.TemporaryDirectory()
        self.folder = folder or self.temporary.name
        self.store, self.log = store or f"{self.folder}/test.db", f"{self.folder}/{log}"
        self.key = run("keys", "add", "--scope", key, "--store", self.store, check=True).stdout.strip() if key else None
        self.headers = {"Authorization": f"Bearer {self.key}"} if key else {}
        self.command = [laurel, "serve", *access, "--store", self.store, "--listen", f"127.0.0.1:{port}", *words]
        self.patience, self.how, self.process = patience, how, None
        if starts:
            self.start()

    def start(self):
        """Starts the process, or a new one if it has ended."""
        with open(self.log, "a") as log:
            self.log_start = log.tell()
            self.process = subprocess.Popen(self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **self.how)
        end = time.monotonic() + self.patience
        while not (found := re.search(r"serving .* on http://127\.0\.0\.1:(\d+)", self.said())):
            if self.process.poll() is not None or time.monotonic() > end:
                raise Failure(f"the service does not start: {self.said()}")
            time.sleep(0.02)
        self.port = int(found[1])
        self.address = f"http://127.0.0.1:{self.port}"

    def said(self):
        """The log since the last start."""
        with open(self.log) as log:
            log.seek(self.log_start)
            return log.read()

    def connection(self, timeout=30):
        return http.client.HTTPConnection("localhost", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers={}, connection=None):
        connection = connection or self.connection()
        connection.request(method, path, body, self.headers | headers)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer

    def post(self, events, connection=None):
        body = "\n".join(json.dumps(event) for event in events)
        return self.ask("POST", "/v1/events", body, {"Content-Type": "application/x-ndjson"}, connection)

    def stored(self):
        """The number of stored events."""
        return list(map(json.loads, run("export", "--store", self.store).stdout.splitlines()))

    def memory(self):
        """The resident memory in megabytes: now, and the maximum so far."""
        status = open(f"/proc/{self.process.pid}/status").read()
        return [int(re.search(rf"{name}:\s+(\d+)", status)[1]) // 1024 for name in ("VmRSS", "VmHWM")]

    def end(self, how=signal.SIGTERM, seconds=60):
        """Ends the process with a signal, and returns its status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)
        if self.temporary:
            self.temporary.cleanup()


def event(id, learner="ana", **more):
    return {"id": str(id), "source": "test", "type": "line.spoken", "subject": learner, "time": "2026-04-05T18:00:00Z",
            "language": "es", "data": {"accuracy": 0.9}} | more
