# SPDX-License-Identifier: Apache-2.0
"""The three shapes of input, made with `laurel simulate` and kept in `.build/bench`."""

import dataclasses
import pathlib
import shutil

from . import process, tools


@dataclasses.dataclass(frozen=True)
class Shape:
    """A shape of input, as arguments of `laurel simulate`."""

    name: str
    learners: int
    days: int
    visits: int | None = None
    # Early enough that no event is in the future, which would be refused.
    start: str = "2020-01-06"

    def arguments(self, uuid=False):
        words = ["--learners", self.learners, "--days", self.days, "--seed", 1, "--start", self.start]
        words += ["--visits", self.visits] if self.visits else []
        return words + (["--uuid"] if uuid else [])


FULL = {
    "classroom": Shape("classroom", 2_000, 360),  # some 2,500 events each
    "crowd": Shape("crowd", 200_000, 4),  # some 25
    "veteran": Shape("veteran", 5, 3_400, visits=12, start="2010-01-04"),  # some 1,000,000
}
# Inputs for a test of the benchmark itself; the figures mean nothing.
TINY = {
    "classroom": Shape("classroom", 40, 60),
    "crowd": Shape("crowd", 400, 4),
    "veteran": Shape("veteran", 2, 60, visits=6),
}


def scaled(shape, divisor):
    """The shape with fewer learners and the same number of events each. Veterans have fewer days instead."""
    if shape.learners < divisor:
        return dataclasses.replace(shape, days=max(2, shape.days // divisor))
    return dataclasses.replace(shape, learners=max(1, shape.learners // divisor))


def tenfold(shape):
    return dataclasses.replace(shape, learners=shape.learners * 10)


class Input:
    """A file of events, and the files made from it: Laurel's store, and DuckDB's."""

    def __init__(self, shape):
        self.shape = shape
        visits = f"-{shape.visits}" if shape.visits else ""
        self.folder = tools.CACHE / f"{shape.name}-{shape.learners}-{shape.days}{visits}-{shape.start}"
        self.file = self.folder / "events.ndjson"
        self.events = 0
        # By table, the number of rows that agree in DuckDB and Laurel.
        self.compared = {}
        # By store, the fingerprint, which no replay may change.
        self.fingerprints = {}

    @property
    def name(self):
        return self.shape.name

    def make(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.simulate(self.file)
        count = self.folder / "count"
        if not count.exists():
            count.write_text(str(sum(chunk.count(b"\n") for chunk in chunks(self.file))))
        self.events = int(count.read_text())

    def simulate(self, file, uuid=False):
        if not file.exists():
            part = file.with_suffix(".part")
            process.run([tools.LAUREL, "simulate", *self.shape.arguments(uuid), "--out", part])
            part.rename(file)

    def path(self, name):
        return self.folder / name

    @property
    def store(self):
        """Laurel's store of the whole file. It is made anew each time, because the program may have changed."""
        return self.folder / "events.db"

    def make_store(self, file=None, store=None, rules=tools.RULES):
        store = store or self.store
        remove(store)
        return process.run(tools.ingest(store, file or self.file, rules=rules))

    def copy_of_store(self, name):
        copy = self.folder / name
        remove(copy)
        shutil.copyfile(self.store, copy)
        return copy


def remove(database: pathlib.Path):
    """Removes a database and the files beside it."""
    for file in database.parent.glob(database.name + "*"):
        file.unlink()


def chunks(file, size=1 << 20):
    with open(file, "rb") as source:
        while chunk := source.read(size):
            yield chunk
