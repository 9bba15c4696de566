# SPDX-License-Identifier: Apache-2.0
"""BabLanguageSDK: live events, packets that two phones captured, exports, and the two stores that its guides describe.

What is true is computed by the SDK's formulas from the evenings made up here: a session's XP is 50 for the dialog, 10 per
new word, the whole part of (1 - errors / lines) * 30, with others 25 and 10 per help, then 5 % of that per day of the
streak, at most half. A line's is 10, the whole part of ten times its accuracy, 2 per good line in a row before it up to 20,
and 5 with others.
"""

import json
import math
import sys
import zoneinfo

import common

MADRID = zoneinfo.ZoneInfo("Europe/Madrid")
DAY = 86_400_000
# 2026-02-02T17:00:00Z, a Monday.
START = 1_770_051_600_000
PREFIX = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."
OPTIONS = "--timezone Europe/Madrid"


class Evenings:
    """A learner's activity on some evenings."""

    def __init__(self, rng, serial):
        self.rng = rng
        self.learner = f"learner-{rng.randrange(1000)}"
        self.partner = "learner-partner"
        self.sessions = []
        self.words = []
        day = 0
        for number in range(rng.randrange(3, 6)):
            self.sessions.append(self.session(f"game-{serial}-{number}", START + day * DAY + rng.randrange(3_600_000)))
            day += rng.choice([0, 1, 1, 1, 2])
            if self.sessions[-1]["start"] // DAY == (START + day * DAY) // DAY:
                day += 1
        self.end = START + (day + 1) * DAY

    def result(self):
        rng = self.rng
        if rng.random() < 0.1:
            return {"errorCount": 0, "accuracy": 0, "wordErrors": [], "skipped": True, "duration": 0}
        accuracy = rng.choice([1, 1, 1, 0.97, 0.9, 0.89, 0.75, 0.5])
        errors = 0 if accuracy == 1 else rng.randrange(0, 3)
        return {
            "errorCount": errors, "accuracy": accuracy, "skipped": False, "duration": rng.randrange(1500, 6000),
            "wordErrors": [
                {"word": f"palabra{n}", "position": n, "expected": f"palabra{n}", "heard": f"parabla{n}"}
                for n in range(errors)
            ],
        }

    def session(self, name, start):
        rng = self.rng
        mode = rng.choice(["SOLO", "HOST", "CLIENT"])
        session = {"id": name, "mode": mode, "start": start, "scenario": rng.choice(["cafe", "market"]), "lines": []}
        count = rng.randrange(0, 9)
        time = start + 20_000
        first = self.learner if mode != "CLIENT" else self.partner
        second = {"SOLO": "robot", "HOST": self.partner, "CLIENT": self.learner}[mode]
        for number in range(2 * count):
            time += rng.randrange(3_000, 15_000)
            speaker = [first, second][number % 2]
            session["lines"].append({
                "id": f"line-{name}-{number}", "who": speaker, "shown": time, "spoken": time + rng.randrange(1_000, 2_500),
                "text": f"Frase número {number}", "translation": f"Sentence number {number}", "role": f"role-{number % 2}",
                "result": None if speaker == "robot" else self.result(),
            })
            time += 2_500
        session["words"] = []
        for number in range(rng.randrange(0, 4)):
            word = {"id": f"w-{name}-{number}", "word": f"voz{len(self.words)}", "at": start + 30_000 + number * 1000}
            word["reviews"] = rng.choice([0, 0, 1, 3])
            session["words"].append(word)
            self.words.append(word)
        session["helps"] = rng.randrange(0, 3) if mode != "SOLO" else 0
        session["end"] = max(time, start + 60_000) + rng.randrange(10_000, 300_000)
        session["met"] = len(session["words"]) + rng.randrange(0, 9)
        session["corrected"] = rng.randrange(0, 3)
        return session

    # The expected numbers.

    def spoken(self, session, learner):
        return [line for line in session["lines"] if line["who"] == learner and not line["result"]["skipped"]]

    def line_xp(self, session, learner):
        xp = {"dialogLine": 0, "lineRun": 0, "lineMultiplayer": 0}
        run = 0
        for line in self.spoken(session, learner):
            accuracy = line["result"]["accuracy"]
            xp["dialogLine"] += 10 + math.floor(accuracy * 10)
            xp["lineRun"] += min(2 * run, 20)
            xp["lineMultiplayer"] += 5 if session["mode"] != "SOLO" else 0
            run = run + 1 if accuracy >= 0.9 else 0
        return xp

    def streak(self, until):
        """The number of consecutive days up to that of a session."""
        days = {self.day(s["end"]) for s in self.sessions if s["start"] <= until["start"]}
        streak, day = 0, self.day(until["end"])
        while day - streak in days:
            streak += 1
        return streak

    @staticmethod
    def day(time):
        return common.instant(time).astimezone(MADRID).date().toordinal()

    def session_xp(self, session, helps):
        lines = self.spoken(session, self.learner)
        errors = sum(line["result"]["errorCount"] for line in lines)
        xp = {"dialogCompletion": 50, "vocabularyBonus": 10 * len(session["words"])}
        xp["accuracyBonus"] = max(0, math.floor(30 * (len(lines) - errors) / len(lines))) if lines else 0
        xp["collaborationBonus"] = 25 + 10 * helps if session["mode"] != "SOLO" else 0
        xp["streakBonus"] = math.floor(sum(xp.values()) * min(self.streak(session) * 0.05, 0.5))
        return xp

    def total(self, sessions, helps=lambda session: session["helps"]):
        total = {}
        for session in sessions:
            for part in (self.line_xp(session, self.learner), self.session_xp(session, helps(session))):
                for bucket, xp in part.items():
                    total[bucket] = total.get(bucket, 0) + xp
        return {bucket: xp for bucket, xp in total.items() if xp}


