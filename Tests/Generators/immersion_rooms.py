# SPDX-License-Identifier: Apache-2.0
"""Language Immersion Rooms: one user's store over some weeks, and live events.

The app's document: UserEntity with streak, level and last active date; SessionEntity, ConversationEntity and VocabularyEntity.
A day counts for the streak when at least one word was met; 20 words a day are the goal.
"""
import json
import sys
import uuid
from datetime import date as Date, datetime, timedelta
from zoneinfo import ZoneInfo

from common import CoreDataApp, core_data_time as date, feedings, halved, rfc3339 as iso, seeded

ZONE = ZoneInfo("Europe/Madrid")
START, DAY, HOUR = 1_769_936_400_000, 86_400_000, 3_600_000
AT = "2026-06-30T12:00:00+02:00"
TEXT, DATE, NUMBER, REAL = "VARCHAR", "TIMESTAMP", "INTEGER", "FLOAT"
ENTITIES = {
    "UserEntity": {
        "id": "BLOB", "username": TEXT, "email": TEXT, "createdDate": DATE, "currentStreak": NUMBER, "longestStreak": NUMBER,
        "totalStudyTime": REAL, "currentLevel": TEXT, "targetLanguage": TEXT, "wordsLearned": NUMBER,
        "conversationsCompleted": NUMBER, "lastActiveDate": DATE},
    "VocabularyEntity": {
        "id": "BLOB", "word": TEXT, "translation": TEXT, "category": TEXT, "language": TEXT, "firstEncounteredDate": DATE,
        "timesEncountered": NUMBER, "timesReviewed": NUMBER, "masteryLevel": NUMBER, "lastReviewedDate": DATE,
        "audioURL": TEXT, "imageURL": TEXT, "user": NUMBER},
    "ConversationEntity": {
        "id": "BLOB", "startDate": DATE, "endDate": DATE, "duration": REAL, "characterName": TEXT, "messagesJSON": TEXT,
        "wordsUsedCount": NUMBER, "grammarErrorsCount": NUMBER, "averageResponseTime": REAL, "user": NUMBER},
    "SessionEntity": {
        "id": "BLOB", "startDate": DATE, "endDate": DATE, "duration": REAL, "wordsEncountered": NUMBER,
        "conversationTime": REAL, "objectsScanned": NUMBER, "user": NUMBER},
}


def local_day(milliseconds):
    return datetime.fromtimestamp(milliseconds / 1000, ZONE).date()


def streaks(days):
    """The current one at the day of AT, and the longest."""
    longest = run = 0
    last = None
    for day in sorted(days):
        run = run + 1 if last and day - last == timedelta(days=1) else 1
        longest, last = max(longest, run), day
    today = Date.fromisoformat(AT[:10])
    return run if last and today - last <= timedelta(days=1) else 0, longest


def store(rng, folder):
    app = CoreDataApp(folder, "rooms", ENTITIES)
    identity = lambda: uuid.UUID(int=rng.getrandbits(128), version=4).bytes  # noqa: E731
    user = app.add(
        "UserEntity", id=identity(), username="Ana", email="ana@our.example", createdDate=date(START), currentStreak=0,
        longestStreak=0, totalStudyTime=0.0, currentLevel="beginner", targetLanguage="es", wordsLearned=0,
        conversationsCompleted=0, lastActiveDate=None)
    words, sessions, talks, files = {}, [], [], []
    name, active, now, streak, shown = "Ana", set(), START, 0, None
    for _ in range(rng.randint(3, 5)):
        for _ in range(rng.randint(1, 6)):
            gap = 1 if rng.random() < 0.8 else 3
            now += gap * DAY
            # The app's own streak counts days of practice, words or not.
            streak, shown = (streak + 1 if gap == 1 and shown else 1), now + 6 * HOUR
            session(rng, app, identity, user, now, sessions)
            talk(rng, app, identity, user, now, talks)
            meet(rng, app, identity, user, now, words)
        name = rng.choice(["Ana", "Anna", "Ana M."])
        app.change("UserEntity", user, username=name, currentStreak=streak, lastActiveDate=date(shown))
        last = local_day(shown)
        active |= {last - timedelta(days=n) for n in range(streak)}
        files.append(app.copy())
    active |= {local_day(word["met"]) for word in words.values()}
    return {
        "name": "store", "rules": "Rules/immersion-rooms.yaml",
        "feedings": feedings(rng, [("--format coredata-immersion-rooms --subject ana --timezone Europe/Madrid", name) for name in files]),
        "expected": truths(name, active, words, sessions, talks),
    }


def session(rng, app, identity, user, now, sessions):
    entry = {
        "wordsEncountered": rng.randrange(30), "objectsScanned": rng.randrange(9), "conversationTime": rng.randrange(900) / 4,
        "duration": rng.randrange(60, 3600) + rng.choice([0, 0.25])}
    sessions.append(entry)
    app.add("SessionEntity", id=identity(), startDate=date(now), endDate=date(now + HOUR), user=user, **entry)


