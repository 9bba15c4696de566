// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelProgress

/// The end of a sorted list at which reading begins.
package enum RecordSide: Sendable { case first, last }

/// One consistent state of a store. The protocol's requirements take many learners in one call, of any partitions.
/// Extensions add the same calls for one learner, and results that follow from the requirements.
package protocol StoreReader: AnyObject {
    /// The learner for each name; nil if there is no such learner. A merged id means the learner that the id was merged
    /// into.
    func learners(_ names: LearnerNames) throws -> [LearnerRecord?]
    /// The number of events of each learner; 0 if the learner does not exist.
    func eventCounts(of learners: [Int64]) throws -> [Int]
    /// The ids of learners that satisfy a condition, ascending.
    func learners(where condition: LearnerCondition) throws -> [Int64]
    /// For each partition that has learners, the range from its first to its last learner id, ascending.
    func learnerRanges() throws -> [Range<Int64>]
    /// Visits every learner, in byte order of the subjects.
    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws

    /// The stored events of spans of learners' histories, one span for each learner. For each span, the result has some
    /// runs of events. Each run is in the learner's order, and runs may overlap in time. Runs are returned whole, so
    /// they may contain events outside the span.
    /// - Complexity: memory for all of the events.
    func events(of spans: [EventSpan], fields: FieldSelection) throws -> [[EventRun]]
    /// Visits every learner of a range of ids, ascending, with all events as in ``events(of:fields:)``. The range may
    /// cover several partitions.
    /// - Parameter limit: learners with more events are passed without events. Read these with
    ///   ``forEachStretch(of:fields:types:_:)``.
    /// - Complexity: memory for about 250 000 events, or for the learner with the most events up to the limit.
    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws
    /// Visits all events of a learner in stretches, in the order of time.
    /// - Parameter types: the types of events to visit; nil for all. Events of other types may be passed, too.
    /// - Complexity: memory for some blocks, if few of them overlap in time.
    func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        types: [String]?,
        _ body: ([EventRun]) throws -> Void
    ) throws
    /// The time of the learner's last event, in milliseconds since 1970.
    func lastEventTime(of learner: Int64) throws -> Int64?

    /// The states of some learners from which later folds can start.
    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [StoredStates]
    /// The stored projection, ``LearnerProjection/normalised``.
    /// - Parameter withDays: false to leave out the days. The call is then fast even for a learner with many days.
    func projection(of learner: Int64, withDays: Bool) throws -> LearnerProjection?
    /// The groups that learners ever joined, in byte order.
    /// - Parameters:
    ///   - name: only groups after this name in byte order; an empty name for all groups.
    ///   - limit: the maximum number of groups.
    func groupNames(after name: String, limit: Int) throws -> [String]
    /// The groups that any of some learners ever joined, in byte order.
    func groupNames(of learners: [Int64]) throws -> [String]
    /// Visits the kept copies of apps' own stores, by learner, and by name in byte order.
    /// - Parameter learner: the only learner to visit; nil for all.
    func forEachCopy(of learner: Int64?, _ body: (_ learner: Int64, _ copy: RememberedCopy) throws -> Void) throws
    /// Visits notes, by learner, and by id in byte order.
    /// - Parameter learner: the only learner to visit; nil for all.
    func forEachNote(of learner: Int64?, _ body: (_ learner: Int64, _ note: NoteRecord) throws -> Void) throws
    /// Visits the headline numbers of learners, in byte order of the subjects.
    /// - Parameters:
    ///   - language: nil for the overall track; otherwise only learners who have this track, with its numbers.
    ///   - selection: the learners to visit.
    func forEachOverview(language: String?, of selection: OverviewSelection, _ body: (OverviewRecord) throws -> Void)
        throws
    /// Visits the languages of every learner's tracks, in any order.
    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws
    /// Visits the achievements that learners have begun. The achievements of one learner come one after another.
    /// - Complexity: one scan of the rows.
    func forEachAchievement(_ body: (AchievementRecord) throws -> Void) throws
    /// Visits the projected XP of every learner who has a track, without flagged XP, in any order.
    /// - Parameters:
    ///   - language: nil for the overall track.
    ///   - days: the local days whose XP is added; nil for all.
    ///   - cohort: the only cohort to visit; nil for all.
    /// - Complexity: O(learners · log days), plus the requested days.
    func forEachXP(
        language: String?,
        days: ClosedRange<LocalDay>?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws
    /// Visits the days of learners' projections. The days of one learner come one after another, ascending. Days
    /// without a row are left out.
    /// - Parameters:
    ///   - language: nil for the overall track.
    ///   - cohort: the only cohort to visit; nil for all.
    /// - Complexity: O(learners · log days), plus the requested days.
    func forEachDay(
        language: String?,
        days: ClosedRange<LocalDay>,
        cohort: String?,
        _ body: (_ learner: Int64, _ day: LocalDay, _ totals: DayTotals) throws -> Void
    ) throws

    /// The merges of those ids that were merged, in any order.
    func merges(of subjects: [[UInt8]]) throws -> [MergeRecord]
    /// The merges into some ids, in the order of ``MergeRecord/isBefore(_:_:)``.
    func merges(into subjects: [[UInt8]]) throws -> [MergeRecord]
    /// Visits every merge, in the order of ``MergeRecord/isBefore(_:_:)``.
    func forEachMerge(_ body: (MergeRecord) throws -> Void) throws

    /// The versions of the rules in force, ascending by their first day. The first version has no first day. Empty if
    /// no rules were applied yet.
    func rules() throws -> [RulesRecord]
    /// All versions of the rules that were ever applied, the oldest first.
    func rulesHistory() throws -> [RulesRecord]
    /// The ``RulesKey`` of the rules in force; nil if there are none.
    func rulesKey() throws -> String?
    /// The version of the time zone data with which all progress was computed; nil if none is recorded.
    func timeZones() throws -> String?
    /// The ``StateFormat/version`` of the fold that computed the projections; 0 if none is recorded.
    func foldVersion() throws -> UInt64
    /// The records that a service keeps in the store, by name.
    /// - Parameters:
    ///   - prefix: the prefix of the names to read.
    ///   - end: only names before this name in byte order; nil for all. This name includes the prefix.
    ///   - limit: the most records to return.
    ///   - side: the first records in byte order, or the last ones.
    func serviceRecords(prefix: String, before end: String?, limit: Int, side: RecordSide) throws -> [String: String]

    /// The learners that were touched after some commits. If a later commit touched all learners, or if the given
    /// commits do not exist, the result says that all learners may have changed.
    /// - Parameters:
    ///   - commits: the number of a commit for each partition; missing ones are 0.
    ///   - limit: the most learners to list. If there are more, all learners count as changed.
    /// - Complexity: O(learners touched) for some hundred small commits before the last; otherwise O(learners).
    func changes(since commits: [Int64], limit: Int) throws -> StoreChanges
    /// The numbers of the last commit that touched a learner, and of the last commit that touched all learners. nil
    /// for an unknown learner, or if the store does not know the numbers.
    /// - Complexity: O(log learners).
    func version(ofLearner subject: [UInt8]) throws -> LearnerVersion?

    /// The quarantined lines by ascending id, without their bytes.
    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord]
    /// Visits a quarantined line's bytes, in pieces of at most 1 MiB.
    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws
    /// The number of quarantined lines for each reason, in byte order. `withoutSubject` counts the lines whose subject
    /// could not be read.
    func countQuarantined() throws -> [(count: ReasonCount, withoutSubject: Int)]
    /// The messages of the lines that were quarantined for a reason, the most frequent first; at most `limit`.
    func quarantineMessages(for reason: String, limit: Int) throws -> [MessageCount]

    func statistics() throws -> StoreStatistics
    /// Checks everything that can be checked without the rules.
    /// - Parameter progress: called after each block with the numbers of blocks done and in total.
    func examine(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> StoreExamination
    /// Visits every undamaged event, in no particular order, however damaged the rest of the store is.
    /// - Complexity: memory for every learner's name.
    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) throws -> Salvage
}

