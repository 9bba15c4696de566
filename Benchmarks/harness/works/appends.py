"""Small appends, durable each, to a learner's first event and to the one with most events."""

from .. import process, tools
from ..contest import Trial


def trials(source, options):
    if source.name == "crowd":
        return
    for batch in (1, 10):
        store = source.path(f"append-{batch}.db")
        command = tools.inside("append", store, batch, options.appends, source.path("append.bytes"))
        yield Trial(
            f"appends of {batch}", source.name, "laurel", lambda command=command: process.run_reporting(command),
            lambda store=store: source.copy_of_store(store.name),
        )
