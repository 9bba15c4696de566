# SPDX-License-Identifier: Apache-2.0
"""The benchmark: `make bench`. See Benchmarks/README.md."""

import argparse
import datetime
import sys

from harness import contest, inputs, machine, process, report, tools, works


def arguments():
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--inputs", default=",".join(inputs.FULL), help="of " + ", ".join(inputs.FULL))
    parser.add_argument("--works", default=",".join(works.ALL), help="of " + ", ".join(works.ALL))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scale", type=int, default=1, help="divide the inputs by this; the goals are for 1")
    parser.add_argument("--fifty-million", action="store_true", help="measure memory at 50 million events, too")
    parser.add_argument("--check", action="store_true", help="tiny inputs, one run: whether the benchmark itself works")
    options = parser.parse_args()
    for given, known in ((options.inputs, inputs.FULL), (options.works, works.ALL)):
        for name in given.split(","):
            if name not in known:
                parser.error(f"there is no {name}; there are {', '.join(known)}")
    if options.runs < 1 or options.scale < 1:
        parser.error("--runs and --scale are at least 1")
    # The repetitions of small steps, by kind of step.
    options.appends, options.late, options.reads = (20, 4, 10) if options.check else (1000, 40, 200)
    return options


def chosen_inputs(options):
    shapes = inputs.TINY if options.check else inputs.FULL
    for name in options.inputs.split(","):
        source = inputs.Input(inputs.scaled(shapes[name], options.scale))
        print(f"making {name}", file=sys.stderr, flush=True)
        source.make()
        source.make_store()
        yield source


def check(trials):
    """Checks that every goal has its figures, good or bad."""
    missing = [goal["goal"] for goal in report.judge(trials) if goal["met"] is None]
    if missing:
        raise process.Failed(f"nothing was measured for: {'; '.join(missing)}")
    print(f"the benchmark works: {len(trials)} trials, and DuckDB has Laurel's numbers")


def main():
    options = arguments()
    if options.check:
        options.runs, options.inputs, options.works = 1, ",".join(inputs.FULL), ",".join(works.ALL)
    tools.CACHE.mkdir(parents=True, exist_ok=True)
    stamp = "check" if options.check else f"{datetime.datetime.now():%Y%m%d-%H%M%S}"
    file = tools.CACHE / f"{stamp}.json"
    facts = machine.facts()
    sources = list(chosen_inputs(options))
    names = options.works.split(",")
    trials = [trial for name in names for source in sources for trial in works.ALL[name](source, options)]
    if not trials:
        raise process.Failed(f"{options.works} is not measured with {options.inputs}")
    contest.hold(trials, options.runs, lambda: report.write_json(file, trials, facts, vars(options)))
    tables = report.markdown(trials, facts, options.runs)
    if options.check:
        return check(trials)
    print(tables)
    print(f"written to {file}", file=sys.stderr)


if __name__ == "__main__":
    try:
        main()
    except process.Failed as failure:
        sys.exit(f"bench: {failure}")
