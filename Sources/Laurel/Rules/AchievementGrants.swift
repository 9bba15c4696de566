// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// Finds achievements that a learner would lose, or get later, under other rules, and makes grants that preserve
/// them. A grant is an `achievement.granted` event.
///
/// A grant has the same instant, offset and time zone as the event that unlocked the last preserved tier. So both are
/// on the same local day and in the same week.
///
/// A grant always unlocks all tiers. So if a learner has only some tiers under both rule sets, there is no grant, and
/// the dates may change.
///
/// A grant's id contains the achievement and the language. So a second call adds nothing, and a retracted grant stays
/// retracted.
struct AchievementGrants {
    static let source = "laurel/rules-apply"

    let old: FoldPlan
    let new: FoldPlan

    /// An achievement that is unlocked under the old rules. Under the new rules, it is locked, has fewer tiers, or is
    /// unlocked later.
    struct Loss: Hashable {
        /// The bytes of the achievement's id.
        var achievement: [UInt8]
        /// The language; nil for the overall track.
        var language: [UInt8]?
        /// The number of tiers to preserve.
        var tier: Int
    }

    /// - Parameter unlocks: the unlocked tiers, recorded while the earlier state was folded.
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

    /// The grants that preserve achievements, in the learner's order.
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

    /// The ids of existing grants, including retracted ones.
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

    /// The id `keep:ACHIEVEMENT`, with `@LANGUAGE` if there is a language. If a text is too long for an id, its hash is
    /// used.
    private static func eventID(_ achievement: String, _ language: String?) -> String {
        let name = achievement + (language.map { "@\($0)" } ?? "")
        let id = "keep:\(name)"
        return id.utf8.count <= 128 ? id : "keep:sha256:" + SHA256.hash(Array(name.utf8)).hexadecimal
    }
}

/// Records the event that unlocked each tier of an achievement.
final class UnlockRecorder: FoldObserver {
    struct Key: Hashable {
        /// The bytes of the achievement's id.
        var achievement: [UInt8]
        /// The language; nil for the overall track.
        var language: [UInt8]?

        /// The index of the achievement with this id and scope. The same id with another scope is another achievement.
        func index(in rules: RuleSet) -> Int? {
            rules.achievements.firstIndex {
                $0.id.utf8.elementsEqual(achievement) && $0.isPerLanguage == (language != nil)
            }
        }
    }

    struct Unlock {
        /// The event's time as written.
        var time: Timestamp
        var timezone: String?
    }

    /// The unlock of each tier reached.
    private(set) var unlocks: [Key: [Unlock]] = [:]
    private var current: Unlock?
    private let first: VersionPlan
    private var plan: VersionPlan

    init(plan: FoldPlan) { (first, self.plan) = (plan.versions[0], plan.versions[0]) }

    /// Removes everything. Call it before another learner.
    func forget() { (unlocks, plan) = ([:], first) }

    /// The number of unlocked tiers, at most the number in the final rules.
    func tier(_ key: Key) -> Int {
        let tiers = key.index(in: plan.rules).map { plan.rules.achievements[$0].thresholds.count } ?? 0
        return min(unlocks[key]?.count ?? 0, tiers)
    }

    func didSwitchVersion(to plan: VersionPlan) {
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
