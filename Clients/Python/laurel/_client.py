# SPDX-License-Identifier: Apache-2.0
"""The client, which records events, delivers them, and requests results."""
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
from typing import Any, Callable, Iterator, Literal, Sequence, overload

from . import _event, events
from ._errors import OutboxError, ServiceError
from ._event import Event, Identity
from ._outbox import Entry, Outbox, RefusedEvent
from ._service import Credential, Service, query_text

try:
    import fcntl
except ImportError:  # Missing on Windows, where two processes may send the same events, which count once.
    fcntl = None  # type: ignore[assignment]


#: The `source` of purchases.
SHOP = "laurel/shop"


@dataclass(frozen=True)
class Status:
    """The state of delivery."""

    #: idle, sending, waiting, blocked (automatic retries would not help, so the client waits for `start` or `flush`) or closed.
    state: str = "idle"
    #: While waiting: the time until the next attempt, in seconds.
    delay: float | None = None
    #: The number of undelivered events, and the size of their JSON in bytes.
    pending: int = 0
    pending_bytes: int = 0
    #: The number of events delivered since the client was opened, including those that the service found invalid.
    sent: int = 0
    refused: int = 0
    #: The number of events dropped for lack of room.
    dropped: int = 0
    #: The number of failed attempts in a row.
    failures: int = 0
    last_problem: str | None = None


