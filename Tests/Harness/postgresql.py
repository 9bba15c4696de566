# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server for one test, in its own folder, and a connection to it that can be cut."""
import contextlib, glob, os, pwd, select, shutil, signal, socket, struct, subprocess, tempfile, threading, time

from Harness import Failure

SETTINGS = {
    "fsync": "on", "synchronous_commit": "on", "listen_addresses": "''", "max_connections": "60", "shared_buffers": "32MB",
    "log_min_messages": "fatal", "autovacuum_naptime": "5s", "max_wal_size": "256MB", "restart_after_crash": "on",
}

# True if Citus distributes stores; the server must then have Citus.
DISTRIBUTED = "LAUREL_TEST_CITUS" in os.environ


def programs():
    """The folder of the newest server's programs, or of those that are named; None where there is none."""
    if os.environ.get("LAUREL_TEST_POSTGRESQL"):
        return os.environ["LAUREL_TEST_POSTGRESQL"]
    found = glob.glob("/usr/lib/postgresql/*/bin/postgres") + [path for path in [shutil.which("postgres")] if path]
    version = lambda path: [int(word) for word in path.split("/") if word.isdigit()]
    return os.path.dirname(max(found, key=version)) if found else None


def quick_folder():
    """The folder in memory, if it has room for a server: nothing here survives its machine anyway. None: the usual one."""
    with contextlib.suppress(OSError):
        free = os.statvfs("/dev/shm")
        if free.f_bavail * free.f_frsize > 4 << 30:
            return "/dev/shm"
    return None


