# SPDX-License-Identifier: Apache-2.0
"""Settlements of leagues, in a file and in a database, that fail, are killed, or run twice at once. Afterwards the settlement is completed,
and every learner has exactly the results of a settlement that nothing disturbed: never two, never none."""
import json, os, signal, subprocess, tempfile, time

from calls import KINDS
from databases import Databases
from machine import LAUREL, Failure, Machine, Strike

RULES = """
version: 1
name: leagues
xp: [{{id: line, on: line.spoken, award: 10}}, {{id: up, on: league.finished, when: event.outcome == "promoted", award: 5}}]
leagues:
  weekly: {{tiers: [bronze, silver, gold], size: {size}, promote: 2, demote: 1, settle_after: 2h, late: {late}}}
"""
# The first run comes before the first week ends, and the last after the third week.
FIRST, LAST = "2026-03-04T00:00:00Z", "2026-03-25T12:00:00Z"


class Settlements(Databases):
    name = "settlements"

    def case(self, random, tally):
        with self.machine(random) as (machine, server, schema):
            Case(machine, random, tally, server, schema).run()


class Case:
    def __init__(self, machine, random, tally, server=None, schema=None):
        self.machine, self.random, self.tally = machine, random, tally
        self.server, self.schema = server, schema
        self.rules = RULES.format(size=random.choice([3, 5, 30]), late=random.choice(["final", "promote-only"]))
        lines = list(practice(random))
        cut = random.randint(len(lines) // 2, len(lines))
        self.lines, self.late = lines[:cut], lines[cut:]
        self.words = ["league", "settle", "--at", LAST]
        self.story = []

    def run(self):
        try:
            with Machine() as twin:
                self.prepare(twin)
                most = twin.calls(*self.words)
                expected = self.state(twin)
                self.ingest(twin, self.late)
                twin.demand(*self.words)
                amended = self.state(twin)
            if not expected[1]:
                raise Failure("the settlement has no results")
            self.prepare(self.machine)
            self.disturb(most)
            self.complete(expected)
            self.ingest(self.machine, self.late)
            self.disturb(60)
            self.complete(amended)
            self.machine.expect_sound()
        except Failure as failure:
            raise Failure(f"{'; '.join(self.story)}: {failure}")

    def prepare(self, machine):
        path = machine.file("rules.yaml")
        with open(path, "w") as file:
            file.write(self.rules)
        self.ingest(machine, self.lines, "--rules", path)
        machine.demand("league", "settle", "--at", FIRST)

    @staticmethod
    def ingest(machine, lines, *words):
        if not lines:
            return
        path = machine.file("lines")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        machine.demand("ingest", "--now", LAST, *words, path)

    @staticmethod
    def state(machine):
        """The fingerprint, and the results."""
        lines = [json.loads(line) for line in machine.demand("export").splitlines()]
        results = [line for line in lines if line["type"] == "league.finished"]
        return machine.demand("fingerprint"), sorted(json.dumps(line) for line in results)

    def disturb(self, most):
        for _ in range(self.random.randint(1, 4)):
            if self.server or self.random.random() < 0.4:
                self.run_together()
            else:
                self.strike(most)

    def complete(self, expected):
        self.machine.demand(*self.words)
        found = self.state(self.machine)
        if found[1] != expected[1]:
            lost, more = set(expected[1]) - set(found[1]), set(found[1]) - set(expected[1])
            raise Failure(f"{len(lost)} results lack, {len(more)} are new: {sorted(lost)[:1]} {sorted(more)[:1]}")
        if found[0] != expected[0]:
            raise Failure("the fingerprint differs from that of an undisturbed settlement")

    def strike(self, most):
        """Fails or kills the settlement at a call of the system."""
        call = self.random.choice([self.random.randint(1, most), max(1, most - self.random.randint(0, 12))])
        strike = Strike(call, self.random.choice(KINDS), lasts=self.random.random() < 0.3)
        outcome = self.machine.run(*self.words, strike=strike)
        self.note(strike.kind, outcome.status)
        if outcome.status not in (0, 3) and outcome.status >= 0:
            raise Failure(f"{strike}: {outcome}")

    def run_together(self):
        """Runs two settlements at once, and kills one or both."""
        environment = {"PATH": os.environ["PATH"], "HOME": self.machine.folder, "PGAPPNAME": self.schema or ""}
        with tempfile.TemporaryFile() as told:
            processes = [
                subprocess.Popen(
                    [LAUREL, *self.words, "--store", self.machine.store], stdin=subprocess.DEVNULL, stdout=told, stderr=told,
                    cwd=self.machine.folder, env=environment)
                for _ in range(2)]
            for process in processes[: self.random.randint(0, 2)]:
                time.sleep(self.random.uniform(0, 0.2))
                process.send_signal(signal.SIGKILL)
            statuses = [process.wait(timeout=120) for process in processes]
            told.seek(0)
            text = told.read().decode()
        for status in statuses:
            self.note("kill" if status < 0 else "two at once", status)
        if any(status not in (0, 3, -signal.SIGKILL) for status in statuses) or "Fatal error" in text:
            raise Failure(f"settlements ended with {statuses}: {text}")

    def note(self, kind, status):
        self.story.append(f"{kind}: {status}")
        self.tally["faults"] += status != 0
        self.tally[f"settlements over {'PostgreSQL' if self.server else 'SQLite'}: {kind}"] += 1


def practice(random):
    """Lines of some learners in three weeks from Monday, 2 March 2026, in any order."""
    lines = []
    for learner in range(random.randint(4, 40)):
        for day in range(21):
            for number in range(random.choice([0, 0, 1, 2, 3])):
                moment = f"2026-03-{day + 2:02}T{random.randint(0, 23):02}:{random.randint(0, 59):02}:00Z"
                lines.append(json.dumps({
                    "id": f"{learner}-{day}-{number}", "source": "app", "type": "line.spoken", "subject": f"learner {learner}",
                    "time": moment, "data": {}}))
    random.shuffle(lines)
    return lines