def without_zeros(breakdown):
    return {name: xp for name, xp in breakdown.items() if xp}


def expected_progress(who, at, total, fields):
    """The progress of a learner, with XP by bucket and nothing else in it."""
    fields = dict(fields, totalXP=sum(total.values()), xpBreakdown=None)
    del fields["xpBreakdown"]
    fields.update({f"xpBreakdown.{name}": xp for name, xp in total.items()})
    return {"command": f"progress {who} --language es --at {common.rfc3339(at, MADRID)} --json", "fields": fields}


def words_of(evenings):
    return {"totalWordsKnown": len(evenings.words)}


# MARK: Live events

def live(evenings, rng, folder):
    lines, number = [], 0

    def event(kind, time, session, data=None, **more):
        nonlocal number
        number += 1
        lines.append({
            "id": str(number), "source": rng.choice(["phone", "pad"]), "type": kind, "subject": evenings.learner,
            "time": common.rfc3339(time, MADRID), "language": "es", "session": session, "data": data or {}, **more,
        })

    for session in evenings.sessions:
        name, mode = session["id"], session["mode"].lower()
        event("session.started", session["start"], name, {"mode": mode, "scenario": session["scenario"]})
        for line in session["lines"]:
            if line["who"] != evenings.learner:
                continue
            result = line["result"]
            if result["skipped"]:
                event("line.skipped", line["spoken"], name, {"line": line["id"]})
            else:
                event("line.spoken", line["spoken"], name, {
                    "line": line["id"], "text": line["text"], "accuracy": result["accuracy"],
                    "errors": result["errorCount"], "durationMs": result["duration"]})
                for error in result["wordErrors"]:
                    event("error.detected", line["spoken"], name, {"line": line["id"], "original": error["heard"]})
        for word in session["words"]:
            event("word.added", word["at"], name, {"word": word["id"], "text": word["word"]})
        for help_number in range(session["helps"]):
            event("help.given", session["start"] + 40_000 + help_number, name)
        event("session.ended", session["end"], name)
    half = len(lines) // 2
    feedings = common.line_feedings(rng, folder, "live", "", {"live-a.ndjson": lines[:half], "live-b.ndjson": lines[half:]})
    total = evenings.total(evenings.sessions)
    last = evenings.sessions[-1]
    streak = evenings.streak(last)
    minutes = sum(s["end"] - s["start"] for s in evenings.sessions) // 60_000
    at = last["end"] + 60_000
    return {
        "name": "live events", "rules": "Rules/bab-language.yaml", "feedings": feedings,
        "expected": [
            expected_progress(evenings.learner, at, total, words_of(evenings) | {
                "currentStreak": streak, "totalSessions": len(evenings.sessions), "totalMinutesPlayed": minutes,
                "multiplayerSessions": sum(s["mode"] != "SOLO" for s in evenings.sessions),
                "helpGiven": sum(s["helps"] for s in evenings.sessions)}),
            sessions_expected(evenings, at, evenings.sessions, lambda s: s["helps"], met=False, corrected=False),
        ],
    }


