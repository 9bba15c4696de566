# SPDX-License-Identifier: Apache-2.0
"""The checks of the clients' guarantees, for every client that runs here."""
import json, subprocess, tempfile, threading, time

import drivers
from Harness import expect, laurel
from machine import Answering, Proxy, Service, here, run


def ok(lines, _):
    return 200, {"read": len(lines), "problems": []}, {}


def refusing(lines, _):
    return 200, {"read": len(lines), "problems": [{"index": 1, "code": "invalid-field", "message": "data.accuracy is 2"}]}, {}


def problem(status, **headers):
    return lambda *_: (status, {"detail": f"because of {status}", "code": "test"}, {name.replace("_", "-"): text for name, text in headers.items()})


def small(lines, _):
    return (413, {"detail": "too large"}, {}) if len(lines) > 2 else ok(lines, _)


def tiny(lines, _):
    return (413, {"detail": "too large"}, {}) if any('"line":"3"' in line for line in lines) else ok(lines, _)


# The service's answers, one per request, the last one repeatedly; the way of delivery; and the expected results.
rows = {
    "all is well": ([ok], "flush", {"error": None, "first": "idle"}, [5]),
    "401 blocks until it is told to": ([problem(401), ok], "flush", {"error": "because of 401", "first": "blocked"}, [5, 5]),
    "401 blocks in the background": ([problem(401), ok], "start", {"first": "blocked"}, [5, 5]),
    "403 blocks": ([problem(403), ok], "start", {"first": "blocked"}, [5, 5]),
    "400 blocks": ([problem(400), ok], "flush", {"error": "because of 400", "first": "blocked"}, [5, 5]),
    "503 is waited for": ([problem(503, Retry_After="1"), ok], "start", {"first": "waiting"}, [5, 5]),
    "429 is waited for": ([problem(429, Retry_After="1"), ok], "start", {"first": "waiting"}, [5, 5]),
    "500 is tried again": ([problem(500), problem(502), ok], "start", {"first": "waiting"}, [5, 5, 5]),
    "a hotel's page is no answer": ([lambda *_: (200, "<html>", {"Content-Type": "text/html"}), ok], "start", {"first": "waiting"}, [5, 5]),
    "an answer of fewer events is none": ([lambda *_: (200, {"read": 4, "problems": []}, {}), ok], "start", {"first": "waiting"}, [5, 5]),
    "413 halves": ([small], "flush", {"error": None, "first": "idle"}, [5, 2, 3, 1, 2]),
    "413 of one event refuses it": ([tiny], "flush", {"refused": 1, "problems": [["3", "body-too-large"]]}, None),
    "what is refused is kept": ([refusing], "flush", {"refused": 1, "problems": [["2", "invalid-field"]]}, [5]),
}


def answers(_):
    """The clients obey the service's answers."""
    for name in drivers.present():
        doubles = [Answering(script) for script, *_ in rows.values()]
        words = [word for double, (_, mode, *_) in zip(doubles, rows.values()) for word in (double.address, mode)]
        with tempfile.TemporaryDirectory() as folder:
            done = run(*drivers.command(name, "deliver", folder), *words)
        results = list(map(json.loads, done.stdout.splitlines()))
        expect(len(results) == len(rows), f"{name}: {done.stderr}")
        for double, result, (row, (_, _, expected, sizes)) in zip(doubles, results, rows.items()):
            double.end()
            check_delivered(f"{name}, {row}", double, result, expected, sizes)


def check_delivered(what, double, result, expected, sizes):
    whole = {"pending": 0, "sent": 5, "refused": 0, "failures": 0, "problems": [], "forgotten": True} | expected
    differences = {key: result[key] for key, value in whole.items() if result[key] != value}
    expect(not differences, f"{what}: not {differences}")
    found = [len(lines) for lines in double.bodies]
    expect(sizes in (None, found), f"{what}: batches of {found}")
    if found[:2] == [5, 5]:
        expect(double.bodies[0] == double.bodies[1], f"{what}: the same events again")
        waited = double.times[1] - double.times[0]
        expect("waited" not in what or waited >= 1, f"{what}: came back after {waited:.2f} s")


