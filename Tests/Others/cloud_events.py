# SPDX-License-Identifier: Apache-2.0
"""The CloudEvents SDK for Python makes events, sends them in each mode, and reads them back."""
import json
from datetime import datetime, timedelta, timezone

import requests
from cloudevents.core.bindings import http as binding
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent
from cloudevents.v1 import http as older

from scene import ask, demand, expect, serving

json_format = JSONFormat()
NOON = datetime(2026, 4, 5, 12, 30, tzinfo=timezone(timedelta(hours=2)))


def made(id, data={"accuracy": 0.95}, **more):
    attributes = {"id": id, "source": "/apps/café", "type": "line.spoken", "subject": "ana", "time": NOON, "specversion": "1.0",
                  "language": "es", "datacontenttype": "application/json"} | more
    return CloudEvent({name: value for name, value in attributes.items() if value is not None}, data)


def send(service, headers, body):
    """Gives the status of the answer, the events that it stored, the duplicates, and its text."""
    answer = requests.post(f"{service.address}/v1/events", data=body, headers=service.headers | headers, timeout=20)
    document = answer.json()
    return answer.status_code, document.get("stored"), document.get("duplicates"), answer.text


def expect_answer(answer, stored, duplicates, what):
    expect(answer[:3] == (200, stored, duplicates), f"cloudevents: {what}: {stored} stored and {duplicates} duplicates, not {answer}")


def check_pairs(service):
    """Sends each event in two ways; the second time it is a duplicate."""
    structured = lambda event: binding.to_structured(event, json_format)
    binary = lambda event: binding.to_binary(event, json_format)
    as_bytes = json.dumps({"accuracy": 0.95}).encode()
    pairs = {
        "structured, then binary": (structured(made("1")), binary(made("1"))),
        "binary, then structured": (binary(made("2")), structured(made("2"))),
        "data_base64, then data": (structured(made("3", as_bytes)), structured(made("3"))),
        "bytes in binary mode, then data_base64": (binary(made("4", as_bytes)), structured(made("4", as_bytes))),
        "no content type of the data": (structured(made("5", datacontenttype=None)), binary(made("5", datacontenttype=None))),
        "a content type with a charset": (structured(made("6", datacontenttype="application/json; charset=utf-8")),
                                          binary(made("6", datacontenttype="application/json; charset=utf-8"))),
        "a subject beyond ASCII": (binary(made("7", subject="Zoë Ł 你好")), structured(made("7", subject="Zoë Ł 你好"))),
        "a time in UTC": (structured(made("8", time=NOON.astimezone(timezone.utc))), binary(made("8", time=NOON.astimezone(timezone.utc)))),
        "no data": (structured(made("9", None)), binary(made("9", None))),
    }
    for what, (first, second) in pairs.items():
        expect('"data_base64"' in first.body.decode() if what.startswith("data_base64") else True, f"cloudevents: {what}: it has base64")
        expect_answer(send(service, first.headers, first.body), 1, 0, what)
        expect_answer(send(service, second.headers, second.body), 0, 1, f"{what}, again")


def check_older(service):
    """Sends an event by the SDK's first API, which many programs still call."""
    attributes = {"id": "old", "source": "/apps/old", "type": "line.spoken", "subject": "ana", "time": NOON.isoformat(),
                  "language": "es"}
    event = older.CloudEvent(attributes, {"accuracy": 0.5})
    expect_answer(send(service, *older.to_structured(event)), 1, 0, "structured, by the older API")
    expect_answer(send(service, *older.to_binary(event)), 0, 1, "binary, by the older API")


def check_batch(service):
    """The SDK has no batches: the list is made of its structured JSON."""
    batch = [json.loads(json_format.write(made(f"b{number}", *rest))) for number, rest in enumerate([[], [b'{"accuracy":0.1}'], []])]
    send_batch = lambda: send(service, {"Content-Type": "application/cloudevents-batch+json"}, json.dumps(batch))
    expect_answer(send_batch(), 3, 0, "a batch")
    expect_answer(send_batch(), 0, 3, "a batch, again")
    for one in [binding.to_binary(made("b0"), json_format), binding.to_structured(made("b1", {"accuracy": 0.1}), json_format)]:
        expect_answer(send(service, one.headers, one.body), 0, 1, "an event of the batch alone")
    other = binding.to_binary(made("b0", {"accuracy": 0.2}), json_format)
    status, *_, text = send(service, other.headers, other.body)
    expect((status, json.loads(text)["code"]) == (409, "conflict"), f"cloudevents: other data under a known id: {status} {text}")


def check_read_back(service):
    """The SDK reads an event, and every line of the export."""
    status, document = ask(service, "GET", "/v1/learners/ana/events/%2Fapps%2Fcaf%C3%A9/1")
    expect(status == 200, f"cloudevents: an event is answered: {status} {document}")
    event = json_format.read(None, json.dumps(document))
    wanted = made("1")
    expect(event.get_attributes() == wanted.get_attributes(), f"cloudevents: the attributes come back: {event.get_attributes()}")
    expect(event.get_data() == wanted.get_data(), f"cloudevents: the data comes back: {event.get_data()}")
    exported = requests.get(f"{service.address}/v1/export", headers=service.headers, timeout=20).content.splitlines()
    data = {one.get_id(): one.get_data() for one in (json_format.read(None, line) for line in exported)}
    expect(len(data) == 13, f"cloudevents: the export has 13 events: {sorted(data)}")
    expect(data.get("3") == {"accuracy": 0.95}, f"cloudevents: base64 is exported as data: {data.get('3')}")


def check():
    with serving() as service:
        check_pairs(service)
        check_older(service)
        check_batch(service)
        progress = demand(service, "GET", "/v1/learners/ana/progress?at=2026-04-05T20:00:00%2B02:00")
        expect(progress["events"] == 12, f"cloudevents: ana has 12 events: {progress['events']}")
        expect(progress["totalXP"] > 0 and progress["currentStreak"] == 1, f"cloudevents: they count: {progress}")
        stranger = demand(service, "GET", "/v1/learners/Zo%C3%AB%20%C5%81%20%E4%BD%A0%E5%A5%BD/progress")
        expect(stranger["events"] == 1, f"cloudevents: a subject beyond ASCII has its event: {stranger}")
        check_read_back(service)
    return "structured, binary and batch"
