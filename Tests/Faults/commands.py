# SPDX-License-Identifier: Apache-2.0
"""The commands in which faults happen, and their required effects."""
import os, random, re

from machine import NOW, ROOT, Machine, Failure, subject

RULES = os.path.join(ROOT, "Rules/bab-language.yaml")


class Knowledge:
    """The events that a store must contain, and those that it may contain, as exported lines."""

    def __init__(self, events):
        self.must, self.may = set(events), set(events)

    def check(self, machine):
        if not machine.has_store:
            if self.must:
                raise Failure("the store is gone")
            return set()
        if not self.must and "is not a Laurel store" in machine.run("verify").errors:
            # The process was killed before the store was complete; the next write creates it.
            return set()
        machine.expect_sound()
        stored = machine.exported()
        lost, alien = self.must - stored, stored - self.may
        if lost:
            raise Failure(f"{len(lost)} acknowledged events are lost, such as {min(lost)}")
        if alien:
            raise Failure(f"{len(alien)} events are there that must not be, such as {min(alien)}")
        return stored


class Ingest:
    """A file of events."""

    def __init__(self, name, path, lines, refused=0, streams=False):
        self.name, self.path, self.lines, self.refused = name, path, frozenset(lines), refused
        self.streams = streams

    def run(self, machine, **options):
        if self.streams:
            lines = open(self.path).read().splitlines()
            return machine.run("ingest", "--now", NOW, "-", feed=lines, **options)
        return machine.run("ingest", "--now", NOW, self.path, **options)

    def is_done(self, outcome):
        return outcome.status == (1 if self.refused else 0)

    def note(self, known, is_done):
        known.may |= self.lines
        if is_done:
            known.must |= self.lines


class Erase:
    name = "erase"

    def __init__(self, learner):
        self.learner = learner

    def run(self, machine, **options):
        return machine.run("erase", self.learner, "--yes", **options)

    def is_done(self, outcome):
        # An unknown learner cannot be erased.
        return outcome.status == 0 or "there is no" in outcome.errors or is_without_store(outcome)

    def note(self, known, is_done):
        kept = {line for line in known.must if subject(line) != self.learner}
        known.must = kept
        if is_done:
            known.may = {line for line in known.may if subject(line) != self.learner}


class Other:
    """A write that changes no events."""

    def __init__(self, name, *words, statuses=(0,)):
        self.name, self.words, self.statuses = name, words, statuses

    def run(self, machine, **options):
        return machine.run(*self.words, **options)

    def is_done(self, outcome):
        # Without a complete store there is nothing to do.
        return outcome.status in self.statuses or is_without_store(outcome)

    def note(self, known, is_done):
        pass


def is_without_store(outcome):
    return "there is no store" in outcome.errors or "is not a Laurel store" in outcome.errors


class Scene:
    """The stores before a fault, and the commands in which faults happen, derived from the seed."""

    def __init__(self, folder, seed):
        self.folder = folder
        self.random = random.Random(f"scene {seed}")
        with Machine() as machine:
            text = machine.demand(
                "simulate", "--learners", "40", "--days", "60", "--seed", str(seed % 1000), store=False
            )
            self.events = self.spelled(machine, text)
        self.random.shuffle(self.events)
        self.commands = self.made()
        self.bases = {"nothing": (None, frozenset())}
        self.add_base("some", self.events[:1500])
        self.add_base("many", self.events[:6000])
        self.add_fixture(7)

    @staticmethod
    def spelled(machine, text):
        """Events as an export spells them, each once."""
        path = machine.file("all.ndjson")
        with open(path, "w") as file:
            # The store of an older format has other learners.
            file.write(text.replace('"subject":"learner-', '"subject":"pupil-'))
        machine.demand("ingest", "--now", NOW, path)
        return sorted(machine.exported())

    def made(self):
        rest = self.events[6000:]
        bulk = self.events[:5000]
        learner = subject(rest[0])
        other = os.path.join(self.folder, "other.yaml")
        text = open(RULES).read()
        changed = re.sub(r'award: "10 \+ ', 'award: "11 + ', text)
        assert changed != text
        with open(other, "w") as file:
            file.write(changed)
        commands = [
            Ingest("bulk", self.written("bulk", bulk), bulk),
            Ingest("stream", self.written("stream", rest[:60]), rest[:60], streams=True),
            Ingest("refused", self.written("refused", rest[60:75] + ["{", "[]", '{"id":7}']), rest[60:75], refused=3),
            Erase(learner),
            Other("apply", "rules", "apply", other, "--yes"),
            Other("replay", "replay"),
            Other("drop", "quarantine", "drop", "--all", statuses=(0, 1, 2)),
        ]
        for number in range(6):
            lines = rest[100 + number * 12:112 + number * 12]
            commands.append(Ingest(f"append {number}", self.written(f"append-{number}", lines), lines))
        return commands

    def written(self, name, lines):
        path = os.path.join(self.folder, name + ".ndjson")
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        return path

    def add_base(self, name, lines):
        with Machine() as machine:
            machine.demand("ingest", "--now", NOW, self.written("base-" + name, lines))
            self.keep(name, machine, frozenset(lines))

    def add_fixture(self, number):
        path = os.path.join(ROOT, f"Tests/Fixtures/format-{number}.db.zst")
        with Machine() as machine:
            os.system(f"zstd -q -d '{path}' -o '{machine.store}'")
            self.keep(f"format {number}", machine, frozenset(machine.exported()))

    def keep(self, name, machine, lines):
        disk = os.path.join(self.folder, "base " + name)
        os.rename(machine.disk, disk)
        self.bases[name] = (disk, lines)
