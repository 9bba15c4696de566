# SPDX-License-Identifier: Apache-2.0
"""Records five events and delivers them, to a service that answers as a test wants: deliver.py OUTBOX, and then
for each service its address and flush or start. Prints how it went, as deliver.mjs does."""
import json, os, queue, sys

sys.dont_write_bytecode = True
sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../../Clients/Python")
from laurel import Client, ServiceError, events

outbox, *words = sys.argv[1:]
for service, mode in zip(words[::2], words[1::2]):
    states = queue.Queue()
    client = Client(service, application="test", outbox=f"{outbox}-{service.split(':')[-1]}", retry_base=0.001, retry_cap=0.01, on_status=states.put)
    for line in range(1, 6):
        client.record(events.line_spoken(line=str(line)), learner="ana", language="es")
    result = {"error": None}
    if mode == "start":
        client.start()
        while (status := states.get(timeout=30)).state not in ("waiting", "blocked"):
            pass
        result["first"] = status.state
        if status.state == "blocked":
            client.start()
    else:
        try:
            client.flush()
        except ServiceError as error:
            result["error"] = str(error)
        result["first"] = client.status.state
        client.flush()
    while client.status.pending:
        states.get(timeout=30)
    client.stop()
    status = client.status
    result |= {"pending": status.pending, "sent": status.sent, "refused": status.refused, "failures": status.failures}
    result["problems"] = [[one.event["data"]["line"], one.code] for one in client.refused()]
    client.forget(*(one.id for one in client.refused()))
    result["forgotten"] = client.refused() == []
    client.close()
    print(json.dumps(result))
