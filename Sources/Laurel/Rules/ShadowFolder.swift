import LaurelEvents
import LaurelProgress
import LaurelStore

/// What is to be put into the shadow of one learner.
struct ShadowedLearner: Sendable {
    var learner: Int64
    var events: Int
    var result: LearnerResult
    /// What keeps the learner's achievements; part of the result.
    var grants: [Event] = []
}

/// Folds learners for the shadow.
final class ShadowFolder {
    private let folder: LearnerFolder
    /// Under the rules that are being replaced; nil where nothing is to be kept.
    private let old: LearnerFolder?
    private let keeper: KeptAchievements?
    /// What has to be decoded of events.
    let fields: FieldSelection

    init(_ application: RulesApplication) {
        folder = LearnerFolder(plan: application.new)
        keeper = application.keepsAchievements ? KeptAchievements(old: application.old, new: application.new) : nil
        old = keeper.map { LearnerFolder(plan: $0.old) }
        fields = application.new.fields(and: application.old)
    }

    func fold(_ learner: LearnerRecord, _ runs: [EventRun]) -> ShadowedLearner {
        var events = folder.refold(runs)
        var grants: [Event] = []
        if let old, let keeper {
            old.refold(runs)
            var losses: Set<KeptAchievements.Loss> = []
            // A grant's reward may cost another achievement, whose condition it ends; each round keeps at least one more.
            while true {
                let more = keeper.losses(old.state, folder.state).subtracting(losses)
                if more.isEmpty { break }
                losses.formUnion(more)
                grants = keeper.grants(for: losses, learner, runs)
                events = folder.refold(runs + [ShadowFolder.run(of: grants)])
            }
        }
        return ShadowedLearner(
            learner: learner.id,
            events: events,
            result: folder.result(folded: events, days: .all),
            grants: grants
        )
    }

    private static func run(of events: [Event]) -> EventRun {
        let table = EventTable(encoding: events)
        return EventRun(table: table, rows: 0..<table.count)
    }
}

extension EventTable {
    /// Events of our own making, in their order.
    init(encoding events: [Event]) {
        self.init()
        var decoder = EventDecoder()
        for event in events {
            let result = event.encoded.withUnsafeBufferPointer {
                decoder.decode(line: $0, into: &self, clock: .max / 2)
            }
            if case .refused(let refusal) = result { preconditionFailure("\(event.id): \(refusal.message)") }
        }
    }
}
