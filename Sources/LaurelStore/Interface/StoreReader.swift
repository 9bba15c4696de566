// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelProgress

/// The end of a sorted list of records at which reading begins.
package enum RecordSide: Sendable { case first, last }

/// One consistent state of a store. What is asked for one learner is asked for many at once, and so for many partitions of a database;
/// questions about one, and those that others answer, are extensions.
package protocol StoreReader: AnyObject {
    /// - Returns: for each that is asked for the learner; nil for those who are not there.
    func learners(_ names: LearnerNames) throws -> [LearnerRecord?]
    /// How many events some learners have; 0 for those who are not there.
    func eventCounts(of learners: [Int64]) throws -> [Int]
    /// The ids of learners of whom something holds, ascending.
    func learners(where condition: LearnerCondition) throws -> [Int64]
    /// Where all learners' ids lie, ascending: for each partition that has learners, from its first to its last.
    func learnerRanges() throws -> [Range<Int64>]
    /// Every learner, in byte order of the subjects.
    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws

    /// The stored events of spans of learners' histories, one of each learner: runs, each in the learner's order. Runs may overlap in
    /// time, and may hold events outside the bounds, which serve to leave out whole runs.
    /// - Complexity: memory for all of them.
    func events(of spans: [EventSpan], fields: FieldSelection) throws -> [[EventRun]]
    /// Every learner of a range of ids, which may reach over several partitions, ascending, with all their events as of ``events(of:fields:)``.
    /// - Parameter limit: learners with more events are given without any, to be read with ``forEachStretch(of:fields:types:_:)``.
    /// - Complexity: memory for about 250 000 events, or those of the learner with the most up to the limit.
    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws
    /// All events of a learner, stretch after stretch of their history: no event of one comes before any of the one before.
    /// - Parameter types: where only events of these are wanted; others may be among them.
    /// - Complexity: memory for some blocks, where few of them overlap in time.
    func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        types: [String]?,
        _ body: ([EventRun]) throws -> Void
    ) throws
    /// The time of the learner's last event, in milliseconds since 1970.
    func lastEventTime(of learner: Int64) throws -> Int64?

    /// What is kept of some learners for later folds to begin with.
    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [StoredStates]
    /// What was projected, ``LearnerProjection/normalised``.
    /// - Parameter withDays: without them it takes no longer for a learner of many days.
    func projection(of learner: Int64, withDays: Bool) throws -> LearnerProjection?
    /// What is remembered of copies of apps' own stores, by learner, and by name in byte order.
    /// - Parameter learner: only this one's; nil for all.
    func forEachCopy(of learner: Int64?, _ body: (_ learner: Int64, _ copy: RememberedCopy) throws -> Void) throws
    /// Every learner's headline numbers, in byte order of the subjects.
    /// - Parameters:
    ///   - language: nil for the overall track; else only learners who have that one, and their numbers in it.
    ///   - learner: only this one; nil for all.
    func forEachOverview(language: String?, of selection: OverviewSelection, _ body: (OverviewRecord) throws -> Void)
        throws
    /// The languages of every learner's tracks, in any order.
    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws
    /// The projected XP of every learner who has that track, in any order.
    /// - Parameters:
    ///   - language: nil for the overall track.
    ///   - days: only XP of these local days; nil for all.
    ///   - cohort: only learners of this one; nil for all.
    /// - Complexity: O(learners · log days), and the days asked for.
    func forEachXP(
        language: String?,
        days: ClosedRange<LocalDay>?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws

    /// The versions of the rules in force, ascending by the day from which each is, of which the first has none. Empty where the store
    /// was given no rules yet.
    func rules() throws -> [RulesRecord]
    /// The versions of the rules that were ever applied, from the oldest on.
    func rulesHistory() throws -> [RulesRecord]
    /// ``RulesKey`` of the rules in force; nil where there are none.
    func rulesKey() throws -> String?
    /// The version of the time zone data with which all of the progress was computed; nil where none is noted.
    func timeZones() throws -> String?
    /// ``StateFormat/version`` of the fold that computed what is projected; 0 where none is noted.
    func foldVersion() throws -> UInt64
    /// What a service over the store keeps in it, by name.
    /// - Parameters:
    ///   - prefix: of the names that are asked for.
    ///   - end: only those whose names come before this one in byte order, the prefix included; nil for all.
    ///   - limit: how many at most.
    ///   - side: which of them: the first ones in byte order, or the last ones.
    func serviceRecords(prefix: String, before end: String?, limit: Int, side: RecordSide) throws -> [String: String]

    /// Whom the commits after some touched; everybody where there have been no such commits, or one touched everybody since.
    /// - Parameters:
    ///   - commits: of each partition one; those that are missing are 0.
    ///   - limit: more learners than these are given as everybody.
    /// - Complexity: O(learners touched) for the latest commits, some hundred small ones; else O(learners).
    func changes(since commits: [Int64], limit: Int) throws -> StoreChanges
    /// When a learner, and when everybody, was touched last; nil for an unknown learner, and where the store does not tell.
    /// - Complexity: O(log learners).
    func version(ofLearner subject: [UInt8]) throws -> LearnerVersion?

    /// Quarantined lines by ascending id, without their bytes.
    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord]
    /// A quarantined line's bytes, in pieces of at most 1 MiB.
    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws
    /// How many lines are in quarantine for each reason, in byte order, and how many of those could not be read as far as whose they are.
    func countQuarantined() throws -> [(count: ReasonCount, ofNobody: Int)]

    func statistics() throws -> StoreStatistics
    /// Checks everything that can be checked without the rules.
    /// - Parameter progress: told after each block how many of how many are done.
    func examine(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> StoreExamination
    /// Hands over every event that is sound, in no order, whatever else of the store is damaged.
    /// - Complexity: memory for every learner's name.
    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) throws -> Salvage
}

