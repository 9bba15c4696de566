# SPDX-License-Identifier: Apache-2.0
"""Stores of an older format that are brought to the present one by a process that dies, or whose disk fails, at any call of it."""
import contextlib, sqlite3

from calls import Calls
from commands import Knowledge
from machine import Failure, Machine


class Migrations(Calls):
    name = "migration"

    def __init__(self, scene):
        super().__init__(scene)
        self.bases = {name: base for name, base in scene.bases.items() if name.startswith("format ")}
        self.command = next(command for command in scene.commands if command.name == "append 0")
        for base, (disk, _) in self.bases.items():
            with Machine() as machine:
                machine.take(disk)
                path = machine.file("count")
                self.command.run(machine, count=path)
                self.most[self.command.name, base] = int(open(path).read())
                self.newest = self.format(machine)
                if self.newest <= int(base.removeprefix("format ")):
                    raise Failure(f"a write leaves {base} as it is")

    def case(self, random, tally):
        base = random.choice(list(self.bases))
        disk, events = self.bases[base]
        with Machine() as machine:
            machine.take(disk)
            known, story = Knowledge(events), [f"on {base}"]
            strike = self.strike(self.command, base, random)
            try:
                is_done = self.step(machine, self.command, strike, known, story)
                tally[f"{strike.kind} of a migration{', which went on' if is_done else ''}"] += 1
                tally[f"format {self.format(machine)} after it"] += 1
                self.settle(machine, known, [] if is_done else [self.command])
                self.expect_present(machine)
            except Failure as failure:
                raise Failure(f"{'; '.join(story)}: {failure}")

    def strike(self, command, base, random):
        strike = super().strike(command, base, random)
        # Wherever, alike.
        strike.call = random.randint(1, self.most[command.name, base])
        return strike

    @staticmethod
    def format(machine):
        """The format, which may stand in the journal alone if a fault prevented that the file was brought up to date."""
        with contextlib.closing(sqlite3.connect(machine.store)) as store:
            return store.execute("PRAGMA user_version").fetchone()[0]

    def expect_present(self, machine):
        if self.format(machine) != self.newest:
            raise Failure(f"the format is {self.format(machine)}")
