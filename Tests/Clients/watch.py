# SPDX-License-Identifier: Apache-2.0
"""Prints a learner's number of events, each time that it changes: watch.py OUTBOX SERVICE."""
import os, sys

sys.dont_write_bytecode = True
sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../../Clients/Python")
from laurel import Client

client = Client(sys.argv[2], application="test", outbox=sys.argv[1], retry_base=0.02, retry_cap=0.1)
for state in client.progress("ana/1"):
    print(state["events"] if state else 0, flush=True)
