// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelRules

/// The event before which a learner is converted to a version of the rules.
struct VersionCall {
    /// The time of the event, in milliseconds since 1970.
    let instant: Int64
    /// The event's local day by the calendar of the new version.
    let day: LocalDay
}

/// The conversion of a learner from one version of the rules to the next. It is computed once and then applied to every
/// learner.
struct VersionTransition: Sendable {
    private let old: VersionPlan
    private let new: VersionPlan
    /// For each metric of the new version, its index in the old version; nil if the metric starts at 0.
    private let metrics: [Int?]
    /// For each XP rule of the new version, the index of the old version's rule with the same id; nil unless both have
    /// a cap.
    private let capped: [Int?]
    /// For each currency of the new version, its index in the old version; nil if the currency is new.
    private let currencies: [Int?]
    /// For each item of the new version, its index in the old version; nil if the item is new.
    private let items: [Int?]
    /// For each goal of the new version, its index in the old version; nil if the goal is new.
    private let goals: [Int?]
    /// For each bucket of the new version, its index in the old version; nil if the bucket is new.
    private let buckets: [Int?]
    /// For each achievement of the new version, the old version's achievement with the same id and scope; nil if there
    /// is none. `keepsBest` is true if the achievement's best value is still valid.
    private let achievements: [(index: Int, keepsBest: Bool)?]
    private let words: WordTransition
    /// For each field of the learner that the new version stores, its index in the old version; nil if it begins as
    /// null.
    private let learnerFields: [Int?]
    /// For each season of the old version, its index in the new version; nil if the new version has no season of that
    /// name.
    private let seasons: [Int?]

    init(_ old: VersionPlan, _ new: VersionPlan) {
        (self.old, self.new) = (old, new)
        metrics = new.rules.metrics.map { metric in
            old.rules.metrics.firstIndex { $0.name.hasSameBytes(as: metric.name) && metric.isDefined(as: $0) }
        }
        capped = new.rules.xpRules.map { rule in
            guard rule.dailyCap != nil else { return nil }
            return old.rules.xpRules.firstIndex {
                $0.id.hasSameBytes(as: rule.id) && $0.dailyCap != nil
                    && old.rules.currencyName(of: $0) == new.rules.currencyName(of: rule)
            }
        }
        currencies = new.rules.currencies.map { currency in
            old.rules.currencies.firstIndex { $0.name.hasSameBytes(as: currency.name) }
        }
        items = new.rules.items.map { item in
            old.rules.items.firstIndex { $0.name.hasSameBytes(as: item.name) }
        }
        goals = new.rules.goals.map { goal in
            old.rules.goals.firstIndex { $0.id.hasSameBytes(as: goal.id) }
        }
        buckets = new.buckets.map { bucket in old.buckets.firstIndex { $0.hasSameBytes(as: bucket) } }
        achievements = new.rules.achievements.map { rule in
            let index = old.rules.achievements.firstIndex {
                $0.id.hasSameBytes(as: rule.id) && $0.isPerLanguage == rule.isPerLanguage
            }
            return index.map { ($0, rule.isMeasured(as: old.rules.achievements[$0])) }
        }
        words = WordTransition(old, new)
        seasons = old.rules.seasons.map { season in
            new.rules.seasons.firstIndex { $0.name.hasSameBytes(as: season.name) }
        }
        learnerFields = new.learnerFields.map { field in
            old.learnerFields.firstIndex { $0.name.hasSameBytes(as: field.name) && $0.type == field.type }
        }
    }

    /// Converts a state. No fold under the old version may use the state at the same time.
    /// - Parameter call: the event that calls for the new version; nil for a learner without events.
    func apply(to state: LearnerState, _ call: VersionCall?) {
        let season = call.map { new.windowKeys(on: $0.day).season }
        for vocabulary in state.vocabularies { words.apply(to: &vocabulary.words.pointee) }
        let tracks = state.tracks.map { track in
            let next = TrackState(language: track.language, plan: new)
            take(&next.values.pointee, &track.values.pointee, in: season)
            return next
        }
        for track in tracks {
            var counts = WordCounts()
            for vocabulary in state.vocabularies(of: track) {
                counts.count(vocabulary, learnedAt: new.rules.mastery.learnedAt)
            }
            track.values.pointee.take(counts)
        }
        let fields = state.profile.fields
        state.profile.fields = learnerFields.map { $0.map { fields[$0] } ?? .null }
        state.plausibility = state.plausibility.converted(from: old, to: new)
        state.goals = goals.map { $0.map { state.goals[$0] } ?? GoalState() }
        if items.isEmpty { state.purchasedAt = nil }
        state.purchases = items.map { $0.map { state.purchases[$0] } ?? 0 }
        state.switchVersion(to: new, tracks, balances(of: state, at: call?.instant))
    }

    /// The converted balances. A learner without events gets the new version's initial balances.
    private func balances(of state: LearnerState, at instant: Int64?) -> [Balance] {
        zip(currencies, new.currencies).map { before, plan in
            guard let before, let instant, state.eventCount > 0 else { return Balance(startingUnder: plan) }
            var balance = state.balances[before]
            balance.refill(to: instant, old.currencies[before])
            return balance.converted(to: plan)
        }
    }

