# SPDX-License-Identifier: Apache-2.0
"""PostgreSQL as the store, with several programs at once: its processes are killed, it is stopped, connections are cut, programs are
stopped and killed. What was acknowledged is there, once, and the numbers are those that SQLite gives."""
import os, signal, subprocess, threading, time

from clients import Applier, Ingester, Service
from machine import NOW, Failure, Machine
from Harness.postgresql import DISTRIBUTED, Proxy, Server, programs

FAULTS = [
    "backend terminated", "backend killed", "server stopped at once", "server restarted", "connection cut", "connection cut",
    "connection cut", "program killed", "program killed", "program stopped", "program stopped", "bucket held", "commit cancelled",
    "disk full", "lock timeout",
] + ["worker restarted", "worker restarted"] * DISTRIBUTED
# The size of a server's disk, and of its log, in megabytes.
DISK, LOG = 320, {"max_wal_size": "64MB", "min_wal_size": "32MB"}
# The seconds that a program waits for other writers.
PATIENCE = 10


class PostgreSQL:
    name = "postgresql"
    # The number of faults in a case.
    faults = 20

    def __init__(self, scene):
        self.scene = scene
        self.gate = threading.Lock()
        self.idle = []
        self.all = []

    @staticmethod
    def missing():
        return None if programs() else "there is no PostgreSQL on this machine"

    def close(self):
        for server in self.all:
            server.close()

    def case(self, random, tally):
        with self.gate:
            server = self.idle.pop() if self.idle else None
        if server is None:
            server = Server(disk=DISK, settings=LOG)
            with self.gate:
                self.all.append(server)
        case = Case(self.scene, server, random, tally)
        try:
            case.run(self.faults)
        finally:
            with self.gate:
                self.all += [case.server] if case.server not in self.all else []
        # After a failure the server is kept for inspection.
        with self.gate:
            self.idle.append(case.server)


