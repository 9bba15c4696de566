# SPDX-License-Identifier: Apache-2.0
"""Writes random but valid rules and a random stream of events for them. The same seed gives the same bytes.

    python3 generate.py --seed N --events M --out DIR [--conflicts] [--invalid] [--versions] [--games] [--merges]
"""
from __future__ import annotations

import argparse
import os
from random import Random

from instants import format_day
from random_events import Stream, random_season
from random_games import with_games
from random_merges import with_merges
from random_rules import rules_document, write_rules
from random_versions import later_versions


def main() -> None:
    parser = argparse.ArgumentParser(description="Random rules and events.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--events", type=int, default=500, help="roughly how many lines")
    parser.add_argument("--out", required=True, help="folder for rules.yaml and events.ndjson")
    parser.add_argument("--conflicts", action="store_true", help="with conflicts: the order of the lines matters")
    parser.add_argument("--invalid", action="store_true", help="with lines that must be refused")
    parser.add_argument("--versions", action="store_true", help="rules in time: periods, and rules-YYYY-MM-DD.yaml in force from that day")
    parser.add_argument("--games", action="store_true", help="with experiments, seasons, currencies, items, goals, pools and limits")
    parser.add_argument("--merges", action="store_true", help="with lines that merge learners; not with --conflicts or --invalid")
    options = parser.parse_args()
    rng = Random(options.seed)
    os.makedirs(options.out, exist_ok=True)
    season = random_season(rng)
    rules = rules_document(rng, season if options.versions else None)
    if options.games:
        rules = with_games(rng, rules, season)
    write_rules(rules, os.path.join(options.out, "rules.yaml"))
    goals = [body["id"] for body in rules["achievements"]]
    if options.versions:
        for day, later in later_versions(rng, rules, season, options.games):
            write_rules(later, os.path.join(options.out, f"rules-{format_day(day)}.yaml"))
            goals += [body["id"] for body in later["achievements"] if body["id"] not in goals]
    lines = Stream(rng, options.events, season, goals, options.conflicts, options.invalid, options.games).lines()
    if options.merges:
        lines = with_merges(rng, lines)
    with open(os.path.join(options.out, "events.ndjson"), "wb") as file:
        file.write(b"".join(line + b"\n" for line in lines))


if __name__ == "__main__":
    main()
