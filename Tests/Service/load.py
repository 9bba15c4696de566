# SPDX-License-Identifier: Apache-2.0
"""Load on a service: many clients, live streams, a receiver of webhooks, and malformed requests."""
import asyncio, gzip, json, random, re, time


class Answer(Exception):
    """An answer that should not have been."""


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else 0.0


class Soak:
    """Clients that post, streams that listen and a server that is told, all in one event loop.

    Each client waits for its answer and then for `pause` seconds, on average. With a `rate`, all of them together send so many
    requests a second instead, each at a time of its own whether the last answer was quick or slow, as people do who practise: a slow
    service is then not asked less, and what its slowness holds up counts as waiting."""

    def __init__(self, port, clients, streams, learners, pause, rate, seed):
        self.port, self.clients, self.streams, self.learners = port, clients, streams, learners
        self.pause, self.rate = clients / rate if rate else pause, rate
        self.random = random.Random(seed)
        self.acknowledged = 0
        self.events = [0] * learners
        # Seconds since the start, and of each POST.
        self.latencies = []
        self.states = 0
        self.open = 0
        self.told = {}
        self.failures = []
        self.is_over = False

    def event(self):
        learner = self.random.randrange(self.learners)
        number = self.events[learner] = self.events[learner] + 1
        # 72 a day, so that within an hour streaks grow and webhooks have messages, but a learner's state keeps its size.
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1704067200 + number * 1200 + learner % 1200))
        return {"id": f"{learner}-{number}", "source": "soak", "type": "line.spoken", "subject": f"learner-{learner}", "time": at,
                "language": "es", "data": {"accuracy": 0.9}}

    async def client(self, start):
        reader = writer = None
        due = start + self.random.expovariate(1 / self.pause)
        while not self.is_over:
            if self.rate:
                await asyncio.sleep(max(0, due - time.monotonic()))
            body = "\n".join(json.dumps(self.event()) for _ in range(self.random.choice([1, 1, 1, 5]))).encode()
            count = body.count(b"\n") + 1
            head = f"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: {len(body)}\r\n\r\n"
            begun = due if self.rate else time.monotonic()
            due += self.random.expovariate(1 / self.pause)
            try:
                # The service closes connections that are silent for a minute.
                if writer is None or reader.at_eof():
                    reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                writer.write(head.encode() + body)
                status, answer = await asyncio.wait_for(self.answer(reader), 60)
            except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
                self.failures.append(f"a client: {error!r}")
                writer = None
                continue
            if status != 200 or json.loads(answer)["stored"] != count:
                self.failures.append(f"a POST: {status} {answer[:200]}")
            self.acknowledged += count
            self.latencies.append((begun - start, time.monotonic() - begun))
            if not self.rate:
                await asyncio.sleep(self.random.expovariate(1 / self.pause))
        if writer is not None:
            writer.close()

    async def answer(self, reader):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = int(re.search(r"(?i)content-length: (\d+)", head)[1])
        return int(head.split(" ", 2)[1]), await reader.readexactly(length)

    async def stream(self, number):
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            writer.write(f"GET /v1/learners/learner-{number % self.learners}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            self.open += 1
            while piece := await reader.read(65536):
                self.states += piece.count(b"event: progress")
            if not self.is_over:
                self.failures.append("a stream ended")
        except OSError as error:
            if not self.is_over:
                self.failures.append(f"a stream: {error!r}")
        finally:
            self.open -= 1

    async def told_of(self, reader, writer):
        """A receiver of webhooks, which at first refuses every hundredth message."""
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                await reader.readexactly(int(re.search(r"(?i)content-length: (\d+)", head)[1]))
                id = re.search(r"(?i)webhook-id: (\S+)", head)[1]
                refused = id not in self.told and self.random.random() < 0.01
                self.told[id] = self.told.get(id, 0) + (not refused)
                writer.write(b"HTTP/1.1 500 no\r\nContent-Length: 0\r\n\r\n" if refused else b"HTTP/1.1 204 yes\r\n\r\n")
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            writer.close()

    async def run(self, seconds, sample, add_webhook):
        receiver = await asyncio.start_server(self.told_of, "127.0.0.1", 0)
        await asyncio.to_thread(add_webhook, receiver.sockets[0].getsockname()[1])
        listeners = []
        for number in range(self.streams):
            listeners.append(asyncio.create_task(self.stream(number)))
            # Not all at once, because the backlog of a listening socket is bounded.
            if number % 50 == 49:
                await asyncio.sleep(0.05)
        start = time.monotonic()
        clients = [asyncio.create_task(self.client(start)) for _ in range(self.clients)]
        samples = []
        while time.monotonic() - start < seconds:
            await asyncio.sleep(min(10, seconds / 10))
            samples.append((time.monotonic() - start, *await asyncio.to_thread(sample)))
        streams_at_end = self.open
        self.is_over = True
        await asyncio.gather(*clients)
        # A refused message is sent again after five seconds.
        before = -1
        while before != len(self.told) or 0 in self.told.values():
            before = len(self.told)
            await asyncio.sleep(8)
            if time.monotonic() - start > seconds * 1.2 + 60:
                break
        for listener in listeners:
            listener.cancel()
        await asyncio.gather(*listeners, return_exceptions=True)
        receiver.close()
        return samples, streams_at_end

    def p99(self, first, last):
        return percentile([took for at, took in self.latencies if first <= at < last], 0.99)


# Malformed requests.

def corpus():
    event = json.dumps({"id": "1", "source": "raw", "type": "line.spoken", "subject": "ana", "time": "2026-04-05T18:00:00Z", "language": "es",
                        "data": {"accuracy": 0.9}}).encode()
    packed = gzip.compress(event)

    def post(body, *lines):
        head = ["POST /v1/events HTTP/1.1", "Host: localhost", *lines, f"Content-Length: {len(body)}"]
        return "\r\n".join(head).encode() + b"\r\n\r\n" + body
    chunked = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (event[:40], event[40:])) + b"0\r\n\r\n"
    return [
        b"GET /v1/learners HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /v1/learners/a%2Fb/progress?at=2026-04-05T18:00:00Z&language=es HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: W/\"1\"\r\n\r\n",
        b"HEAD /v1/leaderboard?week=this HTTP/1.1\r\nHost: localhost:8080\r\nAccept-Encoding: gzip\r\n\r\n",
        b"OPTIONS /v1/events HTTP/1.1\r\nHost: localhost\r\nOrigin: https://app.example\r\nAccess-Control-Request-Method: POST\r\n\r\n",
        b"PUT /v1/rules?from=2026-01-01 HTTP/1.1\r\nHost: localhost\r\nIf-Match: \"none\"\r\nContent-Type: application/yaml\r\nContent-Length: 11\r\n\r\nversion: 1\n",
        b"DELETE /v1/quarantine?id=1&id=2 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        post(event, "Content-Type: application/cloudevents+json"), post(b"[" + event + b"]", "Content-Type: application/json"),
        post(event + b"\n" + event, "Content-Type: application/x-ndjson"),
        post(packed, "Content-Type: application/cloudevents+json", "Content-Encoding: gzip"),
        post(b'{"accuracy":0.9}', "Content-Type: application/json", "ce-specversion: 1.0", "ce-id: 2", "ce-source: raw", "ce-type: line.spoken",
             "ce-subject: ana", "ce-time: 2026-04-05T18:00:00Z", "ce-language: es"),
        b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/cloudevents+json\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked,
        # A few bytes that decompress to many: more events than a body may have, and empty lines.
        post(gzip.compress(b"[" + b",".join([b"{}"] * 10_001) + b"]"), "Content-Type: application/json", "Content-Encoding: gzip"),
        post(gzip.compress(b"\n" * (1 << 20)), "Content-Type: application/x-ndjson", "Content-Encoding: gzip"),
        b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nCookie: laurel_session=a.b\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 22\r\n\r\nkey=laurel_x&next=%2F%",
        b"POST /v1/tokens HTTP/1.1\r\nHost: localhost\r\nContent-Length: 32\r\n\r\n{\"learner\":\"ana\",\"scopes\":[\"read\"]}",
        b"POST /v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}",
    ]


