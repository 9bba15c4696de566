# SPDX-License-Identifier: Apache-2.0
"""A count of the features that random worlds of leagues use. Settling a world again changes nothing.

    python3 -m unittest
"""
from __future__ import annotations

import tempfile
import unittest
from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any, Iterator

from events import Store
from game_rules import League
from instants import parse_time
from leagues import Entrant, Leagues, Week, play
from progress import At
from random_leagues import LEAGUES, World
from versions import load_versions

NOW = parse_time("2027-01-01T00:00:00Z")[0]
FEATURES = [
    "promoted in a room", "stayed in a room", "demoted in a room", "stayed without a room", "demoted without a room", "of one tier",
    "of the top tier", "of another tier", "with a zone", "with an offset", "in UTC", "opted out with XP", "flagged XP", "adjusted XP",
    "XP for results", "placed in an unknown tier", "several rooms", "uneven rooms", "equal XP", "equal XP and time", "settled again",
    "latecomer", "latecomer without a result", "absent before", "better", "would be worse", "full room", "opted out afterwards", "retracted",
    "ranked without XP", "ranked though opted out", "long or short week", "brought later", "dropped later", "tiers changed",
    "waited for an earlier week",
]


class Counted(Leagues):
    """Leagues that count the features of their settlements."""

    found: Counter[str] = Counter()

    def entrants(self, league: League, week: Week, is_again: bool) -> list[Entrant]:
        entrants = super().entrants(league, week, is_again)
        features = again if is_again else first
        for entrant in entrants:
            self.found.update(features(entrant, league))
        ranked = [(entrant.tier, entrant.room, entrant.rank_order) for entrant in entrants if entrant.room is not None]
        for (tier, room, (xp, time, _)), other in pairwise(sorted(ranked)):
            if other[:2] == (tier, room) and other[2][0] == xp:
                self.found["equal XP and time" if other[2][1] == time else "equal XP"] += 1
        for tier in league.tiers:
            sizes = [entrant.of for entrant in entrants if entrant.tier == tier and entrant.of]
            self.found["several rooms"] += max(sizes, default=0) < len(sizes)
            self.found["uneven rooms"] += len(set(sizes)) > 1
        self.found["long or short week"] += len(week.days) != 7
        self.found["settled again"] += is_again
        return entrants

    def count_weeks(self) -> None:
        """Counts features of the list of settled weeks."""
        versions = [version.rules.leagues for version in self.versions.all]
        for name in self.settled:
            self.found["brought later"] += name not in versions[0]
            self.found["dropped later"] += name not in versions[-1]
            changed = [(a[name], b[name]) for a, b in pairwise(versions) if name in a and name in b]
            self.found["tiers changed"] += any(a.tiers != b.tiers for a, b in changed)
        times: dict[str, dict[str, int]] = {name: {} for name in LEAGUES}
        for event in self.store.events.values():
            if event.source == "laurel/league" and event.fields["league"] in times:
                times[event.fields["league"]].setdefault(event.fields["week"], event.time)
        for weeks in times.values():
            self.found["waited for an earlier week"] += any(a > b for a, b in pairwise(weeks.values()))


def first(entrant: Entrant, league: League) -> Iterator[str]:
    """The features of a learner in the first settlement of a week."""
    if not entrant.is_due_a_result:
        return
    result, track, place = entrant.result(), entrant.fold.overall, "without a room" if entrant.room is None else "in a room"
    yield f"{entrant.outcome} {place}"
    yield "of one tier" if len(league.tiers) == 1 else "of the top tier" if entrant.tier == league.tiers[-1] else "of another tier"
    if "timezone" in result:
        yield "with a zone"
    else:
        yield "in UTC" if result["time"].endswith("Z") else "with an offset"
    if entrant.has_opted_out and entrant.xp > 0:
        yield "opted out with XP"
    if track.flagged_xp:
        yield "flagged XP"
    if track.buckets.get("adjustment"):
        yield "adjusted XP"
    if track.buckets.get("prize"):
        yield "XP for results"
    if (placed := entrant.fold.games.results.get(league.name)) and placed["next"] not in league.tiers:
        yield "placed in an unknown tier"


def again(entrant: Entrant, league: League) -> Iterator[str]:
    """The features of a learner in another settlement of a week."""
    earlier = entrant.earlier
    if entrant.is_better:
        yield "latecomer" if not earlier else "absent before" if earlier.get("room") is None else "better"
        if entrant.of and entrant.of > league.size:
            yield "full room"
        if entrant.room is None:
            yield "opted out afterwards"
    elif entrant.room is not None and not earlier:
        yield "latecomer without a result"
    elif earlier and len(entrant.standing_results) < len(entrant.results):
        yield "retracted"
    elif earlier and earlier["outcome"] != entrant.outcome:
        yield "would be worse"
    if entrant.room is not None and entrant.xp <= 0:
        yield "ranked without XP"
    if earlier.get("room") is not None and entrant.has_opted_out:
        yield "ranked though opted out"


class RandomWorlds(unittest.TestCase):
    def test_use_every_feature(self) -> None:
        for seed in range(60):
            world = World(Random(seed))
            with tempfile.TemporaryDirectory() as folder:
                world.write(folder)
                leagues = Counted(Store(), load_versions(folder))
                play(leagues, folder, NOW)
            self.assertEqual(leagues.store.counts["refused"] + leagues.store.counts["conflicts"], 0, seed)
            leagues.count_weeks()
            before = leagues.results()
            leagues.settle(At.parse(world.stages[-1]["settle"]))
            self.assertEqual(leagues.results(), before, seed)
        self.assertEqual([name for name in FEATURES if Counted.found[name] < 3], [], Counted.found)


if __name__ == "__main__":
    unittest.main()
