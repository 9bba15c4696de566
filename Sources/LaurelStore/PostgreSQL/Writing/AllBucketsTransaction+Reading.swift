// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension AllBucketsTransaction {
    // MARK: One learner

    func learner(named subject: [UInt8]) throws -> LearnerRecord? {
        try (parts[Partition.of(subject, among: versions.count)]?.session ?? everybody).learner(named: subject)
    }

    func learner(_ id: Int64) throws -> LearnerRecord? { try reader(of: id).learner(id) }

    func events(of learner: Int64, since: Int64?, until: Int64?, fields: FieldSelection) throws -> [EventRun] {
        try reader(of: learner).events(of: learner, since: since, until: until, fields: fields)
    }

    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        try settled().forEachLearner(ids: ids, fields: fields, upTo: limit, body)
    }

    func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        types: [String]?,
        _ body: ([EventRun]) throws -> Void
    ) throws {
        try reader(of: learner).forEachStretch(of: learner, fields: fields, types: types, body)
    }

    func lastEventTime(of learner: Int64) throws -> Int64? { try reader(of: learner).lastEventTime(of: learner) }
    func snapshot(of learner: Int64) throws -> [UInt8]? { try reader(of: learner).snapshot(of: learner) }

    func checkpoint(of learner: Int64, before milliseconds: Int64) throws -> [UInt8]? {
        try reader(of: learner).checkpoint(of: learner, before: milliseconds)
    }

    func checkpoints(of learner: Int64) throws -> [CheckpointPlace] {
        try reader(of: learner).checkpoints(of: learner)
    }

    func projection(of learner: Int64, withDays: Bool) throws -> LearnerProjection? {
        try reader(of: learner).projection(of: learner, withDays: withDays)
    }

    func copies(of learner: Int64) throws -> [RememberedCopy] { try reader(of: learner).copies(of: learner) }
    func forEachCopy(_ body: (Int64, RememberedCopy) throws -> Void) throws { try everybody.forEachCopy(body) }

    func version(ofLearner subject: [UInt8]) throws -> LearnerVersion? {
        try (parts[Partition.of(subject, among: versions.count)]?.session ?? everybody).version(ofLearner: subject)
    }

    // MARK: Everybody

    func learnerRanges() throws -> [Range<Int64>] { try settled().learnerRanges() }
    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws { try settled().forEachLearner(body) }

    func forEachOverview(language: String?, of learner: Int64?, _ body: (OverviewRecord) throws -> Void) throws {
        try settled().forEachOverview(language: language, of: learner, body)
    }

    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws {
        try everybody.forEachLanguage(body)
    }

    func forEachXP(
        language: String?,
        days: ClosedRange<LocalDay>?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws {
        try everybody.forEachXP(language: language, days: days, cohort: cohort, body)
    }

    func learners(withEventsAfter instant: Int64) throws -> [Int64] {
        try settled().learners(withEventsAfter: instant)
    }

    func learners(withSnapshotOrProgressIn achievements: [String]) throws -> [Int64] {
        try everybody.learners(withSnapshotOrProgressIn: achievements)
    }

    func changedLearners() throws -> [Int64] { try settled().changedLearners() }

    func changes(since commits: [Int64], limit: Int) throws -> StoreChanges {
        try settled().changes(since: commits, limit: limit)
    }

    // MARK: Records

    func rules() throws -> [RulesRecord] { try everybody.rules() }
    func rulesKey() throws -> String? { try everybody.rulesKey() }
    func rulesHistory() throws -> [RulesRecord] { try everybody.rulesHistory() }
    func timeZones() throws -> String? { try everybody.timeZones() }
    func foldVersion() throws -> UInt64 { try everybody.foldVersion() }

    func serviceRecords(prefix: String, before end: String?, limit: Int) throws -> [String: String] {
        try everybody.serviceRecords(prefix: prefix, before: end, limit: limit)
    }

    // MARK: Quarantine

    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord] {
        try everybody.quarantined(after: id, limit: limit)
    }

    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try everybody.forEachPiece(ofQuarantined: id, body)
    }

    func quarantineCounts() throws -> [ReasonCount] { try everybody.quarantineCounts() }
    func quarantinedOfNobody() throws -> Int { try everybody.quarantinedOfNobody() }

    // MARK: The whole

    func statistics() throws -> StoreStatistics {
        var statistics = try settled().statistics()
        statistics.tailEvents = tailEvents
        return statistics
    }

    func verify(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> [StoreProblem] {
        try settled().verify(progress)
    }

    func remarks() throws -> [String] { try everybody.remarks() }

    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) throws -> Salvage { try settled().salvage(body) }
}
