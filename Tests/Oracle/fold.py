# SPDX-License-Identifier: Apache-2.0
"""The fold (numbers.md#the-order-of-the-fold), from a learner's events and the rules' versions to the state of every track."""
from __future__ import annotations

import math

from awards import MOST, Award
from catalogue import ADMINISTERED
from events import Event
from expressions import Lookup, Value, number
from game_rules import Gifts, Goal, of_tier
from games import Games
from goals import Window, acting
from groups import GroupNotes
from plausibility import Plausibility
from rules import Achievement, Rules
from seen import lookup, visible_fields
from track import Track
from versions import Versions, local_day, local_offset
from windows import measure


def by_decree(event: Event, administered: set[str]) -> bool:
    """True if a discarded session does not void the event (numbers.md#decisions)."""
    if event.type == "learner.updated":
        return any(event.data.get(name) is not None for name in administered | {"cohort"})
    return event.type == "item.bought" or event.type in ADMINISTERED


def without_void(events: list[Event], administered: set[str]) -> list[Event]:
    """The events that no retraction and no discarded session voids."""
    retracted = {(e.fields["source"], e.fields["id"]) for e in events if e.type == "event.retracted"}
    standing = [e for e in events if e.type == "event.retracted" or (e.source, e.id) not in retracted]
    discarded = {e.session for e in standing if e.type == "session.discarded"}
    return [
        e for e in standing
        if e.type == "event.retracted" or e.session is None or e.session not in discarded or by_decree(e, administered)
    ]


