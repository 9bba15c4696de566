// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelProgress
import LaurelStore

/// The data of one learner to write to the shadow tables, which receive the progress under new rules.
struct ShadowedLearner: Sendable {
    var learner: Int64
    var events: Int
    var result: LearnerResult
    /// The events that preserve the learner's achievements and XP. The result includes these events.
    var kept: [Event] = []
}

/// Folds learners for the shadow tables.
final class ShadowFolder {
    private let folder: LearnerFolder
    /// The folder under the replaced rules; nil if nothing is to be preserved.
    private let old: LearnerFolder?
    private let unlocks: UnlockRecorder
    private let keeper: AchievementGrants?
    private let xpKeeper: XPCompensation?
    /// The fields of events to decode.
    let fields: FieldSelection

    init(_ application: RulesChangeRun) {
        folder = LearnerFolder(plan: application.new)
        unlocks = UnlockRecorder(plan: application.old)
        keeper = application.keepsAchievements ? AchievementGrants(old: application.old, new: application.new) : nil
        xpKeeper =
            application.keepsXP
            ? XPCompensation(
                old: ProgressReader(plan: application.old),
                new: ProgressReader(plan: application.new),
                clock: application.clock
            ) : nil
        old = keeper != nil || xpKeeper != nil ? LearnerFolder(plan: application.old) : nil
        if keeper != nil { old?.fold.observer = unlocks }
        fields = application.new.fields(and: application.old)
    }

    /// - Throws: ``EngineError`` if an event that preserves the learner's achievements or XP is invalid.
    func fold(_ learner: LearnerRecord, _ runs: [EventRun]) throws -> ShadowedLearner {
        var events = folder.refold(runs, keepsCheckpoints: true)
        var kept: [Event] = []
        if let old {
            unlocks.forget()
            old.refold(runs)
            events = try keepAchievements(of: learner, runs, &kept) ?? events
            let declarations = try xpKeeper?.declarations(
                old.state,
                folder.state,
                learner,
                runs + [ShadowFolder.run(of: kept)]
            )
            if let declarations, !declarations.isEmpty {
                kept += declarations
                events = try folder.refold(runs + [ShadowFolder.run(of: kept)], keepsCheckpoints: true)
            }
        }
        return ShadowedLearner(
            learner: learner.id,
            events: events,
            result: folder.result(folded: events, days: .all),
            kept: kept
        )
    }

    /// Adds the grants that preserve the learner's achievements.
    /// - Returns: the number of events folded with the grants; nil if there are no grants.
    private func keepAchievements(
        of learner: LearnerRecord,
        _ runs: [EventRun],
        _ grants: inout [Event]
    ) throws -> Int? {
        guard let keeper else { return nil }
        var events: Int?
        var losses: Set<AchievementGrants.Loss> = []
        // The reward of a grant may make the condition of another achievement false. Each round preserves at least one
        // more achievement, so the loop ends.
        while true {
            let more = keeper.losses(unlocks, folder.state).subtracting(losses)
            if more.isEmpty { return events }
            losses.formUnion(more)
            grants = keeper.grants(for: losses, unlocks, learner, runs)
            events = try folder.refold(runs + [ShadowFolder.run(of: grants)], keepsCheckpoints: true)
        }
    }

    private static func run(of events: [Event]) throws -> EventRun {
        let table = try EventTable(keeping: events)
        return EventRun(table: table, rows: 0..<table.count)
    }
}

extension EventTable {
    /// A table of the events that preserve learners' achievements and XP.
    /// - Throws: ``EngineError`` if an event is refused. For example, a time zone copied from a stored event may be
    ///   unknown on this machine.
    init(keeping events: [Event]) throws(EngineError) {
        self.init()
        do throws(Refusal) {
            try append(events)
        } catch {
            throw EngineError(
                .invalidRequest,
                "what keeps achievements or XP of the learner “\(error.subject ?? "")” is no valid event: \(error.message)"
            )
        }
    }
}