def talk(rng, app, identity, user, now, talks):
    entry = {
        "characterName": rng.choice(["Marta", "Luis"]), "wordsUsedCount": rng.randrange(90),
        "grammarErrorsCount": rng.randrange(6), "duration": rng.randrange(60, 900) + 0.5,
        "averageResponseTime": rng.randrange(1, 40) / 8}
    messages = rng.randrange(1, 12)
    # Mostly a conversation is within a session.
    is_within = rng.random() < 0.8
    start = now + (HOUR // 6 if is_within else 5 * HOUR // 4)
    talks.append(entry | {"messages": messages, "is_within": is_within})
    app.add("ConversationEntity", id=identity(), startDate=date(start), endDate=date(start + HOUR // 4), user=user,
            messagesJSON=json.dumps([{}] * messages), **entry)


def meet(rng, app, identity, user, now, words):
    for _ in range(rng.randint(0, 4)):
        key = app.add(
            "VocabularyEntity", id=identity(), word=f"palabra {len(words)}", translation=f"word {len(words)}",
            category="furniture", language="es", firstEncounteredDate=date(now + 3 * HOUR), timesEncountered=1,
            timesReviewed=0, masteryLevel=0, lastReviewedDate=None, audioURL=None, imageURL=None, user=user)
        words[key] = {"text": f"palabra {len(words)}", "met": now + 3 * HOUR, "times": 1, "reviews": 0, "mastery": 0}
    for key in rng.sample(sorted(words), len(words) // 2):
        word = words[key]
        word["times"] += rng.randrange(3)
        if rng.random() < 0.6:
            word["reviews"] += 1
            word["mastery"] = max(0, min(5, word["mastery"] + rng.choice([-1, 1, 1])))
            app.change("VocabularyEntity", key, timesEncountered=word["times"], timesReviewed=word["reviews"],
                       masteryLevel=word["mastery"], lastReviewedDate=date(now + 4 * HOUR))
        else:
            app.change("VocabularyEntity", key, timesEncountered=word["times"])


def truths(name, active, words, sessions, talks):
    current, longest = streaks(active)
    timed = sum(talk["messages"] for talk in talks)
    response = sum(round(talk["averageResponseTime"] * 1000) * talk["messages"] for talk in talks)
    minutes = sum(round(entry["duration"] * 1000) for entry in sessions)
    # The time of a conversation within a session is part of the session's time.
    minutes += sum(round(talk["duration"] * 1000) for talk in talks if not talk["is_within"])
    learned = sum(word["mastery"] >= 3 for word in words.values())
    fields = {
        "displayName": name, "currentStreak": current, "longestStreak": longest, "lastActivityDate": max(active).isoformat(),
        "totalSessions": len(sessions), "totalMinutesPlayed": minutes // 60_000, "totalWordsKnown": len(words),
        "totalWordsLearned": learned, "metrics.words_met": len(words),
        "metrics.encounters": sum(word["times"] for word in words.values()), "metrics.conversations": len(talks),
        "metrics.conversation_ms": sum(round(talk["duration"] * 1000) for talk in talks),
        "metrics.characters": len({talk["characterName"] for talk in talks}),
        "metrics.messages": timed, "metrics.words_used": sum(talk["wordsUsedCount"] for talk in talks),
        "metrics.grammar_errors": sum(talk["grammarErrorsCount"] for talk in talks),
        "metrics.average_response_ms": response / timed,
        "metrics.session_words": sum(entry["wordsEncountered"] for entry in sessions),
        "metrics.session_objects": sum(entry["objectsScanned"] for entry in sessions),
        "metrics.session_conversation_ms": sum(round(entry["conversationTime"] * 1000) for entry in sessions),
        "metrics.most_words": max(entry["wordsEncountered"] for entry in sessions),
    }
    rows = {word["text"]: {"encounters": word["times"], "mastery": word["mastery"], "reviews": word["reviews"]}
            for word in words.values()}
    return [{"command": f"progress ana --at {AT} --json", "fields": fields},
            {"command": f"words ana --at {AT} --json", "by": "text", "rows": rows}]


def live(rng, folder):
    lines, active, goal_days, met, scanned, labels, kinds = [], set(), 0, set(), 0, set(), {}
    encounters = 0

    def send(type, time, **data):
        lines.append(json.dumps({
            "id": f"{type}-{len(lines)}", "source": "headset", "type": type, "subject": "ana", "language": "es",
            "time": iso(time), "timezone": "Europe/Madrid", "data": data}))

    now = START
    for _ in range(rng.randint(10, 40)):
        now += DAY if rng.random() < 0.85 else 2 * DAY
        today = set()
        for n in range(rng.choice([0, 3, 19, 25, 40])):
            word = f"w{rng.randrange(60)}"
            send("word.encountered", now + n * 1000, word=word)
            encounters += 1
            today.add(word)
        met |= today
        if today:
            active.add(local_day(now))
        goal_days += len(today) >= 20
        for n in range(rng.randrange(4)):
            label = rng.choice(["table", "lamp", "chair"])
            send("object.scanned", now + 60_000 + n, label=label, confidence=0.9)
            scanned += 1
            labels.add(label)
        for n in range(rng.randrange(3)):
            kind = rng.choice(["verb_conjugation", "missing_article"])
            send("error.detected", now + 70_000 + n, kind=kind)
            kinds[kind] = kinds.get(kind, 0) + 1
    current, longest = streaks(active)
    fields = {
        "currentStreak": current, "longestStreak": longest, "totalWordsKnown": len(met), "metrics.words_met": len(met),
        "metrics.encounters": encounters, "metrics.goal_days": goal_days, "metrics.objects": scanned,
        "metrics.labels": len(labels), "metrics.verb_errors": kinds.get("verb_conjugation", 0),
        "metrics.article_errors": kinds.get("missing_article", 0),
    }
    return {
        "name": "live events", "rules": "Rules/immersion-rooms.yaml", "feedings": halved(rng, folder, "live", "", lines),
        "expected": [{"command": f"progress ana --at {AT} --json", "fields": fields}],
    }


if __name__ == "__main__":
    rng, folder = seeded(sys.argv)
    print(json.dumps({"cases": [make(rng, folder) for make in (store, live)]}))
