# SPDX-License-Identifier: Apache-2.0
"""GrowthBook's SDK assigns the variants that rules assign, and scipy computes the differences that the report shows."""
import datetime, json, random, sqlite3, tempfile

from growthbook import Experiment, GrowthBook
from scipy import stats

from scene import expect, run

LEARNERS = 100_000
# Rules whose XP tells the variant, and not all learners are in one.
TRIO = """
version: 1
experiments: {trio: {variants: {a: 33.3, b: 20, c: 12.5}, seed: trio-1}}
xp: [{id: line, on: line.spoken, award: "experiment.trio == 'a' ? 1 : experiment.trio == 'b' ? 2 : experiment.trio == 'c' ? 3 : 4"}]
"""
PAY = """
version: 1
streak: {when: event.type == 'line.spoken'}
experiments: {pay: {variants: {control: 50, more: 50}}}
xp: [{id: line, on: line.spoken, award: "experiment.pay == 'more' ? 3 : 2"}]
"""
MONDAY, DAYS = datetime.date(2026, 2, 2), 42


def assigned(experiment, learner):
    """Gives the index of the SDK's variant; None for a learner without one."""
    book = GrowthBook(attributes={"id": learner})
    result = book.run(experiment)
    return result.variationId if result.inExperiment else None


def experiment(key, seed, *weights):
    borders = [sum(weights[:index]) / 100 for index in range(len(weights) + 1)]
    ranges = list(zip(borders, borders[1:]))
    return Experiment(key=key, variations=list(range(len(weights))), ranges=ranges, hashVersion=2, seed=seed)


def filled(folder, rules, learner_times):
    """Stores a spoken line for each learner and time, and gives the path of the store."""
    store = f"{folder}/experiments.db"
    for name, lines in (("rules.yaml", [rules]), ("events.ndjson", [
            json.dumps({"id": str(number), "source": "others", "type": "line.spoken", "subject": learner, "time": time, "data": {}})
            for number, (learner, time) in enumerate(learner_times)])):
        with open(f"{folder}/{name}", "w") as file:
            file.write("\n".join(lines) + "\n")
    run("ingest", "--store", store, "--rules", f"{folder}/rules.yaml", f"{folder}/events.ndjson", check=True)
    return store


def check_assignment(folder):
    chance = random.Random(1)
    ids = [f"learner-{number}" if number % 3 else f"{chance.getrandbits(64):016x} é学{number}" for number in range(LEARNERS)]
    store = filled(folder, TRIO, ((learner, "2026-02-02T10:00:00Z") for learner in ids))
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        found = dict(connection.execute("SELECT learner, xp FROM progress WHERE language = '*'"))
    trio = experiment("trio", "trio-1", 33.3, 20, 12.5)
    wanted = {learner: 4 if (index := assigned(trio, learner)) is None else index + 1 for learner in ids}
    different = [learner for learner in ids if found.get(learner) != wanted[learner]]
    expect(not different, f"growthbook: {len(different)} of {LEARNERS} learners differ, such as {different[:3]}")
    expect(len(set(wanted.values())) == 4, "growthbook: every variant has learners")


def interval(one, other, is_share):
    """Gives the difference of two means with Welch's interval. A share has the variance of a proportion."""
    if not is_share:
        low, high = stats.ttest_ind(other, one, equal_var=False).confidence_interval(0.95)
        return sum(other) / len(other) - sum(one) / len(one), low, high
    means = [100 * sum(numbers) / len(numbers) for numbers in (one, other)]
    a, b = (mean * (100 - mean) / len(numbers) for mean, numbers in zip(means, (one, other)))
    degrees = (a + b) ** 2 / (a * a / (len(one) - 1) + b * b / (len(other) - 1))
    margin = stats.t.ppf(0.975, degrees) * (a + b) ** 0.5
    return means[1] - means[0], means[1] - means[0] - margin, means[1] - means[0] + margin


def numbers(days, award):
    """Gives the numbers of a learner by their place in the report: active days, returns, XP and streak."""
    first, today = min(days), DAYS - 1
    back = [int(first + later in days) if first + later < today else None for later in (1, 7, 28)]
    last = today if today in days else today - 1
    streak = next(length for length in range(DAYS + 1) if last - length not in days)
    return [len(days), *back, award * len(days), streak]


def check_report(folder):
    chance = random.Random(2)
    practised = {f"learner-{number}": {day for day in range(number % 20, DAYS) if day == number % 20 or chance.random() < 0.4}
                 for number in range(300)}
    times = ((learner, f"{MONDAY + datetime.timedelta(day)}T10:00:00Z") for learner, days in practised.items() for day in days)
    store = filled(folder, PAY, times)
    asked = run("report", "experiments", "--store", store, "--week", "2026-W11", "--format", "json", check=True)
    shown = {one["title"]: one["rows"] for section in json.loads(asked.stdout)["sections"] for one in section["exhibits"]}
    pay = experiment("pay", "pay", 50, 50)
    groups = [[], []]
    for learner, days in practised.items():
        variant = assigned(pay, learner)
        groups[variant].append(numbers(days, 3 if variant else 2))
    counts = [len(group) for group in groups]
    p = stats.chisquare(counts).pvalue
    rows = shown["Learners by variant"]
    expect([row["learners"] for row in rows] == counts, f"scipy: the variants have {counts} learners: {rows}")
    expect(all(abs(row["p"] - p) < 1e-9 for row in rows), f"scipy: p is {p}: {rows}")
    expect(len(shown["Differences"]) == 6, f"scipy: six numbers are compared: {shown['Differences']}")
    for place, row in enumerate(shown["Differences"]):
        columns = [[one[place] for one in group if one[place] is not None] for group in groups]
        wanted = interval(*columns, is_share=place in (1, 2, 3))
        found = [row["difference"], row["low"], row["high"]]
        expect(all(abs(one - other) < 1e-9 for one, other in zip(found, wanted)), f"scipy: {row['what']} is {wanted}, not {found}")


def check():
    for part in (check_assignment, check_report):
        with tempfile.TemporaryDirectory(prefix="laurel-others-") as folder:
            part(folder)
    return f"{LEARNERS} learners"
