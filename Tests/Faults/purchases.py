# SPDX-License-Identifier: Apache-2.0
"""Purchases by several programs at once, over a file and over PostgreSQL: programs are killed, connections are cut, and each purchase is
sent until it is answered. No money is spent twice, nobody has debts, and each purchase that was acknowledged is stored once."""
import collections, http.client, json, os, signal, socket, time

from clients import Ingester, Service
from databases import Databases
from machine import NOW, Failure, Machine
from Harness.postgresql import Proxy

PRICE = 5
RULES = f"""
version: 1
name: shop
xp: [{{id: line, on: line.spoken, award: 1}}]
currencies:
  gems: {{awards: [{{id: line, on: line.spoken, award: 1}}]}}
items:
  hat: {{price: {{gems: {PRICE}}}}}
"""
# All purchases have one time, because a learner's purchases are refused if they are out of order.
TIME = "2026-11-02T12:00:00Z"
REFUSED = "are missing"


class Purchases(Databases):
    name = "purchases"
    # The faults in a case.
    faults = 12

    def case(self, random, tally):
        if self.is_file(random, 0.5):
            return Case(random, tally).run(self.faults)
        # One server serves one case at a time, because a fault ends all its processes.
        with self.gate:
            schema = self.schema()
            Case(random, tally, self.server, schema).run(self.faults)