class Server:
    """A server that runs until it is closed. Root starts it as another user, because PostgreSQL refuses to run as root."""

    def __init__(self, owner="laurel", database="faults", primary=None, parent=None, settings={}, disk=None, is_worker=False):
        """primary: the server that this one follows, with all that is there. is_worker: another server is the coordinator.
        disk: of so many megabytes, of its own; where that may not be mounted, it has none."""
        self.owner = owner
        # The servers of a Citus cluster that have the rows.
        self.workers = []
        self.bin = programs()
        self.folder = tempfile.mkdtemp(prefix="laurel-db-", dir=parent or quick_folder())
        self.data = os.path.join(self.folder, "data")
        mounted = disk and os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={disk}m", "tmpfs", self.folder], capture_output=True
        ).returncode == 0
        self.disk = disk if mounted else None
        self.user = []
        if os.geteuid() == 0:
            names = {entry.pw_name for entry in pwd.getpwall()}
            name = "postgres" if "postgres" in names else "nobody"
            entry = pwd.getpwnam(name)
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
            self.user = ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
        os.chmod(self.folder, 0o755)
        self.process = None
        if primary:
            make = ["pg_basebackup", "-h", primary.folder, "-U", owner, "-R", "-X", "stream", "-c", "fast"]
        else:
            make = ["initdb", "-U", owner, "-A", "trust", "-E", "UTF8", "--locale=C", "-k"]
        made = subprocess.run(
            [*self.user, f"{self.bin}/{make[0]}", "-D", self.data, *make[1:]], capture_output=True, text=True, cwd=self.folder
        )
        if made.returncode:
            self.close()
            raise Failure(f"{make[0]}: {made.stderr}")
        with open(f"{self.data}/postgresql.conf", "a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in (SETTINGS | settings).items())
            file.write(f"unix_socket_directories = '{self.folder}'\n")
            if DISTRIBUTED:
                file.write("shared_preload_libraries = 'citus'\ncitus.shard_count = 4\ncitus.node_conninfo = 'sslmode=disable'\n")
        self.start()
        if database and not primary:
            self.ask(f"CREATE DATABASE {database}", database="postgres")
            if DISTRIBUTED:
                self.ask("CREATE EXTENSION citus", database=database)
                if not is_worker:
                    self.ask(f"SELECT citus_set_coordinator_host('{self.folder}', 5432)", database=database)
                    self.workers = [Server(owner, database, parent=parent, settings=settings, is_worker=True) for _ in range(2)]
                for worker in self.workers:
                    self.ask(f"SELECT citus_add_node('{worker.folder}', 5432)", database=database)

    @property
    def socket(self):
        return f"{self.folder}/.s.PGSQL.5432"

    def address(self, schema, host=None, port=5432):
        """An address through the socket, or through a proxy."""
        return f"postgresql://laurel@{host or ''}{f':{port}' if host else ''}/faults?schema={schema}" + ("" if host else f"&host={self.folder}")

    def start(self):
        log = open(f"{self.folder}/log", "a")
        self.process = subprocess.Popen(
            [*self.user, f"{self.bin}/postgres", "-D", self.data], stdout=log, stderr=log, cwd=self.folder, start_new_session=True
        )
        log.close()
        self.ask("SELECT 1", database="postgres")

    def stop(self, how=signal.SIGINT):
        """SIGQUIT: at once, as after a crash; SIGINT: in an orderly way, but not waiting for anybody."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def ask(self, sql, database="faults"):
        """The rows of a query as lists of texts. Waits for a server that starts or recovers."""
        end = time.monotonic() + 60
        while True:
            done = subprocess.run(
                [f"{self.bin}/psql", "-XAtq", "-F", "\t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", self.owner, "-d", database, "-c", sql],
                capture_output=True, text=True, env={"PATH": os.environ["PATH"], "PGAPPNAME": "faults", "PGCONNECT_TIMEOUT": "10"},
            )
            if done.returncode == 0:
                return [line.split("\t") for line in done.stdout.splitlines()]
            if self.process.poll() is not None:
                raise Failure(f"the server has ended: {open(f'{self.folder}/log').read()[-1000:]}")
            # 2: the connection failed; or it was lost, by another fault.
            if done.returncode != 2 or time.monotonic() > end:
                raise Failure(f"{sql}: {done.stderr.strip()}")
            time.sleep(0.05)

    @contextlib.contextmanager
    def without_room(self, left):
        """Its disk is full but for so many bytes. A server that has ended for it is started again."""
        path = f"{self.folder}/ballast"
        try:
            with open(path, "wb") as file:
                self.fill(file, left)
            yield
        finally:
            os.remove(path)
            self.ensure()

    def fill(self, file, left):
        """Fills the disk, while the server writes."""
        for _ in range(1000):
            free = os.statvfs(self.folder)
            size = free.f_bavail * free.f_frsize - left
            if size <= 0:
                return
            with contextlib.suppress(OSError):
                return os.posix_fallocate(file.fileno(), 0, size)

    def ensure(self):
        """Starts the server if it has ended, or is ending."""
        end = time.monotonic() + 60
        while True:
            try:
                if self.process.poll() is not None:
                    self.start()
                return self.ask("SELECT 1", database="postgres")
            except Failure:
                if time.monotonic() > end:
                    raise
                time.sleep(0.1)

    def set(self, name, value):
        """Changes a setting of the server that runs; None: to what it was."""
        self.ask(f"ALTER SYSTEM RESET {name}" if value is None else f"ALTER SYSTEM SET {name} = '{value}'")
        self.ask("SELECT pg_reload_conf()")

    def backends(self, busy=False):
        """The server's client sessions, except the test's own."""
        state = "AND state <> 'idle'" if busy else ""
        return [int(row[0]) for row in self.ask(
            f"SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> 'faults' {state}"
        )]

    def close(self):
        for worker in self.workers:
            worker.close()
        self.stop(signal.SIGQUIT)
        if self.disk:
            subprocess.run(["umount", "-l", self.folder], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Proxy:
    """A port that forwards to a server's socket, and breaks connections as requested."""

    def __init__(self, target):
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        self.gate = threading.Lock()
        # For coming connections: the number of bytes until the break, the direction, and True for a connection that is reset.
        self.plans = []
        self.cuts = 0
        self.is_over = False
        threading.Thread(target=self.accept, daemon=True).start()

    def plan(self, bytes, downwards, rudely):
        with self.gate:
            self.plans.append((bytes, downwards, rudely))

    def forget_plans(self):
        with self.gate:
            self.plans.clear()

    def accept(self):
        while not self.is_over:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with self.gate:
                plan = self.plans.pop() if self.plans else None
            threading.Thread(target=self.serve, args=(client, plan), daemon=True).start()

    def serve(self, client, plan):
        server = socket.socket(socket.AF_UNIX)
        try:
            server.connect(self.target)
            self.forward(client, server, plan)
        except OSError:
            pass
        finally:
            client.close()
            server.close()

    def forward(self, client, server, plan):
        left = plan[0] if plan else None
        while True:
            readable, _, _ = select.select([client, server], [], [], 1)
            if self.is_over:
                return
            for source in readable:
                data = source.recv(65536)
                if not data:
                    return
                counted = plan and (source is server) == plan[1]
                if counted and len(data) >= left:
                    # Part of a message may arrive.
                    (client if source is server else server).sendall(data[:left])
                    if plan[2]:
                        for end in (client, server):
                            if end.family != socket.AF_UNIX:
                                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    with self.gate:
                        self.cuts += 1
                    return
                if counted:
                    left -= len(data)
                (client if source is server else server).sendall(data)

    def close(self):
        self.is_over = True
        self.listener.close()
