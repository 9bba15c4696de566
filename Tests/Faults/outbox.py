# SPDX-License-Identifier: Apache-2.0
"""The client's outbox: a process that records and delivers, on a disk that fails."""
import json, os

from machine import NOW, WRITER, Failure, Machine, Strike


class Outbox:
    name = "outbox"

    def __init__(self, scene):
        self.most = 200

    def case(self, random, tally):
        with Machine() as machine:
            names = [os.path.join(machine.disk, "outbox"), machine.file("acknowledged"), machine.file("delivered")]
            story = []
            try:
                for run in range(random.randint(1, 3)):
                    strike = self.strike(random)
                    # The outbox is in a subfolder.
                    outcome = machine.run(
                        *names, str(run), "90", program=WRITER, store=False, strike=strike, count=machine.file("count")
                    )
                    story.append(f"{strike}: {outcome.status}")
                    if outcome.status == 0:
                        self.most = max(self.most, int(open(machine.file("count")).read()))
                    else:
                        tally[f"{strike.kind} of outbox"] += 1
                self.settle(machine, names)
            except Failure as failure:
                raise Failure(f"{'; '.join(story)}: {failure}")

    def strike(self, random):
        call = random.choice([random.randint(1, 15), random.randint(1, self.most)])
        return Strike(call, random.choice(["kill", "tear", "eio", "enospc", "short"]), lasts=random.random() < 0.2)

    @staticmethod
    def settle(machine, names):
        """Everything that was acknowledged arrives, once, and can be ingested."""
        outcome = machine.run(*names, "last", "0", program=WRITER, store=False)
        if outcome.status != 0:
            raise Failure(str(outcome))
        acknowledged = set()
        if os.path.exists(names[1]):
            acknowledged = {tuple(line.split(" ")) for line in open(names[1]).read().splitlines()}
        if not os.path.exists(names[2]):
            if acknowledged:
                raise Failure("nothing was delivered")
            return
        machine.demand("ingest", "--now", NOW, names[2])
        stored = set()
        for line in machine.exported():
            event = json.loads(line)
            stored.add((event["source"], event["id"], event["data"]["line"]))
        if lost := acknowledged - stored:
            raise Failure(f"{len(lost)} acknowledged events were not delivered, such as {min(lost)}")
        if len({(source, id) for source, id, _ in acknowledged}) != len(acknowledged):
            raise Failure("an id was given twice")
        machine.expect_sound()
