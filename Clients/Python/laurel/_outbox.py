# SPDX-License-Identifier: Apache-2.0
"""The events that wait to be delivered, in an SQLite database that threads and processes can share."""
from __future__ import annotations

import json
import os
import secrets
import sqlite3
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Iterator, NamedTuple, Sequence

from ._errors import OutboxError

SCHEMA = """
CREATE TABLE IF NOT EXISTS device (source TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS totals (events INTEGER NOT NULL, bytes INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS events (number INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT NOT NULL, bytes INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS refused (number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, line TEXT NOT NULL,
    code TEXT NOT NULL, message TEXT NOT NULL);
"""
MOST_REFUSED = 1000


class Entry(NamedTuple):
    number: int
    line: str
    bytes: int


class Totals(NamedTuple):
    events: int
    bytes: int


@dataclass(frozen=True)
class RefusedEvent:
    """An event that the service accepted but found invalid."""

    id: str
    event: dict[str, Any]
    #: The code, such as `invalid-field` or `conflict`.
    code: str
    message: str


class _Call:
    """Events that one thread records together: all of them or none."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.entries = [(text, len(text.encode())) for text in lines]
        self.error: Exception | None = None
        self.is_done = False


class Outbox:
    def __init__(self, path: str, application: str, *, events: int, bytes: int, drops_oldest: bool) -> None:
        self.path = os.path.abspath(path)
        self._limits = Totals(events, bytes)
        self._drops_oldest = drops_oldest
        self._lock = threading.RLock()
        self._staging = threading.Lock()
        self._staged: list[_Call] = []
        self._database: sqlite3.Connection | None = None
        self._process = 0
        self._is_closed = False
        self.dropped = 0
        with self._lock:
            self._connection().executescript(SCHEMA)
        with self._transaction() as database:
            if not database.execute("SELECT 1 FROM totals").fetchone():
                database.execute("INSERT INTO totals VALUES (0, 0)")
            known = database.execute("SELECT source FROM device").fetchone()
            self.source: str = known[0] if known else f"{application}/{secrets.token_hex(12)}"
            if not known:
                database.execute("INSERT INTO device VALUES (?)", [self.source])

    def add(self, lines: Sequence[str]) -> None:
        """Returns when the events are on the disk. Threads that call while the disk is busy share the next commit."""
        call = _Call(lines)
        with self._staging:
            self._staged.append(call)
        with self._lock:
            if not call.is_done:
                with self._staging:
                    calls, self._staged = self._staged, []
                self._commit(calls)
        if call.error:
            raise call.error

    def _commit(self, calls: list[_Call]) -> None:
        try:
            with self._transaction() as database:
                totals = self._totals(database)
                for call in calls:
                    size = Totals(len(call.entries), sum(size for _, size in call.entries))
                    if self._drops_oldest:
                        totals = self._make_room(database, totals, size)
                    if not self._has_room(totals, size):
                        call.error = OutboxError("full", f"the outbox is full: {totals.events} events of {totals.bytes} bytes wait")
                        continue
                    database.executemany("INSERT INTO events (line, bytes) VALUES (?, ?)", call.entries)
                    totals = Totals(totals.events + size.events, totals.bytes + size.bytes)
                database.execute("UPDATE totals SET events = ?, bytes = ?", totals)
        except Exception as error:
            for call in calls:
                call.error = error
        finally:
            for call in calls:
                call.is_done = True

    def _has_room(self, totals: Totals, size: Totals) -> bool:
        return totals.events + size.events <= self._limits.events and totals.bytes + size.bytes <= self._limits.bytes

    def _make_room(self, database: sqlite3.Connection, totals: Totals, size: Totals) -> Totals:
        while not self._has_room(totals, size):
            oldest = database.execute("SELECT number, bytes FROM events ORDER BY number LIMIT 1").fetchone()
            if not oldest:
                break
            database.execute("DELETE FROM events WHERE number = ?", [oldest[0]])
            totals = Totals(totals.events - 1, totals.bytes - oldest[1])
            self.dropped += 1
        return totals

    def oldest(self, most: int, bytes: int, up_to: int | None = None) -> list[Entry]:
        """The oldest events, as many as a batch may have, but at least one."""
        with self._reading() as database:
            rows = database.execute("SELECT number, line, bytes FROM events WHERE number <= ? ORDER BY number LIMIT ?",
                                    [up_to if up_to is not None else 2**63 - 1, most])
            batch: list[Entry] = []
            size = 0
            for row in rows:
                entry = Entry(*row)
                if batch and size + entry.bytes > bytes:
                    break
                batch.append(entry)
                size += entry.bytes
            return batch

    def last(self) -> int | None:
        with self._reading() as database:
            found: int | None = database.execute("SELECT max(number) FROM events").fetchone()[0]
            return found

    def remove(self, entries: Sequence[Entry], refused: Sequence[tuple[str, str, str, str]]) -> None:
        """Removes delivered events, and keeps the refused ones, in one transaction."""
        with self._transaction() as database:
            for entry in entries:
                # Another process may have delivered and removed the event, too.
                if database.execute("DELETE FROM events WHERE number = ?", [entry.number]).rowcount:
                    database.execute("UPDATE totals SET events = events - 1, bytes = bytes - ?", [entry.bytes])
            database.executemany("INSERT INTO refused (id, line, code, message) VALUES (?, ?, ?, ?)", refused)
            database.execute("DELETE FROM refused WHERE number <= (SELECT max(number) FROM refused) - ?", [MOST_REFUSED])

    def refused(self) -> list[RefusedEvent]:
        with self._reading() as database:
            rows = database.execute("SELECT id, line, code, message FROM refused ORDER BY number").fetchall()
        return [RefusedEvent(id, json.loads(text), code, message) for id, text, code, message in rows]

    def forget(self, ids: Sequence[str]) -> None:
        with self._transaction() as database:
            database.executemany("DELETE FROM refused WHERE id = ?", [[id] for id in ids])

    @property
    def totals(self) -> Totals:
        with self._reading() as database:
            return self._totals(database)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            if self._database and self._process == os.getpid():
                self._database.close()
            self._database = None

    @staticmethod
    def _totals(database: sqlite3.Connection) -> Totals:
        return Totals(*database.execute("SELECT events, bytes FROM totals").fetchone())

    def _connection(self) -> sqlite3.Connection:
        """The connection, opened again after a fork, because processes must not share one."""
        if self._is_closed:
            raise OutboxError("closed", "the client was closed")
        if self._database is None or self._process != os.getpid():
            if self._database is not None:
                # Closing the parent's connection would release its locks.
                _inherited.append(self._database)
            # Only the owner can read the file, and SQLite's files beside it, because they contain learners' events. An existing file
            # is not opened here, because closing it would release the locks of this process.
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            self._database = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
            self._process = os.getpid()
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = FULL")
        return self._database

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection()
            except sqlite3.Error as error:
                raise _storage_error(error) from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._reading() as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:
                    database.execute("ROLLBACK")
                raise


_inherited: list[sqlite3.Connection] = []


def _storage_error(error: sqlite3.Error) -> OutboxError:
    return OutboxError("diskFull" if "full" in str(error) else "ioError", f"the outbox cannot be written: {error}")
