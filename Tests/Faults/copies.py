# SPDX-License-Identifier: Apache-2.0
"""Copies of one store into another, between a file and a database: killed while they run, and begun again, while the source takes events."""
import json, os, signal, subprocess, tempfile, threading

from clients import Ingester
from machine import LAUREL, NOW, Failure, Machine
from Harness.postgresql import Server, programs


class Copies:
    name = "copies"

    def __init__(self, scene):
        self.scene = scene
        self.gate = threading.Lock()
        self.server = None
        self.count = 0

    @staticmethod
    def missing():
        return None if programs() else "there is no PostgreSQL on this machine"

    def close(self):
        if self.server:
            self.server.close()

    def case(self, random, tally):
        with self.gate:
            if self.server is None:
                self.server = Server()
            self.count += 1
            schema = f"copy_{self.count}"
        with Machine() as machine:
            stores = [machine.store, self.server.address(schema)]
            machine.demand("store", "create", stores[1], store=False)
            if random.random() < 0.5:
                stores.reverse()
            source, copy = stores
            machine.store = source
            events = self.scene.events
            first = random.randrange(len(events) - 3000)
            there = events[first:first + random.choice([300, 1500])]
            self.ingest(machine, "there", there)
            machine.demand("keys", "add", "--scope", "read")
            machine.demand("rules", "apply", os.path.join(self.scene.folder, "other.yaml"), "--yes")
            later = events[first + 1500:first + 1500 + random.choice([100, 600])]
            writer = Ingester("writer", source, [later[start:start + 40] for start in range(0, len(later), 40)], machine.folder)
            writer.start()
            # Keys are secrets, and stay behind unless they are asked for.
            keys = random.choice([[], ["--with-keys"]])
            options = keys
            try:
                for _ in range(random.randint(1, 4)):
                    self.kill_one(machine, source, copy, schema, random, tally, options)
            finally:
                writer.thread.join(timeout=300)
            if writer.failure:
                raise writer.failure
            tally["copies: refused and sent again"] += writer.refused
            count = len(there) + len(later)
            if random.random() < 0.5:
                options = [*keys, "--erase"]
                count -= self.erase_one(machine, there + later, random, tally)
                for _ in range(random.randint(0, 2)):
                    self.kill_one(machine, source, copy, schema, random, tally, options)
            machine.demand("copy", source, copy, *options, store=False)
            self.compare(machine, source, copy, count, keys)
        self.server.ask(f"DROP SCHEMA {schema} CASCADE")

    @staticmethod
    def ingest(machine, name, events):
        path = machine.file(name)
        with open(path, "w") as file:
            file.write("\n".join(events) + "\n")
        machine.demand("ingest", "--now", NOW, path)

    def erase_one(self, machine, events, random, tally):
        """Erases a learner in the source who then sends some events again: fewer than a copy may have, or as many.
        How many events are gone."""
        learner = json.loads(random.choice(events))["subject"]
        theirs = list({event: None for event in events if json.loads(event)["subject"] == learner})
        machine.demand("erase", learner, "--yes")
        again = random.sample(theirs, random.randint(0, len(theirs)))
        if again:
            self.ingest(machine, "again", again)
        tally["copies: erased in the source"] += 1
        return len(theirs) - len(again)

    def kill_one(self, machine, source, copy, name, random, tally, options):
        with tempfile.TemporaryFile() as told:
            process = subprocess.Popen(
                [LAUREL, "copy", source, copy, *options], stdin=subprocess.DEVNULL, stdout=told, stderr=told, cwd=machine.folder,
                env={"PATH": os.environ["PATH"], "HOME": machine.folder, "PGAPPNAME": name},
            )
            try:
                status = process.wait(timeout=random.choice([random.uniform(0.02, 0.4), random.uniform(0.1, 4)]))
            except subprocess.TimeoutExpired:
                if random.random() < 0.3:
                    # The connection is lost, and the program reports it.
                    self.server.ask(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}'")
                    tally["copies: backends ended"] += 1
                else:
                    process.send_signal(signal.SIGKILL)
                    tally["copies: killed"] += 1
                status = process.wait(timeout=120)
            told.seek(0)
            text = told.read().decode()
        if status not in (0, 3, -signal.SIGKILL) or "Fatal error" in text:
            raise Failure(f"copy ended with {status}: {text}")

    def compare(self, machine, source, copy, count, keys):
        found = []
        for store in (source, copy):
            machine.store = store
            machine.expect_sound()
            # A database is exported one bucket after another.
            found.append([sorted(machine.demand("export").splitlines())] + [machine.demand(*words) for words in (
                ["fingerprint"], ["learners", "--json"], ["rules", "history", "--json"])])
            made = json.loads(machine.demand("keys", "list", "--json"))
            if len(made) != (1 if store == source or keys else 0):
                raise Failure(f"after {keys}, there are the keys {made} in {store}")
            if keys:
                found[-1].append(made)
        for one, other in zip(*found):
            if one != other:
                raise Failure(f"the copy differs: {str(one)[:500]} … {str(other)[:500]}")
        if len(found[0][0]) != count:
            raise Failure(f"{len(found[0][0].splitlines())} events are there of {count}")
