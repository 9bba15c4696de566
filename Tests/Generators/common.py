# SPDX-License-Identifier: Apache-2.0
"""Functions that the generators of apps' files share: times, Core Data stores, orders of feeding."""

import datetime
import json
import random
import shutil
import sqlite3
from pathlib import Path

UTC = datetime.timezone.utc


def millis(time):
    """Milliseconds since 1970 of an aware datetime."""
    return round(time.timestamp() * 1000)


def instant(milliseconds):
    return datetime.datetime.fromtimestamp(milliseconds / 1000, UTC)


def rfc3339(milliseconds, zone=UTC):
    time = datetime.datetime.fromtimestamp(milliseconds / 1000, zone)
    return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def core_data_time(milliseconds):
    """Seconds since 2001, as Core Data keeps dates."""
    return milliseconds / 1000 - 978307200


def core_data_store(file, entities):
    """An empty store by Core Data's conventions. entities: {name: {attribute: SQL type}}"""
    db = sqlite3.connect(file)
    db.execute("CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
    db.execute("CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
    db.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    for number, (name, attributes) in enumerate(sorted(entities.items()), start=1):
        columns = "".join(f", Z{attribute.upper()} {kind}" for attribute, kind in attributes.items())
        db.execute(f"CREATE TABLE Z{name.upper()} (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER{columns})")
        db.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, 0)", (number, name))
    return db


def core_data_row(db, entity, /, **values):
    """Adds a row, and returns its key."""
    number = db.execute("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", (entity,)).fetchone()[0]
    columns = ", ".join(["Z_ENT", "Z_OPT"] + [f"Z{name.upper()}" for name in values])
    marks = ", ".join("?" for _ in range(len(values) + 2))
    cursor = db.execute(f"INSERT INTO Z{entity.upper()} ({columns}) VALUES ({marks})", [number, 1, *values.values()])
    db.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?", (cursor.lastrowid, entity))
    return cursor.lastrowid


def write_lines(file, lines):
    with open(file, "w", encoding="utf-8") as out:
        for line in lines:
            out.write((line if isinstance(line, str) else json.dumps(line, ensure_ascii=False)) + "\n")


def write_json(file, document):
    with open(file, "w", encoding="utf-8") as out:
        json.dump(document, out, ensure_ascii=False)


def feedings(rng, steps):
    """Ways to feed files that must all come to the same: at one go; one by one in another order; in a third, some twice.
    steps: (options, file) each."""

    def shuffled(more=()):
        some = list(steps) + list(more)
        rng.shuffle(some)
        return some

    def at_one_go(some):
        joined = []
        for options, file in some:
            if joined and joined[-1][0] == options:
                joined[-1][1].append(file)
            else:
                joined.append((options, [file]))
        return [f"{options} {' '.join(files)}" for options, files in joined]

    one_by_one = shuffled()
    if one_by_one == list(steps):
        one_by_one.reverse()
    return [
        {"name": "at one go", "steps": at_one_go(steps)},
        {"name": "one by one", "steps": [f"{options} {file}" for options, file in one_by_one]},
        {"name": "again and again", "steps": at_one_go(shuffled(rng.sample(steps, max(1, len(steps) // 2))))},
    ]


def line_feedings(rng, folder, name, options, files):
    """Ways to feed files of lines, including shuffled lines and halves."""
    for file, lines in files.items():
        write_lines(f"{folder}/{file}", lines)
    everything = [line for lines in files.values() for line in lines]
    rng.shuffle(everything)
    cut = rng.randrange(1, len(everything)) if len(everything) > 1 else 0
    halves = [f"{name}-first.ndjson", f"{name}-second.ndjson"]
    for half, lines in zip(halves, (everything[:cut], everything[cut:])):
        write_lines(f"{folder}/{half}", lines)
    return feedings(rng, [(options, file) for file in files]) + [
        {"name": "shuffled, in halves", "steps": [f"{options} {halves[1]}", f"{options} {halves[0]}"]},
    ]


def halved(rng, folder, name, options, lines):
    """Ways to feed the lines of one log that two devices share, each with every second line."""
    devices = {f"{name}-phone.ndjson": lines[::2], f"{name}-pad.ndjson": lines[1::2]}
    return line_feedings(rng, folder, name, options, devices)


def seeded(arguments):
    """The random numbers of a run, and the folder to write to."""
    return random.Random(int(arguments[1])), arguments[2]


class CoreDataApp:
    """An app's Core Data store on one device, changed over time, and copies of it."""

    def __init__(self, folder, name, entities, tables=()):
        self.folder, self.name, self.copies = Path(folder), name, []
        self.db = core_data_store(str(self.folder / f"{name}.sqlite"), entities)
        for table in tables:
            self.db.execute(table)

    def add(self, entity, **values):
        """Adds a row, and returns its key, which is never reused."""
        key = self.db.execute("SELECT Z_MAX + 1 FROM Z_PRIMARYKEY WHERE Z_NAME = ?", (entity,)).fetchone()[0]
        row = core_data_row(self.db, entity, **values)
        self.db.execute(f"UPDATE Z{entity.upper()} SET Z_PK = ? WHERE Z_PK = ?", (key, row))
        self.db.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = ?", (key, entity))
        return key

    def change(self, entity, key, **values):
        """Changes the row of this primary key, which counts as one save."""
        columns = ", ".join(f"Z{name.upper()} = ?" for name in values)
        self.db.execute(
            f"UPDATE Z{entity.upper()} SET {columns}, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", [*values.values(), key]
        )

    def delete(self, entity, key):
        self.db.execute(f"DELETE FROM Z{entity.upper()} WHERE Z_PK = ?", [key])

    def copy(self):
        """A copy of the file as it is now; its name."""
        self.db.commit()
        name = f"{self.name}-{len(self.copies) + 1}.sqlite"
        shutil.copy(self.folder / f"{self.name}.sqlite", self.folder / name)
        self.copies.append(name)
        return name
