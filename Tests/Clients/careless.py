# SPDX-License-Identifier: Apache-2.0
"""The smallest client that keeps the promises, and, with a fault, one that breaks a promise: careless.py FOLDER FAULT SERVICE NAME.

FAULT is none, forgetful (removes events before the answer), doubling (gives events new ids when it sends them again), impatient (ignores
Retry-After), stubborn (sends refused events again), changing (sends other bytes under the same id) or hasty (prints marks, but writes
only every second event to the disk)."""
import http.client, json, os, sys, time, urllib.error, urllib.request, uuid

folder, fault, service, name = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
outbox, place = f"{folder}/events.ndjson", f"{folder}/place"
source = f"careless/{uuid.uuid4()}"


def whole_lines():
    """Opens the outbox, and removes a torn last line."""
    file = open(outbox, "ab+")
    file.seek(0)
    file.truncate(file.read().rfind(b"\n") + 1)
    return file


def delivered():
    """The number of bytes of the outbox that are delivered."""
    return int(open(place).read()) if os.path.exists(place) else 0


def advance(count):
    with open(f"{place}.new", "w") as file:
        file.write(str(delivered() + count))
        file.flush()
        os.fsync(file.fileno())
    os.rename(f"{place}.new", place)


def record(mark):
    event = {"specversion": "1.0", "id": mark, "source": source, "type": "line.spoken", "subject": "ana", "language": "es",
             "time": "2026-04-05T18:00:00Z", "data": {"line": mark, "accuracy": 0.9}}
    if fault == "hasty" and number % 2:
        return print(mark, flush=True)
    file.write(json.dumps(event).encode() + b"\n")
    file.flush()
    os.fsync(file.fileno())
    print(mark, flush=True)


def attempt(lines):
    """Sends lines. Returns the number of lines with a final answer, and the seconds to wait."""
    global tries
    tries += 1
    body = b"\n".join(lines)
    if fault == "doubling":
        body = body.replace(b'"id": "', f'"id": "{tries}-'.encode())
    if fault == "changing":
        body = body.replace(b"0.9", f"0.{tries}".encode())
    request = urllib.request.Request(f"{service}/v1/events", body, {"Content-Type": "application/x-ndjson"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            report = json.load(answer)
            again = fault == "stubborn" and report["problems"] and tries % 4
            return (0, 0) if again or report["read"] != len(lines) else (len(lines), 0)
    except urllib.error.HTTPError as error:
        if error.code == 413 and len(lines) > 1:
            return attempt(lines[:len(lines) // 2])
        impatient = fault in ("impatient", "stubborn", "doubling", "changing")
        return 0, 0 if impatient else int(error.headers.get("Retry-After") or 0)
    except (OSError, http.client.HTTPException, ValueError, KeyError, TypeError):
        return 0, 0


def deliver():
    """Tries once to deliver a batch. Returns False if nothing waits."""
    with open(outbox, "rb") as file:
        file.seek(delivered())
        lines = [line.rstrip(b"\n") for line in file.readlines(20_000)]
    if not lines:
        return False
    if fault == "forgetful":
        advance(sum(len(line) + 1 for line in lines))
    done, wait = attempt(lines)
    if fault != "forgetful":
        advance(sum(len(line) + 1 for line in lines[:done]))
    time.sleep(wait or 0.005)
    return True


file, tries, number = whole_lines(), 0, 0
if name == "drain":
    while deliver():
        pass
    sys.exit()
while True:
    for number in range(number + 1, number + 6):
        record(f"{name}-{number}")
    deliver()
