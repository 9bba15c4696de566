# SPDX-License-Identifier: Apache-2.0
"""Every number of the two reports, from events and rules, without SQL and without anything of Laurel.

    python3 reports.py --rules RULES.yaml --events FILE.ndjson --week 2026-04-13 --at TIME [--language L]

Prints {report: {learner: [[exhibit, rows], …]}}, where `""` is everyone. An exhibit has its title or, without a title, its
kind. Rows are lists in the order of the columns; null is for rows without numbers.
"""
from __future__ import annotations

import argparse
import json
from typing import Any

import yaml

from events import Store, read_store
from instants import DAY_MS, parse_date, zone_offset
from progress import At
from report_learner import Learner, title
from report_mastery import mastery_of_all, mastery_of_learner
from report_weekly import weekly_of_all, weekly_of_learner
from rules import Rules, load
from versions import local_day


def reports(store: Store, rules: Rules, names: dict[str, tuple[str, str]], week: int, at: At, language: str | None) -> Any:
    learners = [Learner(name, store.of_learner(name), rules, week, at) for name in store.learners()]
    learners = [learner for learner in learners if learner.fold.overall.folded > 0]
    # The class's day is told by the rules' clock.
    today = min(local_day(at.time, zone_offset(rules.timezone, at.time), rules), week + 6)
    result: dict[str, Any] = {
        "weekly-xp": {"": weekly_of_all(learners, language, week, today)},
        "mastery": {"": mastery_of_all(learners, language, week, today)},
    }
    for learner in learners:
        if learner.track(language):
            result["weekly-xp"][learner.name] = weekly_of_learner(learner, language, names)
            result["mastery"][learner.name] = mastery_of_learner(learner, language)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Every number of the two reports, computed the simple way.")
    parser.add_argument("--rules", required=True)
    parser.add_argument("--events", required=True)
    parser.add_argument("--week", required=True, help="the week's first day")
    parser.add_argument("--at", required=True)
    parser.add_argument("--language")
    options = parser.parse_args()
    with open(options.rules, encoding="utf-8") as file:
        raw = yaml.load(file, Loader=yaml.BaseLoader).get("achievements") or []
    def english(text: Any) -> str:
        return text["en"] if isinstance(text, dict) else text
    names = {item["id"]: (english(item.get("name", title(item["id"]))), english(item.get("description", ""))) for item in raw}
    at = At.parse(options.at)
    store = read_store(options.events, at.time + 365 * DAY_MS)
    found = reports(store, load(options.rules), names, parse_date(options.week), at, options.language)
    print(json.dumps(found, ensure_ascii=False, allow_nan=False))


if __name__ == "__main__":
    main()
