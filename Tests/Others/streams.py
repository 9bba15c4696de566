# SPDX-License-Identifier: Apache-2.0
"""Libraries that read server-sent events hear a learner's progress: the first state, and the next one after an event."""
import json, queue, threading, time

import httpx
import httpx_sse
import requests
import sseclient
import urllib3

from scene import event, expect, post, serving, token

# Seconds within which each state comes.
SOON = 5


def with_urllib3(url, headers):
    answer = urllib3.PoolManager().request("GET", url, preload_content=False, headers=headers)
    yield from ((one.event, one.data) for one in sseclient.SSEClient(answer).events())


def with_requests(url, headers):
    answer = requests.get(url, stream=True, headers=headers, timeout=30)
    yield from ((one.event, one.data) for one in sseclient.SSEClient(answer).events())


def with_httpx(url, headers):
    with httpx.Client(timeout=30) as client, httpx_sse.connect_sse(client, "GET", url, headers=headers) as source:
        yield from ((one.event, one.data) for one in source.iter_sse())


readers = {"sseclient over urllib3": with_urllib3, "sseclient over requests": with_requests, "httpx-sse": with_httpx}


class Listener:
    """Reads on a thread, for a stream has no end."""

    def __init__(self, name, url, headers):
        self.name, self.heard = name, queue.Queue()
        threading.Thread(target=self.read, args=[readers[name], url, headers], daemon=True).start()

    def read(self, reader, url, headers):
        try:
            for kind, data in reader(url, headers):
                self.heard.put((kind, json.loads(data)))
        except Exception as error:
            self.heard.put(("error", repr(error)))

    def expect_events(self, count):
        """Waits for a state with that number of events."""
        end, last = time.monotonic() + SOON, None
        while time.monotonic() < end:
            try:
                kind, data = self.heard.get(timeout=max(end - time.monotonic(), 0.01))
            except queue.Empty:
                break
            if kind == "error":
                return expect(False, f"streams: {self.name} reads: {data}")
            last = data["events"] if kind == "progress" and data else last
            if last == count:
                return
        expect(False, f"streams: {self.name} hears of {count} events within {SOON} seconds, not of {last}")


def check():
    with serving() as service:
        post(service, event(1))
        bearer = {"Authorization": f"Bearer {token(service)}"}
        one = f"{service.address}/v1/learners/ana/stream"
        many = f"{service.address}/v1/stream?learner=ana&access_token={token(service)}"
        listeners = [Listener(name, one, bearer) for name in readers] + [Listener("httpx-sse", many, {})]
        for listener in listeners[:3]:
            listener.expect_events(1)
        # In the stream of several learners, each state names its learner.
        kind, data = listeners[3].heard.get(timeout=SOON)
        expect((kind, data.get("userId")) == ("progress", "ana"), f"streams: several learners: {kind} {data}")
        for count in (2, 3):
            post(service, event(count, time=f"2026-04-05T18:0{count}:00Z"))
            for listener in listeners:
                listener.expect_events(count)
    return ", ".join(readers)
