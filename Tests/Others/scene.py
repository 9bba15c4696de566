# SPDX-License-Identifier: Apache-2.0
"""Runs a service with learners and an admin key for one check, and sends requests to it."""
import contextlib, json, os, sys, tempfile

here = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.dirname(here), f"{os.path.dirname(here)}/Clients"]
from Harness import expect, failures, laurel, root, run, until
from machine import Service, Site

# The learners that `laurel simulate` makes are the same on every run.
SEED, LEARNERS, DAYS = 7, 6, 20


SHOP = """
currencies: {gems: {start: 400}}
items: {streak_freeze: {price: {gems: 200}, gives: {freezes: 1}}}
leagues:
  weekly: {tiers: [bronze, silver], size: 30, promote: 7, demote: 5, settle_after: 14h}
"""


def fill(store):
    """Stores the simulated learners: learner-0001 and so on. The rules also sell an item, and have a league."""
    made = run("simulate", "--learners", str(LEARNERS), "--days", str(DAYS), "--seed", str(SEED), check=True)
    with tempfile.NamedTemporaryFile("w", prefix="laurel-others-", suffix=".yaml") as rules, open(f"{root}/Rules/starter.yaml") as starter:
        rules.write(starter.read() + SHOP)
        rules.flush()
        run("ingest", "--store", store, "--rules", rules.name, "-", input=made.stdout, check=True)


@contextlib.contextmanager
def serving(*origins, learners=False, settings=""):
    """Runs a service in a folder of its own; `settings` are lines of its configuration file."""
    with tempfile.TemporaryDirectory(prefix="laurel-others-") as folder:
        if settings:
            with open(f"{folder}/laurel.yaml", "w") as file:
                file.write(settings)
        if learners:
            fill(f"{folder}/test.db")
        service = Service(folder, *origins, key="admin")
        try:
            yield service
        finally:
            service.end()


def ask(service, method, path, body=None, headers=None):
    """Gives the status and the document of an answer; its text where it is no JSON."""
    text = json.dumps(body) if isinstance(body, (dict, list)) else body
    status, data, _ = service.ask(method, path, text, {"Content-Type": "application/json"} | (headers or {}))
    with contextlib.suppress(ValueError):
        return status, json.loads(data)
    return status, data.decode()


def demand(service, method, path, body=None, headers=None):
    """Gives the document of an answer, and raises where it is a refusal."""
    status, document = ask(service, method, path, body, headers)
    if status >= 300:
        raise RuntimeError(f"{method} {path} was answered with {status}: {document}")
    return document


def event(id, learner="ana", **more):
    return {"specversion": "1.0", "id": str(id), "source": "others", "type": "line.spoken", "subject": learner,
            "time": "2026-04-05T18:00:00Z", "language": "es", "data": {"accuracy": 0.9}} | more


def post(service, *events):
    answer = demand(service, "POST", "/v1/events", list(events))
    expect(answer["stored"] == len(events), f"{len(events)} events are stored: {answer}")


def token(service, learner="ana", scopes=("read",)):
    return demand(service, "POST", "/v1/tokens", {"learner": learner, "scopes": list(scopes), "ttl": 600})["token"]
