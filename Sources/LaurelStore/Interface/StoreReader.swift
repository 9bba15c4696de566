// SPDX-License-Identifier: Apache-2.0

package import LaurelEvents
package import LaurelProgress

/// One consistent state of a store.
package protocol StoreReader: AnyObject {
    func learner(named subject: [UInt8]) throws -> LearnerRecord?
    func learner(_ id: Int64) throws -> LearnerRecord?
    /// Where all learners' ids lie, ascending: for each partition that has learners, from its first to its last.
    func learnerRanges() throws -> [Range<Int64>]
    /// Every learner, in byte order of the subjects.
    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws

    /// The stored events of a learner with `since` ≤ time ≤ `until`: runs, each in the learner's order. Runs may overlap
    /// in time, and may hold events outside the bounds, which serve to leave out whole runs.
    func events(of learner: Int64, since: Int64?, until: Int64?, fields: FieldSelection) throws -> [EventRun]
    /// The same of several learners, each once, up to their last ones, asked for together.
    /// - Complexity: memory for all of them.
    func events(of learners: [(learner: Int64, since: Int64?)], fields: FieldSelection) throws -> [[EventRun]]
    /// How many events some learners have; 0 for those who are not there.
    func eventCounts(of learners: [Int64]) throws -> [Int]
    /// Every learner of a range of ids, which may reach over several partitions, ascending, with all their events as of ``events(of:since:until:fields:)``.
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

    /// The latest one.
    func snapshot(of learner: Int64) throws -> [UInt8]?
    /// The latest checkpoint before an instant, the snapshot not among them.
    func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> [UInt8]?
    /// Where the learner's checkpoints are, ascending.
    func checkpoints(of learner: Int64) throws -> [CheckpointPlace]
    /// Both of several learners, asked for together.
    func keptStates(of learners: [Int64]) throws -> [StoredStates]
    /// What was projected, ``LearnerProjection/normalised``.
    /// - Parameter withDays: without them it takes no longer for a learner of many days.
    func projection(of learner: Int64, withDays: Bool) throws -> LearnerProjection?
    /// What is remembered of copies of apps' own stores, by name in byte order.
    func copies(of learner: Int64) throws -> [RememberedCopy]
    /// All that is remembered of copies, by learner and name.
    func forEachCopy(_ body: (_ learner: Int64, _ copy: RememberedCopy) throws -> Void) throws
    /// Every learner's headline numbers, in byte order of the subjects.
    /// - Parameters:
    ///   - language: nil for the overall track; else only learners who have that one, and their numbers in it.
    ///   - learner: only this one; nil for all.
    func forEachOverview(language: String?, of learner: Int64?, _ body: (OverviewRecord) throws -> Void) throws
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

    /// The ids of learners who have events after an instant, ascending.
    func learners(withEventsAfter instant: Int64) throws -> [Int64]
    /// Learners who have a snapshot, or a row of one of these achievements, ascending.
    func learners(withSnapshotOrProgressIn achievements: [String]) throws -> [Int64]
    /// The learners whose events have changed since a shadow was begun, ascending, erased ones included. Only as long as there is one.
    func changedLearners() throws -> [Int64]

    /// The versions of the rules, ascending by the day from which each is in force; the first has none. Empty where the
    /// store was given no rules yet.
    func rules() throws -> [RulesRecord]
    /// Their ``RulesKey`` alone; nil where there are none.
    func rulesKey() throws -> String?
    /// Every rules version that was applied, oldest first.
    func rulesHistory() throws -> [RulesRecord]

    /// Whom the commits after some touched; everybody where there have been no such commits, or one touched everybody since.
    /// - Parameters:
    ///   - commits: of each partition one; those that are missing are 0.
    ///   - limit: more learners than these are given as everybody.
    /// - Complexity: O(learners touched) for the latest commits, some hundred small ones; else O(learners).
    func changes(since commits: [Int64], limit: Int) throws -> StoreChanges

    /// When a learner, and when everybody, was touched last; nil for an unknown learner, and where the store does not tell.
    /// - Complexity: O(log learners).
    func version(ofLearner subject: [UInt8]) throws -> LearnerVersion?

    /// What a service over the store keeps in it, by name.
    /// - Parameters:
    ///   - prefix: of the names that are asked for.
    ///   - end: only those whose names come before this one in byte order, the prefix included; nil for all.
    ///   - limit: the first ones in byte order.
    func serviceRecords(prefix: String, before end: String?, limit: Int) throws -> [String: String]

    /// With which time zone data all of the progress was computed; nil where that is not known.
    func timeZones() throws -> String?
    /// ``StateFormat/version`` of the fold that computed what is projected; 0 where none has said so.
    func foldVersion() throws -> UInt64

    /// Quarantined lines by ascending id, without their bytes.
    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord]
    /// A quarantined line's bytes, in pieces of at most 1 MiB.
    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws
    func quarantineCounts() throws -> [ReasonCount]
    /// How many quarantined lines could not be read as far as whose they are.
    func quarantinedOfNobody() throws -> Int

    func statistics() throws -> StoreStatistics
    /// Checks everything that can be checked without the rules.
    /// - Parameter progress: told after each block how many of how many are done.
    func verify(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> [StoreProblem]
    /// What is no damage, but should be known by whoever checks the store.
    func remarks() throws -> [String]
    /// Hands over every event that is sound, in no order, whatever else of the store is damaged.
    /// - Complexity: memory for every learner's name.
    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) throws -> Salvage
}

/// One by one, where to ask costs little.
extension StoreReader {
    package func events(
        of learners: [(learner: Int64, since: Int64?)],
        fields: FieldSelection
    ) throws -> [[EventRun]] {
        try learners.map { try events(of: $0.learner, since: $0.since, until: nil, fields: fields) }
    }

    package func eventCounts(of learners: [Int64]) throws -> [Int] {
        try learners.map { try learner($0)?.eventCount ?? 0 }
    }

    package func keptStates(of learners: [Int64]) throws -> [StoredStates] {
        try learners.map { StoredStates(snapshot: try snapshot(of: $0), checkpoints: try checkpoints(of: $0)) }
    }
}

extension StoreReader {
    package func forEachOverview(language: String? = nil, _ body: (OverviewRecord) throws -> Void) throws {
        try forEachOverview(language: language, of: nil, body)
    }

    package func overview(of learner: Int64) throws -> OverviewRecord? {
        var found: OverviewRecord?
        try forEachOverview(language: nil, of: learner) { found = $0 }
        return found
    }

    package func projection(of learner: Int64) throws -> LearnerProjection? {
        try projection(of: learner, withDays: true)
    }

    package func serviceRecords(prefix: String) throws -> [String: String] {
        try serviceRecords(prefix: prefix, before: nil, limit: .max)
    }

    package func serviceRecord(_ name: String) throws -> String? {
        try serviceRecords(prefix: name, before: nil, limit: 1)[name]
    }

    package func events(of learner: Int64) throws -> [EventRun] {
        try events(of: learner, since: nil, until: nil, fields: .all)
    }

    package func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        _ body: ([EventRun]) throws -> Void
    ) throws {
        try forEachStretch(of: learner, fields: fields, types: nil, body)
    }

    package func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        try forEachLearner(ids: ids, fields: fields, upTo: .max, body)
    }

    package func forEachLearner(ids: Range<Int64>, _ body: (LearnerRecord, [EventRun]) throws -> Void) throws {
        try forEachLearner(ids: ids, fields: .all, body)
    }
}
