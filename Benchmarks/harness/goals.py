# SPDX-License-Identifier: Apache-2.0
"""The goals of performance, and their verdicts."""

import dataclasses
import statistics
import typing


@dataclasses.dataclass
class Goal:
    what: str
    target: str
    # Returns the figure, true if it is good enough, and its text; None if it was not measured.
    judge: typing.Callable

    def judged(self, figures):
        try:
            found = self.judge(figures)
        except KeyError:
            found = None
        if found is None:
            return {"goal": self.what, "target": self.target, "measured": None, "met": None}
        value, met, text = found
        return {"goal": self.what, "target": self.target, "measured": value, "met": met, "text": text}


class Figures:
    """Medians by work, input and contestant."""

    def __init__(self, trials):
        self.trials = {(trial.work, trial.input, trial.contestant): trial for trial in trials}

    def median(self, work, source, contestant, name):
        values = self.trials[work, source, contestant].values(name)
        if not values:
            raise KeyError(name)
        return statistics.median(values)

    def rate(self, source, contestant, per="seconds", work="replay"):
        return self.median(work, source, contestant, "events") / self.median(work, source, contestant, per)

    def contestants(self, work):
        return [key for key in self.trials if key[0] == work]


def at_least(value, limit, text):
    return value, value >= limit, text


def at_most(value, limit, text):
    return value, value <= limit, text


def million(value):
    return f"{value / 1e6:.2f} M/s"


def times(value):
    return f"{value:.2f} ×"


def milliseconds(value):
    return f"{value:.2f} ms"


def replay_goals(source):
    def per_core(figures):
        rate = figures.rate(source, "laurel", per="cpu_seconds")
        return at_least(rate, 10e6, million(rate))

    def cores(figures):
        share = figures.median("replay", source, "laurel", "cpu_seconds") / figures.median(
            "replay", source, "laurel", "seconds")
        return at_least(share, 1.7, f"{share:.2f} cores")

    def duckdb(figures):
        ratio = figures.rate(source, "laurel") / figures.rate(source, "duckdb")
        least = {"classroom": 25, "crowd": 12, "veteran": 20}[source]
        return at_least(ratio, least, times(ratio))

    def floor(figures):
        ratio = figures.rate(source, "by hand") / figures.rate(source, "laurel")
        return at_most(ratio, 1.6, times(ratio))

    return [
        Goal(f"replay, {source}: events a second and core", "≥ 10 M/s", per_core),
        Goal(f"replay, {source}: both cores used", "≥ 1.7 cores", cores),
        Goal(f"replay, {source}: faster than DuckDB", {"classroom": "≥ 25 ×", "crowd": "≥ 12 ×"}.get(source, "≥ 20 ×"), duckdb),
        Goal(f"replay, {source}: time of rules by hand", "≤ 1.6 ×", floor),
    ]


def eventsourcing_goal():
    def judge(figures):
        ratio = figures.rate("classroom", "laurel") / figures.rate("classroom", "eventsourcing")
        return at_least(ratio, 100, times(ratio))

    return Goal("replay, classroom: faster than eventsourcing", "≥ 100 ×", judge)


def starter_goal():
    def judge(figures):
        ratio = figures.median("replay", "classroom", "starter rules", "cpu_seconds") / figures.median(
            "replay", "classroom", "laurel", "cpu_seconds")
        return at_most(ratio, 2.4, times(ratio))

    return Goal("replay, classroom: processor time under the starter rules", "≤ 2.4 ×", judge)


def ingest_goals():
    def rate(figures):
        value = figures.rate("classroom", "laurel", work="ingest")
        return at_least(value, 1e6, million(value))

    def duckdb(figures):
        fastest = max(figures.rate("classroom", f"duckdb, {kind}", work="ingest") for kind in ("json", "typed"))
        ratio = figures.rate("classroom", "laurel", work="ingest") / fastest
        return ratio, ratio > 1, times(ratio)

    return [
        Goal("ingest, classroom: events a second", "≥ 1 M/s", rate),
        Goal("ingest, classroom: faster than DuckDB's load", "> 1 ×", duckdb),
    ]