class Fold:
    """One learner's tracks, in the version of the latest event."""

    def __init__(self, versions: Versions, learner: str) -> None:
        self.versions = versions
        self.version = 0
        self.games = Games(versions[0], learner)
        self.overall = Track(versions, 0, None, self.games)
        self.languages: dict[str, Track] = {}
        self.plausibility = Plausibility()
        self.groups = GroupNotes()

    @property
    def rules(self) -> Rules:
        return self.versions[self.version]

    def run(self, events: list[Event]) -> "Fold":
        """Folds all events of a learner, in any order."""
        standing = without_void(events, self.versions.administered)
        self.plausibility.cleared = {(e.fields["source"], e.fields["id"]) for e in standing if e.type == "flag.cleared"}
        for event in sorted(standing, key=lambda event: event.order):
            while self.version < self.versions.of_event(event):
                day = local_day(event.time, local_offset(event, self._following), self._following)
                self.go_over(event.time, day)
            self._fold(event)
        return self

    @property
    def _following(self) -> Rules:
        return self.versions[self.version + 1]

    def go_over(self, time: int, day: int) -> None:
        """Goes over to the next version, at an instant, which is on a local day by that version's clock."""
        self.version += 1
        self.games.go_over(self.rules, time)
        for track in [self.overall, *self.languages.values()]:
            track.go_over(self.rules, day)

    def _fold(self, event: Event) -> None:
        self.games.enter(event)
        tracks = [self.overall]
        if event.language is not None:
            fresh = Track(self.versions, self.version, event.language, self.games)
            tracks.append(self.languages.setdefault(event.language, fresh))
        is_flagged, before = self.plausibility.flags(event, self.rules.limits), [track.windows.total.xp for track in tracks]
        unadjusted = self.overall.unadjusted
        awards: list[tuple[str, int]] = []
        for track in tracks:
            look = self._until_streak(track, event)
            if track is self.overall:
                awards = self._awards(event, look)
                awards += self._settled(event, tracks[-1], sum(amount for _, amount in awards))
                self._book(event, self._currency_awards(event, look))
            for bucket, amount in awards:
                track.credit(bucket, amount)
            self._achieve(track, event, look)
            track.windows.leave(event)
        for track, xp in zip(tracks, before) if is_flagged else []:
            track.flagged_events += 1
            track.flagged_xp += track.windows.total.xp - xp
            track.flagged_by_day[track.day] += track.windows.total.xp - xp
        self.overall.fair.append((self.overall.day, event.time, 0 if is_flagged else self.overall.unadjusted - unadjusted))
        self.groups.note(event, self.overall)

    def _until_streak(self, track: Track, event: Event) -> Lookup:
        """Steps 1 to 4."""
        track.enter(event)
        fields = visible_fields(event, track.windows.session, self.rules)
        track.tally(event, fields)
        track.words.apply(event, lambda instant: local_day(instant, track.offset, self.rules))
        look = lookup(track, event, fields)
        for metric in self.rules.metrics:
            measure(metric, event, look, track.windows)
        track.mark_days(event, look)
        return look

    # Step 5.

    def _awards(self, event: Event, look: Lookup) -> list[tuple[str, int]]:
        """The XP that the event earns, by bucket. It is not credited yet, so that every rule sees the XP before the event."""
        result: list[tuple[str, int]] = []
        earned = 0
        for rule in self.rules.xp:
            def see(name: str) -> Value:
                return float(earned) if name == "earned" else look(name)
            if rule.applies(event.type, self.overall.day, see):
                amount = self._capped(rule, _whole(number(rule.award, see)))
                earned += amount
                result.append((rule.bucket, amount))
        return result

    def _currency_awards(self, event: Event, look: Lookup) -> list[tuple[str, int]]:
        """The awards of the event, by currency, none of which has any effect yet."""
        result: list[tuple[str, int]] = []
        for rule in self.rules.awards:
            if rule.applies(event.type, self.overall.day, look):
                assert rule.currency is not None
                amount = max(-MOST, min(math.trunc(number(rule.award, look) or 0), MOST))
                result.append((rule.currency, self._capped(rule, amount) if amount > 0 else amount))
        return result

    def _book(self, event: Event, awards: list[tuple[str, int]]) -> None:
        """Books the changes of balances that an event makes; a purchase gives after all others."""
        self.games.book(event, awards)
        if event.type == "item.bought" and event.fields["item"] in self.rules.items:
            gives = self.rules.items[event.fields["item"]].gives
            self._give({name: [amount * event.fields["count"] for amount in amounts] for name, amounts in gives.items()}, event)

    def _give(self, gives: Gifts, event: Event, tier: int = 0, also: Track | None = None) -> None:
        """Gives currencies, and freezes to the overall track and perhaps to another one."""
        for name, amounts in gives.items():
            if name != "freezes":
                self.games.purse.award(name, of_tier(amounts, tier), event.time)
                continue
            for track in [self.overall] if also is None else [self.overall, also]:
                track.streak.grant(track.day, of_tier(amounts, tier))

    def _settled(self, event: Event, track: Track, awarded: int) -> list[tuple[str, int]]:
        """The XP that a correction adds: its own amount, or the difference between an app's XP and the track's."""
        if event.type == "xp.adjusted":
            return [("adjustment", event.fields["amount"])]
        if event.type == "xp.declared":
            return [("adjustment", max(0, event.fields["total"] - track.windows.total.xp - awarded))]
        return []

    def _capped(self, rule: Award, amount: int) -> int:
        if rule.daily_cap is None:
            return amount
        used = self.overall.windows.awarded_today
        amount = max(0, min(amount, rule.daily_cap - used.get(rule.key, 0)))
        used[rule.key] = used.get(rule.key, 0) + amount
        return amount

    # Step 6.

    def _achieve(self, track: Track, event: Event, look: Lookup) -> None:
        if event.type in ("achievement.granted", "achievement.revoked"):
            achievement = self.rules.achievement(event.fields["achievement"])
            if achievement and achievement.id in track.unlockings:
                self._decree(track, event, achievement)
        ours = [item for item in self.rules.achievements_of(track.language) if item.period.holds(track.day)]
        goals = acting(self.rules, self.games.learner, track.day) if track is self.overall else []
        while any(
            [self._try_goal(event, goal, now, look) for goal, now in goals]
            + [self._try(track, event, item, look) for item in ours]
        ):
            pass

    def _try_goal(self, event: Event, goal: Goal, now: Window, look: Lookup) -> bool:
        """Evaluates one goal; true if it is completed."""
        if not self.games.goals[goal.id].try_out(goal, now, look, event.time):
            return False
        self.overall.credit("goals", goal.xp)
        self._give(goal.gives, event)
        return True

    def _decree(self, track: Track, event: Event, achievement: Achievement) -> None:
        standing = track.unlockings[achievement.id]
        if event.type == "achievement.granted":
            standing.revoked = False
            fresh = standing.raise_to(len(achievement.thresholds), event.time)
            self._reward(track, achievement, fresh, event)
        else:
            self._credit(track, achievement, -standing.given)
            standing.reached, standing.best, standing.revoked = [], 0.0, True

    def _try(self, track: Track, event: Event, achievement: Achievement, look: Lookup) -> bool:
        """Evaluates one achievement; true if it unlocked a tier."""
        if not all(self._complete(track, required) for required in achievement.requires):
            return False
        fresh = track.unlockings[achievement.id].try_out(achievement, look, event.time)
        self._reward(track, achievement, fresh, event)
        return len(fresh) > 0

    def _complete(self, track: Track, required: str) -> bool:
        achievement = self.rules.achievement(required)
        assert achievement
        where = track if achievement.per_language else self.overall
        return where.unlockings[required].complete(achievement)

    def _reward(self, track: Track, achievement: Achievement, tiers: range, event: Event) -> None:
        """Gives the XP of tiers just unlocked, and the gifts of those unlocked for the first time."""
        standing = track.unlockings[achievement.id]
        self._credit(track, achievement, achievement.xp_of(tiers))
        for tier in tiers:
            if tier >= standing.gave:
                self._give(achievement.gives, event, tier, None if track is self.overall else track)
                standing.gave = tier + 1

    def _credit(self, track: Track, achievement: Achievement, amount: int) -> None:
        track.unlockings[achievement.id].given += amount
        for credited in [track] if track is self.overall else [track, self.overall]:
            credited.credit("achievements", amount)


def _whole(award: float | None) -> int:
    """max(0, floor(award)), `MOST` at most; nothing for null."""
    return 0 if award is None else min(max(0, math.floor(award)), MOST)
