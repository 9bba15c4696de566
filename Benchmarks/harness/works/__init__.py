# SPDX-License-Identifier: Apache-2.0
"""The measured works, each in its own file; `ALL` is the one list of works."""

from . import appends, commands, ingest, late, memory, postgresql, reads, replay, serve, size

ALL = {
    "replay": replay.trials,
    "ingest": ingest.trials,
    "appends": appends.trials,
    "late": late.trials,
    "reads": reads.trials,
    "commands": commands.trials,
    "size": size.trials,
    "memory": memory.trials,
    "serve": serve.trials,
    "postgresql": postgresql.trials,
}
