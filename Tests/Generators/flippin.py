# SPDX-License-Identifier: Apache-2.0
"""Flippin: a store of cards with tags, the log that its analytics write, and live events that name their cards.

The app's document: CardItem and Tag, joined many to many, in a store that CloudKit mirrors. The log's events and parameters are
those of Firebase Analytics, as BigQuery exports them. Badges and milestones: First Steps, any study time; streaks of 7, 14, 30, 60
and 100 days; 50 and 100 words mastered; 10 hours of study; 10, 25, 50 and 100 phrases in a week.
"""
import json
import sys
from datetime import date as Date, datetime, timedelta
from zoneinfo import ZoneInfo

from common import CoreDataApp, core_data_time as date, feedings, halved, rfc3339 as iso, seeded

ZONE = ZoneInfo("Europe/Madrid")
START, DAY = 1_769_936_400_000, 86_400_000
AT = "2026-06-30T12:00:00+02:00"
TEXT = "VARCHAR"
ENTITIES = {
    "Achievement": {"name": TEXT},
    "CardItem": {
        "timestamp": "TIMESTAMP", "frontText": TEXT, "backText": TEXT, "frontLanguageRaw": TEXT, "backLanguageRaw": TEXT,
        "notes": TEXT, "id": TEXT, "isFavorite": "INTEGER"},
    "Deck": {"name": TEXT},
    "StudySession": {"seconds": "INTEGER"},
    "Tag": {"id": TEXT, "name": TEXT},
}
MILESTONES, PHRASES = [7, 14, 30, 60, 100], [10, 25, 50, 100]


def local_day(milliseconds):
    return datetime.fromtimestamp(milliseconds / 1000, ZONE).date()


# --- the store -----------------------------------------------------------------------------------------------------

def store(rng, folder):
    table = rng.choice(["Z_2TAGS", "Z_5CARDS"])
    app = CoreDataApp(folder, "cards", ENTITIES, [f"CREATE TABLE {table} (Z_2CARDS INTEGER, Z_5TAGS INTEGER)"])
    tags = {name: app.add("Tag", id=name, name=name) for name in ("food", "verbs", "home", "Food")}
    cards, files, serial = {}, [], 0

    def add():
        nonlocal serial
        serial += 1
        card = {
            "frontText": f"palabra {serial}", "backText": f"word {serial}", "frontLanguageRaw": rng.choice(["es", "pt"]),
            "isFavorite": rng.randrange(2), "notes": rng.choice([None, "a note"])}
        key = app.add("CardItem", timestamp=date(START + serial * DAY), backLanguageRaw="en", id=f"card-{serial}", **card)
        cards[key] = card | {"id": f"card-{serial}", "tags": set()}
        for name in rng.sample(sorted(tags), rng.randint(0, 3)):
            tag(key, name)

    def tag(key, name):
        cards[key]["tags"].add(name)
        app.db.execute(f"INSERT INTO {table} VALUES (?, ?)", (key, tags[name]))

    def live():
        key, what = rng.choice(list(cards)), rng.random()
        if what < 0.3:
            return add()
        if what < 0.45 and len(cards) > 2:
            app.delete("CardItem", key)
            app.db.execute(f"DELETE FROM {table} WHERE Z_2CARDS = ?", (key,))
            return cards.pop(key)
        changes = {"isFavorite": 1 - cards[key]["isFavorite"]}
        if what < 0.6:
            changes = {"backText": f"word {rng.randrange(1000)}"}
        elif what < 0.7:
            changes = {"frontLanguageRaw": rng.choice(["es", "pt"])}
        elif what < 0.85 and (name := rng.choice(sorted(tags))) not in cards[key]["tags"]:
            tag(key, name)
            changes = {}
        cards[key].update(changes)
        return app.change("CardItem", key, **(changes or {"notes": cards[key]["notes"]}))

    for _ in range(rng.randint(4, 12)):
        add()
    for _ in range(rng.randint(2, 4)):
        for _ in range(rng.randint(1, 8)):
            live()
        files.append(app.copy())
    languages = {card["frontLanguageRaw"] for card in cards.values()}
    expected = [
        {"command": f"progress ana --at {AT} --json", "fields": {"totalWordsKnown": len(cards), "metrics.cards": len(cards)}},
        *({"command": f"progress ana --language {language} --at {AT} --json", "fields": {
            "totalWordsKnown": sum(card["frontLanguageRaw"] == language for card in cards.values())}} for language in languages),
        listed(cards.values(), ""), listed([card for card in cards.values() if card["isFavorite"]], "--favourite"),
        *(listed([card for card in cards.values() if name in card["tags"]], f"--tag {name}") for name in tags),
    ]
    return {
        "name": "store", "rules": "Rules/flippin.yaml", "expected": expected,
        "feedings": feedings(rng, [("--format coredata-flippin --subject ana --timezone Europe/Madrid", name) for name in files]),
    }


