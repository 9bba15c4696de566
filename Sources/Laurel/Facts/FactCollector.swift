// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules

/// Collects data that reports need and that the state does not contain: the time and source of XP, the outcome of
/// reviews, and the totals at the end of each week.
final class FactCollector: FoldObserver {
    private struct CountKey: Hashable {
        /// The language; nil for the overall track.
        var language: [UInt8]?
        var day: Int32
        /// The mastery of a word, for counts by mastery; otherwise 0.
        var index = 0
        /// A bucket's name, for counts by bucket; otherwise empty.
        var bucket: [UInt8] = []
    }

    private struct Unlock: Hashable {
        var language: [UInt8]?
        /// The achievement's id.
        var achievement: [UInt8]
    }

    private var plan: VersionPlan
    private let period: ReportPeriod
    private let wants: FactSelection
    /// Returns the state of the observed fold.
    private let state: () -> LearnerState

    private var day = LocalDay(number: 0)
    private var isInPeriod = false
    /// The first day of the latest week so far; nil before the first event.
    private var week: LocalDay?
    /// The totals at the end of each week, except the latest week.
    private var weekEnds: [(week: LocalDay, totals: [TrackTotals])] = []
    private var xp: [CountKey: Double] = [:]
    private var reviews: [CountKey: ReviewCount] = [:]
    private var unlocks: [Unlock: LocalDay] = [:]
    /// Days that are active only because of a repair.
    private var repaired: Set<CountKey> = []
    /// True if an event set the daily goal.
    private(set) var hasSetGoal = false
    /// The language of the current event's review, and true if the answer was correct; nil if the event is not a
    /// review of the period.
    private var review: (language: [UInt8]?, isCorrect: Bool)?
    private var forgotten: ForgottenWordCollector?

    init(plan: FoldPlan, period: ReportPeriod, wants: FactSelection, state: @escaping () -> LearnerState) {
        self.plan = plan.versions[0]
        self.period = period
        self.wants = wants
        self.state = state
        if wants.contains(.forgottenWords) { forgotten = ForgottenWordCollector(days: period.lately) }
    }

    func didSwitchVersion(to plan: VersionPlan) { self.plan = plan }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        day = event.day
        isInPeriod = period.days.contains(day)
        review = nil
        forgotten?.willFold(table, row, event)
        if wants.contains(.weekly) { noteWeek(event.week) }
        switch event.kind {
        case .learnerUpdated where wants.contains(.goal) && !hasSetGoal:
            hasSetGoal = has("dailyGoalMinutes", table, row)
        case .streakRepaired where wants.contains(.streakDays): noteRepair(table, row)
        case .reviewGraded where isInPeriod && wants.contains(.reviews):
            review = (language(table, row), field("grade", table, row) != "again")
        default: break
        }
    }

    func didChangeWord(_ word: WordOutcome) {
        forgotten?.didChangeWord()
        guard let review else { return }
        count(word.masteryBefore, isCorrect: review.isCorrect, in: nil)
        if let language = review.language { count(word.masteryBefore, isCorrect: review.isCorrect, in: language) }
    }

    func didCredit(_ language: [UInt8]?, bucket: Int, amount: Double) {
        guard isInPeriod, wants.contains(.buckets) else { return }
        let bucket = Array(plan.buckets[bucket].utf8)
        xp[CountKey(language: language, day: day.number, bucket: bucket), default: 0] += amount
    }

    func didUnlock(achievement: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?) {
        let id = Array(plan.rules.achievements[achievement].id.utf8)
        unlocks[Unlock(language: language, achievement: id)] = day
    }

    private func noteWeek(_ next: LocalDay) {
        guard let week else {
            self.week = next
            return
        }
        guard next > week else { return }
        // The last week before the period is also added. Its totals are those at the period's start.
        if next >= period.firstDay { weekEnds.append((week, state().totals)) }
        self.week = next
    }

    private func noteRepair(_ table: EventTable, _ row: Int) {
        guard let text = field("date", table, row), let date = LocalDay(parsing: text.utf8), date < day else { return }
        for track in Set([nil, language(table, row)]) where !state().isActive(date, language: track) {
            repaired.insert(CountKey(language: track, day: date.number))
        }
    }

    private func count(_ mastery: Int, isCorrect: Bool, in language: [UInt8]?) {
        let key = CountKey(language: language, day: day.number, index: mastery)
        var count = reviews[key] ?? ReviewCount(day: day, mastery: mastery)
        count.reviews += 1
        if isCorrect { count.correct += 1 }
        reviews[key] = count
    }

    private func language(_ table: EventTable, _ row: Int) -> [UInt8]? {
        table.languageTag(row)
    }

    private func has(_ name: String, _ table: EventTable, _ row: Int) -> Bool {
        table.values(of: row).contains { $0.kind != .null && table.fields.string($0.field) == name }
    }

    private func field(_ name: String, _ table: EventTable, _ row: Int) -> String? {
        for value in table.values(of: row) where value.kind == .text && table.fields.string(value.field) == name {
            return table.texts.string(UInt32(value.payload))
        }
        return nil
    }
}

// MARK: Results

extension FactCollector {
    func forgottenWords() -> [ForgottenWord] { forgotten?.list() ?? [] }

    /// Fills in the collected facts of a track.
    func complete(_ facts: inout TrackFacts) {
        let language = facts.projection.language.map { Array($0.utf8) }
        facts.xp = xp.filter { $0.key.language == language && $0.value != 0 }
            .map {
                BucketXP(
                    day: LocalDay(number: $0.key.day),
                    bucket: String(decoding: $0.key.bucket, as: UTF8.self),
                    xp: $0.value
                )
            }
            .sorted { ($0.day, $0.bucket) < ($1.day, $1.bucket) }
        facts.reviews = reviews.filter { $0.key.language == language }.map(\.value)
            .sorted { ($0.day, $0.mastery) < ($1.day, $1.mastery) }
        for (unlock, day) in unlocks where unlock.language == language {
            facts.unlockedDays[String(decoding: unlock.achievement, as: UTF8.self)] = day
        }
        for index in facts.streakDays.indices where facts.streakDays[index].kind == .active {
            let key = CountKey(language: language, day: facts.streakDays[index].day.number)
            if repaired.contains(key) { facts.streakDays[index].kind = .repaired }
        }
        if wants.contains(.weekly) { facts.weekly = weekly(language) }
    }

    /// The totals per week. A week without events has the totals of the previous week. Weeks before the track's first
    /// event are left out.
    private func weekly(_ language: [UInt8]?) -> [(week: LocalDay, totals: TrackTotals)] {
        var ends = weekEnds
        if let week { ends.append((week, state().totals)) }
        return period.weekStarts.compactMap { week in
            guard let end = ends.last(where: { $0.week <= week }),
                let totals = end.totals.first(where: { $0.language == language })
            else { return nil }
            return (week, totals)
        }
    }
}