def append_goals(batch):
    work = f"appends of {batch}"

    def bare(figures):
        ratio = max(
            figures.median(work, "veteran", "laurel", f"{when}_p99_ms")
            / figures.median(work, "veteran", "laurel", "bare_p99_ms") for when in ("first", "millionth"))
        return at_most(ratio, 2, times(ratio))

    def growth(figures):
        ratio = figures.median(work, "veteran", "laurel", "millionth_p50_ms") / figures.median(
            work, "veteran", "laurel", "first_p50_ms")
        return at_most(ratio, 1.2, times(ratio))

    return [
        Goal(f"{work}: p99 of a bare fsync's", "≤ 2 ×", bare),
        Goal(f"{work}: the millionth event's median of the first's", "≤ 1.2 ×", growth),
    ]


def batch_goals():
    def instructions(learners, limit):
        def judge(figures):
            value = figures.median(f"an event of each of {learners}", "crowd", "laurel", "instructions")
            return at_most(value, limit, f"{value:,.0f}")

        return Goal(f"an event of each of {learners}: instructions an event", f"≤ {limit:,}", judge)

    def progress(figures):
        value = figures.median("an event of each of 100", "crowd", "laurel", "progress_p50_ms") * 1000
        return at_most(value, 50, f"{value:.0f} µs")

    def joined(figures):
        together, apart = (
            figures.median("requests of 100 learners", "crowd", name, "instructions") for name in ("laurel", "one by one"))
        return at_most(together / apart, 0.5, times(together / apart))

    return [instructions(1, 200_000), instructions(100, 40_000),
            Goal("100 requests stored together: instructions by as many one by one", "≤ 0.5 ×", joined),
            Goal("progress of a learner folded lately", "≤ 50 µs", progress)]


def leaderboard_goal():
    def judge(figures):
        value = figures.median("reads", "classroom", "laurel", "past_leaderboard_p50_ms")
        return at_most(value, 1000, milliseconds(value))

    return Goal("a past week's leaderboard as of its middle, classroom", "≤ 1000 ms", judge)


def late_goal(source, limit):
    def judge(figures):
        value = figures.median("late", source, "laurel", "late_p50_ms")
        return at_most(value, limit, milliseconds(value))

    return Goal(f"late event, {source}", f"≤ {limit} ms", judge)


def opening_goal(source):
    def judge(figures):
        value = figures.median("reads", source, "laurel", "open_p50_ms")
        return value, value < 10, milliseconds(value)

    return Goal(f"opening, {source}", "< 10 ms", judge)


def size_goals():
    def ids(kind, limit):
        def judge(figures):
            value = figures.median("size", "classroom", f"laurel, {kind} ids", "bytes_per_event")
            return at_most(value, limit, f"{value:.2f} B")

        return Goal(f"size, {kind} ids: bytes an event", f"≤ {limit} B", judge)

    def parquet(figures):
        share = figures.median("size", "classroom", "laurel, counting ids", "bytes_per_event") / figures.median(
            "size", "classroom", "parquet, counting ids", "bytes_per_event")
        return at_most(share, 0.25, times(share))

    return [ids("counting", 8), ids("uuid", 24), Goal("size, counting ids: of Parquet's", "≤ 0.25 ×", parquet)]


def memory_goal():
    def judge(figures):
        largest = max(figures.contestants("memory"), key=lambda key: int(key[1].split()[0]))[1]
        peak = max(
            figures.median("memory", largest, contestant, "peak_bytes") for contestant in ("ingest", "replay"))
        return at_most(peak, 256e6, f"{peak / 1e6:.0f} MB with {largest}")

    def measured(figures):
        return judge(figures) if figures.contestants("memory") else None

    return Goal("memory: peak of ingest and replay", "≤ 256 MB", measured)