class Case:
    count = 0

    def __init__(self, scene, server, random, tally):
        self.scene, self.server, self.random, self.tally = scene, server, random, tally
        Case.count += 1
        self.schema = f"case_{Case.count}"
        self.story = []
        self.clients = []

    def run(self, faults):
        self.proxy = Proxy(self.server.socket)
        try:
            with Machine() as machine:
                machine.store = self.server.address(self.schema)
                self.machine = machine
                machine.demand("store", "create", *(["--distributed"] if DISTRIBUTED else []))
                self.clients = self.made()
                for client in self.clients:
                    client.start()
                try:
                    for _ in range(faults):
                        if not any(client.thread.is_alive() for client in self.clients):
                            break
                        time.sleep(self.random.uniform(0.02, 0.3))
                        self.strike()
                    # A standby of a coordinator would have another address than the workers know.
                    if not DISTRIBUTED and self.random.random() < 0.4:
                        self.promote()
                finally:
                    self.heal()
                self.settle()
        except Failure as failure:
            raise Failure(f"{'; '.join(self.story)}: {failure}")
        finally:
            self.proxy.close()
            # Services that a failure has left.
            for client in self.clients:
                client.signal(signal.SIGKILL)
        self.server.ask(f"DROP SCHEMA {self.schema} CASCADE")

    def made(self):
        """Starts programs: some ingest files, one is a service, one applies rules. Together they send every event, some of them twice."""
        random = self.random
        first = random.randrange(len(self.scene.events) - 3000)
        self.events = self.scene.events[first:first + random.choice([400, 1200, 2600])]
        store = self.server.address(self.schema, "127.0.0.1", self.proxy.port)
        kinds = random.choice([[Ingester, Ingester], [Ingester, Service], [Service, Service], [Ingester, Ingester, Service]])
        lists = [[] for _ in kinds]
        size = random.choice([1, 10, 40, 100])
        events = self.events[:max(120 * size, 60)] if size == 1 else self.events
        self.events = events = events[:150] if size == 1 else events
        for start in range(0, len(events), size):
            lists[random.randrange(len(lists))].append(events[start:start + size])
            if random.random() < 0.1:
                lists[random.randrange(len(lists))].append(events[start:start + size])
        clients = [kind(f"{kind.__name__.lower()}-{number}", store, batches, self.machine.folder)
                   for number, (kind, batches) in enumerate(zip(kinds, lists))]
        self.applies = random.random() < 0.5
        if self.applies:
            rules = os.path.join(self.scene.folder, "other.yaml")
            clients.append(Applier("applier", store, [rules] * random.randint(1, 2), self.machine.folder))
        return clients

    def strike(self):
        fault = self.random.choice(FAULTS)
        if getattr(self, "do_" + fault.replace(" ", "_"))():
            self.tally[f"postgresql: {fault}"] += 1
            self.tally["faults"] += 1
            self.story.append(fault)

    def do_backend_terminated(self):
        backends = self.server.backends(busy=self.random.random() < 0.5)
        if not backends:
            return False
        self.server.ask(f"SELECT pg_terminate_backend({self.random.choice(backends)})")
        return True

    def do_backend_killed(self):
        """The server ends all its processes, and recovers as after a crash."""
        backends = self.server.backends()
        if not backends:
            return False
        backend = self.random.choice(backends)
        try:
            os.kill(backend, signal.SIGKILL)
        except ProcessLookupError:
            return False
        end = time.monotonic() + 10
        while os.path.exists(f"/proc/{backend}") and time.monotonic() < end:
            time.sleep(0.01)
        self.server.ask("SELECT 1")
        return True

    def do_server_stopped_at_once(self):
        return self.restart(signal.SIGQUIT)

    def do_server_restarted(self):
        return self.restart(signal.SIGINT)

    def do_worker_restarted(self):
        """A server of a Citus cluster that has rows."""
        return self.restart(self.random.choice([signal.SIGQUIT, signal.SIGINT]), self.random.choice(self.server.workers))

    def restart(self, how, server=None):
        server = server or self.server
        server.stop(how)
        time.sleep(self.random.choice([0, 0, 0.3]))
        server.start()
        return True

    def do_connection_cut(self):
        downwards = self.random.random() < 0.5
        # A greeting takes some hundred bytes each way.
        bytes = self.random.choice([self.random.randint(1, 800), self.random.randint(1, 20_000), self.random.randint(1, 200_000)])
        before = self.proxy.cuts
        self.proxy.plan(bytes, downwards, self.random.random() < 0.5)
        # A service keeps its connections: a new one comes when the old is gone.
        backends = self.server.backends()
        if backends and self.random.random() < 0.7:
            self.server.ask(f"SELECT pg_terminate_backend({self.random.choice(backends)})")
        end = time.monotonic() + 1.5
        while self.proxy.cuts == before and time.monotonic() < end:
            time.sleep(0.02)
        return self.proxy.cuts > before

    def do_program_killed(self):
        return self.random.choice(self.clients).signal(signal.SIGKILL) is not None

    def do_program_stopped(self):
        """Stops a program, sometimes while it holds a lock, so that its later writes may be too late."""
        client = self.random.choice(self.clients)
        for _ in range(12):
            process = client.signal(signal.SIGSTOP)
            if process is None:
                return False
            holds = any("idle in transaction" in row[0] for row in self.server.ask(
                f"SELECT state FROM pg_stat_activity WHERE application_name = 'laurel {client.name}'"))
            if holds:
                break
            process.send_signal(signal.SIGCONT)
            time.sleep(self.random.uniform(0, 0.02))
        else:
            process.send_signal(signal.SIGSTOP)
        if holds:
            self.tally["postgresql: programs stopped within a transaction"] += 1
            # The server ends it, as it does by itself after the transaction's time; others write meanwhile.
            self.server.ask(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                f" WHERE application_name = 'laurel {client.name}' AND state LIKE 'idle in transaction%'"
            )
        time.sleep(self.random.uniform(0.1, 1.5))
        process.send_signal(signal.SIGCONT)
        return True

    def hold(self, seconds):
        """Locks all partitions. Citus locks rows of one partition at a time, but a table as a whole."""
        table = f"{self.schema}.buckets"
        lock = f"LOCK TABLE {table} IN EXCLUSIVE MODE" if DISTRIBUTED else f"SELECT 1 FROM {table} ORDER BY bucket FOR UPDATE"
        self.server.ask(f"BEGIN; {lock}; SELECT pg_sleep({seconds}); ROLLBACK")

    def do_bucket_held(self):
        """Another session holds a lock that writers need, for a moment or for longer than they wait."""
        seconds = self.random.choice([0.2, 1, 3])
        self.hold(seconds)
        return True

    def do_lock_timeout(self):
        """Another session holds a lock for longer than writers wait. They report that, and are called again."""
        if self.random.random() < 0.7:
            return False
        before = sum(client.refused for client in self.clients)
        seconds = PATIENCE + self.random.uniform(0.5, 2)
        self.hold(seconds)
        return sum(client.refused for client in self.clients) > before

    def do_disk_full(self):
        """Writes are refused. Without room for its log, the server ends itself."""
        if not self.server.disk:
            return False
        before = sum(client.refused for client in self.clients)
        with self.server.without_room(self.random.choice([0, self.random.randrange(100_000), self.random.randrange(4_000_000)])):
            end = time.monotonic() + self.random.uniform(1, 3)
            while time.monotonic() < end and sum(client.refused for client in self.clients) == before:
                time.sleep(0.05)
            time.sleep(self.random.choice([0, 0.5]))
        return sum(client.refused for client in self.clients) > before

    def do_commit_cancelled(self):
        """Commits wait for a standby that there is not, and somebody cancels that: such a write is not acknowledged, for it is here alone.
        What a write tidies up in a transaction of its own, once it is stored, may be cancelled: who looks for identities stores events."""
        self.server.set("synchronous_standby_names", "nobody")
        try:
            end = time.monotonic() + 1
            waiting = []
            while not waiting and time.monotonic() < end:
                waiting = self.server.ask(f"""
                    SELECT pid, application_name, EXISTS (
                        SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND l.relation = '{self.schema}.identities'::regclass
                    ) FROM pg_stat_activity a WHERE wait_event = 'SyncRep'
                """)
            before = {client.name: len(client.acknowledged) for client in self.clients}
            stop = self.random.choice(["pg_cancel_backend", "pg_terminate_backend"])
            for process, _, _ in waiting:
                self.server.ask(f"SELECT {stop}({process})")
            if waiting:
                time.sleep(0.3)
            storing = [name for _, name, stores in waiting if stores == "t"]
            for client in self.clients:
                if f"laurel {client.name}" in storing and len(client.acknowledged) > before[client.name]:
                    raise Failure(f"{client.name}: a write was acknowledged although its wait for a standby was cancelled")
        finally:
            self.server.set("synchronous_standby_names", None)
        return bool(waiting)

    def promote(self):
        """The server is lost, and a synchronous standby takes its place."""
        old = self.server
        standby = Server(old.owner, primary=old, settings=LOG, disk=old.disk)
        try:
            old.set("synchronous_standby_names", "*")
            now = old.ask("SELECT pg_current_wal_flush_lsn()")[0][0]
            end = time.monotonic() + 30
            while old.ask(f"SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND flush_lsn >= '{now}'") != [["1"]]:
                if time.monotonic() > end:
                    raise Failure("the standby does not follow")
                time.sleep(0.02)
            time.sleep(self.random.uniform(0.1, 1))
        except Failure:
            standby.close()
            raise
        old.stop(signal.SIGQUIT)
        self.server, self.proxy.target = standby, standby.socket
        self.machine.store = standby.address(self.schema)
        standby.ask("SELECT pg_promote(true, 60)")
        old.close()
        self.tally["postgresql: standby promoted"] += 1
        self.tally["faults"] += 1
        self.story.append("standby promoted")

    def heal(self):
        self.proxy.forget_plans()
        for client in self.clients:
            client.thread.join(timeout=600)

    def settle(self):
        """Every acknowledged event is stored once, and the numbers equal those of another store."""
        for client in self.clients:
            if isinstance(client, Service):
                client.end()
            if client.failure:
                raise client.failure if isinstance(client.failure, Failure) else Failure(repr(client.failure))
            if client.thread.is_alive():
                raise Failure(f"{client.name} does not come to an end")
        self.tally["postgresql: refused and sent again"] += sum(client.refused for client in self.clients)
        acknowledged = [line for client in self.clients for line in client.acknowledged]
        stored = self.machine.demand("export").splitlines()
        lost, alien = set(acknowledged) - set(stored), set(stored) - set(self.events)
        if lost:
            raise Failure(f"{len(lost)} acknowledged events are lost, such as {min(lost)}")
        if alien:
            raise Failure(f"{len(alien)} events are there that must not be, such as {min(alien)}")
        if len(stored) != len(set(stored)):
            raise Failure(f"{len(stored) - len(set(stored))} events are there twice")
        self.tally["postgresql: events acknowledged"] += len(set(acknowledged))
        self.machine.expect_sound()
        fingerprint = self.machine.demand("fingerprint")
        expected = self.fingerprint_elsewhere()
        if fingerprint != expected:
            raise Failure(f"the fingerprint is {fingerprint.strip()}, and {expected.strip()} in a file")

    def fingerprint_elsewhere(self):
        with Machine() as other:
            path = other.file("events")
            with open(path, "w") as file:
                file.write("\n".join(self.events) + "\n")
            other.demand("ingest", "--now", NOW, path)
            if self.applies:
                other.demand("rules", "apply", os.path.join(self.scene.folder, "other.yaml"), "--yes")
            return other.demand("fingerprint")
