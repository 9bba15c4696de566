// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension PartitionsTransaction {
    // MARK: Learners and events

    func learners(_ names: LearnerNames) throws -> [LearnerRecord?] {
        switch names {
        case .subjects(let subjects):
            try read(subjects, partition) { try $0.learners(.subjects($1)) }
        case .ids(let ids): try read(ids, Partition.of(learner:)) { try $0.learners(.ids($1)) }
        }
    }

    func eventCounts(of learners: [Int64]) throws -> [Int] {
        try forEachPart(of: learners, Partition.of(learner:), by: { try partAtHand($0) ?? everybody }) {
            try $0.eventCounts(of: $1)
        }
    }

    func learners(where condition: LearnerCondition) throws -> [Int64] { try settled().learners(where: condition) }
    func learnerRanges() throws -> [Range<Int64>] { try settled().learnerRanges() }
    func forEachLearner(_ body: (LearnerRecord) throws -> Void) throws { try settled().forEachLearner(body) }

    func events(of spans: [EventSpan], fields: FieldSelection) throws -> [[EventRun]] {
        try read(spans, { Partition.of(learner: $0.learner) }) { try $0.events(of: $1, fields: fields) }
    }

    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) throws {
        let isOfOnePart =
            !ids.isEmpty && Partition.of(learner: ids.lowerBound) == Partition.of(learner: ids.upperBound - 1)
        let reader = try isOfOnePart ? reader(of: ids.lowerBound) : settled()
        try reader.forEachLearner(ids: ids, fields: fields, upTo: limit, body)
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

    // MARK: Progress

    func keptStates(of learners: [Int64], _ wanted: WantedStates) throws -> [StoredStates] {
        try read(learners, Partition.of(learner:)) { try $0.keptStates(of: $1, wanted) }
    }

    func projection(of learner: Int64, withDays: Bool) throws -> LearnerProjection? {
        try reader(of: learner).projection(of: learner, withDays: withDays)
    }

    func forEachCopy(of learner: Int64?, _ body: (Int64, RememberedCopy) throws -> Void) throws {
        try (learner.map(reader(of:)) ?? everybody).forEachCopy(of: learner, body)
    }

    func forEachOverview(
        language: String?,
        of selection: OverviewSelection,
        _ body: (OverviewRecord) throws -> Void
    ) throws {
        try settled().forEachOverview(language: language, of: selection, body)
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

    // MARK: Changes and records

    func changes(since commits: [Int64], limit: Int) throws -> StoreChanges {
        try settled().changes(since: commits, limit: limit)
    }

    func version(ofLearner subject: [UInt8]) throws -> LearnerVersion? {
        try reader(named: subject).version(ofLearner: subject)
    }

    func rules() throws -> [RulesRecord] { try everybody.rules() }
    func rulesHistory() throws -> [RulesRecord] { try everybody.rulesHistory() }
    func rulesKey() throws -> String? { try everybody.rulesKey() }
    func timeZones() throws -> String? { try everybody.timeZones() }
    func foldVersion() throws -> UInt64 { try everybody.foldVersion() }

    func serviceRecords(prefix: String, before end: String?, limit: Int, side: RecordSide) throws -> [String: String] {
        try everybody.serviceRecords(prefix: prefix, before: end, limit: limit, side: side)
    }

    // MARK: Quarantine

    func quarantined(after id: Int64, limit: Int) throws -> [QuarantineRecord] {
        try everybody.quarantined(after: id, limit: limit)
    }

    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        try everybody.forEachPiece(ofQuarantined: id, body)
    }

    func countQuarantined() throws -> [(count: ReasonCount, ofNobody: Int)] { try everybody.countQuarantined() }

    // MARK: The whole

    func examine(_ progress: (_ done: Int, _ total: Int) -> Void) throws -> StoreExamination {
        try settled().examine(progress)
    }

    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) throws -> Salvage { try settled().salvage(body) }
}
