# SPDX-License-Identifier: Apache-2.0
"""Every number of the report `mastery`, for one learner and for everyone."""
from __future__ import annotations

from collections import defaultdict
from typing import Any

from instants import format_day
from ranges import bins, share
from remembering import Review, answers, desired_by, measured, memory, remembering, retention
from report_learner import Learner, ReportFold, ReportTrack, name_of, title
from versions import local_day
from words import days_since
from workload import Start, workload


def mastery_of_learner(learner: Learner, language: str | None) -> list[list[Any]]:
    track, week = learner.track(language), learner.week
    assert track
    weeks = [week - 7 * back for back in range(11, -1, -1)]
    words, previous = track.words, learner.standing(language, week - 7)
    known, learned, due = words.count_known(), words.count_learned(), words.count_due(learner.as_of)
    more = learned - (previous or {}).get("learned", 0)
    kind = "none" if known == 0 else "grown" if more > 0 else "due" if due else "calm"
    graded = track.graded_in(range(week, week + 7))
    standings = [(day, learner.standing(language, day)) for day in weeks]
    categories: dict[str, int] = defaultdict(int)
    due_days: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for word in words.known.values():
        category = word.details.get("category")
        categories["Without category" if category is None else title(category)] += 1
        due_days[max(local_day(word.due, learner.offset, learner.rules), learner.today)][word.interval >= 21] += 1
    hard = sorted((-(w.reviews - w.correct), w.correct / w.reviews, key[1].encode(), key, w)
                  for key, w in words.known.items() if w.reviews - w.correct >= 2)
    languages = sorted(learner.fold.languages) if language is None else [language]
    log, desired = reviews_of(learner, language, weeks[0]), desired_by(learner.rules)
    return [
        ["text", [[kind, known, learned, more, due]]],
        ["headline", [[known, (previous or {}).get("known"), learned, (previous or {}).get("learned"), words.count_mastered(),
                       (previous or {}).get("mastered"), due, share(graded), graded[0]]]],
        ["Words by mastery", [[format_day(day), *(s["buckets"][b] for b in ("new", "learning", "reviewing", "mastered"))]
                              for day, s in standings if s] if any(s and s["known"] for _, s in standings) else []],
        ["Words by category", [[name, count] for name, count in sorted(
            categories.items(), key=lambda item: (-item[1], item[0].encode()))]],
        ["Hardest words", [[name_of(key, w), w.details.get("translation") or None, w.reviews - w.correct, w.reviews]
                           for _, _, _, key, w in hard]],
        ["Words that do not stick", leeches(learner, words)],
        ["Due in the next 30 days", [
            [format_day(day), *due_days[day]] for day in range(learner.today, learner.today + 30)] if words.known else []],
        ["Practice per learned word", practice_per_word([track], weeks)],
        *remembering(log, desired, weeks),
        *memory(log, list(words.known.values())),
        *workload_of(learner, language),
        ["CEFR estimate", [[tag, *found] for tag in languages if (found := learner.cefr(tag))]],
        ["Where the score comes from", None],
    ]


def practice_per_word(tracks: list[ReportTrack], weeks: list[int]) -> list[list[Any]]:
    """The milliseconds of practice in each week for a word that became learned in it; null without such a word."""
    spans = [range(day, day + 7) for day in weeks]
    learned = [sum(track.learned_words[day] for track in tracks for day in span) for span in spans]
    practice = [sum(track.estimated_in(span) for track in tracks) for span in spans]
    return [[format_day(span[0]), time / words if words else None]
            for span, time, words in zip(spans, practice, learned)] if any(learned) else []


def leeches(learner: Learner, words: Any) -> list[list[Any]]:
    lapses = learner.fold.lapses  # type: ignore[attr-defined]
    found = sorted((-lapses[key], key[1].encode(), key[0].encode(), key, word) for key, word in words.known.items()
                   if lapses.get(key, 0) >= 8 and word.interval < 21)
    return [[name_of(key, word), word.details.get("translation") or None, lapses[key], word.reviews]
            for *_, key, word in found]


