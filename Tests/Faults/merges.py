# SPDX-License-Identifier: Apache-2.0
"""Merges of two learners, in a file and in a database, that fail or are killed. Afterwards the learners are merged wholly or not at all,
and the same merge again completes it. The store is then as if all events had had the learner who stays as their subject."""
import json, os, signal, subprocess, tempfile

from calls import KINDS
from databases import Databases
from machine import LAUREL, NOW, Failure, Machine, Strike, subject


class Merges(Databases):
    name = "merges"

    def case(self, random, tally):
        pair = random.sample(sorted({subject(line) for line in self.scene.events}), 2)
        with self.machine(random) as (machine, server, schema):
            Case(machine, self.scene.events, pair, random, tally, server, schema).run()


class Case:
    def __init__(self, machine, events, pair, random, tally, server=None, schema=None):
        self.machine, self.pair, self.random, self.tally = machine, pair, random, tally
        self.server, self.schema = server, schema
        self.words = ["merge", *pair, "--yes"]
        theirs = [line for line in events if subject(line) in pair]
        first, last = pair
        # Some events came under both ids.
        both = [self.renamed(line) for line in theirs[:20] if subject(line) == first]
        lines = theirs + both + events[:random.choice([0, 300])]
        random.shuffle(lines)
        cut = random.randint(1, len(lines))
        self.lines, self.late = lines[:cut], lines[cut:]
        self.story = []

    def renamed(self, line):
        """The event with the learner who stays as its subject."""
        first, last = self.pair
        return line.replace(f'"subject":"{first}"', f'"subject":"{last}"')

    def run(self):
        try:
            with Machine() as twin:
                self.ingest(twin, self.lines)
                before = self.state(twin)
                most = twin.calls(*self.words)
                after = self.state(twin)
            if before == after:
                raise Failure("the merge has no effect")
            self.ingest(self.machine, self.lines)
            for _ in range(self.random.randint(1, 5)):
                status = self.end_one() if self.server else self.strike(most)
                found = self.state(self.machine)
                if found != (after if found[1] else before) or status == 0 and not found[1]:
                    raise Failure(f"after status {status}, the learners are merged in part")
            self.machine.demand(*self.words)
            self.machine.expect_sound()
            if self.state(self.machine) != after:
                raise Failure("the merge does not complete")
            self.compare()
        except Failure as failure:
            raise Failure(f"{' '.join(self.words)}; {'; '.join(self.story)}: {failure}")

    def compare(self):
        """Events that come later, under both ids, belong to the learner who stays, as if the other id had never been."""
        self.ingest(self.machine, self.late)
        with Machine() as other:
            self.ingest(other, list(map(self.renamed, self.lines)))
            self.ingest(other, list(map(self.renamed, self.late)))
            expected = self.state(other)
        found = self.state(self.machine)
        if (found[0], found[2]) != (expected[0], expected[2]):
            raise Failure("the store differs from one whose events had the other subject from the start")
        self.machine.expect_sound()

    @staticmethod
    def ingest(machine, lines):
        if not lines:
            return
        path = machine.file("lines")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        machine.demand("ingest", "--now", NOW, path)

    @staticmethod
    def state(machine):
        """The fingerprint, the listed merges, and the events."""
        # A merge has the time at which it was made.
        lines = [json.loads(line) for line in machine.demand("export").splitlines()]
        merges = [(line["merged"], line["into"]) for line in lines if "merged" in line]
        events = sorted(json.dumps(line) for line in lines if "merged" not in line)
        return machine.demand("fingerprint"), merges, events

    def strike(self, most):
        """Fails or kills the merge at a call of the system."""
        call = self.random.choice([self.random.randint(1, most), max(1, most - self.random.randint(0, 12))])
        strike = Strike(call, self.random.choice(KINDS), lasts=self.random.random() < 0.3)
        outcome = self.machine.run(*self.words, strike=strike)
        self.note(f"{strike.kind}", outcome.status)
        if outcome.status not in (0, 3) and outcome.status >= 0:
            raise Failure(f"{strike}: {outcome}")
        return outcome.status

    def end_one(self):
        """Kills the merge, or ends its connection to the database."""
        with tempfile.TemporaryFile() as told:
            process = subprocess.Popen(
                [LAUREL, *self.words, "--store", self.machine.store], stdin=subprocess.DEVNULL, stdout=told, stderr=told,
                cwd=self.machine.folder, env={"PATH": os.environ["PATH"], "HOME": self.machine.folder, "PGAPPNAME": self.schema},
            )
            kind = "done"
            try:
                process.wait(timeout=self.random.uniform(0.01, 0.4))
            except subprocess.TimeoutExpired:
                kind = self.random.choice(["kill", "kill", "ended backend"])
                if kind == "kill":
                    process.send_signal(signal.SIGKILL)
                else:
                    self.server.ask(
                        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{self.schema}'")
                process.wait(timeout=120)
            told.seek(0)
            text = told.read().decode()
        self.note(kind, process.returncode)
        if process.returncode not in (0, 3, -signal.SIGKILL) or "Fatal error" in text:
            raise Failure(f"merge ended with {process.returncode}: {text}")
        return process.returncode

    def note(self, kind, status):
        self.story.append(f"{kind}: {status}")
        if status != 0:
            self.tally["faults"] += 1
            self.tally[f"merges over {'PostgreSQL' if self.server else 'SQLite'}: {kind}"] += 1