def sessions_expected(evenings, at, sessions, helps, met=True, corrected=True, ended=True):
    rows = {}
    for session in sessions:
        spoken = evenings.spoken(session, evenings.learner)
        row = {"linesSpoken": len(spoken), "errorsDetected": sum(l["result"]["errorCount"] for l in spoken)}
        xp = evenings.line_xp(session, evenings.learner)
        if ended:
            row["newVocabulary"] = len(session["words"])
            xp |= evenings.session_xp(session, helps(session))
        if met:
            row["wordsEncountered"] = session["met"]
        if corrected:
            row["errorsCorrected"] = session["corrected"]
        row["xpEarned"] = sum(xp.values())
        rows[session["id"]] = row
    command = f"sessions {evenings.learner} --at {common.rfc3339(at, MADRID)} --json"
    return {"command": command, "by": "sessionId", "rows": rows}


# MARK: Packets

def captures(evenings, rng, sessions):
    """The packets of the same evenings that the learner's and the partner's phones captured."""
    phones = {"packets-a.ndjson": [], "packets-b.ndjson": []}
    for session in sessions:
        clocks = {"a": 0, "b": 0}
        peers = {evenings.learner: "a", evenings.partner: "b"}
        learners = {f"peer-a-{session['id']}": evenings.learner}
        if session["mode"] != "SOLO":
            learners[f"peer-b-{session['id']}"] = evenings.partner
        host = "b" if session["mode"] == "CLIENT" else "a"

        def packet(kind, peer, time, payload):
            clocks[peer] += 1
            name = f"peer-{peer}-{session['id']}"
            wire = {
                "type": kind, "senderId": name,
                "vectorClock": {"timestamps": {f"peer-{p}-{session['id']}": c for p, c in clocks.items() if c}},
                "payload": {"type": PREFIX + kind.title().replace("_", ""), **payload},
            }
            heard = [phone for phone, own in (("packets-a.ndjson", "a"), ("packets-b.ndjson", "b"))
                     if own == peer or session["mode"] != "SOLO"]
            kept = [phone for phone in heard if rng.random() < 0.85] or [rng.choice(heard)]
            delays = [rng.randrange(5, 400) for _ in kept]
            if 0 not in delays:
                # One phone received the packet at once, so the order is known.
                delays[rng.randrange(len(delays))] = 0
            for phone, delay in zip(kept, delays):
                for repeat in range(rng.choice([1, 1, 1, 2, 3])):
                    phones[phone].append({
                        "capturedAt": common.rfc3339(time + delay + 150 * repeat, rng.choice([MADRID, common.UTC])),
                        "session": session["id"], "language": "es",
                        "learners": learners, "packet": wire})

        packet("HANDSHAKE", host, session["start"] - 900, {"participant": {"id": "x"}})
        packet("ROLE_ASSIGNED", host, session["start"] - 600, {"playerId": f"peer-a-{session['id']}", "roleId": "guest"})
        packet("GAME_STARTED", host, session["start"], {"scenarioId": session["scenario"]})
        for line in session["lines"]:
            shown = {k: line[v] for k, v in (("id", "id"), ("roleName", "role"), ("textNative", "text"),
                                             ("textTranslated", "translation"), ("timestamp", "shown"))}
            packet("DIALOG_LINE_ADDED", host, line["shown"], {"line": {"speakerId": "ai-robot", **shown}})
            if line["result"] is None:
                continue
            if line["result"]["skipped"] and rng.random() < 0.5:
                packet("LINE_SKIPPED", peers[line["who"]], line["spoken"], {"lineId": line["id"]})
            else:
                packet("LINE_COMPLETED", peers[line["who"]], line["spoken"], {"lineId": line["id"], "result": line["result"]})
    return {phone: lines for phone, lines in phones.items() if lines}


