# SPDX-License-Identifier: Apache-2.0
"""Programs that use one store at the same time, fail, and try again until everything is acknowledged."""
import http.client, os, signal, subprocess, tempfile, threading, time

from Harness import service
from machine import LAUREL, NOW, Failure

# No client may wait longer for one answer, whatever happens.
BOUND = 120


class Client:
    """Sends batches of events, each until it is acknowledged."""

    process = None

    def __init__(self, name, store, batches, folder):
        self.name, self.store, self.batches, self.folder = name, store, batches, folder
        self.acknowledged = []
        self.refused = 0
        self.longest = 0.0
        self.failure = None
        self.thread = threading.Thread(target=self.work)

    def start(self):
        self.thread.start()

    def work(self):
        try:
            for number, lines in enumerate(self.batches):
                self.send_until_acknowledged(number, lines)
        except Exception as error:
            self.failure = error

    def send_until_acknowledged(self, number, lines):
        end = time.monotonic() + BOUND * 2
        while True:
            begun = time.monotonic()
            is_done, told = self.send(number, lines)
            self.longest = max(self.longest, time.monotonic() - begun)
            if is_done:
                self.acknowledged += lines
                return
            self.refused += 1
            if time.monotonic() > end:
                raise Failure(f"{self.name} does not succeed: {told}")
            time.sleep(0.05)

    def environment(self):
        environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "PGAPPNAME": f"laurel {self.name}"}
        if os.environ.get("LD_LIBRARY_PATH"):
            environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        return environment

    def signal(self, what):
        """Sends a signal to the process, and returns the process; None if there is none."""
        process = self.process
        if process is None or process.poll() is not None:
            return None
        process.send_signal(what)
        return process


class Ingester(Client):
    """A process for each batch."""

    def send(self, number, lines):
        path = os.path.join(self.folder, f"{self.name}-{number}.ndjson")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        status, output, errors = self.run("ingest", "--now", NOW, path)
        if status not in (0, 3, -signal.SIGKILL):
            raise Failure(f"{self.name}: ingest ended with {status}: {output}{errors}")
        if status == 3 and not errors.strip():
            raise Failure(f"{self.name}: an error without a message")
        return status == 0, errors

    def run(self, *words):
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            self.process = subprocess.Popen(
                [LAUREL, *words, "--store", self.store], stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                env=self.environment(), cwd=self.folder,
            )
            try:
                status = self.process.wait(timeout=BOUND)
            except subprocess.TimeoutExpired:
                state = [line for line in open(f"/proc/{self.process.pid}/status") if line.startswith("State")]
                self.process.kill()
                self.process.wait()
                errors.seek(0)
                raise Failure(f"{self.name}: {' '.join(words[:2])} does not end: {state} {errors.read().decode()}")
            output.seek(0)
            errors.seek(0)
            told = errors.read().decode()
            if "Fatal error" in told or status < 0 and status != -signal.SIGKILL:
                raise Failure(f"{self.name}: ended by the system: {status} {told}")
            return status, output.read().decode(), told


class Applier(Ingester):
    """Applies rules, each until it succeeds; the rules are its batches."""

    def send(self, number, rules):
        status, output, errors = self.run("rules", "apply", rules, "--yes")
        if status not in (0, 3, -signal.SIGKILL):
            raise Failure(f"{self.name}: rules apply ended with {status}: {output}{errors}")
        return status == 0, errors

    def send_until_acknowledged(self, number, rules):
        super().send_until_acknowledged(number, rules)
        self.acknowledged = []


class Service(Client):
    """A `laurel serve` that receives requests, and is restarted if it has ended."""

    def __init__(self, *given):
        super().__init__(*given)
        self.service = service.Service(folder=self.folder, store=self.store, log=f"{self.name}.log", patience=BOUND, starts=False, env=self.environment())

    @property
    def process(self):
        return self.service.process

    def send(self, number, lines):
        try:
            self.ensure()
            body, headers = ("\n".join(lines) + "\n").encode(), {"Content-Type": "application/x-ndjson"}
            status, body, _ = self.service.ask("POST", "/v1/events", body, headers, self.service.connection(BOUND))
        except TimeoutError:
            # A process that the test has stopped does not answer.
            raise Failure(f"{self.name}: no answer in {BOUND} s")
        except (OSError, http.client.HTTPException) as error:
            return False, str(error)
        if status not in (200, 503):
            raise Failure(f"{self.name}: answered {status}: {body.decode()}")
        return status == 200, body.decode()

    def ensure(self):
        if self.process is not None and self.process.poll() is None:
            return
        try:
            self.service.start()
        except Failure as failure:
            if "Fatal error" in str(failure) or self.process.poll() is None:
                raise Failure(f"{self.name}: {failure}")
            # The service was killed, or lost its database, so it is restarted.
            raise OSError(str(failure))

    def end(self):
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise Failure(f"{self.name}: does not end when it is asked to")