/// What learners are asked for by.
package enum LearnerNames {
    case subjects([[UInt8]])
    case ids([Int64])
}

/// What holds of some learners.
package enum LearnerCondition {
    /// They have events after an instant.
    case eventsAfter(Int64)
    /// They have a snapshot, or a row of one of these achievements.
    case snapshotOrProgress(in: [String])
    /// Their events have changed since a shadow was begun, or they were erased. Only as long as there is one.
    case changedBesideShadow
}

/// The events of a learner with `since` ≤ time ≤ `until`; nil for no bound.
package struct EventSpan {
    package var learner: Int64
    package var since: Int64?
    package var until: Int64?

    package init(of learner: Int64, since: Int64? = nil, until: Int64? = nil) {
        (self.learner, self.since, self.until) = (learner, since, until)
    }
}

/// What is asked for of the states that are kept of learners.
package enum WantedStates {
    case snapshots, places, snapshotsAndPlaces
    /// The latest checkpoints before an instant, the snapshots not among them.
    case checkpoints(before: Int64)
}

// MARK: About one learner

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

    package func checkpoints(of learner: Int64) throws -> [CheckpointPlace] {
        try keptStates(of: [learner], .places)[0].places
    }

    package func projection(of learner: Int64) throws -> LearnerProjection? {
        try projection(of: learner, withDays: true)
    }

    package func copies(of learner: Int64) throws -> [RememberedCopy] {
        var copies: [RememberedCopy] = []
        try forEachCopy(of: learner) { copies.append($1) }
        return copies
    }

    package func overview(of learner: Int64) throws -> OverviewRecord? {
        var found: OverviewRecord?
        try forEachOverview(language: nil, of: .learner(learner)) { found = $0 }
        return found
    }
}

// MARK: About everybody, and the store

extension StoreReader {
    package func forEachOverview(language: String? = nil, _ body: (OverviewRecord) throws -> Void) throws {
        try forEachOverview(language: language, of: .everyone, body)
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
    package func quarantinedOfNobody() throws -> Int { try countQuarantined().reduce(0) { $0 + $1.ofNobody } }

    package func verify(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> [StoreProblem] {
        try examine(progress).problems
    }

    package func remarks() throws -> [String] { try examine { _, _ in }.remarks }
}