TOKENS = [b"\r\n", b"\n", b"\r", b"\0", b" ", b"\t", b":", b"%", b"%00", b"%2f", b"%zz", b"\xff\xfe", b"Content-Length: 5\r\n", b"Content-Length: -1\r\n", b"Content-Length: +0\r\n", b"Content-Length: 0x1\r\n", b"Content-Length: 1, 1\r\n",
          b"Content-Length: 99999999999999999999\r\n", b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: gzip, chunked\r\n", b"Host: evil\r\n", b"Host: 127.0.0.1.evil\r\n", b"X-Forwarded-For: 1.2.3.4\r\n",
          b"X: " + b"a" * 9000 + b"\r\n", b"Connection: close\r\n", b"Content-Encoding: zstd\r\n", b"Content-Encoding: br\r\n", b"?", b"&", b"//", b"/../", b"[", b"{",
          b"\"", b"1e999", b"ffffffffffffffff\r\n", b"0\r\n\r\n", b"0\n\n", b"0\r\r", b"1;a=\"\n\"\r\n", b"+1\r\n", b"0x1\r\n", b"HTTP/1.0", b"HTTP/9.9", b"Authorization: Bearer x\r\n", b"\r\n folded"]


def mutated(random, requests):
    bytes_ = bytearray(random.choice(requests))
    for _ in range(random.choice([1, 1, 2, 3, 8])):
        place = random.randrange(len(bytes_) + 1)
        kind = random.randrange(6)
        if kind == 0 and bytes_:
            bytes_[place % len(bytes_)] = random.randrange(256)
        elif kind == 1:
            del bytes_[place:place + random.choice([1, 2, 10, 100])]
        elif kind == 2:
            bytes_[place:place] = random.choice(TOKENS)
        elif kind == 3:
            bytes_[place:place] = bytes_[place:place + random.choice([1, 10, 100])]
        elif kind == 4:
            other = random.choice(requests)
            bytes_[place:] = other[random.randrange(len(other)):]
        else:
            del bytes_[place:]
        if not bytes_:
            bytes_ += b"\r\n"
    return bytes(bytes_)