def serve_goals():
    def figure(figures, work, name, what):
        return figures.median(work, "classroom", name, what)

    def cpu_of_go(figures):
        work = "POST of one event, 64 connections"
        ratio = figure(figures, work, "laurel", "cpu_us_per_event") / figure(figures, work, "go", "cpu_us_per_event")
        return at_most(ratio, 1, times(ratio))

    def rate_of_fastapi(connections):
        def judge(figures):
            work = f"POST of one event, {connections} connections"
            ratio = figures.rate("classroom", "laurel", work=work) / figures.rate("classroom", "fastapi", work=work)
            return at_least(ratio, 5, times(ratio))

        return Goal(f"POST of one event, {connections} connections: requests by FastAPI with SQLite", "≥ 5 ×", judge)

    def batch(figures):
        work = "POST of 50 events"
        ratio = figure(figures, work, "laurel", "cpu_us_per_event") / figure(figures, work, "laurel ingest", "cpu_us_per_event")
        return at_most(ratio, 4, times(ratio))

    def warm(figures):
        ratio = figure(figures, "GET progress", "laurel", "cpu_us_per_event") / figure(figures, "GET progress", "laurel, static", "cpu_us_per_event")
        return at_most(ratio, 10, times(ratio))

    def idle(figures):
        ratio = figure(figures, "idle stream", "laurel", "bytes_per_stream") / figure(figures, "idle stream", "go", "bytes_per_stream")
        return at_most(ratio, 0.5, times(ratio))

    def slowest(figures):
        work = "POST of one event, 64 connections"
        ratio = figure(figures, work, "laurel", "p99_ms") / figure(figures, work, "go", "p99_ms")
        return at_most(ratio, 3, times(ratio))

    return [
        Goal("POST of one event: CPU by a Go program that only inserts", "≤ 1 ×", cpu_of_go),
        rate_of_fastapi(64), rate_of_fastapi(256),
        Goal("POST of 50 events: CPU an event by laurel ingest", "≤ 4 ×", batch),
        Goal("GET progress, warm: CPU by a static GET", "≤ 10 ×", warm),
        Goal("idle stream: memory by Go's", "≤ 0.5 ×", idle),
        Goal("POST of one event: p99 of the Go program's bare group commit", "≤ 3 ×", slowest),
    ]


def postgresql_goals():
    """Goals compared with the store in a file, and with tables with a row for each event."""
    def figure(figures, work, name, what):
        return figures.median(work, "classroom", name, what)

    def rate(work, of, to="laurel"):
        return lambda figures: figures.rate("classroom", to, work=work) / figures.rate("classroom", of, work=work)

    def goal(what, limit, ratio):
        def judge(figures):
            value = ratio(figures)
            return at_least(value, limit, times(value))

        return Goal(what, f"≥ {limit} ×", judge)

    def bytes_by(of, limit):
        def judge(figures):
            work = "events in PostgreSQL"
            value = figure(figures, work, "laurel", "bytes_per_event") / figure(figures, work, of, "bytes_per_event")
            return at_most(value, limit, f"{value:.3f} ×")

        return Goal(f"PostgreSQL: bytes an event, by {of}", f"≤ {limit} ×", judge)

    def commit(figures):
        work = "POST of one event, 32 connections, PostgreSQL"
        value = figure(figures, work, "laurel", "p50_ms") / figure(figures, work, "rows of documents", "p50_ms")
        return at_most(value, 1.3, times(value))

    rows = "rows of documents"
    return [
        bytes_by("laurel, in a file", 1.15), bytes_by(rows, 0.02),
        goal("PostgreSQL: appends of 32, rate by rows of documents", 5, rate("appends of 32 to PostgreSQL", rows)),
        goal("PostgreSQL: appends of 32, by rows of documents, a statement each", 5,
             rate("appends of 32 to PostgreSQL", f"{rows}, a statement each")),
        Goal("PostgreSQL: one event a request, 32 clients, p50 by rows of documents", "≤ 1.3 ×", commit),
        goal("PostgreSQL: ingest, rate by that into a file", 0.8, rate("ingest into PostgreSQL", "laurel, in a file")),
        goal("PostgreSQL: reading all events, rate by typed rows", 25, rate("reading all events of PostgreSQL", "typed rows")),
        goal("PostgreSQL: replay, rate by that of a file", 0.85, rate("replay in PostgreSQL", "laurel, in a file")),
    ]


def goals():
    shapes = ("classroom", "crowd", "veteran")
    return [
        *(goal for shape in shapes for goal in replay_goals(shape)),
        eventsourcing_goal(),
        starter_goal(),
        *ingest_goals(),
        *(goal for batch in (1, 10) for goal in append_goals(batch)),
        *batch_goals(),
        leaderboard_goal(),
        late_goal("classroom", 5),
        late_goal("veteran", 100),
        *(opening_goal(shape) for shape in shapes),
        *size_goals(),
        memory_goal(),
        *serve_goals(),
        *postgresql_goals(),
    ]
