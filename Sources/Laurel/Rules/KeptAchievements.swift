import LaurelEvents
import LaurelProgress
import LaurelRules
import LaurelStore

/// Finds what a learner holds and would lose under other rules, and writes it down as events.
///
/// A grant stands at the very instant of the event that unlocked the latest tier, with its offset and time zone, so that it
/// is of the same local day and week. It unlocks all tiers there are: there is no event that unlocks some. Its id names the
/// achievement and the language: keeping twice adds nothing, and one that was retracted stays retracted.
struct KeptAchievements {
    static let source = "laurel/rules-apply"

    let old: FoldPlan
    let new: FoldPlan

    /// What is held in a state and not in another.
    struct Loss: Hashable {
        /// Index among the old rules' achievements.
        var achievement: Int
        /// nil for the overall track.
        var language: [UInt8]?
    }

    func losses(_ before: LearnerState, _ after: LearnerState) -> Set<Loss> {
        var losses: Set<Loss> = []
        for (index, rule) in old.rules.achievements.enumerated() {
            guard let counterpart = counterpart(of: rule) else { continue }
            let tiers = new.rules.achievements[counterpart].thresholds.count
            for track in before.heldTiers(of: index) {
                let held = min(track.tier, tiers)
                let left = after.heldTiers(of: counterpart).first { $0.language == track.language }?.tier ?? 0
                guard left < held else { continue }
                losses.insert(Loss(achievement: index, language: track.language))
            }
        }
        return losses
    }

    /// The new rules' achievement of the same id and scope; of another scope it is another achievement.
    private func counterpart(of rule: AchievementRule) -> Int? {
        new.rules.achievements.firstIndex {
            $0.id.utf8.elementsEqual(rule.id.utf8) && $0.isPerLanguage == rule.isPerLanguage
        }
    }

    /// The events that keep them, in the learner's order.
    /// - Parameter runs: the learner's events.
    func grants(for losses: Set<Loss>, _ learner: LearnerRecord, _ runs: [EventRun]) -> [Event] {
        let recorder = UnlockRecorder()
        let folder = LearnerFolder(plan: old)
        folder.fold.observer = recorder
        folder.refold(runs)
        let known = KeptAchievements.ids(in: runs)
        let events = losses.compactMap { loss -> Event? in
            guard let unlock = recorder.unlocks[UnlockRecorder.Key(loss.achievement, loss.language)] else { return nil }
            let event = grant(loss, unlock, learner)
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
        let id = old.rules.achievements[loss.achievement].id
        let language = loss.language.map { String(decoding: $0, as: UTF8.self) }
        return Event(
            id: KeptAchievements.eventID(id, language),
            source: KeptAchievements.source,
            type: EventKind.achievementGranted.rawValue,
            subject: String(decoding: learner.subject, as: UTF8.self),
            time: unlock.time,
            language: language,
            timezone: unlock.timezone,
            data: ["achievement": .string(id), "reason": "kept when the rules changed"]
        )
    }

    /// `keep:ID`, with `@LANGUAGE` where there is one; a hash stands for what is too long for an id.
    private static func eventID(_ achievement: String, _ language: String?) -> String {
        let name = achievement + (language.map { "@\($0)" } ?? "")
        let id = "keep:\(name)"
        return id.utf8.count <= 128 ? id : "keep:sha256:" + SHA256.hash(Array(name.utf8)).hexadecimal
    }
}

/// Notes at which event each achievement was last unlocked.
private final class UnlockRecorder: FoldObserver {
    struct Key: Hashable {
        var achievement: Int
        var language: [UInt8]?

        init(_ achievement: Int, _ language: [UInt8]?) {
            self.achievement = achievement
            self.language = language
        }
    }

    struct Unlock {
        /// As the event's was written.
        var time: Timestamp
        var timezone: String?
    }

    private(set) var unlocks: [Key: Unlock] = [:]
    private var current: Unlock?

    func willFold(_ table: EventTable, _ row: Int, _ event: EventContext) {
        let zone = table.timezone[row]
        current = Unlock(time: table.timestamp(row), timezone: zone == 0 ? nil : table.texts.string(zone))
    }

    func didUnlock(achievement: Int, tier: Int, _ language: [UInt8]?) {
        unlocks[Key(achievement, language)] = current
    }
}
