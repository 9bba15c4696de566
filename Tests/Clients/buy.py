# SPDX-License-Identifier: Apache-2.0
"""Buys from a service, and offline: buy.py OUTBOX SERVICE UNREACHABLE. Prints the results, like buy.mjs."""
import json, os, sys
from datetime import datetime, timezone

sys.dont_write_bytecode = True
sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../../Clients/Python")
from laurel import Client, InvalidEvent, ServiceError, events

outbox, service, unreachable = sys.argv[1:]
first, later = (datetime(2026, 4, day, 18, tzinfo=timezone.utc) for day in (5, 6))
result = {}


def problem(buy):
    try:
        return buy()
    except ServiceError as error:
        return [error.status, error.code]
    except InvalidEvent as error:
        return type(error).__name__


with Client(service, application="test", outbox=outbox) as client:
    client.record(events.line_spoken(), learner="ana/1", language="es", at=first)
    bought = client.buy("potion", learner="ana/1", at=first, id="first")
    again = client.buy("potion", learner="ana/1", at=first, id="first")
    result["bought"] = [bought["count"], bought["duplicate"], bought["progress"]["balances"]["gems"], again["duplicate"]]
    result["refused"] = problem(lambda: client.buy("potion", learner="ana/1", count=9))
    result["unknown"] = problem(lambda: client.buy("sword", learner="ana/1"))
    result["invalid"] = problem(lambda: client.buy("potion", learner="ana/1", count=0))

with Client(unreachable, application="test", outbox=outbox) as client:
    result["offline"] = problem(lambda: client.buy("potion", learner="ana/1"))
    result["pending"] = [client.status.pending]
    client.record(events.line_spoken(), learner="ana/1", language="es", at=later)
    result["queued"] = [client.buy("potion", learner="ana/1", at=later, queue=True),
                        client.buy("potion", learner="ana/1", at=later, queue=True, id="poor")]
    client.record(events.line_spoken(), learner="ana/1", language="es", at=later)
    result["pending"].append(client.status.pending)

with Client(service, application="test", outbox=outbox) as client:
    client.flush()
    result["pending"].append(client.status.pending)
    result["told"] = [[one.id, one.code, one.event["data"]["item"]] for one in client.refused()]
print(json.dumps(result))