class Case:
    def __init__(self, random, tally, server=None, schema=None):
        self.random, self.tally, self.server, self.schema = random, tally, server, schema
        self.proxy = Proxy(server.socket) if server else None
        self.story = []
        self.buyers = []

    def run(self, faults):
        try:
            with Machine() as machine:
                self.prepare(machine)
                for buyer in self.buyers:
                    buyer.start()
                for _ in range(faults):
                    time.sleep(self.random.uniform(0.02, 0.2))
                    self.strike()
                if self.proxy:
                    self.proxy.forget_plans()
                self.settle(machine)
        except Failure as failure:
            raise Failure(f"{'; '.join(self.story)}: {failure}")
        finally:
            for buyer in self.buyers:
                buyer.signal(signal.SIGKILL)
            if self.proxy:
                self.proxy.close()

    def prepare(self, machine):
        """Makes a store whose learners have money for some of the purchases, and the programs that buy."""
        if self.server:
            machine.store = self.server.address(self.schema)
        machine.demand("store", "create")
        rules, events = machine.file("shop.yaml"), machine.file("events")
        with open(rules, "w") as file:
            file.write(RULES)
        machine.demand("rules", "apply", rules, "--yes")
        self.money = {f"learner-{number}": self.random.randint(0, 60) for number in range(self.random.randint(1, 4))}
        with open(events, "w") as file:
            for learner, gems in self.money.items():
                for number in range(gems):
                    line = {"id": f"{learner}-{number}", "source": "t", "type": "line.spoken", "subject": learner,
                            "time": "2026-11-01T12:00:00Z", "data": {"accuracy": 1}}
                    file.write(json.dumps(line) + "\n")
        machine.demand("ingest", "--now", NOW, events)
        # More than anybody has money for.
        wanted = [[{"learner": learner, "id": f"{learner}-{number}"}]
                  for learner, gems in self.money.items() for number in range(gems // PRICE + 6)]
        self.random.shuffle(wanted)
        kinds = [Shop, self.random.choice([Shop, Command]) if self.server else Command]
        store = self.server.address(self.schema, "127.0.0.1", self.proxy.port) if self.server else machine.store
        self.buyers = [kind(f"{kind.__name__.lower()}-{number}", store, wanted[number::len(kinds)], machine.folder)
                       for number, kind in enumerate(kinds)]
        # Some purchases are sent by two programs at once.
        for purchase in self.random.sample(wanted, min(3, len(wanted))):
            for buyer in self.buyers:
                buyer.batches.append(purchase)

    def strike(self):
        choices = [self.kill, self.kill, self.hang_up] + ([self.cut, self.end_backend] if self.server else [])
        fault = self.random.choice(choices)
        if fault():
            self.tally["faults"] += 1
            self.tally[f"purchases over {'PostgreSQL' if self.server else 'SQLite'}: {fault.__name__.replace('_', ' ')}"] += 1
            self.story.append(fault.__name__)

    def kill(self):
        return self.random.choice(self.buyers).signal(signal.SIGKILL) is not None

    def hang_up(self):
        """The next purchase's client closes its connection when it has sent the request."""
        shops = [buyer for buyer in self.buyers if isinstance(buyer, Shop) and buyer.thread.is_alive()]
        if not shops:
            return False
        shop = self.random.choice(shops)
        before = shop.hangups
        shop.hangs_up = True
        end = time.monotonic() + 1
        while shop.hangups == before and time.monotonic() < end:
            time.sleep(0.005)
        return shop.hangups > before

    def cut(self):
        """The connection to the database is cut after some bytes."""
        before = self.proxy.cuts
        self.proxy.plan(self.random.choice([self.random.randint(1, 800), self.random.randint(1, 20_000)]), self.random.random() < 0.5, True)
        self.end_backend()
        end = time.monotonic() + 1
        while self.proxy.cuts == before and time.monotonic() < end:
            time.sleep(0.02)
        return self.proxy.cuts > before

    def end_backend(self):
        backends = self.server.backends()
        if backends:
            self.server.ask(f"SELECT pg_terminate_backend({self.random.choice(backends)})")
        return bool(backends)

    def settle(self, machine):
        for buyer in self.buyers:
            buyer.thread.join(timeout=600)
            if isinstance(buyer, Shop):
                buyer.end()
            if buyer.failure:
                raise buyer.failure if isinstance(buyer.failure, Failure) else Failure(repr(buyer.failure))
        stored = [event for event in map(json.loads, machine.exported()) if event["type"] == "item.bought"]
        times = collections.Counter(event["id"] for event in stored)
        done = {purchase["id"] for buyer in self.buyers for purchase in buyer.done}
        refused = {purchase["id"] for buyer in self.buyers for purchase in buyer.without_money}
        if done - times.keys():
            raise Failure(f"purchases are lost that were acknowledged: {sorted(done - times.keys())}")
        if any(count > 1 for count in times.values()):
            raise Failure(f"purchases are stored twice: {times.most_common(3)}")
        if alien := times.keys() - done:
            raise Failure(f"purchases are stored although no program has its answer: {sorted(alien)}")
        if both := done & refused:
            raise Failure(f"purchases are refused and stored: {sorted(both)}")
        bought = collections.Counter(event["subject"] for event in stored)
        for learner, gems in self.money.items():
            if bought[learner] != gems // PRICE:
                raise Failure(f"{learner} had {gems} gems and bought {bought[learner]} hats")
            if gems:
                left = json.loads(machine.demand("progress", learner, "--json"))["balances"]["gems"]
                if left != gems % PRICE:
                    raise Failure(f"{learner} has {left} gems of {gems} after {bought[learner]} hats")
        self.tally["purchases acknowledged"] += len(done)
        self.tally["purchases refused"] += len(refused)
        machine.expect_sound()


class Buyer:
    """Sends purchases, each until it is answered. A batch is one purchase."""

    def note(self, purchase, is_done):
        (self.done if is_done else self.without_money).append(purchase)
        return True


class Shop(Buyer, Service):
    """A service that sells."""

    def __init__(self, *given):
        super().__init__(*given)
        self.done, self.without_money, self.hangups, self.hangs_up = [], [], 0, False

    def send(self, number, batch):
        purchase, = batch
        body = json.dumps({"item": "hat", "id": purchase["id"], "time": TIME})
        path, headers = f"/v1/learners/{purchase['learner']}/purchases", {"Content-Type": "application/json"}
        try:
            self.ensure()
            connection = self.service.connection(60)
            if self.hangs_up:
                connection.request("POST", path, body, headers)
                connection.sock.shutdown(socket.SHUT_RDWR)
                self.hangs_up, self.hangups = False, self.hangups + 1
                return False, "hung up"
            status, answer, _ = self.service.ask("POST", path, body, headers, connection)
        except TimeoutError:
            raise Failure(f"{self.name}: no answer in 60 s")
        except (OSError, http.client.HTTPException) as error:
            return False, str(error)
        if status == 503:
            return False, answer.decode()
        if status not in (200, 409) or status == 409 and REFUSED not in answer.decode():
            raise Failure(f"{self.name}: answered {status}: {answer.decode()}")
        return self.note(purchase, status == 200), ""


class Command(Buyer, Ingester):
    """`laurel buy`, a process for each purchase."""

    def __init__(self, *given):
        super().__init__(*given)
        self.done, self.without_money = [], []

    def send(self, number, batch):
        purchase, = batch
        status, output, errors = self.run("buy", purchase["learner"], "hat", "--id", purchase["id"], "--at", TIME)
        if status == 0 or status == 1 and REFUSED in errors:
            return self.note(purchase, status == 0), ""
        if status not in (3, -signal.SIGKILL) or status == 3 and not errors.strip():
            raise Failure(f"{self.name}: buy ended with {status}: {output}{errors}")
        return False, errors