def workload_of(learner: Learner, language: str | None) -> list[list[Any]]:
    """The exhibits about other desired retentions: a sentence, and a table."""
    words, rules, log = learner.fold.overall.words, learner.rules.mastery, learner.fold.reviews  # type: ignore[attr-defined]
    if rules.scheduler != "fsrs":
        return [["Other desired retentions", []], ["The next year by desired retention", []]]
    day = local_day(learner.as_of, learner.offset, learner.rules)
    starts = [Start(tag, name, word.stability, word.difficulty, days_since(word, rules, learner.as_of, day))
              for (tag, name), word in words.known.items() if word.stability is not None and word.last_review is not None]
    rows = workload(starts, language, lambda tag: words.curve(tag).w, rules.retention,
                    [review.grade for review in log if review.days >= 1 and review.remembered],
                    [review.seconds for review in log if review.seconds is not None])
    now = next((row for row in rows if row[0] == 100 * rules.retention), None)
    lower = [row for row in rows if row[0] <= 100 * rules.retention - 4]
    sentence = []
    if now and lower and now[1]:
        kind = "more" if lower[-1][1] > now[1] else "less"
        sentence = [[kind, lower[-1][0], now[0], 100 * abs(lower[-1][1] / now[1] - 1)]]
    return [["Other desired retentions", sentence], ["The next year by desired retention", rows]]


def reviews_of(learner: Learner, language: str | None, first: int) -> list[Review]:
    assert isinstance(learner.fold, ReportFold)
    return [review for review in learner.fold.reviews
            if first <= review.day <= learner.last and language in (None, review.language)]


def mastery_of_all(learners: list[Learner], language: str | None, week: int, today: int) -> list[list[Any]]:
    weeks = [week - 7 * back for back in range(11, -1, -1)]
    tracks = [track for learner in learners if (track := learner.track(language))]
    levels: dict[tuple[str, str], int] = defaultdict(int)
    for learner in learners:
        for tag in learner.fold.languages:
            if language in (None, tag) and (found := learner.cefr(tag)):
                levels[found[0], tag] += 1

    def graded(days: range) -> float | None:
        counts = [track.graded_in(days) for track in tracks]
        return share([sum(count[place] for count in counts) for place in (0, 1)])

    log = [review for learner in learners for review in reviews_of(learner, language, weeks[0])]
    found, desired = measured(log), desired_by(learners[0].rules) if learners else None

    def total(bucket: str) -> int | None:
        return sum(track.words.buckets()[bucket] for track in tracks) if tracks else None
    return [
        ["headline", [[sum(t.words.count_known() for t in tracks), sum(t.words.count_learned() for t in tracks),
                       sum(t.words.count_mastered() for t in tracks), graded(range(week, week + 7)),
                       graded(range(week - 7, min(week, today - 6))), len(tracks)]]],
        ["Words learned per learner", bins([t.words.count_learned() for t in tracks])],
        ["Words by mastery", [[bucket.capitalize(), total(bucket)] for bucket in ("new", "learning", "reviewing", "mastered")]],
        ["CEFR estimates", [[tag, level, count] for (level, tag), count in sorted(levels.items())]],
        ["New and learned words by week", [
            [format_day(day), *(sum(counts[d] for t in tracks for counts in [getattr(t, kind)] for d in range(day, day + 7))
                                for kind in ("new_words", "learned_words"))] for day in weeks]
         if any(t.words.count_known() for t in tracks) else []],
        ["Practice per learned word", practice_per_word(tracks, weeks)],
        ["True retention", retention([review for review in log if review.days >= 1], desired)],
        ["Answers", answers(log)],
        ["Correct reviews by week", [[format_day(day), graded(range(day, day + 7))] for day in weeks]],
        ["headline", [[found["predicted"], found["remembered"], found["logLoss"], found["reviews"],
                       "0 is best, 0.693 a guess"]] if found["reviews"] else []],
    ]
