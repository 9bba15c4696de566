"""Writes a random but valid rules file and a random stream of events for it; the same seed, the same bytes.

    python3 generate.py --seed N --events M --out DIR [--conflicts] [--invalid]
"""
from __future__ import annotations

import argparse
import os
from random import Random

from random_events import Stream
from random_rules import rules_document, write_rules


def main() -> None:
    parser = argparse.ArgumentParser(description="Random rules and events.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--events", type=int, default=500, help="roughly how many lines")
    parser.add_argument("--out", required=True, help="folder for rules.yaml and events.ndjson")
    parser.add_argument("--conflicts", action="store_true", help="with conflicts: the order of the lines matters")
    parser.add_argument("--invalid", action="store_true", help="with lines that must be refused")
    options = parser.parse_args()
    rng = Random(options.seed)
    os.makedirs(options.out, exist_ok=True)
    rules = rules_document(rng)
    write_rules(rules, os.path.join(options.out, "rules.yaml"))
    goals = [body["id"] for body in rules["achievements"]]
    lines = Stream(rng, options.events, goals, options.conflicts, options.invalid).lines()
    with open(os.path.join(options.out, "events.ndjson"), "wb") as file:
        file.write(b"".join(line + b"\n" for line in lines))


if __name__ == "__main__":
    main()