def packets(evenings, rng, folder):
    files = captures(evenings, rng, evenings.sessions)
    options = f"--format bab-packets {OPTIONS}"
    feedings = common.line_feedings(rng, folder, "packets", options, files)
    total = {}
    for session in evenings.sessions:
        for bucket, xp in evenings.line_xp(session, evenings.learner).items():
            total[bucket] = total.get(bucket, 0) + xp
    at = evenings.end
    rows = sessions_expected(evenings, at, evenings.sessions, None, met=False, corrected=False, ended=False)
    return {"name": "packets", "rules": "Rules/bab-language.yaml", "feedings": feedings,
            "expected": [expected_progress(evenings.learner, at, without_zeros(total), {}), rows]}


# MARK: The repositories

def repositories(evenings, rng, sessions, style, adds):
    """The SDK's repositories after some of the sessions. adds: XP that no session explains."""
    last = sessions[-1]
    profile = {
        "id": evenings.learner, "displayName": "Ana", "nativeLanguage": "en-US", "currentTargetLanguage": "es",
        "targetLanguages": [{"code": "es", "proficiencyLevel": "A2", "startedAt": START - DAY}],
        "interests": ["TRAVEL"], "learningGoals": [], "dailyGoalMinutes": 30, "voiceSpeed": "NORMAL",
        "showTranslations": "ALWAYS", "onboardingCompleted": True, "createdAt": START - DAY, "lastActiveAt": last["end"] + 1000,
    }
    vocabulary = []
    for session in sessions:
        for word in session["words"]:
            entry = {
                "id": word["id"], "word": word["word"], "translation": "x", "language": "es", "partOfSpeech": "NOUN",
                "exampleSentence": None, "audioUrl": None, "masteryLevel": min(5, word["reviews"]), "easeFactor": 2.5,
                "intervalDays": 1 + word["reviews"], "nextReviewAt": word["at"] + DAY, "totalReviews": word["reviews"],
                "correctReviews": word["reviews"], "firstSeenInDialogId": session["id"], "firstSeenAt": word["at"],
                "lastReviewedAt": session["end"] if word["reviews"] else None,
            }
            vocabulary.append(entry)
    total = sum(evenings.total(sessions, lambda _: 0).values()) + adds
    progress = {
        "userId": evenings.learner, "language": "es", "currentStreak": evenings.streak(last),
        "longestStreak": evenings.streak(last), "todayMinutes": 0, "dailyGoalMinutes": 30, "totalXP": total,
        "lastActivityDate": common.instant(last["end"]).astimezone(MADRID).date().isoformat(), "weeklyXP": 0,
        "currentLevel": 1, "totalWordsLearned": 0, "wordsDueForReview": 0, "vocabularyMasteryPercent": 0.0,
        "totalSessions": len(sessions), "totalMinutesPlayed": 0, "soloSessions": 0, "multiplayerSessions": 0,
        "successfulRepairs": 0, "helpGiven": 0, "teamWins": 0, "estimatedCEFR": "A1", "cefrProgressPercent": 0.0,
    }
    return {
        "profile": profile, "vocabulary": vocabulary, "progress": [progress], "achievements": [],
        "savedSessions": [saved_session(evenings, session, style) for session in sessions],
    }


