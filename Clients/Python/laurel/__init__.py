# SPDX-License-Identifier: Apache-2.0
"""Records language learners' events, and delivers them to a Laurel service. Events are durable before they are acknowledged, the
client works offline for any time, and each event is counted once.

    from laurel import Client, events

    with Client("http://localhost:8080", application="school", outbox="outbox.db", credential=key) as client:
        client.record(events.review_graded(word="w-arbol", grade="good"), learner="ana", language="es")
        client.flush()
"""
from . import events
from ._client import Client, Status
from ._errors import InvalidEvent, OutboxError, ServiceError
from ._event import Event, Identity
from ._outbox import RefusedEvent

__all__ = ["Client", "Event", "Identity", "InvalidEvent", "OutboxError", "RefusedEvent", "ServiceError", "Status", "events"]