    /// - Parameter season: the key of the season, in the new version, that contains the day of the event that calls for
    ///   this version; nil for a learner without events.
    private func take(_ next: inout TrackValues, _ track: inout TrackValues, in season: Int32?) {
        track.leaveSession()
        next.adoptCommon(of: &track)
        if new.streakTerms.isWeekly != old.streakTerms.isWeekly { next.streak.use(new.streakTerms) }
        let kept = track.windowKeys.flatMap { $0.isInSeason ? seasons[Int($0.season)] : nil }.map(Int32.init)
        next.windowKeys?.season = kept == season ? kept ?? -1 : -1
        copyWindows(&next, track)
        next.sessions = OpenSessions(
            track.sessions.windows.map { session in
                var session = session
                session.values = session.values.map(values)
                return session
            }
        )
        for (index, before) in buckets.enumerated() {
            if let before { next.xpByBucket[index] = track.xpByBucket[before] }
        }
        for (index, before) in capped.enumerated() {
            if let before { next.awardedToday[index] = track.awardedToday[before] }
        }
        copyAchievements(&next, track)
        next.numbers[new.layout.level] = Double(new.rules.levels.level(for: next.xp))
        setStreak(&next)
    }

    /// Copies the streak as of the last event into the numbers that expressions read.
    private func setStreak(_ next: inout TrackValues) {
        guard new.hasStreak else { return }
        if !old.hasStreak { next.markActiveDays() }
        guard let day = next.lastDay else { return }
        let value = next.streak.value(at: day, new.streakTerms)
        next.numbers[new.layout.currentStreak] = Double(value.current)
        next.numbers[new.layout.longestStreak] = Double(value.longest)
        next.publishDaysSinceActive(on: day)
    }

    private func copyWindows(_ next: inout TrackValues, _ track: borrowing TrackValues) {
        for window in [.total] + new.calendarWindows where old.rules.layout.windows.contains(window) {
            // The season's window starts again unless the new version is in the season of the same name.
            if window == .season, next.windowKeys?.isInSeason != true { continue }
            let (from, to) = (old.layout.start(of: window), new.layout.start(of: window))
            next.numbers[to + new.layout.stride - 1] = track.numbers[from + old.layout.stride - 1]
            for (index, before) in metrics.enumerated() {
                guard let before, new.keeps(metric: index, in: window) else { continue }
                next.numbers[to + index] = track.numbers[from + before]
                next.hasValue[to + index] = track.hasValue[from + before]
                if let (place, other) = keyedIndexes(index, before) {
                    next.keyed[window.rawValue][place] = track.keyed[window.rawValue][other]
                }
            }
        }
    }

    /// Converts the values of an inactive session's window.
    private func values(_ values: SessionWindow.Values) -> SessionWindow.Values {
        var next = SessionWindow.Values(
            numbers: Array(repeating: 0, count: new.layout.stride),
            hasValue: Array(repeating: false, count: new.layout.stride),
            keyed: Array(repeating: DistinctValues(), count: new.keyedMetrics.count)
        )
        next.numbers[new.layout.stride - 1] = values.numbers[old.layout.stride - 1]
        for (index, before) in metrics.enumerated() {
            guard let before, new.keeps(metric: index, in: .session) else { continue }
            next.numbers[index] = values.numbers[before]
            next.hasValue[index] = values.hasValue[before]
            if let (place, other) = keyedIndexes(index, before) { next.keyed[place] = values.keyed[other] }
        }
        return next
    }

    private func keyedIndexes(_ index: Int, _ before: Int) -> (Int, Int)? {
        guard let place = new.keyedMetrics.firstIndex(of: index), let other = old.keyedMetrics.firstIndex(of: before)
        else { return nil }
        return (place, other)
    }

    private func copyAchievements(_ next: inout TrackValues, _ track: borrowing TrackValues) {
        for (index, before) in achievements.enumerated() {
            guard let before else { continue }
            var state = track.achievements[before.index]
            let times = track.unlockTimes(of: before.index)
            if !before.keepsBest { state.best = 0 }
            state.tier = min(times.count, new.rules.achievements[index].thresholds.count)
            state.unlockedAt = state.tier > 0 ? times[state.tier - 1] : nil
            next.achievements[index] = state
            next.unlockTimes[index] = times
        }
    }
}

extension RuleSet {
    /// The name of the currency that a rule awards; nil for XP.
    fileprivate func currencyName(of rule: XPRule) -> String? { rule.currency.map { currencies[$0].name } }
}

/// The conversion of words.
struct WordTransition: Sendable {
    private enum Change: Sendable {
        case none, toFSRS(FSRS), toSM2, masteryAnew(FSRS)
    }

    private let change: Change
    /// For each detail that the new version stores, its index in the old version; nil if the old version does not store
    /// it.
    private let details: [Int?]
    private let width: Int

    init(_ old: VersionPlan, _ new: VersionPlan) {
        change =
            switch (old.scheduler, new.scheduler) {
            case (.sm2, .sm2): .none
            case (.sm2, .fsrs(let fsrs)): .toFSRS(fsrs)
            case (.fsrs, .sm2): .toSM2
            case (.fsrs, .fsrs(let fsrs)): .masteryAnew(fsrs)
            }
        width = old.wordDetails.count
        details = new.wordDetails.map { detail in old.wordDetails.firstIndex { $0.slot == detail.slot } }
    }

    func apply(to words: inout VocabularyWords) {
        for index in words.states.indices where words.states[index].isKnown {
            switch change {
            case .none: break
            case .toFSRS(let fsrs): fsrs.convert(&words.states[index])
            case .toSM2: SM2.convert(&words.states[index])
            case .masteryAnew(let fsrs): fsrs.updateMastery(of: &words.states[index])
            }
        }
        guard details.count != width || details != Array(details.indices) else { return }
        let count = width > 0 ? words.details.count / width : 0
        words.details = (0..<count).flatMap { word in
            details.map { place in place.flatMap { words.details[word * width + $0] } }
        }
    }
}