async def send_some(port, some, note):
    """Sends requests on one connection, and reads the answers until it ends."""
    answer = b""
    try:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            writer.write(b"".join(some))
            await writer.drain()
            writer.write_eof()
            answer = await asyncio.wait_for(reader.read(-1), 20)
        finally:
            writer.transport.abort()
    except asyncio.TimeoutError:
        raise Answer(f"a connection was not ended: {some!r}")
    except OSError:
        # The server may close the connection before all is sent.
        pass
    if b"HTTP/1.1 500" in answer:
        raise Answer(f"500: {some!r}: {answer[-500:]!r}")
    for status in re.findall(rb"HTTP/1\.1 (\d\d\d)", answer):
        note[status.decode()] = note.get(status.decode(), 0) + 1


def send_mutated(port, count, seed, connections=100):
    """Sends so many, some on one connection. Returns how often each status was answered; raises where one is not ended in time."""
    dice, requests, statuses, left = random.Random(seed), corpus(), {}, [count]

    async def client():
        while left[0] > 0:
            some = [mutated(dice, requests) for _ in range(dice.choice([1, 1, 4, 8]))]
            left[0] -= len(some)
            await send_some(port, some, statuses)

    async def clients():
        await asyncio.gather(*(client() for _ in range(connections)))
    asyncio.run(clients())
    return statuses