def saved_session(evenings, session, style):
    spoken = evenings.spoken(session, evenings.learner)
    lines = []
    for line in session["lines"]:
        learner = line["who"] == evenings.learner
        entry = {
            "id": line["id"], "roleName": line["role"], "textNative": line["text"], "textTranslated": line["translation"],
            "timestamp": line["spoken"],
            # The formats of the SDK, of its server, and of an app that names the speaker of each line.
            "speakerId": {"sdk": "ai-robot", "assigned": "ai-robot", "named": evenings.learner if learner else line["who"]}[style],
        }
        if style == "assigned" and line["who"] != "robot":
            entry["assignedToPlayerId"] = f"peer-{'a' if learner else 'b'}-{session['id']}"
        # Other speakers' lines are only known if lines name their speaker.
        if line["result"] is not None and (learner or style != "sdk"):
            entry["pronunciationResult"] = line["result"]
        lines.append(entry)
    return {
        "id": session["id"], "scenarioName": session["scenario"].title(), "playedAt": session["start"],
        "durationMinutes": (session["end"] - session["start"]) // 60_000, "dialogLines": lines,
        "stats": {
            "sessionId": session["id"], "startedAt": session["start"], "endedAt": session["end"], "mode": session["mode"],
            "scenarioId": session["scenario"], "linesSpoken": len(spoken), "wordsEncountered": session["met"],
            "newVocabulary": len(session["words"]), "errorsDetected": sum(l["result"]["errorCount"] for l in spoken),
            "errorsCorrected": session["corrected"], "xpEarned": 0, "xpBreakdown": {},
        },
    }


def repositories_expected(evenings, adds, at, lines=True):
    total = evenings.total(evenings.sessions, lambda _: 0) | {"adjustment": adds}
    expected = [expected_progress(evenings.learner, at, without_zeros(total), words_of(evenings) | {
        "displayName": "Ana", "dailyGoalMinutes": 30, "totalSessions": len(evenings.sessions),
        "currentStreak": evenings.streak(evenings.sessions[-1])})]
    return expected + [sessions_expected(evenings, at, evenings.sessions, lambda _: 0)]


def split(document, rng):
    """Splits a document into two with the same content. Both have the profile and the totals."""
    halves = [dict(document), dict(document)]
    for key in ("vocabulary", "savedSessions"):
        chosen = [rng.random() < 0.5 for _ in document[key]]
        for half, wanted in zip(halves, (True, False)):
            half[key] = [entry for entry, is_first in zip(document[key], chosen) if is_first == wanted]
    return halves


def export(evenings, rng, folder, style):
    cut = max(1, len(evenings.sessions) - 1)
    adds = rng.randrange(10, 500)
    older = repositories(evenings, rng, evenings.sessions[:cut], style, rng.randrange(0, adds))
    newer = repositories(evenings, rng, evenings.sessions, style, adds)
    names = [f"export-{style}-{part}.json" for part in ("older", "newer", "first", "second")]
    for name, document in zip(names, [older, newer, *split(newer, rng)]):
        common.write_json(f"{folder}/{name}", document)
    options = f"--format bab-export {OPTIONS}"
    at = evenings.sessions[-1]["end"] + 3_600_000
    return {
        "name": f"export, {style}", "rules": "Rules/bab-language.yaml",
        "feedings": common.feedings(rng, [(options, name) for name in names]),
        "expected": repositories_expected(evenings, adds, at),
    }


# MARK: Stores

