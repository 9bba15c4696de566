// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelRules
import Testing

/// Rules for a simulated class that use every section, and changes to them.
enum ClassRules {
    static let base = """
        version: 1
        name: class
        metrics:
          lines: {count: line.spoken}
          clean: {run: line.spoken, while: event.accuracy >= 0.9}
          reviews: {count: review.graded}
          ended: {count: session.ended}
        streak:
          when: day.lines >= 1
          freezes: {earn_every: 5, hold: 2}
        xp:
          - {id: line, on: line.spoken, award: 10 * event.accuracy, daily_cap: 300}
          - {id: session, on: session.ended, award: 50}
          - {id: streak, on: session.ended, award: "earned * min(streak.current * 0.05, 0.5)"}
        levels: {xp_for: 50 * n * (n - 1)}
        mastery: {scheduler: sm2, learned_at: 3}
        cefr:
          score: words.learned + words.known / 2
          bands: {A1: 0, A2: 6, B1: 12, B2: 18, C1: 30, C2: 60}
        achievements:
          - {id: talker, name: Talker, value: total.lines, at_least: [20, 80, 200], xp: 30}
          - {id: reviewer, value: total.reviews, at_least: 30}
          - {id: pure, value: total.clean, at_least: 4, scope: language, xp: 5}
          - {id: veteran, value: level, at_least: 4, requires: talker}
          - {id: regular, value: streak.longest, at_least: 3, hidden: true}

        """

    /// The changes, and the rules after each.
    static let changed: [(name: String, rules: String)] = [
        ("awards", edited("10 * event.accuracy", "4 * event.accuracy")),
        ("levels", edited("50 * n", "90 * n")),
        ("streak", edited("day.lines >= 1", "day.lines >= 12")),
        ("mastery", edited("learned_at: 3", "learned_at: 1")),
        ("bands", edited("A2: 6", "A2: 3")),
        ("day", edited("metrics:", "calendar: {day_starts_at: \"05:00\"}\nmetrics:")),
        ("tiers", edited("[20, 80, 200]", "[40, 60]")),
        ("scope", edited("scope: language, xp: 5", "xp: 5")),
        ("gone", edited("  - {id: reviewer, value: total.reviews, at_least: 30}\n", "")),
        (
            "new",
            edited("achievements:\n", "achievements:\n  - {id: first, value: total.ended, at_least: 1, xp: 100}\n")
        ),
    ]

    static func edited(_ old: String, _ new: String) -> String {
        precondition(base.contains(old), old)
        return base.replacing(old, with: new)
    }

    static func load(_ rules: String) throws -> Rules { Rules(try Bench.load(rules)) }
}
