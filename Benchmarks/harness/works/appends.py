# SPDX-License-Identifier: Apache-2.0
"""Small appends, durable each: to a learner's first event, to the one with most events, and to many learners at once."""

from .. import process, tools
from ..contest import Trial

# How many batches; under callgrind so many, and twice as many.
COUNTED = {1: 100, 100: 4}


def of_a_round(source, store, count, command):
    """Instructions of a round: of twice as many less as many, each in a fresh copy of the store.

    `command` is given the number of rounds."""
    def collected(count):
        source.copy_of_store(store.name)
        return process.instructions(command(count), source.path("stripped"))

    once, twice = collected(count), collected(2 * count)
    return (twice - once) / count


def instructions(source, store, learners):
    """Of an event that is appended, in a batch of one of each of some learners who have been active lately."""
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
    """Instructions of a request of one event, of a hundred learners who take turns; so many requests are stored together."""
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
