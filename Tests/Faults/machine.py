# SPDX-License-Identifier: Apache-2.0
"""A store's folder on a disk with faults: runs the `laurel` that was built, with `shim.c` before the C library."""
import os, re, shutil, subprocess, tempfile, threading, time

from Harness import Failure, laurel as LAUREL, root as ROOT

WRITER = os.path.join(os.path.dirname(LAUREL), "OutboxWriter")
# A time after all events of these tests.
NOW = "2031-01-01T00:00:00Z"


class Outcome:
    def __init__(self, words, status, output, errors):
        self.words, self.status, self.output, self.errors = words, status, output, errors

    def __str__(self):
        return f"{' '.join(self.words)}: status {self.status}\n{self.errors[-1500:]}{self.output[-500:]}"


def built_shim(folder):
    shim = os.path.join(folder, "shim.so")
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "shim.c")
    subprocess.run(["cc", "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", shim, source, "-ldl"], check=True)
    return shim


class Strike:
    """The fault of one call, or of that call and all later ones."""

    def __init__(self, call, kind, lasts=False):
        self.call, self.kind, self.lasts = call, kind, lasts

    def __str__(self):
        return f"{self.kind} at call {self.call}{' and after' if self.lasts else ''}"


class Machine:
    """A folder in which processes run and fail."""

    shim = None

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="laurel-fault-")
        self.disk = os.path.join(self.folder, "disk")
        os.mkdir(self.disk)
        self.store = os.path.join(self.disk, "laurel.db")

    def close(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def take(self, disk):
        """Replaces the folder by a copy of another machine's."""
        shutil.rmtree(self.disk)
        shutil.copytree(disk, self.disk)

    def file(self, name):
        return os.path.join(self.folder, name)

    @property
    def has_store(self):
        return os.path.exists(self.store)

    def environment(self, strike, record, count):
        environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "LD_PRELOAD": Machine.shim}
        environment["FAULT_FOLDER"] = self.disk
        if os.environ.get("LD_LIBRARY_PATH"):
            environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        if strike:
            environment |= {"FAULT_AT": str(strike.call), "FAULT_KIND": strike.kind}
            environment["FAULT_LASTS"] = "1" if strike.lasts else "0"
        if record:
            environment["FAULT_RECORD"] = record
        if count:
            environment["FAULT_COUNT"] = count
        return environment

    def run(self, *words, strike=None, record=None, count=None, feed=None, program=None, store=True):
        """Runs a command on the store.
        feed: lines for standard input, given one after another with pauses, so that each may be a transaction."""
        arguments = [program or LAUREL, *words] + (["--store", self.store] if store else [])
        # Files instead of pipes, because pipes can fill up.
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE if feed is not None else subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                env=self.environment(strike, record, count),
                cwd=self.folder,
            )
            if feed is not None:
                threading.Thread(target=pour, args=(process, feed), daemon=True).start()
            try:
                status = process.wait(timeout=180)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
                raise Failure(f"{' '.join(words)} does not end")
            output.seek(0)
            errors.seek(0)
            result = Outcome(words, status, output.read().decode(), errors.read().decode())
        if "Fatal error" in result.errors or (status < 0 and not (strike and strike.kind in ("kill", "tear"))):
            raise Failure(f"ended by the system: {result}")
        return result

    def demand(self, *words, **options):
        """Runs a command that must succeed."""
        outcome = self.run(*words, **options)
        if outcome.status != 0:
            raise Failure(str(outcome))
        return outcome.output

    def calls(self, *words, **options):
        """The number of a command's calls in which a fault can happen."""
        path = self.file("count")
        outcome = self.run(*words, count=path, **options)
        if outcome.status not in (0, 1):
            raise Failure(str(outcome))
        return int(open(path).read())

    def expect_sound(self):
        """The store can be opened, is intact, and its progress is that of its events."""
        self.demand("verify")
        checked = self.run("replay", "--check")
        # A newly created store has no rules yet.
        if checked.status != 0 and self.exported():
            raise Failure(str(checked))

    def exported(self):
        return set(self.demand("export").splitlines())


def pour(process, lines):
    try:
        for line in lines:
            process.stdin.write(line.encode() + b"\n")
            process.stdin.flush()
            time.sleep(0.002)
        process.stdin.close()
    except OSError:
        pass


def subject(line):
    return re.search(r'"subject":"([^"]*)"', line).group(1)