class Client:
    """Records learners' events, and delivers them. Threads can share a client; processes can share its outbox.

    service: the address of the service, such as `https://progress.example`.
    application: the program's name, with which events' `source` begins; 1 to 200 bytes without control characters.
    outbox: the SQLite database of waiting events, created if there is none. It must not be on a network file system.
    credential: the key or token to send, or a function that returns one and is called before each request.
    max_events, max_bytes: the limits of the outbox. A full outbox refuses new events, or drops the oldest with `drops_oldest`.
    batch_events, batch_bytes: the limits of a batch; one event may be more.
    retry_base, retry_cap: the longest wait after the first failure, which doubles with each, and the longest wait at all; in seconds.
    timeout: the longest silence of the service, in seconds.
    on_status: called with each new `Status`, on the thread that caused it.
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
        """The present state of delivery."""
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
        """Records one or more events with the same time: all of them or none. On return, they survive a kill and a power cut.

        at: the time of the event by the learner's clock. Its offset, or else `timezone`, decides the event's local day.
        timezone: the learner's time zone, such as `Europe/Berlin`, for programs in another zone.
        id: the id of an event from another system. An event that is recorded again with the same id counts once.
        Raises `InvalidEvent`, and `OutboxError`, after which the event may be lost.
        """
        recorded = [event] if isinstance(event, Event) else list(event)
        if id is not None and not isinstance(event, Event):
            raise ValueError("an id is one event's")
        now = self._now()
        identities = [Identity(self.source, id if id is not None else self._next_id()) for _ in recorded]
        lines = [_event.line(one, identity=identity, learner=learner, language=language, session=session, zone=timezone,
                             at=at or now, now=now) for one, identity in zip(recorded, identities)]
        if lines:
            self._outbox.add(lines)
        self._change()
        self._signal()
        return identities[0] if isinstance(event, Event) else identities

    def _next_id(self) -> str:
        """A new id that is unique whatever happens to the outbox: a random word of this process, and a number that sorts as it counts."""
        with self._naming:
            if self._process != os.getpid():
                self._process, self._opening, self._numbers = os.getpid(), secrets.token_hex(6), itertools.count()
            return f"{self._opening}-{next(self._numbers):07x}"

    # Buying

    @overload
    def buy(self, item: str, *, learner: str, count: int = 1, timezone: str | None = None, at: datetime | None = None,
            id: str | None = None, queue: Literal[False] = False) -> dict[str, Any]: ...

    @overload
    def buy(self, item: str, *, learner: str, count: int = 1, timezone: str | None = None, at: datetime | None = None,
            id: str | None = None, queue: bool) -> dict[str, Any] | None: ...

    def buy(self, item: str, *, learner: str, count: int = 1, timezone: str | None = None, at: datetime | None = None,
            id: str | None = None, queue: bool = False) -> dict[str, Any] | None:
        """Buys an item at the service, after the events that wait, and returns its receipt. Raises `ServiceError` if the service refuses.

        at, timezone: as for `record`.
        id: the id of the purchase. The same purchase again, with the same `id` and `at`, is stored once.
        queue: a purchase that does not reach the service waits in the outbox, and None is returned. If the service refuses the
        purchase later, `refused` lists it.
        """
        now = self._now()
        line = _event.line(events.item_bought(item=item, count=count), identity=Identity(SHOP, id or self._next_id()), learner=learner,
                           language=None, session=None, zone=timezone, at=at or now, now=now)
        try:
            self.flush()
            return self._purchase(line)
        except ServiceError as error:
            if not (queue and error.is_retryable):
                raise
        self._outbox.add([line])
        self._change()
        self._signal()
        return None

    def _purchase(self, line: str) -> dict[str, Any]:
        purchase = json.loads(line)
        body = {**purchase["data"], **{name: purchase[name] for name in ("id", "time", "timezone") if name in purchase}}
        path = f"/v1/learners/{urllib.parse.quote(purchase['subject'], safe='')}/purchases"
        status, receipt = self._service.ask(path, json.dumps(body).encode(), {"Content-Type": "application/json"})
        if not isinstance(receipt, dict) or receipt.get("id") != purchase["id"]:
            raise ServiceError("something answered, but not as a service does", status=status)
        return receipt

    # Delivering

    def start(self) -> None:
        """Starts to deliver in the background, on a thread, until `stop` or `close`."""
        if self._status.state == "blocked":
            self._change(state="idle")
        if self._thread is None or not self._thread.is_alive():
            self._is_over.clear()
            self._thread = threading.Thread(target=self._run, name="laurel", daemon=True)
            self._thread.start()
        self._signal()

    def stop(self) -> None:
        """Stops delivering in the background. Waiting events stay."""
        self._is_over.set()
        self._signal()
        if self._thread and self._thread is not threading.current_thread():
            self._thread.join()
        self._thread = None

    def flush(self) -> None:
        """Delivers the events that wait now, without retries. Raises `ServiceError` if that fails; undelivered events stay."""
        end = self._outbox.last()
        while end is not None and self._send(end):
            pass

    def close(self) -> None:
        """Stops delivering. After that, recording raises."""
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
                # From time to time the client looks for events that an ended process left.
                self._wake.wait_for(lambda: self._is_woken or self._is_over.is_set(), 30)

    def _signal(self) -> None:
        with self._wake:
            self._is_woken = True
            self._wake.notify_all()

    def _delay(self, failures: int) -> float:
        """A random wait between 0 and base · 2^(failures − 1), so that clients that failed together do not retry together."""
        base, cap = self._retry
        most: float = min(base * 2.0 ** min(max(failures, 1) - 1, 30), cap)
        return most * random.random()

    def _send(self, up_to: int | None) -> bool:
        """Delivers one batch. Returns True if there was one."""
        with self._sending, self._alone():
            try:
                entries = _of_one_request(self._outbox.oldest(*self._batch, up_to))
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
        """Runs in one process at a time, if the system can lock files."""
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
        """Returns the events that the service accepted but found invalid."""
        if _is_purchase(entries[0]):
            return self._deliver_purchase(entries[0])
        body = "\n".join(entry.line for entry in entries).encode()
        status, report = self._service.ask("/v1/events", body, {"Content-Type": "application/x-ndjson"})
        if status == 413 and len(entries) > 1:
            middle = len(entries) // 2
            return self._deliver(entries[:middle]) + self._deliver(entries[middle:])
        if status == 413:
            return [_refusal(entries[0], "body-too-large", "the event is too large for the service")]
        # A proxy or a hotel's network may also answer 200, so the content is checked.
        if not isinstance(report, dict) or report.get("read") != len(entries):
            raise ServiceError("something answered, but not as a service does", status=status)
        return [_refusal(entries[problem["index"]], problem["code"], problem["message"]) for problem in report["problems"]]

    def _deliver_purchase(self, entry: Entry) -> list[tuple[str, str, str, str]]:
        """Returns the purchase if the service refused it."""
        try:
            self._purchase(entry.line)
            return []
        except ServiceError as error:
            # A wrong address or credential says nothing about the purchase.
            if error.is_retryable or error.code is None or error.status in (401, 403):
                raise
            return [_refusal(entry, error.code, str(error))]

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

    # Results

    def refused(self) -> list[RefusedEvent]:
        """The latest events that the service accepted but found invalid, and purchases from the outbox that it refused, each with its
        problem; up to 1000."""
        return self._outbox.refused()

    def forget(self, *ids: str) -> None:
        """Forgets refused events."""
        self._outbox.forget(ids)

    # Asking

    def ask(self, path: str, **query: Any) -> Any:
        """Requests a resource of the service, such as `ask("/v1/learners/ana/words", due=True)`. Underscores in names become hyphens."""
        status, answer = self._service.ask(path + query_text(query))
        if status == 413:
            raise ServiceError("the service answered 413", status=413, is_retryable=False)
        return answer

    def progress(self, learner: str, *, language: str | None = None) -> Iterator[dict[str, Any] | None]:
        """A learner's progress, now and after each change; None while the learner is unknown. The client reconnects until it
        succeeds."""
        return (data for kind, data in self.watch(learner, language=language) if kind == "progress")

    def watch(self, learner: str, *, language: str | None = None) -> Iterator[tuple[str, Any]]:
        """The messages of the live stream, as pairs: “progress” with a state, “achievement” with the unlocked achievement."""
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


def _of_one_request(entries: list[Entry]) -> list[Entry]:
    """The first entries that one request can deliver: events, or a purchase."""
    purchase = next((place for place, entry in enumerate(entries) if _is_purchase(entry)), None)
    return entries if purchase is None else entries[:max(purchase, 1)]


def _is_purchase(entry: Entry) -> bool:
    return f'"source":"{SHOP}"' in entry.line and json.loads(entry.line)["source"] == SHOP


def _refusal(entry: Entry, code: str, message: str) -> tuple[str, str, str, str]:
    return str(json.loads(entry.line)["id"]), entry.line, code, message