def listed(cards, options):
    rows = {card["id"]: {
        "text": card["frontText"], "translation": card["backText"], "language": card["frontLanguageRaw"],
        "favourite": bool(card["isFavorite"]), "tags": sorted(card["tags"])} for card in cards}
    return {"command": f"words ana {options} --at {AT} --json", "by": "word", "rows": rows}


# --- what badges ask -----------------------------------------------------------------------------------------------

def streaks(days):
    """The current one at the day of AT, and the longest."""
    longest = run = 0
    last = None
    for day in sorted(days):
        run = run + 1 if last and day - last == timedelta(days=1) else 1
        longest, last = max(longest, run), day
    today = Date.fromisoformat(AT[:10])
    return run if last and today - last <= timedelta(days=1) else 0, longest


def tiers(value, thresholds):
    tier = sum(value >= threshold for threshold in thresholds)
    return {"tier": tier, "progress": 1 if tier == len(thresholds) else min(1, value / thresholds[tier])}


def badges(longest, study_ms, week, mastered=0):
    rows = {
        "first_steps": tiers(study_ms, [1]), "week_warrior": tiers(longest, [7]), "dedicated": tiers(longest, [30]),
        "master_learner": tiers(mastered, [50]), "vocabulary_master": tiers(mastered, [100]),
        "time_master": tiers(study_ms / 3_600_000, [10]), "streak_milestone": tiers(longest, MILESTONES),
        "phrases_in_a_week": tiers(week, PHRASES),
    }
    return {"command": f"achievements ana --at {AT} --json", "by": "id", "rows": rows}


def monday(day):
    return day - timedelta(days=day.weekday())


# --- the analytics log ---------------------------------------------------------------------------------------------

def log(rng, folder):
    lines, counts, days, weeks, study = [], {}, set(), {}, 0
    card = {"card_language": "es", "has_tags": 1, "tag_count": 2}

    def send(name, time, device, parameters):
        form = {int: "int_value", float: "double_value", str: "string_value"}
        lines.append(json.dumps({
            "event_name": name, "event_timestamp": str(time * 1000), "user_id": "ana", "user_pseudo_id": device,
            "event_params": [{"key": key, "value": {form[type(value)]: str(value) if isinstance(value, int) else value}}
                             for key, value in parameters.items()]}))
        counts[name] = counts.get(name, 0) + 1

    time = START
    for _ in range(rng.randint(20, 110)):
        time += DAY if rng.random() < 0.93 else 2 * DAY
        evening, device = time + rng.randrange(-4 * 3_600_000, 12 * 3_600_000), rng.choice(["phone", "pad"])
        send("study_session_started", evening, device, {})
        for n in range(rng.randint(0, 14)):
            moment = evening + n * 7001
            name = rng.choice(["card_reviewed_correct"] * 4 + [
                "card_reviewed_incorrect", "card_flipped", "card_played", "card_added", "card_edited", "card_favorited"])
            send(name, moment, device, {"card_language": "es"} if name == "card_favorited" else card)
            if name.startswith("card_reviewed"):
                days.add(local_day(moment))
                week = monday(local_day(moment))
                weeks[week] = weeks.get(week, 0) + 1
        seconds = rng.choice([rng.randrange(30, 3600), rng.randrange(30, 3600) + 0.5])
        send("study_session_ended", evening + 100_000, device, {"session_duration": seconds, "cards_reviewed": 3})
        days.add(local_day(evening + 100_000))
        study += int(seconds * 1000)
        if rng.random() < 0.1:
            send("preset_collection_imported", evening + 200_000, device, {"collection_name": "Food", "card_count": 25})
    current, longest = streaks(days)
    correct, incorrect = counts.get("card_reviewed_correct", 0), counts.get("card_reviewed_incorrect", 0)
    fields = {
        "currentStreak": current, "longestStreak": longest, "lastActivityDate": max(days).isoformat(),
        "totalSessions": counts["study_session_ended"], "totalMinutesPlayed": study // 60_000, "totalXP": 0,
        "metrics.reviews": correct + incorrect, "metrics.correct": correct, "metrics.incorrect": incorrect,
        "metrics.flipped": counts.get("card_flipped", 0), "metrics.played": counts.get("card_played", 0),
        "metrics.cards": counts.get("card_added", 0), "metrics.favorites": counts.get("card_favorited", 0),
        "metrics.imported": 25 * counts.get("preset_collection_imported", 0), "metrics.study_ms": study,
    }
    return {
        "name": "log", "rules": "Rules/flippin.yaml",
        "feedings": halved(rng, folder, "log", "--format firebase --timezone Europe/Madrid", lines),
        "expected": [{"command": f"progress ana --at {AT} --json", "fields": fields},
                     badges(longest, study, max(weeks.values(), default=0))],
    }


