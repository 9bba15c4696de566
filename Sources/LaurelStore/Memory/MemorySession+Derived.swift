// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension MemorySession {
    // MARK: Derived state

    func snapshot(of learner: Int64) -> [UInt8]? { state.learners[learner]?.derived.snapshot }

    func saveSnapshot(_ snapshot: [UInt8]?, of learner: Int64, in place: DerivedPlace) {
        switch place {
        case .stored: state.learners[learner]?.derived.snapshot = snapshot
        case .shadow: state.shadow?.derived[learner, default: MemoryState.Derived()].snapshot = snapshot
        }
    }

    func checkpoint(of learner: Int64, before milliseconds: Int64) -> [UInt8]? {
        state.learners[learner]?.derived.checkpoints.last { $0.place.milliseconds < milliseconds }?.snapshot
    }

    func checkpoints(of learner: Int64) -> [CheckpointPlace] {
        state.learners[learner]?.derived.checkpoints.map(\.place) ?? []
    }

    func saveCheckpoint(_ checkpoint: Checkpoint, of learner: Int64, in place: DerivedPlace) {
        switch place {
        case .stored: state.learners[learner]?.derived.insert(checkpoint)
        case .shadow: state.shadow?.derived[learner, default: MemoryState.Derived()].insert(checkpoint)
        }
    }

    func saveSnapshotAsCheckpoint(of learner: Int64, at place: CheckpointPlace) {
        guard let snapshot = snapshot(of: learner) else { return }
        saveCheckpoint(Checkpoint(place: place, snapshot: snapshot), of: learner, in: .stored)
    }

    func dropCheckpoints(of learner: Int64, at places: [CheckpointPlace]) {
        state.learners[learner]?.derived.checkpoints.removeAll { places.contains($0.place) }
    }

    func projection(of learner: Int64, withDays: Bool) -> LearnerProjection? {
        var projection = state.learners[learner]?.derived.projection
        guard !withDays else { return projection }
        for index in projection?.tracks.indices ?? 0..<0 { projection?.tracks[index].days = [] }
        return projection
    }

    func project(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        in place: DerivedPlace
    ) {
        var projection = projection.normalised
        if place == .shadow {
            state.shadow?.derived[learner, default: MemoryState.Derived()].projection = projection
            return
        }
        if days == .listed, let old = state.learners[learner]?.derived.projection {
            let listed = Set(projection.tracks.flatMap(\.days).map(\.day))
            projection.addDays(of: old) { !listed.contains($0) }
        }
        state.learners[learner]?.derived.projection = projection
    }

    func project(_ batch: any ProjectionBatch) {
        guard let batch = batch as? MemoryBatch else { preconditionFailure("another store's batch") }
        for (learner, projection, days) in batch.projections {
            project(projection, of: learner, days: days, in: .stored)
        }
    }

    func dropDerivedState() {
        touchEverybody()
        for id in state.learners.keys { state.learners[id]?.derived = MemoryState.Derived() }
    }

    func setHidden(_ hidden: [String: Bool]) {
        for id in state.learners.keys { state.learners[id]?.derived.projection?.setHidden(hidden) }
    }

    // MARK: The shadow

    func beginShadow() { state.shadow = MemoryState.Shadow() }

    func changedLearners() -> [Int64] { state.shadow?.changed.sorted() ?? [] }

    func forgetChanges(of learners: [Int64]) {
        for learner in learners { state.shadow?.derived[learner] = nil }
        state.shadow?.changed.subtract(learners)
    }

    func learners(withSnapshotOrProgressIn achievements: [String]) -> [Int64] {
        state.learners.values.filter { learner in
            let rows = learner.derived.projection?.tracks.flatMap(\.achievements) ?? []
            return learner.derived.snapshot != nil || rows.contains { achievements.contains($0.id) }
        }.map(\.record.id).sorted()
    }

    func adoptShadow(_ extent: ShadowExtent) {
        guard let shadow = state.shadow else { return }
        touchEverybody()
        if extent == .everything { dropDerivedState() }
        for (learner, derived) in shadow.derived {
            var derived = derived
            if extent == .listedLearnersWithoutDays, let old = state.learners[learner]?.derived.projection {
                derived.projection?.addDays(of: old) { _ in true }
            }
            state.learners[learner]?.derived = derived
        }
        state.shadow = nil
    }

    func forEachOverview(language: String?, _ body: (OverviewRecord) throws -> Void) throws {
        try forEachLearner { learner in
            if let language, !languages(of: learner.id).contains(where: { $0.utf8.elementsEqual(language.utf8) }) {
                return
            }
            try body(overview(learner, language: language))
        }
    }

    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws {
        for id in state.learners.keys {
            for language in languages(of: id) { try body(id, language) }
        }
    }

    private func languages(of learner: Int64) -> [String] {
        projection(of: learner, withDays: false)?.tracks.compactMap(\.language) ?? []
    }

    func overview(of learner: Int64) -> OverviewRecord? { self.learner(learner).map { overview($0, language: nil) } }

    private func overview(_ record: LearnerRecord, language: String?) -> OverviewRecord {
        var row = OverviewRecord(learner: record)
        if let projection = projection(of: record.id, withDays: false) {
            row.displayName = projection.displayName
            row.cohort = projection.cohort
            let tag = language.map { Array($0.utf8) }
            if let overall = projection.tracks.first(where: { $0.language.map { Array($0.utf8) } == tag }) {
                row.streakFreezes = overall.streakFreezes
                row.lastActivityDay = overall.lastActivityDay
                row.xp = overall.xp
                row.level = overall.level
                row.currentStreak = overall.currentStreak
                row.wordsLearned = overall.wordsLearned
                row.lastEventAt = overall.lastEventAt
                row.events = overall.events
            }
        }
        return row
    }

    func forEachXP(
        language: String?,
        days: ClosedRange<LocalDay>?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws {
        for (id, learner) in state.learners {
            guard let projection = learner.derived.projection else { continue }
            if let cohort, projection.cohort.map({ !$0.utf8.elementsEqual(cohort.utf8) }) ?? true { continue }
            let tag = language.map { Array($0.utf8) }
            guard let track = projection.tracks.first(where: { $0.language.map { Array($0.utf8) } == tag }) else {
                continue
            }
            try body(
                id,
                days.map { days in track.days.reduce(0) { days.contains($1.day) ? $0 + $1.xp : $0 } } ?? track.xp
            )
        }
    }

    func learners(withEventsAfter instant: Int64) -> [Int64] {
        state.learners.filter { $0.value.events.milliseconds.contains { $0 > instant } }.keys.sorted()
    }

    // MARK: Rules

    func rules() -> [RulesRecord] { state.rules }

    func rulesKey() -> String? { state.rules.isEmpty ? nil : RulesKey.key(state.rules) }

    func rulesHistory() -> [RulesRecord] { state.rulesHistory }

    func setRules(_ rules: RulesRecord) {
        touchEverybody()
        state.rulesHistory.append(rules)
        state.rules.removeAll { version in
            guard let from = rules.from else { return true }
            return version.from.map { $0 >= from } ?? false
        }
        state.rules.append(rules)
    }

    func withdrawRules(from day: LocalDay) {
        touchEverybody()
        state.rules.removeAll { $0.from == day }
    }

    func foldVersion() -> UInt64 { state.foldVersion }

    func setFoldVersion(_ version: UInt64) { state.foldVersion = version }

    // MARK: Quarantine

    func quarantined(after id: Int64, limit: Int) -> [QuarantineRecord] {
        Array(state.quarantine.map(\.line).filter { $0.id > id }.prefix(limit))
    }

    func forEachPiece(ofQuarantined id: Int64, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        guard let bytes = state.quarantine.first(where: { $0.line.id == id })?.bytes else { return }
        for start in stride(from: 0, to: bytes.count, by: QuarantineRecord.pieceLimit) {
            let piece = Array(bytes[start..<min(start + QuarantineRecord.pieceLimit, bytes.count)])
            try piece.withUnsafeBufferPointer(body)
        }
    }

    func quarantineCounts() -> [ReasonCount] {
        Dictionary(grouping: state.quarantine, by: { Array($0.line.reason.utf8) })
            .map { ReasonCount(reason: String(decoding: $0.key, as: UTF8.self), lines: $0.value.count) }
            .sorted { Array($0.reason.utf8).lexicographicallyPrecedes(Array($1.reason.utf8)) }
    }

    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) rethrows -> Int64? {
        var line = line
        var bytes: [UInt8] = []
        while let piece = try nextPiece() { bytes += piece }
        line.id = state.nextLine
        line.byteCount = bytes.count
        state.nextLine += 1
        state.quarantine.append((line, bytes))
        return line.id
    }

    func dropQuarantined(ids: [Int64]) {
        state.quarantine.removeAll { ids.contains($0.line.id) }
    }

    func dropAllQuarantined() { state.quarantine.removeAll() }

    // MARK: The whole

    func statistics() -> StoreStatistics {
        var result = StoreStatistics()
        result.learners = state.learners.count
        result.events = state.learners.values.reduce(0) { $0 + $1.events.count }
        result.quarantined = state.quarantine.count
        return result
    }

    func verify(_ progress: (_ done: Int, _ total: Int) -> Void) -> [StoreProblem] { [] }
    func remarks() -> [String] { [] }
    func timeZones() -> String? { state.timeZones }
    func setTimeZones(_ version: String) { state.timeZones = version }
    func quarantinedOfNobody() -> Int { state.quarantine.count { $0.line.subject == nil } }

    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) rethrows -> Salvage {
        var salvage = Salvage()
        try forEachLearner(ids: learnerIDs(), fields: .all, upTo: .max) { learner, runs in
            for run in runs { try body(learner, run) }
            salvage.events += learner.eventCount
        }
        return salvage
    }
}