/// The names by which learners are looked up.
package enum LearnerNames {
    case subjects([[UInt8]])
    case ids([Int64])
}

/// A condition that selects learners.
package enum LearnerCondition {
    /// The learner has events after an instant.
    case eventsAfter(Int64)
    /// The learner has a snapshot, or a row of one of these achievements.
    case snapshotOrProgress(in: [String])
    /// The learner is left out of leaderboards, as of the learner's last event.
    case offLeaderboards
    /// The learner joined a group at some time. Learners who have left, or whose joining was retracted or is void, are
    /// included. The learner's state tells the days of membership.
    case mayBeIn(group: String)
    /// The learner's events have changed since the shadow was begun, or the learner was erased. Only valid while a
    /// shadow exists.
    case changedBesideShadow
}

/// The events of a learner with `since` ≤ time ≤ `until`; nil means no bound.
package struct EventSpan {
    package var learner: Int64
    package var since: Int64?
    package var until: Int64?

    package init(of learner: Int64, since: Int64? = nil, until: Int64? = nil) {
        (self.learner, self.since, self.until) = (learner, since, until)
    }
}

/// The kept states to read.
package enum WantedStates {
    case snapshots, points, snapshotsAndPoints
    /// The latest checkpoint before an instant. Snapshots are not checkpoints.
    case checkpoints(before: Int64)
}

// MARK: One learner

extension StoreReader {
    package func eventCounts(of learners: [Int64]) throws -> [Int] {
        try self.learners(.ids(learners)).map { $0?.eventCount ?? 0 }
    }

