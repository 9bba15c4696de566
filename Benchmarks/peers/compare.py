# SPDX-License-Identifier: Apache-2.0
"""Checks that DuckDB's tables have the same numbers as Laurel's, row by row and to the last digit.

    compare.py LAUREL_STORE DUCKDB_FILE

Laurel has no table of words, so the words' schedules of a few learners are compared with `laurel words`.

Prints the number of rows that agree. If rows differ, prints the first differences and exits with 1.
"""

import datetime
import itertools
import json
import pathlib
import sqlite3
import subprocess
import sys

import duckdb

LAUREL = pathlib.Path(__file__).parents[2] / ".build/release/laurel"
SHOWN = 5

PROGRESS = """
    events, first_event_ms, last_event_ms, xp, level, level_progress_percent, current_streak, longest_streak,
    last_activity_day, practice_ms, sessions, solo_sessions, multiplayer_sessions, words_known, words_learned,
    words_new, words_learning, words_reviewing, words_mastered, successful_repairs, help_given, team_wins,
    estimated_cefr, cefr_progress_percent, xp_by_bucket, metrics
"""
DAILY = "xp, practice_ms, lines, reviews, correct_reviews, new_words, learned_words, active"

# The tables: name, and queries of the rows in Laurel and in DuckDB, in the same order.
TABLES = [
    (
        "progress",
        f"""SELECT subject, coalesce(g.tag, '*') AS language, {PROGRESS}
            FROM progress_rows p JOIN (SELECT learner, subject FROM learners) USING (learner)
                LEFT JOIN languages g USING (language)
            ORDER BY 1, 2""",
        f"""SELECT subject, language, {PROGRESS} FROM out_progress ORDER BY 1, 2""",
    ),
    (
        "daily",
        f"SELECT subject, language, day, {DAILY} FROM daily ORDER BY 1, 2, 3",
        f"SELECT subject, language, (DATE '1970-01-01' + day)::VARCHAR, {DAILY} FROM out_daily ORDER BY 1, 2, 3",
    ),
    (
        "achievements",
        """SELECT l.subject, '*', n.id, tier, unlocked_ms, progress
           FROM achievement_rows JOIN learners l USING (learner) JOIN achievement_names n USING (achievement)
           ORDER BY 1, 3""",
        """SELECT subject, language, achievement, tier, unlocked_ms, progress FROM out_achievements ORDER BY 1, 3""",
    ),
]


def plain(value):
    """The value in one form for both: numbers by value, objects as sorted lists of pairs."""
    if isinstance(value, str) and value.startswith("{"):
        value = json.loads(value)
    if isinstance(value, dict):
        return sorted((name, float(number)) for name, number in value.items())
    if isinstance(value, bool):
        return int(value)
    return value


def tells_nothing(name, row):
    """True for a day on which no column counts anything. Laurel may keep such a day, with zeros."""
    return name == "daily" and not any(row[3:])


def rows(name, cursor):
    while batch := cursor.fetchmany(10_000):
        for row in batch:
            row = tuple(plain(value) for value in row)
            if not tells_nothing(name, row):
                yield row


def differences(name, ours, theirs):
    """Yields a sentence per difference, and counts the rows that agree in `differences.agreed`."""
    differences.agreed = 0
    for left, right in itertools.zip_longest(ours, theirs):
        if left == right:
            differences.agreed += 1
        else:
            yield f"{name}: Laurel has {left}\n{' ' * len(name)}  DuckDB has {right}"
            if left is None or right is None or left[:2] != right[:2]:
                return


def laurel_words(store, subject):
    command = [LAUREL, "words", "--store", store, subject, "--json", "--at", "9999-12-31T00:00:00Z"]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    names = ("word", "easeFactor", "intervalDays", "mastery", "reviews", "correct")
    return sorted(
        (
            word["language"] or "",
            *(word[name] for name in names),
            milliseconds(word["nextReviewAt"]),
            int(word["learned"]),
        )
        for word in found
    )


def milliseconds(instant):
    moment = datetime.datetime.fromisoformat(instant)
    return (moment - datetime.datetime.fromtimestamp(0, datetime.UTC)) // datetime.timedelta(milliseconds=1)


def word_differences(store, other):
    """Compares the words of three learners: with the most words, with the fewest, and in the middle."""
    subjects = other.execute("SELECT subject FROM out_words GROUP BY 1 ORDER BY count(*), 1").fetchall()
    chosen = {subjects[place][0] for place in (0, len(subjects) // 2, -1)} if subjects else set()
    theirs = "SELECT * EXCLUDE subject FROM out_words WHERE subject = ? ORDER BY language, word"
    for subject in sorted(chosen):
        right = (tuple(map(plain, row)) for row in other.execute(theirs, [subject]).fetchall())
        yield from differences(f"words of {subject}", laurel_words(store, subject), right)
        word_differences.agreed += differences.agreed


word_differences.agreed = 0


def main(store, database):
    laurel = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    other = duckdb.connect(database, read_only=True)
    found, agreed = [], {}
    for name, ours, theirs in TABLES:
        left, right = rows(name, laurel.execute(ours)), rows(name, other.execute(theirs))
        found += itertools.islice(differences(name, left, right), SHOWN)
        agreed[name] = differences.agreed
    found += itertools.islice(word_differences(store, other), SHOWN)
    agreed["words"] = word_differences.agreed
    for sentence in found:
        print(sentence, file=sys.stderr)
    print(json.dumps(agreed))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
