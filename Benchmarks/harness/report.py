# SPDX-License-Identifier: Apache-2.0
"""The tables for people, in Markdown, and the JSON for programs."""

import json
import statistics

from .goals import Figures, goals

# The columns of a trial's figures, if measured: name, heading, format.
COLUMNS = [
    ("seconds", "seconds", lambda value: f"{value:.3f}"),
    ("cpu_seconds", "CPU seconds", lambda value: f"{value:.3f}"),
    ("peak_bytes", "peak MB", lambda value: f"{value / 1e6:.0f}"),
    ("bytes_per_event", "bytes an event", lambda value: f"{value:.2f}"),
    ("cpu_us_per_event", "CPU µs each", lambda value: f"{value:,.1f}"),
    ("p50_ms", "p50 ms", lambda value: f"{value:,.1f}"),
    ("p99_ms", "p99 ms", lambda value: f"{value:,.1f}"),
    ("bytes_per_stream", "bytes a stream", lambda value: f"{value:,.0f}"),
]
LATENCIES = {
    "open": "opening", "progress": "progress of one learner", "words": "words of one learner",
    "learners": "everyone's headline numbers", "leaderboard": "the ten with most XP", "late": "a year late",
    "first": "a new learner's first", "millionth": "the busiest learner's next", "bare": "bare write and fsync",
}


def spread(values, write):
    """The median and, if there are several values, the smallest and the largest."""
    middle = write(statistics.median(values))
    return middle if len(values) == 1 else f"{middle} ({write(min(values))}–{write(max(values))})"


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def works(trials):
    names = dict.fromkeys(trial.work for trial in trials)
    return [(name, [trial for trial in trials if trial.work == name]) for name in names]


def work_table(trials):
    shown = [column for column in COLUMNS if any(trial.values(column[0]) for trial in trials)]
    has_rate = any(trial.values("events") for trial in trials)
    rows = []
    for trial in trials:
        row = [trial.input, trial.contestant]
        for name, _, write in shown:
            row.append(spread(trial.values(name), write) if trial.values(name) else "–")
        if has_rate:
            row += rates(trial, next((other for other in trials
                                      if other.input == trial.input and other.contestant == "laurel"), None))
        rows.append(row + share(trial, trials))
    heading = ["input", "", *(heading for _, heading, _ in shown)]
    heading += ["events/s", "and core", "Laurel is faster by"] if has_rate else []
    return table(heading + (["Laurel's share of it"] if len(rows[0]) > len(heading) else []), rows)


def share(trial, trials):
    """The size of Laurel's store as a share of the trial's, for the same events."""
    if not trial.values("bytes_per_event"):
        return []
    ids = trial.contestant.split(", ")[-1]
    laurel = next((other for other in trials if other.input == trial.input
                   and other.contestant in ("laurel", f"laurel, {ids}")), trial)
    if laurel is trial:
        return [""]
    size = statistics.median(laurel.values("bytes_per_event")) / statistics.median(trial.values("bytes_per_event"))
    return [f"{size:.2f} ×"]


def rates(trial, laurel):
    def rate(of, per):
        return statistics.median(of.values("events")) / statistics.median(of.values(per))

    ratio = f"{rate(laurel, 'seconds') / rate(trial, 'seconds'):.2f} ×" if laurel and laurel is not trial else ""
    # The processor time of a server is not known.
    by_core = f"{rate(trial, 'cpu_seconds'):,.0f}" if trial.values("cpu_seconds") else "–"
    return [f"{rate(trial, 'seconds'):,.0f}", by_core, ratio]


def latency_table(trials):
    rows = []
    for trial in trials:
        for name, label in LATENCIES.items():
            if not trial.values(f"{name}_p50_ms"):
                continue
            row = [trial.input, label]
            for part in ("p50_ms", "p99_ms", "per_second"):
                row.append(spread(trial.values(f"{name}_{part}"), lambda value: f"{value:,.2f}"))
            rows.append(row + of_bare(trial, name))
    heading = ["input", "", "p50 ms", "p99 ms", "a second"]
    return table(heading + (["p50 of bare's", "p99 of bare's"] if len(rows[0]) > len(heading) else []), rows)


def of_bare(trial, name):
    """The trial's latencies as multiples of the bare write's, if there was one."""
    def ratio(part):
        bare = statistics.median(trial.values(f"bare_{part}"))
        return f"{statistics.median(trial.values(f'{name}_{part}')) / bare:.2f} ×"

    return [ratio("p50_ms"), ratio("p99_ms")] if trial.values("bare_p50_ms") else []


def goal_table(judged):
    marks = {True: "yes", False: "**no**", None: "not measured"}
    rows = [[goal["goal"], goal["target"], goal.get("text", "–"), marks[goal["met"]]] for goal in judged]
    return table(["goal", "target", "measured", "met"], rows)


def markdown(trials, machine, runs):
    parts = [
        f"{machine['processor']}, {machine['cores']} cores, {machine['memory_bytes'] / (1 << 30):.0f} GB, "
        f"{machine['file_system']}; Laurel {machine['versions']['commit']}; medians of {runs} runs (smallest–largest)"
    ]
    for name, members in works(trials):
        is_latency = any(trial.values(f"{part}_p50_ms") for trial in members for part in LATENCIES)
        parts.append(f"## {name.capitalize()}\n\n{(latency_table if is_latency else work_table)(members)}")
    parts.append(f"## Goals\n\n{goal_table(judge(trials))}")
    return "\n\n".join(parts)


def judge(trials):
    figures = Figures(trials)
    return [goal.judged(figures) for goal in goals()]


def write_json(file, trials, machine, options):
    document = {
        "machine": machine,
        "options": options,
        "trials": [
            {"work": trial.work, "input": trial.input, "contestant": trial.contestant, "runs": trial.results}
            for trial in trials
        ],
        "goals": judge(trials),
    }
    file.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
