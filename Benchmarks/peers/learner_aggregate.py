# SPDX-License-Identifier: Apache-2.0
"""A learner as an aggregate, with the rules of Rules/bab-language.yaml as a programmer would write them for `eventsourcing`.

There is a domain event per CloudEvent. Folding gives XP by bucket, the streak, words with their schedule, and counts.
Corrections (retracted events, discarded sessions) are not covered, because an aggregate only folds forward.
"""

import datetime
import uuid
import zoneinfo

from eventsourcing.domain import Aggregate, event

DAY = datetime.timedelta(days=1)
PRACTICE = {
    "line.spoken", "review.graded", "session.ended", "word.encountered", "scenario.completed", "conversation.ended",
}


class Learner(Aggregate):
    @event("Enrolled")
    def __init__(self, subject):
        self.subject = subject
        self.xp = {}
        self.active = set()
        self.frozen = set()
        self.sessions = {}
        self.words = {}
        self.counts = {}
        self.perfect_run = 0
        self.achievements = {}

    @staticmethod
    def create_id(subject):
        return uuid.uuid5(uuid.NAMESPACE_URL, subject)

    @event("Practised")
    def practise(self, what):
        kind = what["type"]
        data = what.get("data") or {}
        moment = datetime.datetime.fromisoformat(what["time"])
        zone = what.get("timezone")
        day = (moment.astimezone(_zone(zone)) if zone else moment).date()
        self.counts[kind] = self.counts.get(kind, 0) + 1
        session = self._session(what.get("session"))
        is_new = self._learn(kind, what.get("language") or "", data, moment)
        if is_new:
            session["new_words"] += 1
        if kind in PRACTICE:
            self.active.add(day)
        handler = HANDLERS.get(kind)
        if handler:
            handler(self, session, data, day, moment)
        if kind == "session.ended":
            self.sessions.pop(what.get("session"), None)

    def _session(self, session):
        if session is None:
            return _new_session()
        if session not in self.sessions:
            self.sessions[session] = _new_session()
        return self.sessions[session]

    def _learn(self, kind, language, data, moment):
        if kind not in ("word.added", "word.encountered", "word.learned", "review.graded"):
            return False
        key = (language, data["word"])
        is_new = key not in self.words
        word = self.words.setdefault(
            key, {"ease": 2.5, "days": 1, "mastery": 0, "reviews": 0, "said": False, "due": moment}
        )
        if kind == "word.learned":
            word["said"] = True
        elif kind == "review.graded":
            _review(word, data["grade"], moment)
        return is_new

    def _award(self, bucket, amount):
        if amount:
            self.xp[bucket] = self.xp.get(bucket, 0) + amount

    def _unlock(self, achievement, moment):
        self.achievements.setdefault(achievement, moment)

    def _line(self, session, data, day, moment):
        accuracy = data.get("accuracy") or 0
        session["lines"] += 1
        session["errors"] += data.get("errors") or 0
        session["run_before"] = session["run_before"] + 1 if session["after_good"] else 0
        session["after_good"] = accuracy >= 0.9
        self.perfect_run = self.perfect_run + 1 if accuracy == 1 else 0
        if self.perfect_run >= 2:
            self._unlock("perfect_pair", moment)
        if self.perfect_run >= 10:
            self._unlock("streak_master", moment)
        if session["lines"] >= 50:
            self._unlock("chatterbox", moment)
        self._award("dialogLine", 10 + int(accuracy * 10))
        self._award("lineRun", min(2 * session["run_before"], 20))
        if session["together"]:
            self._award("lineMultiplayer", 5)

    def _start(self, session, data, day, moment):
        session["mode"] = data.get("mode")
        session["together"] = session["together"] or session["mode"] in ("host", "client")

    def _error(self, session, data, day, moment):
        session["told_errors"] += data.get("kind") == "statistics"

    def _help(self, session, data, day, moment):
        session["helps"] += 1

    def _end(self, session, data, day, moment):
        mode = data.get("mode") or session["mode"]
        together = mode in ("host", "client")
        lines = session["lines"]
        errors = max(session["errors"], session["told_errors"])
        accuracy = max(0, 30 * (lines - errors) // lines) if lines else 0
        collaboration = 25 + 10 * session["helps"] if together else 0
        earned = 50 + 10 * session["new_words"] + accuracy + collaboration
        self._award("dialogCompletion", 50)
        self._award("vocabularyBonus", 10 * session["new_words"])
        self._award("accuracyBonus", accuracy)
        self._award("collaborationBonus", collaboration)
        self._award("streakBonus", int(earned * min(self.streak(day) * 0.05, 0.5)))
        if together:
            self._unlock("first_multiplayer", moment)
        if lines and not errors:
            self._unlock("flawless_scene", moment)

    def _adjust(self, session, data, day, moment):
        self._award("adjustment", data["amount"])

    def _repair(self, session, data, day, moment):
        repaired = datetime.date.fromisoformat(data["date"])
        if repaired <= day:
            self.active.add(repaired)

    def _freeze(self, session, data, day, moment):
        self.frozen.add(datetime.date.fromisoformat(data["date"]))

    def streak(self, day):
        count = 0
        while day in self.active or day in self.frozen:
            count += day in self.active
            day -= DAY
        return count

    @property
    def learned(self):
        return sum(1 for word in self.words.values() if word["said"] or word["mastery"] >= 3)


HANDLERS = {
    "line.spoken": Learner._line,
    "session.started": Learner._start,
    "session.ended": Learner._end,
    "error.detected": Learner._error,
    "help.given": Learner._help,
    "xp.adjusted": Learner._adjust,
    "streak.repaired": Learner._repair,
    "streak.frozen": Learner._freeze,
}


def _new_session():
    return {
        "lines": 0, "errors": 0, "told_errors": 0, "new_words": 0, "helps": 0, "run_before": 0, "after_good": False, "mode": None,
        "together": False,
    }


def _review(word, grade, moment):
    interval = word["days"]
    if grade == "again":
        word["days"] = 1
        word["ease"] = max(1.3, word["ease"] - 0.2)
        word["mastery"] = max(0, word["mastery"] - 1)
    elif grade == "hard":
        word["days"] = int(interval * 1.2)
        word["ease"] = max(1.3, word["ease"] - 0.15)
    else:
        bonus = 1.3 if grade == "easy" else 1
        word["days"] = min(36_500, int(interval * word["ease"] * bonus))
        word["ease"] += 0.15 if grade == "easy" else 0
        word["mastery"] = min(5, word["mastery"] + 1)
    word["reviews"] += 1
    word["due"] = moment + word["days"] * DAY


def _zone(name, known={}):
    if name not in known:
        known[name] = zoneinfo.ZoneInfo(name)
    return known[name]
