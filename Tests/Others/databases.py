# SPDX-License-Identifier: Apache-2.0
"""DuckDB and pandas read a store, a file or a PostgreSQL database, through the views that docs/store.md promises.

A file has days and instants as text, and 0 or 1 for no and yes. PostgreSQL has types of its own for them, and so has DuckDB; from
Python it needs pytz to give out instants."""
import contextlib, importlib.util, json, re, sqlite3, subprocess
from datetime import date, datetime, timezone

import duckdb
from pandas.api.types import is_numeric_dtype

from scene import demand, event, expect, fill, post, run, serving
from Harness import postgresql

VIEWS = ["learner_profiles", "progress", "daily", "achievements", "goals", "balances"]
DAYS = {"last_activity_day", "streak_ends", "day"}
INSTANTS = {"first_event_at", "last_event_at", "last_practice_at", "unlocked_at", "completed_at", "refill_anchor"}
TEXTS = DAYS | INSTANTS | {"learner", "language", "display_name", "cohort", "native_language", "timezone", "estimated_cefr",
                           "xp_by_bucket", "metrics", "achievement", "goal", "every", "window", "currency"}
# The columns of numbers that each view must have.
NUMBERS = {"learner_profiles": {"learner_number", "events", "daily_goal_minutes", "leaderboard"},
           "progress": {"learner_number", "events", "xp", "level", "level_progress_percent", "current_streak", "longest_streak", "practice_ms",
                        "sessions", "words_learned", "cefr_progress_percent", "flagged_events", "flagged_xp"},
           "daily": {"learner_number", "xp", "practice_ms", "lines", "reviews", "correct_reviews", "new_words", "learned_words", "active",
                     "flagged_xp"},
           "achievements": {"learner_number", "tier", "tiers", "progress", "hidden"},
           "goals": {"learner_number", "value", "target", "times"},
           "balances": {"learner_number", "balance", "hold", "refill_every_ms", "refill_by"}}
NUMERIC = {"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE"}
FLAGS = {"active", "hidden", "leaderboard"}
# The members of /v1/learners, and the view and column that add up to the same.
SUMS = {"totalXP": ("progress", "xp"), "currentLevel": ("progress", "level"), "currentStreak": ("progress", "current_streak"),
        "totalWordsLearned": ("progress", "words_learned"), "events": ("learner_profiles", "events")}


def connected(kind, where):
    """DuckDB with the package's own extension; nothing is downloaded."""
    folder = importlib.util.find_spec(f"duckdb_extension_{kind}_scanner").submodule_search_locations[0]
    connection = duckdb.connect(config={"autoinstall_known_extensions": False, "autoload_known_extensions": False})
    connection.execute(f"LOAD '{folder}/extensions/v{duckdb.__version__}/{kind}_scanner.duckdb_extension'")
    connection.execute(f"ATTACH '{where}' AS store (TYPE {kind}, READ_ONLY)")
    return connection


def fitting(name, kind, is_file):
    """True if a column has a suitable type."""
    if name in DAYS | INSTANTS and not is_file:
        return kind == ("DATE" if name in DAYS else "TIMESTAMP WITH TIME ZONE")
    if name in TEXTS:
        return kind in ("VARCHAR", "JSON")
    return kind in NUMERIC or (name in FLAGS and kind == "BOOLEAN")


def check_types(connection, what, schema, view):
    """Gives the names of the columns, and expects that each has its type."""
    columns = {row[0]: row[1] for row in connection.sql(f"DESCRIBE {schema}.{view}").fetchall()}
    missing = NUMBERS[view] - set(columns)
    expect(not missing, f"{what}: {view} has the columns {sorted(missing)}")
    wrong = {name: kind for name, kind in columns.items() if not fitting(name, kind, schema == "store")}
    expect(not wrong, f"{what}: {view} has numbers for numbers and text for text: {wrong}")
    return list(columns)


