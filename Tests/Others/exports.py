# SPDX-License-Identifier: Apache-2.0
"""pyarrow, DuckDB and polars read the tables that `laurel export` writes, and pandas reads the review log.

All must have the rows and the types of the export as NDJSON. The events are random: each type of the catalogue, and types of apps."""
import csv, json, os, random, signal, subprocess, tempfile, time
from datetime import datetime, timedelta, timezone

import duckdb, pandas, polars
import pyarrow.parquet

from scene import expect, laurel, run

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
ATTRIBUTES = ["id", "source", "subject", "time", "offsetMinutes", "language", "session", "timezone"]
# The types that each reader must report, by the kind of a column.
TYPES = {
    "text": ("string", "VARCHAR", "String"), "integer": ("int64", "BIGINT", "Int64"), "number": ("double", "DOUBLE", "Float64"),
    "boolean": ("bool", "BOOLEAN", "Boolean"),
    "instant": ("timestamp[ms, tz=UTC]", "TIMESTAMP WITH TIME ZONE", "Datetime(time_unit='ms', time_zone='UTC')"),
}
TEXTS = ["", "café", "=1+1", "a,b\r\n\"c\"", "\u0000\u0001", "😀 日本語 العربية", "NULL", "x" * 9_000, " "]


def catalogue():
    return {one["name"]: {field["name"]: field for field in one["fields"]} for one in json.loads(run("events", "--json").stdout)}


def kind(field):
    """The kind of a field's column. Lists are JSON, which is text."""
    if field["type"] == "number":
        return "integer" if "whole" in field["is"] else "number"
    return field["type"] if field["type"] in ("boolean", "instant") else "text"


def columns(type_, known):
    """Gives the names and kinds of a type's columns, in order."""
    fields = known.get(type_, {})
    names = [(f"data_{name}" if name in ATTRIBUTES else name, kind(field)) for name, field in fields.items()]
    first = [(name, {"time": "instant", "offsetMinutes": "integer"}.get(name, "text")) for name in ATTRIBUTES]
    return first + names + [("data", "text"), ("extensions", "text")]


def value(field, chance):
    if field["type"] in ("text", "textList"):
        options = field["is"].replace(" or ", ", ").split(", ")
        texts = options if len(options) > 1 else TEXTS
        return chance.choice(texts) if field["type"] == "text" else chance.sample(TEXTS[:6], 2)
    simple = {"boolean": chance.random() < 0.5, "date": "2026-03-04", "instant": "2026-03-04T05:06:07.089+01:00"}
    if field["type"] == "numberList":
        return [low for low, _ in field["bounds"]]
    if field["type"] != "number":
        return simple[field["type"]]
    words = field["is"].split(" to ")
    if len(words) == 2:
        low, high = float(words[0].split()[-1]), float(words[1])
        return chance.randint(int(low), int(high)) if "whole" in field["is"] else chance.uniform(low, high)
    return chance.randint(2, 2**53) if "whole" in field["is"] else chance.choice([1.5, 4.9e300, 7])


def made(known, chance):
    """Gives random events. Optional fields are often missing, and sometimes null."""
    types = list(known) + ["quest.finished", "a-b_c.9"]
    for number in range(600):
        type_ = types[number % len(types)]
        data = {}
        for name, field in known.get(type_, {}).items():
            if field["required"] or chance.random() < 0.6:
                data[name] = value(field, chance)
            elif chance.random() < 0.3:
                data[name] = None
        if chance.random() < 0.5:
            data["mood"] = chance.choice([*TEXTS, None, 3, [1, {"x": []}], 12345678901234567890])
        moment = EPOCH + timedelta(milliseconds=chance.randrange(10**6, 1_780_000_000_000))
        event = {"id": f"e{number}", "source": chance.choice(["app", "tablet \"é\"\n"]), "type": type_, "subject": f"learner {number % 5}",
                 "time": moment.isoformat(timespec="milliseconds").replace("+00:00", chance.choice(["Z", "+00:00", "-09:30"])),
                 "language": chance.choice(["es", "pt-BR"]), "session": f"s{number}", "data": data}
        if chance.random() < 0.3:
            event |= {"timezone": "Asia/Kathmandu", "traceparent": chance.choice(TEXTS[1:])}
        yield event


def row(event, known):
    """Gives the row of an event: its values by column, null for none. JSON is parsed."""
    moment = datetime.fromisoformat(event["time"])
    row = {name: event.get(name) for name in ATTRIBUTES} | {"time": moment.astimezone(timezone.utc)}
    row["offsetMinutes"] = None if event["time"].endswith("Z") else moment.utcoffset() // timedelta(minutes=1)
    others = dict(event.get("data", {}))
    for name, field in known.get(event["type"], {}).items():
        found = others.pop(name, None)
        if field["type"] == "instant" and found is not None:
            found = datetime.fromisoformat(found).astimezone(timezone.utc)
        row[f"data_{name}" if name in ATTRIBUTES else name] = found
    row["data"] = others or None
    row["extensions"] = {name: one for name, one in event.items() if name not in ATTRIBUTES + ["type", "specversion", "data"]} or None
    return row


