# SPDX-License-Identifier: Apache-2.0
"""The list of clients that every check tries, each with the programs that use it."""
import functools, os, shutil, sys

import kotlin
from Harness import root
from machine import here


class Driver:
    """A client.

    command: the command of a program, such as `deliver`, to which the outbox is added.
    outbox: the name of the outbox in a folder.
    together: the number of processes that may share an outbox.
    missing: returns the tools that it needs, and that are not installed."""

    def __init__(self, command, outbox, together, missing):
        self.command, self.outbox, self.together, self.missing = command, outbox, together, missing


def script(program, ending):
    return lambda name: [program, f"{here}/{name}.{ending}"]


deno = f"{root}/.build/deno-tools/bin/deno"

clients = {
    "Node": Driver(script("node", "mjs"), "outbox", 2, lambda: [tool for tool in ["node"] if not shutil.which(tool)]),
    "Python": Driver(script(sys.executable, "py"), "outbox.db", 2, lambda: []),
    # laurel.js with a storage of the app: a SQLite file, as in React Native.
    "Deno": Driver(lambda name: [deno, "run", "--quiet", "--no-lock", "--allow-all", f"{here}/{name}.mjs"], "outbox.sqlite", 1,
                   lambda: [] if os.path.exists(deno) else ["Deno"]),
    "Kotlin": Driver(kotlin.command, "outbox", 1, kotlin.missing),
}


@functools.cache
def present():
    """The names of the clients whose tools are installed. The others are skipped with a message."""
    for name, client in clients.items():
        if missing := client.missing():
            print(f"{name}: left out, {', '.join(missing)} is missing", file=sys.stderr, flush=True)
    return [name for name, client in clients.items() if not client.missing()]


def command(name, program, folder):
    return [*clients[name].command(program), f"{folder}/{clients[name].outbox}"]