# --- live events ---------------------------------------------------------------------------------------------------

def live(rng, folder):
    """Events that name the card: mastery goes up by one with a good or easy answer, down with a wrong one, from 0 to 5."""
    lines, mastery, days, weeks, grades = [], {}, set(), {}, {}
    taken = flipped = played = 0
    modes = set()

    def send(type, time, **data):
        lines.append(json.dumps({
            "id": f"{type}-{len(lines)}", "source": "phone", "type": type, "subject": "ana", "language": "es", "time": iso(time),
            "timezone": "Europe/Madrid", "data": data}))

    time = START
    for _ in range(rng.randint(15, 50)):
        time += DAY if rng.random() < 0.9 else 2 * DAY
        for n in range(rng.randint(1, 15)):
            card, moment = f"c{rng.randrange(30)}", time + n * 9000
            what = rng.random()
            if what < 0.7:
                grade, spent = rng.choice(["again", "hard", "good", "good", "easy"]), rng.randrange(500, 20_000)
                mode = rng.choice(["practice", "practice10", "difficult", "multipleChoice", "fillInTheBlank"])
                send("review.graded", moment, word=card, grade=grade, durationMs=spent, mode=mode)
                step = {"again": -1, "hard": 0}.get(grade, 1)
                mastery[card] = max(0, min(5, mastery.get(card, 0) + step))
                grades[grade] = grades.get(grade, 0) + 1
                taken += spent
                modes.add(mode)
                days.add(local_day(moment))
                weeks.setdefault(monday(local_day(moment)), set()).add(card)
            else:
                action = "flipped" if what < 0.85 else "played"
                send("word.encountered", moment, word=card, action=action)
                mastery.setdefault(card, 0)
                flipped += action == "flipped"
                played += action == "played"
    current, longest = streaks(days)
    wrong = grades.get("again", 0)
    fields = {
        "currentStreak": current, "longestStreak": longest, "totalWordsKnown": len(mastery),
        "totalWordsLearned": sum(level >= 3 for level in mastery.values()),
        "vocabulary.mastered": sum(level == 5 for level in mastery.values()),
        "metrics.reviews": sum(grades.values()), "metrics.correct": sum(grades.values()) - wrong, "metrics.incorrect": wrong,
        "metrics.review_ms": taken, "metrics.modes": len(modes), "metrics.flipped": flipped, "metrics.played": played,
        "totalMinutesPlayed": taken // 60_000,
    }
    most = max((len(cards) for cards in weeks.values()), default=0)
    return {
        "name": "live events", "rules": "Rules/flippin.yaml", "feedings": halved(rng, folder, "live", "", lines),
        "expected": [{"command": f"progress ana --at {AT} --json", "fields": fields}, {
            **badges(longest, 0, most), "rows": {
                name: row for name, row in badges(longest, 0, most)["rows"].items() if "master" not in name or name == "time_master"
            } | {name: {} for name in ("master_learner", "vocabulary_master")}}],
    }


if __name__ == "__main__":
    rng, folder = seeded(sys.argv)
    print(json.dumps({"cases": [make(rng, folder) for make in (store, log, live)]}))