def plain(row, known, type_):
    """Gives a row as a reader has it, with parsed JSON."""
    lists = {name for name, field in known.get(type_, {}).items() if field["type"].endswith("List")} | {"data", "extensions"}
    return {name: json.loads(one) if name in lists and one is not None else one for name, one in row.items()}


def read(path):
    """Gives the rows and the columns' types by each reader, called by its name."""
    table = pyarrow.parquet.read_table(path)
    yield "pyarrow", table.to_pylist(), {field.name: str(field.type) for field in table.schema}
    relation = duckdb.sql(f"FROM read_parquet('{path}')")
    yield "DuckDB", [dict(zip(relation.columns, one)) for one in relation.fetchall()], dict(zip(relation.columns, map(str, relation.types)))
    frame = polars.read_parquet(path)
    yield "polars", frame.to_dicts(), {name: str(one) for name, one in frame.schema.items()}


def check_tables(folder, events, known, what):
    """Expects that each file has the rows of its type's events. DuckDB must sum up what Python sums up."""
    for type_ in {**known, **{event["type"]: {} for event in events}}:
        wanted = [row(event, known) for event in events if event["type"] == type_]
        kinds = columns(type_, known)
        for index, (reader, rows, types) in enumerate(read(f"{folder}/{type_}.parquet")):
            found = [plain(one, known, type_) for one in rows]
            same = {one["id"] + one["subject"]: one for one in found} == {one["id"] + one["subject"]: one for one in wanted}
            expect(same and len(found) == len(wanted), f"{what}: {reader} reads other rows of {type_}")
            expect(list(types.items()) == [(name, TYPES[one][index]) for name, one in kinds], f"{what}: {reader} has types {types} for {type_}")


def check_csv(folder, events, known):
    """Expects as many records as events, with the columns of Parquet. Tests in Swift compare the cells."""
    csv.field_size_limit(1 << 20)
    for type_ in known:
        with open(f"{folder}/{type_}.csv", encoding="utf-8", newline="") as file:
            records = list(csv.reader(file))
        expect(records[0] == [name for name, _ in columns(type_, known)], f"csv: {type_} has the columns {records[0]}")
        expect(len(records) - 1 == sum(event["type"] == type_ for event in events), f"csv: {len(records)} records of {type_}")


def check_log(store, folder):
    """pandas must read the columns and the types that fsrs-optimizer needs."""
    run("export", "--store", store, "--format", "fsrs-revlog", "--out", f"{folder}/log.csv", check=True)
    frame = pandas.read_csv(f"{folder}/log.csv")
    names = ["review_time", "card_id", "review_rating", "review_duration", "review_state"]
    expect(list(frame.columns) == names, f"the log has the columns {list(frame.columns)}")
    numbers = frame[[name for name in names if name != "card_id"]]
    expect(len(frame) > 0 and all(str(one) == "int64" for one in numbers.dtypes), f"the log has the types {frame.dtypes}")
    expect(frame.notna().all().all() and frame.review_rating.between(1, 4).all(), "the log has values everywhere")
    expect(set(frame.review_state) <= {0, 2}, "a card of the log is new, or in review")


def check_killed(store, folder):
    """A killed export must leave the files of before, and the next export must succeed."""
    arguments = ["export", "--store", store, "--format", "parquet", "--out", folder]
    run(*arguments, check=True)
    before = {name: open(f"{folder}/{name}", "rb").read() for name in os.listdir(folder)}
    chance = random.Random(5)
    for _ in range(5):
        export = subprocess.Popen([laurel, *arguments], stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, 0.3))
        export.send_signal(signal.SIGKILL)
        export.wait()
        after = {name: open(f"{folder}/{name}", "rb").read() for name in os.listdir(folder) if not name.endswith(".part")}
        expect(after == before, "a killed export changes no file")
    run(*arguments, check=True)
    expect(set(os.listdir(folder)) == set(before), "the next export leaves no unfinished file")


def check():
    seed = int(os.environ.get("LAUREL_SEED", time.time()))
    known, chance = catalogue(), random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="laurel-exports-") as folder:
        store = f"{folder}/test.db"
        lines = "\n".join(json.dumps(event) for event in made(known, chance))
        run("ingest", "--store", store, "-", input=lines, check=True)
        with open(f"{folder}/secret", "wb") as secret:
            secret.write(os.urandom(32))
        for what, options in {"as stored": [], "pseudonyms": ["--pseudonyms", f"{folder}/secret"]}.items():
            told = run("export", "--store", store, *options, check=True).stdout
            events = [json.loads(line) for line in told.split("\n") if line]
            for format_ in ("parquet", "csv"):
                run("export", "--store", store, *options, "--format", format_, "--out", f"{folder}/{what}", check=True)
            check_tables(f"{folder}/{what}", events, known, f"{what}, seed {seed}")
            check_csv(f"{folder}/{what}", events, known)
        check_log(store, folder)
        check_killed(store, f"{folder}/killed")
        run("ingest", "--store", f"{folder}/empty.db", "-", input="", check=True)
        run("export", "--store", f"{folder}/empty.db", "--format", "parquet", "--out", f"{folder}/empty", check=True)
        check_tables(f"{folder}/empty", [], known, "an empty store")
    return f"{len(lines.splitlines())} events"
