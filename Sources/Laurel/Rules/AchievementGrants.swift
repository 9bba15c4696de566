// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// Finds what a learner holds and would lose under other rules, or would have got later, and writes it down as events.
///
/// A grant stands at the very instant of the event that unlocked the latest tier that is kept, with its offset and time zone,
/// so that it is of the same local day and week. It unlocks all tiers there are: there is no event that unlocks some. Who holds
/// some tiers of more, under both rule sets, is therefore left with the dates of the new ones. A grant's id names the
/// achievement and the language: keeping twice adds nothing, and one that was retracted stays retracted.
struct AchievementGrants {
    static let source = "laurel/rules-apply"

    let old: FoldPlan
    let new: FoldPlan

    /// What is held in a state and not, or only later, in another.
    struct Loss: Hashable {
        /// The achievement's id, by its bytes.
        var achievement: [UInt8]
        /// nil for the overall track.
        var language: [UInt8]?
        /// How many tiers are kept.
        var tier: Int
    }

    /// - Parameter unlocks: what was unlocked when, on the way to the state before.
    func losses(_ unlocks: UnlockRecorder, _ after: LearnerState) -> Set<Loss> {
        var losses: Set<Loss> = []
        let rules = after.plan.rules
        for (key, times) in unlocks.unlocks {
            guard let counterpart = key.index(in: rules) else { continue }
            let tiers = rules.achievements[counterpart].thresholds.count
            let held = min(unlocks.tier(key), tiers)
            let left = after.heldTiers(of: counterpart).first { $0.language == key.language }
            guard held > 0 else { continue }
            let isLater = held == tiers && (left?.unlockedAt ?? .min) > times[held - 1].time.milliseconds
            guard left?.tier ?? 0 < held || isLater else { continue }
            losses.insert(Loss(achievement: key.achievement, language: key.language, tier: held))
        }
        return losses
    }

    /// The events that keep them, in the learner's order.
    /// - Parameter runs: the learner's events.
    func grants(
        for losses: Set<Loss>,
        _ unlocks: UnlockRecorder,
        _ learner: LearnerRecord,
        _ runs: [EventRun]
    ) -> [Event] {
        let known = AchievementGrants.ids(in: runs)
        let events = losses.compactMap { loss -> Event? in
            let key = UnlockRecorder.Key(achievement: loss.achievement, language: loss.language)
            guard let times = unlocks.unlocks[key], times.count >= loss.tier else { return nil }
            let event = grant(loss, times[loss.tier - 1], learner)
            return known.contains(event.id) ? nil : event
        }
        return events.sorted {
            $0.time.milliseconds == $1.time.milliseconds
                ? $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) : $0.time.milliseconds < $1.time.milliseconds
        }
    }

    /// The ids of grants that are there already, whatever has become of them.
    private static func ids(in runs: [EventRun]) -> Set<String> {
        var ids: Set<String> = []
        for run in runs {
            let table = run.table
            for row in run.rows where table.texts[table.source[row]].elementsEqual(source.utf8) {
                ids.insert(String(decoding: table.identifier(row), as: UTF8.self))
            }
        }
        return ids
    }

    private func grant(_ loss: Loss, _ unlock: UnlockRecorder.Unlock, _ learner: LearnerRecord) -> Event {
        let id = String(decoding: loss.achievement, as: UTF8.self)
        let language = loss.language.map { String(decoding: $0, as: UTF8.self) }
        return Event(
            id: AchievementGrants.eventID(id, language),
            source: AchievementGrants.source,
            type: EventKind.achievementGranted.rawValue,
            subject: String(decoding: learner.subject, as: UTF8.self),
            time: unlock.time,
            language: language,
            timezone: unlock.timezone,
            data: ["achievement": .string(id), "reason": "kept when the rules changed"]
        )
    }

    /// `keep:ID`, with `@LANGUAGE` if there is one; a hash stands for what is too long for an id.
    private static func eventID(_ achievement: String, _ language: String?) -> String {
        let name = achievement + (language.map { "@\($0)" } ?? "")
        let id = "keep:\(name)"
        return id.utf8.count <= 128 ? id : "keep:sha256:" + SHA256.hash(Array(name.utf8)).hexadecimal
    }
}

/// Notes at which event each tier of an achievement was unlocked.
final class UnlockRecorder: FoldObserver {
    struct Key: Hashable {
        /// The achievement's id, by its bytes.
        var achievement: [UInt8]
        /// nil for the overall track.
        var language: [UInt8]?

        /// The rules' achievement of the id, in the track's scope; of another scope it is another achievement.
        func index(in rules: RuleSet) -> Int? {
            rules.achievements.firstIndex {
                $0.id.utf8.elementsEqual(achievement) && $0.isPerLanguage == (language != nil)
            }
        }
    }

    struct Unlock {
        /// As the event's was written.
        var time: Timestamp
        var timezone: String?
    }

    /// Per tier that was reached.
    private(set) var unlocks: [Key: [Unlock]] = [:]
    private var current: Unlock?
    private let first: VersionPlan
    private var plan: VersionPlan

    init(plan: FoldPlan) { (first, self.plan) = (plan.versions[0], plan.versions[0]) }

    /// Before another learner.
    func forget() { (unlocks, plan) = ([:], first) }

    /// How many of the tiers that there are at last are unlocked.
    func tier(_ key: Key) -> Int {
        let tiers = key.index(in: plan.rules).map { plan.rules.achievements[$0].thresholds.count } ?? 0
        return min(unlocks[key]?.count ?? 0, tiers)
    }

    func didGoOver(to plan: VersionPlan) {
        self.plan = plan
        unlocks = unlocks.filter { $0.key.index(in: plan.rules) != nil }
    }

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        let zone = table.timezone[row]
        current = Unlock(time: table.timestamp(row), timezone: zone == 0 ? nil : table.texts.string(zone))
    }

    func didUnlock(achievement: Int, tiers: ClosedRange<Int>, _ language: [UInt8]?) {
        guard let current else { return }
        unlocks[key(achievement, language), default: []] += Array(repeating: current, count: tiers.count)
    }

    func didRevoke(achievement: Int, given: Double, _ language: [UInt8]?) { unlocks[key(achievement, language)] = nil }

    private func key(_ achievement: Int, _ language: [UInt8]?) -> Key {
        Key(achievement: Array(plan.rules.achievements[achievement].id.utf8), language: language)
    }
}
