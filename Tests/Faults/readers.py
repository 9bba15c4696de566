# SPDX-License-Identifier: Apache-2.0
"""Readers among writers: every answer is of one state. All learners do the same at the same times, in one transaction, so in any
state of the store they have the same numbers."""
import json, os, subprocess, threading, time

from commands import RULES
from machine import LAUREL, NOW, Failure, Machine

LEARNERS = [f"learner-{number:02}" for number in range(12)]


def batch(number):
    minutes = number * 7
    time = f"2026-{1 + minutes // 40320 % 12:02}-{1 + minutes // 1440 % 28:02}T{minutes // 60 % 24:02}:{minutes % 60:02}:00Z"
    return "".join(
        f'{{"id":"{number}","source":"app","type":"line.spoken","subject":"{learner}","time":"{time}","language":"es"}}\n'
        for learner in LEARNERS
    )


class Readers:
    name = "readers"
    seconds = 3

    def __init__(self, scene):
        self.other = os.path.join(scene.folder, "other.yaml")

    def case(self, random, tally):
        with Machine() as machine:
            self.write(machine, batch(0))
            writers = [self.writer(machine, first) for first in (0, 1)]
            try:
                end = time.monotonic() + self.seconds
                while time.monotonic() < end:
                    reading = random.choice([self.check, self.diff, self.listing])
                    reading(machine)
                    tally["readings among writers"] += 1
            finally:
                for stop, thread in writers:
                    stop.set()
                    thread.join()
            machine.expect_sound()

    def write(self, machine, lines):
        path = machine.file(f"batch-{threading.get_ident()}")
        with open(path, "w") as file:
            file.write(lines)
        machine.demand("ingest", "--now", NOW, path)

    def writer(self, machine, first):
        """Batches without a pause: each is less than a pipe holds, and is read, stored and counted at once."""
        stop = threading.Event()

        def work():
            process = subprocess.Popen(
                [LAUREL, "ingest", "--now", NOW, "--store", machine.store], stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=machine.environment(None, None, None),
            )
            number = first + 2
            try:
                while not stop.is_set():
                    os.write(process.stdin.fileno(), batch(number).encode())
                    number += 2
                    time.sleep(0.001)
            except BrokenPipeError:
                # On a busy machine the wait for the lock may have timed out.
                pass
            process.stdin.close()
            process.wait()

        thread = threading.Thread(target=work)
        thread.start()
        return stop, thread

    def check(self, machine):
        machine.demand("replay", "--check")

    def diff(self, machine):
        text = machine.demand("rules", "diff", self.other, "--json", "--all", "--at", NOW)
        self.expect_alike("rules diff", json.loads(text)["learners"])

    def listing(self, machine):
        text = machine.demand("learners", "--rules", self.other, "--json")
        self.expect_alike("learners", json.loads(text))

    @staticmethod
    def expect_alike(what, answers):
        names = ("learner", "userId")
        numbers = [{key: value for key, value in answer.items() if key not in names} for answer in answers]
        different = {json.dumps(answer, sort_keys=True) for answer in numbers}
        if len(different) > 1:
            raise Failure(f"{what}: learners who do the same differ: {sorted(different)[:2]}")
