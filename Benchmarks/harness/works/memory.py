# SPDX-License-Identifier: Apache-2.0
"""The peak memory of ingest and replay, at 5 million events and, on request, at 50 million."""

from .. import inputs, process, tools
from ..contest import Trial


def trials(source, options):
    if source.name != "classroom":
        return
    shapes = [source.shape] + ([inputs.tenfold(source.shape)] if options.fifty_million else [])
    for shape in shapes:
        store = source.path(f"memory-{shape.learners}.db")
        yield Trial(
            "memory", f"{shape.learners} learners", "ingest",
            lambda shape=shape, store=store: ingest(shape, store),
            lambda store=store: inputs.remove(store), once=True,
        )
        yield Trial(
            "memory", f"{shape.learners} learners", "replay", lambda store=store: replay(store),
            lambda shape=shape, store=store: None if store.exists() else ingest(shape, store), once=True,
        )


def ingest(shape, store):
    """Ingests from a pipe, so that ten times the events need no space for a file."""
    producer = [tools.LAUREL, "simulate", *shape.arguments()]
    return process.run_piped(producer, tools.ingest(store)).numbers()


def replay(store):
    return process.run(tools.laurel("replay", store)).numbers()
