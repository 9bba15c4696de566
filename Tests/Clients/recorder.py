# SPDX-License-Identifier: Apache-2.0
"""Records without end on several threads, delivers, and prints the mark of each event that is acknowledged: recorder.py OUTBOX SERVICE
NAME. Told to drain, it records nothing, delivers what waits and ends."""
import itertools, os, sys, threading, time

sys.dont_write_bytecode = True
sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../../Clients/Python")
from laurel import Client, events

outbox, service, name = sys.argv[1:]
client = Client(service, application="test", outbox=outbox, batch_events=50, retry_base=0.02, retry_cap=0.2)
client.start()
if name == "drain":
    while client.status.pending:
        time.sleep(0.01)
    client.close()
    sys.exit()
numbers = itertools.count()


def record(task):
    for turn in itertools.count():
        marks = [f"{name}-{task}-{next(numbers)}" for _ in range(turn % 3 + 1)]
        client.record([events.line_spoken(line=mark, accuracy=0.9) for mark in marks], learner=f"ana-{task}", language="es")
        os.write(1, "".join(f"{mark}\n" for mark in marks).encode())


for task in range(3):
    threading.Thread(target=record, args=[task]).start()
