# SPDX-License-Identifier: Apache-2.0
"""Single system calls that fail, or at which the process is killed."""
from machine import Failure, Machine, Strike
from commands import Knowledge

KINDS = ["kill", "kill", "tear", "eio", "enospc", "short"]


class Calls:
    name = "calls"

    def __init__(self, scene):
        self.scene = scene
        # The most calls that a command makes, as far as known.
        self.most = {}

    def case(self, random, tally):
        scene = self.scene
        base = random.choice(list(scene.bases))
        disk, events = scene.bases[base]
        with Machine() as machine:
            if disk:
                machine.take(disk)
            known = Knowledge(events)
            failed = []
            story = [f"on {base}"]
            try:
                for command in random.sample(scene.commands, random.randint(1, 3)):
                    strike = self.strike(command, base, random)
                    is_done = self.step(machine, command, strike, known, story)
                    if not is_done:
                        failed.append(command)
                        tally[f"{strike.kind} of {command.name.split()[0]}"] += 1
                self.settle(machine, known, failed)
            except Failure as failure:
                raise Failure(f"{'; '.join(story)}: {failure}")

    def strike(self, command, base, random):
        most = self.most.get((command.name, base), 60)
        # The first and the last calls are special; most others are writes of pages.
        call = random.choice([random.randint(1, 12), random.randint(1, most), max(1, most - random.randint(0, 12))])
        return Strike(call, random.choice(KINDS), lasts=random.random() < 0.3)

    def step(self, machine, command, strike, known, story):
        path = machine.file("count")
        outcome = command.run(machine, strike=strike, count=path)
        story.append(f"{command.name}, {strike}: {outcome.status}")
        is_done = command.is_done(outcome)
        if not is_done and outcome.status >= 0:
            if outcome.status not in (1, 2, 3) or not outcome.errors.strip():
                raise Failure(f"an error without a message: {outcome}")
        if is_done:
            key = (command.name, story[0][3:])
            self.most[key] = max(self.most.get(key, 60), int(open(path).read()))
        command.note(known, is_done)
        return is_done

    @staticmethod
    def settle(machine, known, failed):
        """The store is intact. Repeating a failed command gives the result that it would have had."""
        stored = known.check(machine)
        again = Knowledge(stored)
        for command in failed:
            outcome = command.run(machine)
            if not command.is_done(outcome):
                raise Failure(f"done again: {outcome}")
            command.note(again, True)
        if failed and machine.has_store:
            again.may &= again.must | set()
            again.check(machine)
