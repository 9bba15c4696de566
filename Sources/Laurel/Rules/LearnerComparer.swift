// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelRules
import LaurelStore

/// Folds a learner's events under two rule sets and compares the results.
final class LearnerComparer {
    private let old: LearnerFolder
    private let new: LearnerFolder
    private let instant: Timestamp
    private let wantsAll: Bool

    /// - Parameter wantsAll: true to include tracks without differences.
    init(old: FoldPlan, new: FoldPlan, at instant: Timestamp, wantsAll: Bool) {
        self.old = LearnerFolder(plan: old)
        self.new = LearnerFolder(plan: new)
        self.instant = instant
        self.wantsAll = wantsAll
    }

    func compare(_ learner: LearnerRecord, _ runs: [EventRun]) -> ComparedLearner {
        let events = old.refold(runs, until: instant.milliseconds)
        new.refold(runs, until: instant.milliseconds)
        old.fold.switchVersion(asOf: instant)
        new.fold.switchVersion(asOf: instant)
        let subject = String(decoding: learner.subject, as: UTF8.self)
        let (before, after) = (ProgressReader(plan: old.plan), ProgressReader(plan: new.plan))
        var compared = ComparedLearner(difference: LearnerDifference(learner: subject), events: events)
        for language in [nil] + before.languages(old.state).map(Optional.some) {
            guard let one = before.progress(old.state, subject: subject, language: language, at: instant),
                let other = after.progress(new.state, subject: subject, language: language, at: instant)
            else { continue }
            compared.difference.displayName = one.displayName
            let track = TrackDifference(one, other)
            compared.tracks.append(track)
            if language == nil { compared.flagged = (FlaggedEvents(one.numbers), FlaggedEvents(other.numbers)) }
            compared.held.before.formUnion(one.achievements.filter { $0.tier > 0 }.map(\.id))
            compared.held.after.formUnion(other.achievements.filter { $0.tier > 0 }.map(\.id))
        }
        compared.difference.tracks = wantsAll ? compared.tracks : compared.tracks.filter(\.differs)
        return compared
    }
}

/// The result of comparing one learner.
struct ComparedLearner: Sendable {
    /// The difference, with the wanted tracks.
    var difference: LearnerDifference
    /// All tracks.
    var tracks: [TrackDifference] = []
    /// The ids of the achievements that are unlocked in any track.
    var held: (before: Set<String>, after: Set<String>) = ([], [])
    /// The flagged events of all languages together.
    var flagged: (before: FlaggedEvents, after: FlaggedEvents) = (FlaggedEvents(), FlaggedEvents())
    var events: Int
}

/// The flagged events of a learner, and their XP.
struct FlaggedEvents: Sendable {
    var count = 0
    var xp = 0
}

extension FlaggedEvents {
    fileprivate init(_ numbers: TrackNumbers) {
        self.init(count: numbers.flaggedEvents, xp: Int(whole: numbers.flaggedXP))
    }
}

extension TrackDifference {
    fileprivate init(_ before: FoldedProgress, _ after: FoldedProgress) {
        self.init(language: before.language, before: Numbers(before.numbers), after: Numbers(after.numbers))
        let known = Dictionary(before.achievements.map { ($0.id, $0) }) { first, _ in first }
        let kept = Set(after.achievements.map(\.id))
        achievements = after.achievements.compactMap { AchievementDifference(known[$0.id], $0) }
        achievements += before.achievements.filter { !kept.contains($0.id) }.compactMap {
            AchievementDifference($0, nil)
        }
    }
}

extension TrackDifference.Numbers {
    fileprivate init(_ numbers: TrackNumbers) {
        self.init()
        totalXP = Int(whole: numbers.xp)
        currentLevel = numbers.level
        currentStreak = numbers.currentStreak
        longestStreak = numbers.longestStreak
        totalWordsLearned = numbers.counts.words.learned
        estimatedCEFR = numbers.estimatedCEFR.flatMap(CEFRLevel.init)
    }
}

extension AchievementDifference {
    /// The difference; nil if there is none.
    fileprivate init?(_ before: AchievementProgress?, _ after: AchievementProgress?) {
        let (held, holds) = (before?.tier ?? 0, after?.tier ?? 0)
        guard let outcome = Outcome(before?.unlockedAt, after?.unlockedAt, held, holds) else { return nil }
        self.init(id: after?.id ?? before?.id ?? "", outcome: outcome, tierBefore: held, tierAfter: holds)
        unlockedBefore = before?.unlockedAt.map(Date.init(milliseconds:))
        unlockedAfter = after?.unlockedAt.map(Date.init(milliseconds:))
    }
}

extension AchievementDifference.Outcome {
    /// The outcome; nil if nothing differs.
    fileprivate init?(_ unlockedBefore: Int64?, _ unlockedAfter: Int64?, _ tierBefore: Int, _ tierAfter: Int) {
        if tierAfter > tierBefore {
            self = tierBefore == 0 ? .won : .moreTiers
        } else if tierAfter < tierBefore {
            self = tierAfter == 0 ? .lost : .fewerTiers
        } else if let one = unlockedBefore, let other = unlockedAfter, one != other {
            self = other < one ? .earlier : .later
        } else {
            return nil
        }
    }
}
