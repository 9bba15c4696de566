# SPDX-License-Identifier: Apache-2.0
"""A small app that uses laurel for Python: app.py OUTBOX SERVICE KEY. `mypy --strict` reads it, and then it runs."""
from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

from laurel import Client, Event, Identity, InvalidEvent, OutboxError, RefusedEvent, ServiceError, Status, events

LEARNER = "ana"
EVENING = datetime(2026, 4, 5, 18, 0, tzinfo=timezone(timedelta(hours=2)))


def practise(client: Client) -> list[Identity]:
    """Records a short session, and returns the identities of its events."""
    started: Identity = client.record(events.session_started(mode="solo"), learner=LEARNER, session="s1", at=EVENING)
    reviews: list[Event] = [events.review_graded(word=word, grade="good") for word in ("w-sol", "w-luna")]
    graded: list[Identity] = client.record(reviews, learner=LEARNER, language="es", session="s1", at=EVENING)
    own = Event("quest.finished").adding("difficulty", 3)
    return [started, *graded, client.record(own, learner=LEARNER, at=EVENING, timezone="Europe/Berlin", id="quest-1")]


def deliver(client: Client) -> str | None:
    """Sends the waiting events. Returns a text for the learner that says why they are not sent yet."""
    try:
        client.flush()
    except ServiceError as error:
        if error.is_retryable:
            return f"try again in {error.retry_after:.0f} s"
        return f"{error.status} {error.code or 'without a code'}"
    return None


def headline(client: Client) -> str:
    progress: dict[str, Any] = client.ask(f"/v1/learners/{LEARNER}/progress", at="2026-04-05T20:00:00+02:00")
    streak: int = progress["currentStreak"]
    return f"{progress['totalXP']} XP, level {progress['currentLevel']}, {streak} day"


def days(client: Client) -> Iterator[str]:
    time: dict[str, Any] = client.ask(f"/v1/learners/{LEARNER}/study-time", limit=7)
    for day in time["days"]:
        yield f"{day['day']}: {day['reviews']} reviews"


def mistakes(client: Client) -> Iterator[str]:
    """Each mistake of an app has its own error."""
    try:
        client.record(events.line_spoken(accuracy=95), learner=LEARNER)
    except InvalidEvent as error:
        yield f"{error.type}: {error.place}"
    try:
        client.ask("/v1/learners/nobody/progress")
    except ServiceError as error:
        yield f"{error.status} {error.code}"
    # The service refuses a known id with other data, and the client keeps the event.
    client.record(Event("quest.finished").adding("difficulty", 4), learner=LEARNER, at=EVENING, id="quest-1")
    deliver(client)
    refused: list[RefusedEvent] = client.refused()
    yield from (one.code for one in refused)
    client.forget(*(one.id for one in refused))
    client.close()
    try:
        client.record(events.word_learned(word="w-sol"), learner=LEARNER)
    except OutboxError as error:
        yield error.code


def main(outbox: str, service: str, key: str) -> None:
    seen: list[Status] = []
    with Client(service, application="app", outbox=outbox, credential=lambda: key, on_status=seen.append) as client:
        recorded = practise(client)
        print(f"{len(recorded)} recorded, {client.status.pending} waiting")
        print(deliver(client) or "delivered")
        print(headline(client))
        print(*days(client), sep="\n")
        state: dict[str, Any] | None = next(client.progress(LEARNER, language="es"))
        print(f"live: {state['events'] if state is not None else 0} events")
        print(*mistakes(client), sep="\n")
    print(seen[-1].state)


if __name__ == "__main__":
    main(*sys.argv[1:])