extension MemoryState.Derived {
    fileprivate mutating func insert(_ checkpoint: Checkpoint) {
        checkpoints.removeAll { $0.place.milliseconds == checkpoint.place.milliseconds }
        checkpoints.append(checkpoint)
        checkpoints.sort { $0.place.milliseconds < $1.place.milliseconds }
    }
}

extension LearnerProjection {
    /// Adds another's days to the tracks of the same language.
    fileprivate mutating func addDays(of other: LearnerProjection, where isWanted: (LocalDay) -> Bool) {
        for index in tracks.indices {
            let track = other.tracks.first { $0.language == tracks[index].language }
            tracks[index].days += track?.days.filter { isWanted($0.day) } ?? []
            tracks[index].days.sort { $0.day < $1.day }
        }
    }

    fileprivate mutating func setHidden(_ hidden: [String: Bool]) {
        for track in tracks.indices {
            for row in tracks[track].achievements.indices {
                if let isHidden = hidden[tracks[track].achievements[row].id] {
                    tracks[track].achievements[row].isHidden = isHidden
                }
            }
        }
    }
}

/// Projections as they are.
final class MemoryBatch: ProjectionBatch, @unchecked Sendable {
    private(set) var projections: [(learner: Int64, projection: LearnerProjection, days: ReplacedDays)] = []

    func append(_ projection: LearnerProjection, of learner: Int64) { projections.append((learner, projection, .all)) }

    func append(_ projection: LearnerProjection, replacing _: LearnerProjection, of learner: Int64) {
        projections.append((learner, projection, .listed))
    }

    func removeAll() { projections.removeAll() }
}
