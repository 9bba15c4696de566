// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelWire

/// The difference that a transaction made to a learner's progress.
struct LearnerChange {
    private let learner: String
    private let before: AnnouncedProgress
    private let after: AnnouncedProgress

    init(_ learner: String, before: AnnouncedProgress, after: AnnouncedProgress) {
        (self.learner, self.before, self.after) = (learner, before, after)
    }

    /// The announcements for the difference.
    var announcements: [Announcement] {
        overallAnnouncements + streakAnnouncements + achievementAnnouncements + goalAnnouncements
            + balanceAnnouncements + leagueAnnouncements + wordAnnouncements
    }

    private func announcement(_ kind: Announcement.Kind, _ data: [String: JSONValue]) -> Announcement {
        Announcement(kind, learner: learner, data)
    }

    /// The numbers of the overall track, which is the first.
    private var numbers: (before: TrackNumbers, after: TrackNumbers)? {
        guard let track = after.projection?.tracks.first else { return nil }
        return (before.projection?.tracks.first?.numbers ?? TrackNumbers(), track.numbers)
    }

    private var overallAnnouncements: [Announcement] {
        guard let numbers, numbers.after.level > numbers.before.level else { return [] }
        return [announcement(.levelReached, ["level": .integer(Int64(numbers.after.level))])]
    }

    private var streakAnnouncements: [Announcement] {
        guard let numbers else { return [] }
        var found: [Announcement] = []
        let start = newStreakStart(numbers.before, numbers.after)
        if let start { found.append(announcement(.streakStarted, ["day": .string(start.description)])) }
        if start != nil || numbers.after.currentStreak > numbers.before.currentStreak {
            found.append(
                announcement(
                    .streakExtended,
                    [
                        "days": .integer(Int64(numbers.after.currentStreak)),
                        "day": numbers.after.lastActivityDay.map { .string($0.description) } ?? .null,
                    ]
                )
            )
        }
        if let streak = after.milestones?.streak, !(before.milestones?.streak.hasSameDays(as: streak) ?? false) {
            let count = streak.freezesGained - (before.milestones?.streak.freezesGained ?? 0)
            let data: [String: JSONValue] = [
                "count": .integer(Int64(count)), "freezes": .integer(Int64(streak.freezes)),
            ]
            if count > 0 { found.append(announcement(.freezeEarned, data)) }
        }
        return found
    }

    /// The first day of a new streak, which began after the latest active day of `before`; nil if there is no new
    /// streak.
    private func newStreakStart(_ before: TrackNumbers, _ after: TrackNumbers) -> LocalDay? {
        guard let last = after.lastActivityDay, before.lastActivityDay.map({ $0 < last }) ?? true else { return nil }
        guard let start = self.after.milestones?.streak.start else { return nil }
        return before.lastActivityDay.map { $0 < start } ?? true ? start : nil
    }

    private var achievementAnnouncements: [Announcement] {
        guard let projection = after.projection else { return [] }
        let indexes = before.projection.map(projection.indexes)
        return projection.tracks.enumerated().flatMap { index, track in
            let old = indexes?[index].flatMap { before.projection?.tracks[$0] }
            return track.achievements.compactMap { achievement -> Announcement? in
                let known = old?.achievements.first { $0.id == achievement.id }?.tier ?? 0
                guard achievement.tier > known else { return nil }
                return announcement(
                    .achievementUnlocked,
                    [
                        "achievement": .string(achievement.id),
                        "language": track.language.map { .string($0) } ?? .null,
                        "tier": .integer(Int64(achievement.tier)), "tiers": .integer(Int64(achievement.tiers)),
                    ]
                )
            }
        }
    }

    private var goalAnnouncements: [Announcement] {
        (after.milestones?.goals ?? []).flatMap { goal in
            goal.completions(since: before.milestones?.goals.first { $0.id == goal.id }).map { number, at in
                announcement(
                    .goalCompleted,
                    [
                        "goal": .string(goal.id), "every": .string(goal.every), "times": .integer(Int64(number)),
                        "completedAt": .string(Timestamp.utc(at)),
                    ]
                )
            }
        }
    }

    private var balanceAnnouncements: [Announcement] {
        (after.milestones?.balances ?? []).compactMap { balance in
            let old = before.milestones?.balances.first { $0.currency == balance.currency }
            let change = balance.amount - (old?.amount ?? balance.start)
            guard change != 0 else { return nil }
            return announcement(
                .balanceChanged,
                [
                    "currency": .string(balance.currency), "balance": .integer(Int64(balance.amount)),
                    "change": .integer(Int64(change)),
                    "nextRefillAt": balance.nextRefill.map { .string(Timestamp.utc($0)) } ?? .null,
                ]
            )
        }
    }

    private var leagueAnnouncements: [Announcement] {
        func text(_ bytes: [UInt8]) -> JSONValue { .string(String(decoding: bytes, as: UTF8.self)) }
        func number(_ value: Int?) -> JSONValue { value.map { .integer(Int64($0)) } ?? .null }
        return (after.milestones?.results(since: before.milestones) ?? []).map { result in
            announcement(
                .leagueFinished,
                [
                    "league": text(result.league), "week": text(result.week), "tier": text(result.tier),
                    "next": text(result.next), "outcome": .string(result.outcome.name),
                    "rank": number(result.rank), "of": number(result.of), "xp": number(Int(whole: result.xp)),
                ]
            )
        }
    }

    private var wordAnnouncements: [Announcement] {
        after.mastered.subtracting(before.mastered).sorted { ($0.language, $0.word) < ($1.language, $1.word) }.map {
            announcement(.wordMastered, ["language": .string($0.language), "word": .string($0.word)])
        }
    }
}