TEXT, DATE, WHOLE, REAL = "VARCHAR", "TIMESTAMP", "INTEGER", "FLOAT"
ENTITIES = {
    "UserProfile": {
        "id": TEXT, "displayName": TEXT, "nativeLanguage": TEXT, "currentTargetLanguage": TEXT, "interestsJSON": TEXT,
        "learningGoalsJSON": TEXT, "dailyGoalMinutes": WHOLE, "voiceSpeed": TEXT, "showTranslations": TEXT,
        "onboardingCompleted": WHOLE, "createdAt": DATE, "lastActiveAt": DATE},
    "TargetLanguage": {"code": TEXT, "proficiencyLevel": TEXT, "startedAt": DATE, "profile": WHOLE},
    "VocabularyEntry": {
        "id": TEXT, "word": TEXT, "translation": TEXT, "language": TEXT, "partOfSpeech": TEXT, "exampleSentence": TEXT,
        "audioUrl": TEXT, "masteryLevel": WHOLE, "easeFactor": REAL, "intervalDays": WHOLE, "nextReviewAt": DATE,
        "totalReviews": WHOLE, "correctReviews": WHOLE, "firstSeenInDialogId": TEXT, "firstSeenAt": DATE,
        "lastReviewedAt": DATE},
    "UserProgress": {
        "userId": TEXT, "language": TEXT, "currentStreak": WHOLE, "longestStreak": WHOLE, "lastActivityDate": TEXT,
        "todayMinutes": WHOLE, "dailyGoalMinutes": WHOLE, "totalXP": WHOLE, "weeklyXP": WHOLE, "currentLevel": WHOLE,
        "totalWordsLearned": WHOLE, "wordsDueForReview": WHOLE, "vocabularyMasteryPercent": REAL, "totalSessions": WHOLE,
        "totalMinutesPlayed": WHOLE, "soloSessions": WHOLE, "multiplayerSessions": WHOLE, "successfulRepairs": WHOLE,
        "helpGiven": WHOLE, "teamWins": WHOLE, "estimatedCEFR": TEXT, "cefrProgressPercent": REAL},
    "SessionStats": {
        "sessionId": TEXT, "startedAt": DATE, "endedAt": DATE, "mode": TEXT, "scenarioId": TEXT, "linesSpoken": WHOLE,
        "wordsEncountered": WHOLE, "newVocabulary": WHOLE, "errorsDetected": WHOLE, "errorsCorrected": WHOLE,
        "xpEarned": WHOLE},
    "SavedSession": {"id": TEXT, "scenarioName": TEXT, "playedAt": DATE, "durationMinutes": WHOLE, "stats": WHOLE},
    "DialogLine": {
        "id": TEXT, "speakerId": TEXT, "roleName": TEXT, "textNative": TEXT, "textTranslated": TEXT, "timestamp": DATE,
        "session": WHOLE},
    "Achievement": {"id": TEXT, "name": TEXT, "category": TEXT, "unlockedAt": DATE, "progress": REAL},
}
# The fields that SwiftData's guide leaves out of the profile, and its app out of the rest.
LEAN_PROFILE = ["id", "displayName", "nativeLanguage", "currentTargetLanguage", "onboardingCompleted", "createdAt", "lastActiveAt"]