def spelled(name, value, is_file):
    """Gives a value as a file has it: days and instants as text, JSON as a document, numbers as one kind of number."""
    if name in INSTANTS and isinstance(value, str) and not is_file:
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime):
        # Microseconds beyond milliseconds would be a mistake, so they are kept.
        text = value.astimezone(timezone.utc).isoformat(timespec="microseconds")
        return text.replace("000+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if name in ("metrics", "xp_by_bucket"):
        return json.loads(value) if isinstance(value, str) else value
    return float(value) if isinstance(value, (bool, int)) else value


def check_values(what, view, rows):
    """Days and instants have the documented spelling, and metrics are numbers."""
    forms = {name: r"\d{4}-\d\d-\d\d" for name in DAYS} | {name: r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z" for name in INSTANTS}
    for row in rows:
        for name, value in row.items():
            if name in forms and value is not None:
                expect(isinstance(value, str) and re.fullmatch(forms[name], value), f"{what}: {view}.{name} is {value!r}")
            if name in ("metrics", "xp_by_bucket"):
                expect(all(isinstance(one, (int, float)) for one in value.values()), f"{what}: {view}.{name} is {value!r}")


def check_rows(connection, what, schema, view, wanted):
    """Expects the rows that the database's own program gives, in any order."""
    columns = check_types(connection, what, schema, view)
    plain = lambda pairs: {name: spelled(name, value, schema == "store") for name, value in pairs}
    rows = [plain(zip(columns, row)) for row in connection.sql(f"FROM {schema}.{view}").fetchall()]
    wanted = [plain(row.items()) for row in wanted]
    expect(rows, f"{what}: {view} has rows")
    text = lambda row: json.dumps(row, sort_keys=True)
    found, listed = sorted(map(text, rows)), sorted(map(text, wanted))
    different = [pair for pair in zip(found, listed) if pair[0] != pair[1]]
    expect(len(found) == len(listed), f"{what}: {view} has {len(listed)} rows, not {len(found)}")
    expect(not different, f"{what}: {len(different)} rows of {view} differ, such as {different[:1]}")
    check_values(what, view, rows)
    return len(rows)


def check_analysis(connection, what, schema, overviews):
    """The questions of an analyst: sums by pandas, dates as dates, and two views together."""
    for name, (view, column) in SUMS.items():
        where = "WHERE language = '*'" if view == "progress" else ""
        frame = connection.sql(f"SELECT * FROM {schema}.{view} {where}").df()
        texts = {one: str(frame[one].dtype) for one in frame.columns if one not in TEXTS and not is_numeric_dtype(frame[one])}
        expect(not texts, f"{what}: pandas has numbers for {view}: {texts}")
        sums = [frame[column].sum(), sum(one[name] for one in overviews)]
        expect(sums[0] == sums[1], f"{what}: {column} of {view} adds up to {sums[0]}, and {name} of /v1/learners to {sums[1]}")
    daily, total = connection.sql(f"""
        SELECT (SELECT sum(practice_ms) FROM {schema}.daily WHERE language = '*' AND CAST(day AS DATE) >= DATE '2026-01-01'),
               (SELECT sum(practice_ms) FROM {schema}.progress WHERE language = '*')""").fetchone()
    expect(daily == total, f"{what}: the days' practice adds up to {daily}, and that of the learners to {total}")
    unlocked, late = connection.sql(f"""
        SELECT count(*), count(*) FILTER (CAST(a.unlocked_at AS TIMESTAMP) > CAST(p.last_event_at AS TIMESTAMP))
        FROM {schema}.achievements a JOIN {schema}.progress p ON p.learner = a.learner AND p.language = '*'
        WHERE a.unlocked_at IS NOT NULL""").fetchone()
    expect(unlocked > 0 and late == 0, f"{what}: {unlocked} achievements are unlocked, {late} of them after the last event")


def check_sqlite():
    """DuckDB reads the file of a service while it runs."""
    with serving(learners=True) as service:
        post(service, event(1))
        connection = connected("sqlite", service.store)
        count = 0
        with contextlib.closing(sqlite3.connect(f"file:{service.store}?mode=ro", uri=True)) as own:
            own.row_factory = sqlite3.Row
            for view in VIEWS:
                rows = [dict(row) for row in own.execute(f"SELECT * FROM {view}")]
                count += check_rows(connection, "duckdb, SQLite", "store", view, rows)
        check_analysis(connection, "duckdb, SQLite", "store", demand(service, "GET", "/v1/learners?limit=100"))
        post(service, event(2))
        events = connection.sql("SELECT events FROM store.progress WHERE learner = 'ana' AND language = '*'").fetchall()
        expect(events == [(2,)], f"duckdb, SQLite: a new event is seen: {events}")
        connection.close()
    return count


def check_postgresql(server):
    address = server.address("others")
    run("store", "create", address, check=True)
    fill(address)
    connection = connected("postgres", f"host={server.folder} user=laurel dbname=faults")
    count = 0
    for view in VIEWS:
        asked = subprocess.run([f"{server.bin}/psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", server.folder, "-U", "laurel", "-d", "faults", "-c",
                                f"SELECT row_to_json(v) FROM others.{view} v"], capture_output=True, text=True)
        expect(asked.returncode == 0, f"duckdb, PostgreSQL: psql reads {view}: {asked.stderr}")
        if asked.returncode == 0:
            count += check_rows(connection, "duckdb, PostgreSQL", "store.others", view, list(map(json.loads, asked.stdout.splitlines())))
    listed = run("learners", "--store", address, "--json", check=True)
    check_analysis(connection, "duckdb, PostgreSQL", "store.others", json.loads(listed.stdout))
    connection.close()
    return count


def check():
    rows = check_sqlite()
    if not postgresql.programs():
        return f"{rows} rows of SQLite; PostgreSQL is left out, its programs are missing"
    with postgresql.Server() as server:
        return f"{rows} rows of SQLite, {check_postgresql(server)} of PostgreSQL"
