# SPDX-License-Identifier: Apache-2.0
"""Small durable appends: a learner's first event, an event of the learner with most events, and events of many learners."""

from .. import process, tools
from ..contest import Trial

# The number of batches under callgrind, by learners. A second run has twice as many.
COUNTED = {1: 100, 100: 4}


def of_a_round(source, store, count, command):
    """The instructions of a round, as the difference of two runs, one with twice as many rounds. Each has a fresh copy of the store.

    `command` makes the command for a number of rounds."""
    def collected(count):
        source.copy_of_store(store.name)
        return process.instructions(command(count), source.path("stripped"))

    once, twice = collected(count), collected(2 * count)
    return (twice - once) / count


def instructions(source, store, learners):
    """The instructions per appended event, in batches with an event of each of some recently active learners."""
    return of_a_round(source, store, COUNTED[learners], lambda count: tools.inside("class", store, learners, count, 1)) / learners


def batches(source, options):
    for learners in COUNTED:
        store = source.path(f"append-of-{learners}.db")
        command = tools.inside("class", store, learners, options.appends // learners + 1, options.appends)

        def measure(store=store, learners=learners, command=command):
            return process.run_reporting(command) | {"instructions": instructions(source, store, learners)}

        yield Trial(f"an event of each of {learners}", source.name, "laurel", measure,
                    lambda store=store: source.copy_of_store(store.name))


def joined(source, together):
    """The instructions of a request with one event, from a hundred learners who take turns. `together` requests share a commit."""
    store, learners = source.path("joined.db"), 100
    of_all = of_a_round(source, store, COUNTED[learners], lambda count: tools.inside("joined", store, learners, together, count))
    return {"instructions": of_all / learners}


def trials(source, options):
    if source.name == "crowd":
        yield from batches(source, options)
        for name, together in (("laurel", 100), ("one by one", 1)):
            yield Trial("requests of 100 learners", source.name, name, lambda together=together: joined(source, together), once=True)
        return
    for batch in (1, 10):
        store = source.path(f"append-{batch}.db")
        command = tools.inside("append", store, batch, options.appends, source.path("append.bytes"))
        yield Trial(
            f"appends of {batch}", source.name, "laurel", lambda command=command: process.run_reporting(command),
            lambda store=store: source.copy_of_store(store.name),
        )
