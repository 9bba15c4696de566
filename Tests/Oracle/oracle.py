# SPDX-License-Identifier: Apache-2.0
"""The reference implementation's command line; README.md gives its purpose.

    python3 oracle.py --rules RULES.yaml [--then DATE=RULES.yaml …] --events FILE.ndjson [--at TIME] [--now TIME] --all
    python3 oracle.py --rules RULES.yaml [--then DATE=RULES.yaml …] --events FILE.ndjson [--at TIME] --words LEARNER
    python3 oracle.py --events FILE.ndjson [--now TIME] --counts
    python3 oracle.py --leagues FOLDER [--week WEEK …] [--now TIME]
"""
from __future__ import annotations

import argparse
import json
import time
from typing import Any

from events import Store, read_store
from instants import format_instant, parse_date
from leagues import Leagues, play
from progress import At, all_tracks, words_of
from rules import load
from versions import Versions, load_versions


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Laurel's semantics, computed the simple way.")
    parser.add_argument("--rules", help="rules file; not needed with --counts")
    parser.add_argument("--then", action="append", default=[], metavar="DATE=RULES", help="rules from a date on")
    parser.add_argument("--events", help="events, one JSON object a line; not needed with --leagues")
    parser.add_argument("--at", help="the instant to read as of, RFC 3339 (default: --now)")
    parser.add_argument("--now", help="the ingest clock, RFC 3339 (default: the system's)")
    parser.add_argument("--week", action="append", default=[], help="a week for --leagues, such as 2026-W13")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--all", action="store_true", help="progress of every track of every learner")
    what.add_argument("--counts", action="store_true", help="what ingesting the file would report")
    what.add_argument("--refused", action="store_true", help="the refused lines: number and reason")
    what.add_argument("--words", metavar="LEARNER", help="a learner's words with their schedule")
    what.add_argument("--leagues", metavar="FOLDER", help="results of leagues after all stages of a world, and standings of weeks")
    options = parser.parse_args()
    if options.events is None and options.leagues is None:
        parser.error("--events is missing")
    return options


def answer(options: argparse.Namespace) -> Any:
    now = options.now or format_instant(int(time.time() * 1000))
    if options.leagues is not None:
        leagues = Leagues(Store(), load_versions(options.leagues))
        play(leagues, options.leagues, At.parse(now).time)
        return {"results": leagues.results(), "standings": [leagues.standings(week) for week in options.week]}
    store = read_store(options.events, At.parse(now).time)
    if options.counts:
        return store.counts
    if options.refused:
        return [{"line": line, "reason": reason} for line, reason in store.reasons]
    return progress(options, store, At.parse(options.at or now))


def progress(options: argparse.Namespace, store: Store, at: At) -> Any:
    versions = Versions(load(options.rules))
    for applied in options.then:
        date, _, path = applied.partition("=")
        versions.apply(load(path), parse_date(date))
    if options.words is not None:
        return words_of(store.of_learner(options.words), versions, at)
    return {learner: all_tracks(learner, store.of_learner(learner), versions, at) for learner in store.learners()}


if __name__ == "__main__":
    print(json.dumps(answer(arguments()), ensure_ascii=False, indent=1, allow_nan=False))
