# SPDX-License-Identifier: Apache-2.0
"""Every number of the report `weekly-xp`, for one learner and for everyone."""
from __future__ import annotations

from collections import defaultdict
from typing import Any

from instants import format_day, weekday
from progress import plain
from ranges import Rows, bins
from report_learner import Learner, ReportTrack, name_of, title
from rules import Rules


def weekly_of_learner(learner: Learner, language: str | None, names: dict[str, tuple[str, str]]) -> list[list[Any]]:
    track, week = learner.track(language), learner.week
    assert track
    now, before, gone = range(week, week + 7), range(week - 7, min(week, learner.today - 6)), range(week - 7, week)
    weeks = [week - 7 * back for back in range(11, -1, -1)]
    xp_now, xp_before, days_now, days_before = (
        track.xp_in(now), track.xp_in(before), track.active_in(now), track.active_in(before))
    days_gone = track.active_in(gone)
    current, longest, _ = learner.streak(language)
    by_bucket = defaultdict(int)
    for (day, bucket), amount in track.xp.items():
        if day in now:
            by_bucket[bucket] += amount
    practised = track.practice_in(now) + sum(track.lines[d] for d in now) + track.graded_in(now)[0]
    earliest = min((day for day in track.streak.active), default=None)
    level, total = track.level(), track.windows.total.xp
    start, following = learner.rules.levels.start(level) or 0, learner.rules.levels.start(level + 1)
    earlier_xp = [track.xp_in(range(day, day + 7)) for day in weeks[:-1]]
    words_now = sum(track.learned_words[day] for day in now)
    unlocked_now = sorted(
        (-track.unlockings[name].reached[-1], place, name) for place, name in enumerate(names)
        if track.unlockings.get(name) and track.unlockings[name].reached and track.unlocked.get(name) in now)
    kind = (
        "credited" if days_now == 0 and xp_now else "slight" if days_now == 0 and practised
        else "paused" if days_now == 0 and days_gone else "away" if days_now == 0 and earliest is not None
        else "quiet" if days_now == 0
        else "first" if earliest is not None and earliest >= week else "achievement" if unlocked_now
        else "level" if start > total - xp_now and level > 1 else "full" if days_now == 7
        else "record" if current >= 3 and current == longest
        else "best" if sum(xp > 0 for xp in earlier_xp) >= 3 and xp_now > max(0, *earlier_xp)
        else "back" if days_gone == 0 else "more" if days_now > days_before else "up" if xp_now > xp_before
        else "words" if words_now else "some")
    states = {row[0]: row[2] for row in calendar(learner, track, weeks[0])}
    near = nearest(learner, track, names)
    percent = int(near[0][2]) if near else None
    due = track.words.count_due(learner.as_of)
    left = None if following is None else plain(following - total)
    call = (
        "keep" if states.get(format_day(learner.today)) == "open" and current else "begin" if earliest is None
        else "again" if current == 0 else "near" if near and percent >= 80 else "level" if left is not None and left <= xp_now
        else "due" if due else "tomorrow" if learner.today < learner.last else "day" if days_now < 7 else "on")
    ends = [learner.standing(language, week - 7 * back) or {} for back in range(3)]
    sessions = [end.get("sessions", 0) for end in ends]
    goal = 60_000 * learner.goal if learner.fold.goal_is_set else None
    places = {bucket: place for place, bucket in enumerate(buckets_of(learner.rules))}
    by_day: Rows = []
    for day in now:
        found = sorted((places[b], title(b), a) for (d, b), a in track.xp.items() if d == day and a)
        by_day += [[format_day(day), name, amount] for _, name, amount in found] or [[format_day(day), None, None]]
    unlocked = sorted(
        (track.unlockings[name].reached[-1], place, name) for place, name in enumerate(names)
        if track.unlockings.get(name) and track.unlockings[name].reached and track.unlocked.get(name) in now)
    return [
        ["text", [[kind, xp_now, days_now, xp_now - xp_before, days_now - days_before, days_gone, words_now, current, level,
                   names[unlocked_now[0][2]][0] if unlocked_now else None,
                   None if earliest is None else (learner.today - max(track.streak.active)) // 7]]],
        ["headline", [[xp_now, xp_before, current, longest, track.estimated_in(now), track.estimated_in(before), guessed([track], now),
                       sessions[0] - sessions[1], sessions[1] - sessions[2] if learner.today == learner.last else None, level,
                       None if following is None else plain(following - total),
                       None if following is None else level + 1]]],
        ["text", [[call, current, current + 1, due, left, level + 1, days_now, days_now + 1,
                   near[0][0] if near else None, percent]]],
        ["XP by day and source", by_day],
        ["XP by source", [[title(bucket), amount] for bucket, amount in sorted(
            by_bucket.items(), key=lambda item: (-item[1], item[0])) if any(
                d in now and b == bucket and a for (d, b), a in track.xp.items())]],
        ["XP by week", [[format_day(day), track.xp_in(range(day, day + 7))] for day in weeks]],
        ["Day by day", calendar(learner, track, week - 7 * 52)],
        ["Days with the daily goal met",
         [] if goal is None else [[sum(track.estimated_in(range(day, day + 1)) >= goal for day in now), 7]]],
        ["Practice by day", [[format_day(day), track.estimated_in(range(day, day + 1)), goal] for day in now]],
        ["To the next level", [] if following is None else [[plain(total - start), plain(following - start)]]],
        ["With others, and mistakes repaired", [
            [what, ends[0].get(key, 0) - ends[1].get(key, 0), ends[0].get(key, 0)]
            for what, key in (("Mistakes repaired", "repairs"), ("Help given", "help"), ("Team wins", "wins"))
            if ends[0].get(key, 0) > 0]],
        ["Unlocked this week", [[*names[name], format_day(track.unlocked[name])] for _, _, name in unlocked]],
        ["Nearest achievements", nearest(learner, track, names)],
        # The numbers of progress, which are compared with the oracle's elsewhere.
        ["Goals", None],
        ["Balances", None],
    ]


def guessed(tracks: list[ReportTrack], days: range) -> float | None:
    """The percentage of practice whose length is an estimate; None if there is none."""
    told, all_of_it = (sum(length(track) for track in tracks) for length in (
        lambda track: track.practice_in(days), lambda track: track.estimated_in(days)))
    return 100 - 100 * told / all_of_it if all_of_it > told else None


def buckets_of(rules: Rules) -> list[str]:
    own = ["adjustment", "achievements"] + (["goals"] if rules.goals else [])
    return list(dict.fromkeys([rule.bucket for rule in rules.xp] + own))


def calendar(learner: Learner, track: ReportTrack, first: int) -> Rows:
    states: dict[int, str] = {}
    if learner.rules.streak and track.streak.active:
        reference = max(learner.today + 1 if learner.is_over else learner.today, max(track.streak.active))
        streak = held = 0
        for day in range(min(track.streak.active), reference + 1):
            if day in track.streak.active:
                streak += 1
                states[day] = "repaired" if day in track.repaired else "active"
                if learner.rules.streak.earn_every and streak % learner.rules.streak.earn_every == 0:
                    held = min(held + 1, learner.rules.streak.hold)
            elif day == reference:
                states[day] = "open"
            elif weekday(day) in learner.rules.streak.rest_days:
                states[day] = "rest"
            elif day in track.streak.frozen or held > 0:
                held -= day not in track.streak.frozen
                states[day] = "frozen"
            else:
                streak, states[day] = 0, "missed"
    return [[format_day(day), track.xp_in(range(day, day + 1)), states.get(day, "before")]
            for day in range(first, learner.today + 1)]


def nearest(learner: Learner, track: ReportTrack, names: dict[str, tuple[str, str]]) -> Rows:
    found = []
    for place, item in enumerate(learner.rules.achievements):
        standing = track.unlockings.get(item.id)
        if standing is None or item.hidden or standing.complete(item):
            continue
        done = standing.progress(item)
        found.append((-done, place, [*names[item.id], plain(100 * done)]))
    return [row for _, _, row in sorted(found)]


class Needs:
    """The reasons why a learner needs their teacher."""

    def __init__(self, learner: Learner, language: str | None) -> None:
        track, week = learner.track(language), learner.week
        assert track
        active = sorted(track.streak.active)
        self.days, self.before = track.active_in(range(week, week + 7)), track.active_in(range(week - 7, week))
        same = track.active_in(range(week - 7, min(week, learner.today - 6)))
        there = bool(active) and active[0] <= week - 28
        counted = [day for back in (7, 14, 21, 28) for day in range(week - back, week - back + learner.today - week + 1)]
        self.usual = sum(day in track.streak.active for day in counted) / 4 if there else None
        this, earlier = [day for day in active if week <= day < week + 7], [day for day in active if day < week]
        self.off = this[0] - earlier[-1] - 1 if this and earlier else None
        by_word: dict[tuple[str, str], list[bool]] = defaultdict(list)
        for day, word, correct in track.outcomes:
            if week - 21 <= day <= week + 6:
                by_word[word].append(correct)
        self.hard = {word: found for word, found in by_word.items() if not all(found) and word in track.words.known}
        self.stuck = {word for word, found in self.hard.items() if found.count(False) >= 3 and not found[-1]}
        streak = learner.streak(language)[0]
        self.reasons = [reason for reason, holds in (
            ("no practice this week", same and not self.days),
            ("half their usual days, or fewer", self.usual is not None and self.usual >= 2 and self.days <= self.usual / 2),
            ("stuck on the same words", len(self.stuck) >= 3),
            ("streak ended", self.before and self.days and not streak),
            ("back after a break", self.off is not None and self.off >= 14)) if holds]


ORDER = ["no practice this week", "half their usual days, or fewer", "stuck on the same words", "streak ended", "back after a break"]


def needs_of_all(there: list[tuple[Learner, ReportTrack]], language: str | None, week: int, today: int) -> tuple[list[list[Any]], int, int]:
    """The exhibits, the number of learners with a need, and the number at risk."""
    needs = [(learner, track, Needs(learner, language)) for learner, track in there]
    pressing = sorted((item for item in needs if item[2].reasons), key=lambda item: (
        ORDER.index(item[2].reasons[0]), -len(item[2].reasons), item[0].name.encode()))
    words: dict[tuple[str, str], list[Any]] = {}
    for learner, track, need in needs:
        for key, found in need.hard.items():
            word = track.words.known[key]
            row = words.setdefault(key, [[], [], 0, 0, 0])
            row[0].append(name_of(key, word))
            row[1].append(word.details.get("translation") or "")
            row[2], row[3], row[4] = row[2] + 1, row[3] + found.count(False), row[4] + len(found)
    hardest = sorted(((key, row) for key, row in words.items() if row[3] >= 2), key=lambda item: (
        -item[1][2], -item[1][3], item[0][0].encode(), item[0][1].encode()))[:200]

    def among(track: ReportTrack, need: Needs) -> str:
        chosen = sorted(need.stuck, key=lambda key: (-need.hard[key].count(False), key[0].encode(), key[1].encode()))[:5]
        return ", ".join(name_of(key, track.words.known[key]) for key in chosen)
    at_risk = sum("no practice this week" in need.reasons or "streak ended" in need.reasons for _, _, need in needs)
    return [
        ["Who, and why", [[learner.display, learner.name, need.reasons[0], need.days, need.usual,
                           learner.today - max(track.streak.active) if track.streak.active else None]
                          for learner, track, need in pressing]],
        ["Who stopped", [
            [learner.display, learner.name, (today - last) // 7, format_day(last)]
            for _, _, last, learner in sorted(
                (-max(track.streak.active), learner.name.encode(), max(track.streak.active), learner)
                for learner, track, need in needs if track.streak.active and not need.reasons)
            if last < week - 7]],
        ["Stuck on the same words", [
            [learner.display, learner.name, among(track, need), len(need.stuck)]
            for learner, track, need in sorted(needs, key=lambda item: (-len(item[2].stuck), item[0].name.encode()))
            if "stuck on the same words" in need.reasons]],
        ["Back after a break", [
            [learner.display, learner.name, need.off, need.days]
            for learner, track, need in sorted(needs, key=lambda item: (-(item[2].off or 0), item[0].name.encode()))
            if "back after a break" in need.reasons]],
        ["The words that the class finds hardest", [
            [max(row[0], key=str.encode), max(row[1], key=str.encode) or None, row[2], row[3]]
            for _, row in hardest]],
    ], len(pressing), at_risk


def weekly_of_all(learners: list[Learner], language: str | None, week: int, today: int) -> list[list[Any]]:
    now, before = range(week, week + 7), range(week - 7, min(week, today - 6))
    there = [(learner, track) for learner in learners if (track := learner.track(language))]
    needing, in_need, at_risk = needs_of_all(there, language, week, today)
    ranked = sorted(((learner.week_xp(language), learner, track) for learner, track in there if learner.week_xp(language) > 0),
                    key=lambda item: (-item[0], item[1].name.encode()))
    gains = sorted(((learner.week_xp(language) - track.xp_in(before), learner) for learner, track in there
                    if learner.week_xp(language) > track.xp_in(before)), key=lambda item: (-item[0], item[1].name.encode()))
    return [
        ["headline", [[
            *(sum(track.xp_in(days) for _, track in there) for days in (now, before)),
            *(sum(track.active_in(days) > 0 for _, track in there) for days in (now, before)),
            *(sum(track.estimated_in(days) for _, track in there) for days in (now, before)),
            guessed([track for _, track in there], now),
            sum(learner.streak(language)[0] > 0 for learner, _ in there), len(there), in_need, at_risk]]],
        *needing,
        ["XP by day", [[format_day(d), sum(track.xp_in(range(d, d + 1)) for _, track in there)] for d in now]],
        ["Active learners by day", [[format_day(d), sum(d in track.streak.active for _, track in there)] for d in now]],
        ["XP of the week per learner", bins([learner.week_xp(language) for learner, _ in there])],
        ["Most XP this week", [
            [1 + sum(other > xp for other, _, _ in ranked), learner.display, learner.name, xp, learner.streak(language)[0], track.level()]
            for xp, learner, track in ranked]],
        ["Improved most", [[learner.display, learner.name, gain, learner.week_xp(language)] for gain, learner in gains]],
    ]
