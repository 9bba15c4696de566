# SPDX-License-Identifier: Apache-2.0
"""Bits that turn over, and pages that are zeroed or change places, in a store that has every kind of row.

Damage to what is live is noticed by `verify`; and whoever reads gets an error, or what the sound store gives."""
import os, random as randoms, subprocess

from machine import NOW, Failure, Machine

READINGS = [
    ("export",), ("fingerprint",), ("learners", "--json"), ("leaderboard", "--json", "--at", NOW),
    ("quarantine", "list", "--json"), ("rules", "history", "--json"),
]


class Damage:
    name = "damage"

    def __init__(self, scene):
        self.scene = scene
        self.disk = os.path.join(scene.folder, "base every kind")
        with Machine() as machine:
            self.fill(machine)
            os.rename(machine.disk, self.disk)
        self.path = os.path.join(self.disk, "laurel.db")
        self.sound = open(self.path, "rb").read()
        # The reserved bytes at the end of a page, which contain its checksum.
        self.is_guarded = self.sound[20] >= 8
        self.page = int.from_bytes(self.sound[16:18], "big") or 65536
        self.kinds = self.pages()
        with Machine() as machine:
            machine.take(self.disk)
            learners = sorted(line.split('"subject":"')[1].split('"')[0] for line in machine.exported())
            # The learner with most events has a snapshot.
            self.learner = max(set(learners), key=learners.count)
            self.readings = READINGS + [
                ("progress", self.learner, "--json", "--at", NOW), ("words", self.learner, "--json", "--at", NOW),
            ]
            self.answers = {words: self.answer(machine, words) for words in self.readings}
            machine.expect_sound()

    def fill(self, machine):
        """Fills a store with blocks, a tail, counter ids and others, a snapshot and checkpoints, days, achievements, quarantine."""
        path = machine.file("long.ndjson")
        text = machine.demand("simulate", "--learners", "2", "--days", "560", "--seed", "5", "--uuid", store=False)
        with open(path, "w") as file:
            file.write(text)
        machine.demand("ingest", "--now", NOW, path)
        text = machine.demand("simulate", "--learners", "5", "--days", "9", "--seed", "6", store=False)
        lines = text.splitlines()
        with open(path, "w") as file:
            file.write("\n".join(lines[:300] + ["{", "no event"]) + "\n")
        machine.run("ingest", "--now", NOW, path)
        text = machine.demand("simulate", "--learners", "3", "--days", "3", "--seed", "8", "--uuid", store=False)
        with open(path, "w") as file:
            file.write(text)
        machine.demand("ingest", "--now", NOW, path)

    def pages(self):
        """Page numbers by the table or index that they belong to."""
        sql = "SELECT name, pageno FROM dbstat"
        text = subprocess.run(["sqlite3", self.path, sql], check=True, capture_output=True, text=True).stdout
        kinds = {}
        for line in text.splitlines():
            name, number = line.rsplit("|", 1)
            kinds.setdefault(name, []).append(int(number))
        return kinds

    def answer(self, machine, words):
        outcome = machine.run(*words)
        return (outcome.status, outcome.output)

    def case(self, random, tally):
        kind = random.choice(sorted(self.kinds))
        number = random.choice(self.kinds[kind])
        data = bytearray(self.sound)
        what = self.strike(data, number, random)
        with Machine() as machine:
            machine.take(self.disk)
            with open(machine.store, "wb") as file:
                file.write(data)
            place = f"{what}, page {number} of {kind}"
            try:
                self.check(machine, random, tally, what.split()[0])
            except Failure as failure:
                raise Failure(f"{place}: {failure}")

    def strike(self, data, number, random):
        start = (number - 1) * self.page
        way = random.randint(0, 9)
        if way == 0:
            data[start:start + self.page] = bytes(self.page)
            return "zeros"
        if way == 1:
            others = [n for pages in self.kinds.values() for n in pages if n not in (1, number)]
            other = (random.choice(others) - 1) * self.page
            if start == 0:
                start = (random.choice(others) - 1) * self.page
            one, two = data[start:start + self.page], data[other:other + self.page]
            data[start:start + self.page], data[other:other + self.page] = two, one
            return "exchange"
        place, bit = start + random.randrange(self.page), random.randrange(8)
        data[place] ^= 1 << bit
        return f"bit {bit} of byte {place}"

    def check(self, machine, random, tally, what):
        verified = machine.run("verify")
        # Other programs may change some fields of the header. Those are reported as remarks, not as damage.
        is_noticed = verified.status != 0 or "has changed the header" in verified.errors
        tally[f"damage by {what}: {'noticed' if is_noticed else 'not noticed'}"] += 1
        if machine_is_same(machine, self.sound):
            return
        if self.is_guarded and not is_noticed:
            raise Failure("verify has not noticed it")
        for words in random.sample(self.readings, 3):
            status, answer = self.answer(machine, words)
            if status not in (0, 1, 2, 3):
                raise Failure(f"{words}: status {status}")
            if status == 0 and (status, answer) != self.answers[words]:
                tally["wrong numbers"] += 1
                if self.is_guarded:
                    raise Failure(f"{' '.join(words)} gives other numbers without an error")


def machine_is_same(machine, sound):
    with open(machine.store, "rb") as file:
        return file.read() == sound