    package func learner(named subject: [UInt8]) throws -> LearnerRecord? { try learners(.subjects([subject]))[0] }
    package func learner(_ id: Int64) throws -> LearnerRecord? { try learners(.ids([id]))[0] }

    package func events(
        of learner: Int64,
        since: Int64? = nil,
        until: Int64? = nil,
        fields: FieldSelection = .all
    ) throws -> [EventRun] {
        try events(of: [EventSpan(of: learner, since: since, until: until)], fields: fields)[0]
    }

    package func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        _ body: ([EventRun]) throws -> Void
    ) throws {
        try forEachStretch(of: learner, fields: fields, types: nil, body)
    }

    package func snapshot(of learner: Int64) throws -> [UInt8]? {
        try keptStates(of: [learner], .snapshots)[0].state
    }

    package func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> [UInt8]? {
        try keptStates(of: [learner], .checkpoints(before: milliseconds))[0].state
    }

    package func checkpoints(of learner: Int64) throws -> [CheckpointPoint] {
        try keptStates(of: [learner], .points)[0].points
    }

    package func projection(of learner: Int64) throws -> LearnerProjection? {
        try projection(of: learner, withDays: true)
    }

    package func copies(of learner: Int64) throws -> [RememberedCopy] {
        var copies: [RememberedCopy] = []
        try forEachCopy(of: learner) { copies.append($1) }
        return copies
    }

    package func notes(of learner: Int64) throws -> [NoteRecord] {
        var notes: [NoteRecord] = []
        try forEachNote(of: learner) { notes.append($1) }
        return notes
    }

    package func overview(of learner: Int64) throws -> OverviewRecord? {
        var found: OverviewRecord?
        try forEachOverview(language: nil, of: .learner(learner)) { found = $0 }
        return found
    }
}

// MARK: Merges

extension StoreReader {
    /// For each of the ids that was merged, the id that it means now. Ids that were not merged are missing.
    package func currentNames(of subjects: [[UInt8]]) throws -> [[UInt8]: [UInt8]] {
        var current: [[UInt8]: [UInt8]] = [:]
        // For each id to look up, the given ids whose merges lead to it.
        var open = Dictionary(Set(subjects).map { ($0, [$0]) }) { first, _ in first }
        var (visited, steps): (Set<[UInt8]>, Int) = ([], 0)
        while !open.isEmpty {
            visited.formUnion(open.keys)
            steps += 1
            guard steps <= visited.count else {
                throw StoreError(.corrupt, "merges of learners form a circle; \(StoreError.advice)")
            }
            var next: [[UInt8]: [[UInt8]]] = [:]
            for merge in try merges(of: Array(open.keys)) {
                let given = open[merge.subject] ?? []
                for subject in given { current[subject] = merge.target }
                next[merge.target, default: []] += given
            }
            open = next
        }
        return current
    }

    /// - Throws: ``MergedLearners`` if some of the ids were merged.
    func checkAreNotMerged(_ subjects: [[UInt8]]) throws {
        let merged = try currentNames(of: subjects)
        guard merged.isEmpty else { throw MergedLearners(currentNames: merged) }
    }

    /// All ids that mean the same learner as the given id. The learner's own id comes first.
    package func names(of subject: [UInt8]) throws -> [[UInt8]] {
        var names = [try currentNames(of: [subject])[subject] ?? subject]
        var open = names
        while !open.isEmpty {
            let known = Set(names)
            open = try merges(into: open).map(\.subject).filter { !known.contains($0) }
            names += open
        }
        return names
    }
}

// MARK: All learners, and the store

extension StoreReader {
    package func forEachOverview(language: String? = nil, _ body: (OverviewRecord) throws -> Void) throws {
        try forEachOverview(language: language, of: .allLearners, body)
    }

    package func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection = .all,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        try forEachLearner(ids: ids, fields: fields, upTo: .max, body)
    }

    package func serviceRecords(prefix: String) throws -> [String: String] {
        try serviceRecords(prefix: prefix, before: nil, limit: .max)
    }

    package func serviceRecords(prefix: String, before end: String?, limit: Int) throws -> [String: String] {
        try serviceRecords(prefix: prefix, before: end, limit: limit, side: .first)
    }

    package func serviceRecord(_ name: String) throws -> String? {
        try serviceRecords(prefix: name, before: nil, limit: 1)[name]
    }

    package func quarantineCounts() throws -> [ReasonCount] { try countQuarantined().map { $0.count } }
    package func quarantinedWithoutSubject() throws -> Int {
        try countQuarantined().reduce(0) { $0 + $1.withoutSubject }
    }

    package func verify(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> [StoreProblem] {
        try examine(progress).problems
    }

    package func remarks() throws -> [String] { try examine { _, _ in }.remarks }
}