def sample(field):
    """A valid value of a field."""
    fixed = {"boolean": True, "textList": ["a", "b"], "instant": "2026-04-05T18:00:00+02:00", "date": "2026-04-05"}
    if field["type"] == "numberList":
        # JavaScript writes a whole number without a point.
        return [int(low) if low == int(low) else low for low, _ in field["bounds"]]
    if field["type"] == "number":
        return 0.5 if field["is"] == "a number from 0 to 1" else 2
    return fixed.get(field["type"]) or ("text" if field["is"] == "text" else field["is"].split(",")[0])


def constructed(_):
    """The events of all constructors are stored, with names that the service knows."""
    listed = json.loads(run(laurel, "events", "--json").stdout)
    wanted = [{"type": event["name"], "fields": {field["name"]: sample(field) for field in event["fields"]}} for event in listed]
    for name in drivers.present():
        with tempfile.TemporaryDirectory() as folder:
            service = Service(folder)
            done = run(*drivers.command(name, "every", folder), service.address, input=json.dumps(wanted))
            expect(done.returncode == 0, f"{name}: {done.stderr}")
            stored = [{"type": event["type"], "fields": event.get("data", {})} for event in service.stored()]
            service.end()
            key = lambda event: json.dumps(event, sort_keys=True)
            expect(sorted(map(key, stored)) == sorted(map(key, wanted)), f"{name}: every type is stored with every field")


SHOP = """version: 1
currencies: {gems: {awards: [{id: line, on: line.spoken, award: 10}]}}
items: {potion: {price: {gems: 8}}}
"""
# Queued purchases wait in the outbox with the events, in their order: two lines, and money for the first of two purchases.
purchases = {
    "bought": [1, False, 2, True], "refused": [409, "insufficient-balance"], "unknown": [422, "unknown-item"], "invalid": "InvalidEvent",
    "offline": [0, None], "pending": [0, 4, 0], "queued": [None, None], "told": [["poor", "insufficient-balance", "potion"]],
}


def bought(_):
    """The clients buy at the service, and offline only if they are told to."""
    for name in drivers.present():
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/rules.yaml", "w") as rules:
                rules.write(SHOP)
            service = Service(folder, rules=f"{folder}/rules.yaml")
            done = run(*drivers.command(name, "buy", folder), service.address, "http://127.0.0.1:9")
            expect(done.returncode == 0, f"{name}: {done.stderr}")
            found = json.loads(done.stdout)
            differences = {key: found[key] for key, value in purchases.items() if found[key] != value}
            expect(not differences, f"{name}: not {differences}")
            types = sorted(event["type"] for event in service.stored())
            expect(types == ["item.bought"] * 2 + ["line.spoken"] * 3, f"{name}: {types}")
            service.end()


def live(random):
    """Progress arrives through a network that cuts connections."""
    for name in drivers.present():
        with tempfile.TemporaryDirectory() as folder:
            service = Service(folder)
            proxy = Proxy(service.port, random, 60)
            process = subprocess.Popen([*drivers.command(name, "watch", folder), proxy.address], stdout=subprocess.PIPE, text=True)
            seen = []
            threading.Thread(target=lambda: seen.extend(map(int, process.stdout)), daemon=True).start()
            for count in range(8):
                if count:
                    event = {"id": str(count), "source": "test", "type": "line.spoken", "subject": "ana/1", "time": "2026-04-05T18:00:00Z"}
                    run("curl", "-sf", f"{service.address}/v1/events", "-H", "Content-Type: application/x-ndjson", "-d", json.dumps(event))
                start = time.monotonic()
                while (not seen or seen[-1] != count) and time.monotonic() - start < 20:
                    time.sleep(0.01)
                expect(seen[-1:] == [count], f"{name}: {count} events are told, not {seen}")
            process.kill()
            process.wait()
            service.end()
            print(f"  {name}: {len(seen)} states, {proxy.count} cuts")


def typed(_):
    """The types accept valid code of apps, and refuse mistakes."""
    done = run("tsc", "--noEmit", "--strict", "--target", "es2020", "--lib", "es2020,dom,dom.iterable", "--moduleResolution", "node",
               f"{here}/typed.ts")
    expect(done.returncode == 0, f"the types: {done.stdout}")