def store(file, prefix, document, heard, lean=False):
    """The repositories as a store. heard: whether the app keeps what was heard of a line. lean: as SwiftData's guide has it."""
    entities = {prefix + name: dict(attributes) for name, attributes in ENTITIES.items()}
    if heard:
        entities[prefix + "DialogLine"] |= {"assignedToPlayerId": TEXT, "pronunciationResultJSON": TEXT}
    if lean:
        entities[prefix + "UserProfile"] = {
            name: "INTEGER" if name.endswith("At") else kind
            for name, kind in ENTITIES["UserProfile"].items() if name in LEAN_PROFILE}
        del entities[prefix + "Achievement"]
    db = common.core_data_store(file, entities)

    def add(name, values, **more):
        kinds = entities[prefix + name]
        row = {}
        for attribute in kinds:
            value = more.get(attribute, values.get(attribute))
            if kinds[attribute] == DATE and value is not None:
                # The guide's own code cuts off the milliseconds.
                value = common.core_data_time(value if prefix == "SD" else value // 1000 * 1000)
            row[attribute] = value
        return common.core_data_row(db, prefix + name, **row)

    profile = add("UserProfile", document["profile"], interestsJSON="[]", learningGoalsJSON="[]")
    for language in document["profile"]["targetLanguages"]:
        add("TargetLanguage", language, profile=profile)
    for entry in document["vocabulary"]:
        add("VocabularyEntry", entry)
    for progress in document["progress"]:
        add("UserProgress", progress)
    for session in document["savedSessions"]:
        stats = add("SessionStats", session["stats"])
        saved = add("SavedSession", session, stats=stats)
        for line in session["dialogLines"]:
            result = line.get("pronunciationResult")
            add("DialogLine", line, session=saved, pronunciationResultJSON=result and json.dumps(result))
    db.commit()
    db.close()


def stores(evenings, rng, folder, prefix, name, lean=False):
    # Whole seconds, because the guide's own code keeps only those.
    for session in evenings.sessions:
        for key in ("start", "end"):
            session[key] -= session[key] % 1000
        for line in session["lines"]:
            line["spoken"] -= line["spoken"] % 1000
        for word in session["words"]:
            word["at"] -= word["at"] % 1000
    cut = max(1, len(evenings.sessions) - 1)
    adds = rng.randrange(10, 500)
    older = repositories(evenings, rng, evenings.sessions[:cut], "assigned", rng.randrange(0, adds))
    newer = repositories(evenings, rng, evenings.sessions, "assigned", adds)
    names = [f"{prefix}-{part}.store" for part in ("older", "newer", "first", "second")]
    for file, document in zip(names, [older, newer, *split(newer, rng)]):
        store(f"{folder}/{file}", prefix, document, heard=True, lean=lean)
    common.write_json(f"{folder}/{prefix}-export.json", newer)
    options = f"--format {name} {OPTIONS}"
    at = evenings.sessions[-1]["end"] + 3_600_000
    expected = repositories_expected(evenings, adds, at)
    if lean:
        del expected[0]["fields"]["dailyGoalMinutes"]
    rules = "Rules/bab-language.yaml"
    files = [(options, file) for file in names]
    # The export of the same device contains the same events.
    both = [(options, names[1]), (f"--format bab-export {OPTIONS}", f"{prefix}-export.json")]
    return [
        {"name": name, "rules": rules, "feedings": common.feedings(rng, files), "expected": expected},
        {"name": f"{name} and export", "rules": rules, "feedings": common.feedings(rng, both)[:2],
         "expected": repositories_expected(evenings, adds, at)},
    ]


def packets_and_export(evenings, rng, folder):
    files = captures(evenings, rng, evenings.sessions)
    for file, lines in files.items():
        common.write_lines(f"{folder}/both-{file}", lines)
    adds = rng.randrange(10, 500)
    common.write_json(f"{folder}/both-export.json", repositories(evenings, rng, evenings.sessions, "assigned", adds))
    steps = [(f"--format bab-packets {OPTIONS}", f"both-{file}") for file in files]
    steps.append((f"--format bab-export {OPTIONS}", "both-export.json"))
    at = evenings.sessions[-1]["end"] + 3_600_000
    expected = sessions_expected(evenings, at, evenings.sessions, lambda _: 0)
    for row in expected["rows"].values():
        del row["xpEarned"]
    total = sum(evenings.total(evenings.sessions, lambda _: 0).values()) + adds
    return {
        "name": "packets and export", "rules": "Rules/bab-language.yaml", "feedings": common.feedings(rng, steps),
        "expected": [expected, {
            "command": f"progress {evenings.learner} --language es --at {common.rfc3339(at, MADRID)} --json",
            "fields": {"totalXP": total, "metrics.lines": sum(
                len(evenings.spoken(s, evenings.learner)) for s in evenings.sessions)}}],
    }


def main():
    rng, folder = common.seeded(sys.argv)
    cases = [live(Evenings(rng, 0), rng, folder), packets(Evenings(rng, 1), rng, folder)]
    cases.append(export(Evenings(rng, 2), rng, folder, rng.choice(["sdk", "assigned", "named"])))
    cases.append(packets_and_export(Evenings(rng, 3), rng, folder))
    if rng.random() < 0.5:
        cases += stores(Evenings(rng, 4), rng, folder, "CD", "coredata-bab-language")
    else:
        cases += stores(Evenings(rng, 5), rng, folder, "SD", "swiftdata-bab-language", lean=rng.random() < 0.5)
    print(json.dumps({"cases": cases}))


main()
