# SPDX-License-Identifier: Apache-2.0
"""The database server of a kind of cases, started by the first case that needs it."""
import contextlib, threading

from machine import Machine
from Harness.postgresql import Server, programs


class Databases:
    """Cases of which some are over a database."""

    def __init__(self, scene):
        self.scene = scene
        self.gate = threading.Lock()
        self.server, self.count = None, 0

    def close(self):
        if self.server:
            self.server.close()

    def is_file(self, random, share):
        """True for this share of the cases, and for all where there is no PostgreSQL."""
        return not programs() or random.random() < share

    def schema(self):
        """The name of a new schema on the server. The caller holds the gate."""
        self.server = self.server or Server()
        self.count += 1
        return f"{self.name}_{self.count}"

    @contextlib.contextmanager
    def machine(self, random):
        """Gives a machine with the address of a store, and with server and schema if the store is in a database."""
        with Machine() as machine:
            if self.is_file(random, 0.6):
                yield machine, None, None
                return
            with self.gate:
                schema = self.schema()
            machine.store = self.server.address(schema)
            machine.demand("store", "create")
            yield machine, self.server, schema
            self.server.ask(f"DROP SCHEMA {schema} CASCADE")
