# SPDX-License-Identifier: Apache-2.0
"""The client: records, delivers, asks."""
from __future__ import annotations

import itertools
import json
import os
import random
import secrets
import threading
import time
import urllib.parse
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Callable, Iterator, Sequence, overload

from . import _event
from ._errors import OutboxError, ServiceError
from ._event import Event, Identity
from ._outbox import Entry, Outbox, RefusedEvent
from ._service import Credential, Service, query_text

try:
    import fcntl
except ImportError:  # Windows has none: two processes may then send the same, which counts once.
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Status:
    """How delivering goes."""

    #: idle, sending, waiting, blocked (trying again by itself would not help, until `start` or `flush`) or closed.
    state: str = "idle"
    #: While waiting: for how long, in seconds.
    delay: float | None = None
    #: Events that are not delivered yet, and the bytes of their JSON.
    pending: int = 0
    pending_bytes: int = 0
    #: Events delivered since the client was opened, those included that the service found wrong.
    sent: int = 0
    refused: int = 0
    #: Events given up for want of room.
    dropped: int = 0
    #: Failed attempts in a row.
    failures: int = 0
    last_problem: str | None = None


class Client:
    """Records what learners do and delivers it. Threads may share one; processes may share its outbox.

    service: where the service is, such as `https://progress.example`.
    application: the program's name, which events' `source` begins with; 1 to 200 bytes without control characters.
    outbox: the SQLite database of what waits; made if there is none. Not on a network's file system.
    credential: the key or token to send, or a function that is asked for one before each request.
    max_events, max_bytes: how much may wait; a full outbox refuses, or with `drops_oldest` gives up the oldest.
    batch_events, batch_bytes: how much is sent at once; one event may be more.
    retry_base, retry_cap: the longest wait after the first failure, which doubles with each, and after any; seconds.
    timeout: how long the service may be silent; seconds.
    on_status: called with each new `Status`, on the thread that made it.
    """

    def __init__(self, service: str, *, application: str, outbox: str | os.PathLike[str], credential: Credential = None,
                 max_events: int = 100_000, max_bytes: int = 64 << 20, drops_oldest: bool = False, batch_events: int = 500,
                 batch_bytes: int = 512 << 10, retry_base: float = 1, retry_cap: float = 300, timeout: float = 60,
                 on_status: Callable[[Status], None] | None = None,
                 now: Callable[[], datetime] = lambda: datetime.now().astimezone()) -> None:
        if not 1 <= len(application.encode()) <= 200 or any(ord(letter) < 32 or ord(letter) == 127 for letter in application):
            raise ValueError("the application's name must have 1 to 200 bytes, none of control")
        self._service = Service(service, credential, timeout)
        self._outbox = Outbox(os.fspath(outbox), application, events=max_events, bytes=max_bytes, drops_oldest=drops_oldest)
        self._batch = (batch_events, batch_bytes)
        self._retry = (retry_base, retry_cap)
        self._now = now
        self._on_status = on_status
        self._process = 0
        self._opening = ""
        self._numbers: Iterator[int] = iter(())
        self._naming = threading.Lock()
        self._sending = threading.Lock()
        self._changing = threading.Lock()
        self._wake = threading.Condition()
        self._is_woken = False
        self._is_over = threading.Event()
        self._thread: threading.Thread | None = None
        self._status = Status()
        self._change()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def source(self) -> str:
        """The `source` of all events: this installation of the program."""
        return self._outbox.source

    @property
    def status(self) -> Status:
        """How delivering goes, now."""
        return self._status

    # Recording

    @overload
    def record(self, event: Event, *, learner: str, language: str | None = None, session: str | None = None,
               timezone: str | None = None, at: datetime | None = None, id: str | None = None) -> Identity: ...

    @overload
    def record(self, event: Sequence[Event], *, learner: str, language: str | None = None, session: str | None = None,
               timezone: str | None = None, at: datetime | None = None) -> list[Identity]: ...

    def record(self, event: Event | Sequence[Event], *, learner: str, language: str | None = None, session: str | None = None,
               timezone: str | None = None, at: datetime | None = None, id: str | None = None) -> Identity | list[Identity]:
        """Records an event, or several of one time: all of them or none. When this returns, they survive a kill and a power cut.

        at: when it happened, on the learner's wall clock; its offset, or else `timezone`, decides the event's local day.
        timezone: where the learner is, such as `Europe/Berlin`, for programs that run elsewhere.
        id: for those who bring events from elsewhere, which have one: recorded again, such an event counts once.
        Raises `InvalidEvent`, and `OutboxError`, after which nothing was promised.
        """
        events = [event] if isinstance(event, Event) else list(event)
        if id is not None and not isinstance(event, Event):
            raise ValueError("an id is one event's")
        now = self._now()
        identities = [Identity(self.source, id if id is not None else self._next_id()) for _ in events]
        lines = [_event.line(one, identity=identity, learner=learner, language=language, session=session, zone=timezone,
                             at=at or now, now=now) for one, identity in zip(events, identities)]
        if lines:
            self._outbox.add(lines)
        self._change()
        self._signal()
        return identities[0] if isinstance(event, Event) else identities

    def _next_id(self) -> str:
        """Unlike any other's, whatever becomes of the outbox: a word of this process, and a number that sorts as it counts."""
        with self._naming:
            if self._process != os.getpid():
                self._process, self._opening, self._numbers = os.getpid(), secrets.token_hex(6), itertools.count()
            return f"{self._opening}-{next(self._numbers):07x}"

    # Delivering

    def start(self) -> None:
        """Begins to deliver in the background, on a thread, until `stop` or `close`."""
        if self._status.state == "blocked":
            self._change(state="idle")
        if self._thread is None or not self._thread.is_alive():
            self._is_over.clear()
            self._thread = threading.Thread(target=self._run, name="laurel", daemon=True)
            self._thread.start()
        self._signal()

    def stop(self) -> None:
        """Ends delivering in the background. What waits stays."""
        self._is_over.set()
        self._signal()
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None

    def flush(self) -> None:
        """Delivers what waits now, once. Raises `ServiceError` where something stands in the way; what was not delivered stays."""
        end = self._outbox.last()
        while end is not None and self._send(end):
            pass

    def close(self) -> None:
        """Ends delivering. Recording raises from then on."""
        if self._status.state == "closed":
            return
        self.stop()
        with self._sending:
            self._outbox.close()
        self._status = replace(self._status, state="closed", delay=None)
        if self._on_status:
            self._on_status(self._status)

    def _run(self) -> None:
        while not self._is_over.is_set():
            with self._wake:
                self._is_woken = False
            try:
                while not self._is_over.is_set() and self._status.state != "blocked" and self._send(None):
                    pass
            except (ServiceError, OutboxError) as error:
                if self._status.state != "blocked":
                    delay = max(self._delay(self._status.failures), getattr(error, "retry_after", 0))
                    self._change(state="waiting", delay=delay)
                    self._is_over.wait(delay)
                    if self._status.state == "waiting":
                        self._change(state="idle")
                    continue
            with self._wake:
                # Now and then it looks for what another process left that is gone.
                self._wake.wait_for(lambda: self._is_woken or self._is_over.is_set(), 30)

    def _signal(self) -> None:
        with self._wake:
            self._is_woken = True
            self._wake.notify_all()

    def _delay(self, failures: int) -> float:
        """Between nothing and base · 2^(failures − 1), so that clients that failed together do not come back together."""
        base, cap = self._retry
        most: float = min(base * 2.0 ** min(max(failures, 1) - 1, 30), cap)
        return most * random.random()

    def _send(self, up_to: int | None) -> bool:
        """Delivers one batch. Returns whether there was one."""
        with self._sending, self._alone():
            try:
                entries = self._outbox.oldest(*self._batch, up_to)
                if not entries:
                    self._change()
                    return False
                self._change(state="sending")
                refused = self._deliver(entries)
                self._outbox.remove(entries, refused)
            except Exception as error:
                is_blocked = isinstance(error, ServiceError) and not error.is_retryable
                self._change(state="blocked" if is_blocked else "idle", failures=self._status.failures + 1, last_problem=str(error))
                raise
            self._change(state="idle", failures=0, sent=self._status.sent + len(entries), refused=self._status.refused + len(refused),
                         last_problem=refused[0][3] if refused else None)
            return True

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """One process at a time, as far as the system can lock files."""
        if fcntl is None:
            yield
            return
        with open(f"{self._outbox.path}-sender", "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
            while not self._is_over.is_set() or self._thread is not threading.current_thread():
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except OSError:
                    time.sleep(0.02)
            yield

    def _deliver(self, entries: Sequence[Entry]) -> list[tuple[str, str, str, str]]:
        """Returns those that the service took but found wrong."""
        body = "\n".join(entry.line for entry in entries).encode()
        status, report = self._service.ask("/v1/events", body, {"Content-Type": "application/x-ndjson"})
        if status == 413 and len(entries) > 1:
            middle = len(entries) // 2
            return self._deliver(entries[:middle]) + self._deliver(entries[middle:])
        if status == 413:
            return [_refusal(entries[0], "body-too-large", "the event is too large for the service")]
        # A proxy or a hotel's network may answer 200 as well; only the service's answer counts.
        if not isinstance(report, dict) or report.get("read") != len(entries):
            raise ServiceError("something answered, but not as a service does", status=status)
        return [_refusal(entries[problem["index"]], problem["code"], problem["message"]) for problem in report["problems"]]

    def _change(self, **changes: Any) -> None:
        with self._changing:
            try:
                totals = self._outbox.totals
                changes |= {"pending": totals.events, "pending_bytes": totals.bytes, "dropped": self._outbox.dropped}
            except OutboxError:
                pass
            if changes.get("state", self._status.state) != "waiting":
                changes["delay"] = None
            old, self._status = self._status, replace(self._status, **changes)
        if self._on_status and old != self._status:
            self._on_status(self._status)

    # What became of it

    def refused(self) -> list[RefusedEvent]:
        """The latest events that the service took but found wrong, each with its problem; up to 1000."""
        return self._outbox.refused()

    def forget(self, *ids: str) -> None:
        """Forgets refused events."""
        self._outbox.forget(ids)

    # Asking

    def ask(self, path: str, **query: Any) -> Any:
        """Asks the service, such as `ask("/v1/learners/ana/words", due=True)`. Underscores in names are hyphens."""
        status, answer = self._service.ask(path + query_text(query))
        if status == 413:
            raise ServiceError("the service answered 413", status=413, is_retryable=False)
        return answer

    def progress(self, learner: str, *, language: str | None = None) -> Iterator[dict[str, Any] | None]:
        """A learner's progress, now and whenever it changes; None while nobody knows the learner. Connects again for as long as
        it takes."""
        return (data for kind, data in self.watch(learner, language=language) if kind == "progress")

    def watch(self, learner: str, *, language: str | None = None) -> Iterator[tuple[str, Any]]:
        """The same as pairs of “progress” and a state, and “achievement” and what was unlocked."""
        path = f"/v1/learners/{urllib.parse.quote(learner, safe='')}/stream{query_text({'language': language})}"
        position, failures = [""], 0
        while self._status.state != "closed":
            wait = 0.0
            try:
                for message in self._service.messages(path, position):
                    failures = 0
                    yield message
            except ServiceError as error:
                if not error.is_retryable:
                    raise
                wait = error.retry_after
            failures += 1
            time.sleep(max(wait, self._delay(failures)))


def _refusal(entry: Entry, code: str, message: str) -> tuple[str, str, str, str]:
    return str(json.loads(entry.line)["id"]), entry.line, code, message
