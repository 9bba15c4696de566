# SPDX-License-Identifier: Apache-2.0
"""Records an event of every type with every field, from standard input, and delivers them: every.py OUTBOX SERVICE."""
import json, keyword, os, re, sys

sys.dont_write_bytecode = True
sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../../Clients/Python")
from laurel import Client, events

outbox, service = sys.argv[1:]
snake = lambda name: re.sub(r"(?<=[a-z])([A-Z])", lambda found: "_" + found[1].lower(), name).replace(".", "_")
argument = lambda name: snake(name) + ("_" if keyword.iskeyword(snake(name)) else "")
with Client(service, application="test", outbox=outbox) as client:
    for entry in json.load(sys.stdin):
        made = getattr(events, snake(entry["type"]))(**{argument(name): value for name, value in entry["fields"].items()})
        client.record(made, learner="ana", language="es", session="s1")
    client.flush()
    assert client.refused() == [], client.refused()
