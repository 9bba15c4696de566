# SPDX-License-Identifier: Apache-2.0
"""Runs a PostgreSQL of its own until its input ends, and prints the folder of its socket, its programs and its store's address. Without
PostgreSQL's programs it prints nothing. It is a process of its own, for Tests/Faults has another module `machine` than Tests/Clients."""
import os, sys

sys.dont_write_bytecode = True
sys.path.insert(0, f"{os.path.dirname(os.path.dirname(os.path.abspath(__file__)))}/Faults")
import database

if database.programs():
    server = database.Server()
    try:
        print(server.folder, server.bin, server.address("others"), sep="\n", flush=True)
        sys.stdin.read()
    finally:
        server.close()
