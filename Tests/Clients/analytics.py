# SPDX-License-Identifier: Apache-2.0
"""The SDKs of Segment, RudderStack and PostHog, as they are, send to a service. However often and in whatever order they send, the progress
is the same."""
import concurrent.futures, contextlib, datetime, json, os, shutil, sys, tempfile, uuid

from Harness import expect, laurel, root
from machine import Service, here, run

tools = f"{root}/.build/analytics-tools/bin/python"
sdks = ["segment", "rudder", "posthog"]
SIZE = 60
HALF = SIZE // 2
#: The deliveries of each store: ranges of calls, in order.
orders = {"once": [(0, SIZE)], "twice": [(0, SIZE), (0, SIZE)], "halves": [(0, HALF), (HALF, SIZE)], "other halves": [(HALF, SIZE), (0, HALF)]}


def some_calls(sdk, random):
    """Calls of three learners, who are anonymous at first. Most calls have a meaning."""
    start = datetime.datetime(2026, 4, 5, 18, tzinfo=datetime.timezone.utc)
    calls = []
    for number in range(SIZE):
        learner = random.randrange(3)
        user, anonymous = f"{sdk}-{learner}", f"{sdk}-device-{learner}"
        call = {"id": f"{sdk}-call-{number}", "uuid": str(uuid.UUID(int=random.getrandbits(128))), "kind": "track",
                "time": (start + datetime.timedelta(hours=number)).isoformat(), "user": user, "anonymous": None, "event": "Review Graded",
                "properties": {"word": f"w{random.randrange(9)}", "grade": random.choice(["again", "good", "easy"]), "language": "es"}}
        match random.randrange(10):
            case 0: call |= {"kind": "identify", "name": user.title(), "anonymous": anonymous}
            case 1: call |= {"kind": "alias", "anonymous": anonymous}
            case 2: call |= {"kind": "page"}
            case 3: call |= {"event": "Order Completed", "properties": {"total": 12.5}}
            case 4 | 5: call |= {"user": None, "anonymous": anonymous}
            case 6: call |= {"event": "line_spoken", "properties": {"accuracy": 0.9, "errors": 1}}
        calls.append(call)
    return calls


def deliver(sdk, calls, folder, services):
    """Sends calls to each service in its order, by one process of an SDK."""
    with open(f"{folder}/{sdk}.json", "w") as file:
        json.dump(calls, file)
    words = [str(word) for name, parts in orders.items() for part in parts for word in (services[name].address, services[name].key, *part)]
    done = run(tools, f"{here}/sdk.py", sdk, f"{folder}/{sdk}.json", *words)
    sent = [line for line in done.stdout.splitlines() if line.startswith("delivered")]
    expect(len(sent) == sum(map(len, orders.values())) and all(line.endswith("[]") for line in sent), f"{sdk}: {done.stdout}{done.stderr}")
    expect(sdk != "posthog" or "flags {}" in done.stdout, f"there are no flags: {done.stdout}")


def quarantined(service):
    """The reasons of the lines in quarantine."""
    return [line["reason"] for line in json.loads(run(laurel, "quarantine", "list", "--json", "--store", service.store).stdout)]


def fed(random):
    """Real SDKs with a public key send once, twice, and in halves in both orders."""
    calls = {sdk: some_calls(sdk, random) for sdk in sdks}
    unmapped = sum(call["event"] == "Order Completed" and call["kind"] == "track" for all in calls.values() for call in all)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        services = {name: stack.enter_context(Service(folder, key="analytics", store=f"{folder}/{name}.db", log=f"{name}.txt"))
                    for name in orders}
        with concurrent.futures.ThreadPoolExecutor() as workers:
            for job in [workers.submit(deliver, sdk, calls[sdk], folder, services) for sdk in sdks]:
                job.result()
        found = {}
        for name, service in services.items():
            times = 2 if name == "twice" else 1
            expect(quarantined(service) == ["unmapped"] * (unmapped * times), f"{name}: {quarantined(service)}")
            # The time of a merge is that of its arrival.
            events = sorted(json.dumps(event | {"at": None}, sort_keys=True) for event in service.stored())
            expect(service.end() == 0, f"{name}: the service ends")
            found[name] = (run(laurel, "fingerprint", "--store", service.store).stdout, events)
        expect(all(state == found["once"] for state in found.values()), "the progress and the events are the same in each order: "
               + str({name: (fingerprint, len(events)) for name, (fingerprint, events) in found.items()}))
        print(f"  {', '.join(sdks)}: {len(found['once'][1])} events, {unmapped} unmapped, in {len(orders)} orders")


def clocks():
    """A device whose clock is two hours slow sends calls without a time of their own."""
    if not shutil.which("faketime"):
        return print("clocks: left out, faketime is missing", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder, Service(folder, key="analytics") as service, open(f"{folder}/calls.json", "w") as file:
        call = {"id": "1", "uuid": str(uuid.uuid4()), "kind": "track", "time": None, "user": "ana", "anonymous": None, "event": "line.spoken", "properties": {}}
        json.dump([call], file)
        file.flush()
        # With another monotonic clock, the waits of Python's threads would never end.
        environment = os.environ | {"FAKETIME_DONT_FAKE_MONOTONIC": "1"}
        for sdk in sdks:
            done = run("faketime", "-f", "-2h", tools, f"{here}/sdk.py", sdk, file.name, service.address, service.key, "0", "1", env=environment)
            expect(done.stdout.splitlines()[-1:] and done.stdout.splitlines()[-1].endswith("[]"), f"{sdk}: {done.stdout}{done.stderr}")
        # Calls of Segment and RudderStack have the same id, so they are one event.
        times = [datetime.datetime.fromisoformat(event["time"]) for event in service.stored()]
        now = datetime.datetime.now(datetime.timezone.utc)
        wrong = [str(time) for time in times if abs(now - time) > datetime.timedelta(minutes=2)]
        expect(len(times) == 2 and not wrong, f"the times are corrected: {wrong} of {len(times)} at {now}")


def analytics(random):
    fed(random)
    clocks()
