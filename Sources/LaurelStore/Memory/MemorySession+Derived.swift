// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

extension MemorySession {
    // MARK: Derived state

    func keptStates(of learners: [Int64], _ wanted: WantedStates) -> [StoredStates] {
        learners.map { learner in
            let derived = state[learner: learner]?.derived ?? MemoryState.Derived()
            return switch wanted {
            case .snapshots: StoredStates(state: derived.snapshot)
            case .points: StoredStates(points: derived.checkpoints.map(\.point))
            case .snapshotsAndPoints: StoredStates(state: derived.snapshot, points: derived.checkpoints.map(\.point))
            case .checkpoints(let milliseconds):
                StoredStates(state: derived.checkpoints.last { $0.point.milliseconds < milliseconds }?.snapshot)
            }
        }
    }

    /// Changes a learner's derived state, in the store or in its shadow.
    private func change(
        _ learner: Int64,
        in target: DerivedTarget,
        _ body: (inout MemoryState.Derived) -> Void
    ) throws {
        switch target {
        case .stored: try change(learner) { body(&$0.derived) }
        case .shadow:
            body(&state.parts[try writing(learner)].shadow!.derived[learner, default: MemoryState.Derived()])
        }
    }

    func projection(of learner: Int64, withDays: Bool) -> LearnerProjection? {
        var projection = state[learner: learner]?.derived.projection
        guard !withDays else { return projection }
        for index in projection?.tracks.indices ?? 0..<0 { projection?.tracks[index].days = [] }
        return projection
    }

    func groupNames(after name: String, limit: Int) -> [String] {
        let names = Set(state.learners.flatMap(\.groups)).filter { name.utf8.lexicographicallyPrecedes($0.utf8) }
        return Array(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(limit))
    }

    func groupNames(of learners: [Int64]) -> [String] {
        let names = Set(learners.flatMap { state[learner: $0]?.groups ?? [] })
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    func write(_ changes: LearnerWrites) throws {
        guard let batch = (changes.batch ?? MemoryProjections()) as? MemoryProjections else {
            preconditionFailure("another store's batch")
        }
        for (learner, projection, days) in batch.projections + changes.projections {
            try project(projection, of: learner, days: days, in: changes.target)
        }
        for (learner, state) in changes.states {
            try change(learner, in: changes.target) { $0.apply(state) }
        }
    }

    func remember(_ copies: [String: [UInt8]?], of learner: Int64) throws {
        try change(learner) { for (name, data) in copies { $0.copies[name] = data } }
    }

    func write(_ notes: [NoteRecord], of learner: Int64) throws {
        try change(learner) { for note in notes { $0.notes[note.id] = note } }
    }

    func deleteNotes(_ ids: [String], of learner: Int64) throws {
        try change(learner) { for id in ids { $0.notes[id] = nil } }
    }

    private func project(
        _ projection: LearnerProjection,
        of learner: Int64,
        days: ReplacedDays,
        in target: DerivedTarget
    ) throws {
        if !projection.joinedGroups.isEmpty { try change(learner) { $0.groups.formUnion(projection.joinedGroups) } }
        var projection = projection.normalised
        if target == .stored, days == .listed, let old = state[learner: learner]?.derived.projection {
            let listed = Set(projection.tracks.flatMap(\.days).map(\.day))
            projection.addDays(of: old) { !listed.contains($0) }
        }
        try change(learner, in: target) { $0.projection = projection }
    }

    func dropDerivedState() {
        touchAllLearners()
        changeAllLearners { $0 = MemoryState.Derived() }
    }

    func setHidden(_ hidden: [String: Bool]) { changeAllLearners { $0.projection?.setHidden(hidden) } }

    private func changeAllLearners(_ body: (inout MemoryState.Derived) -> Void) {
        for number in state.parts.indices {
            for id in state.parts[number].learners.keys { body(&state.parts[number].learners[id]!.derived) }
        }
    }

    // MARK: The shadow

    func beginShadow() {
        for number in state.parts.indices { state.parts[number].shadow = MemoryState.Shadow() }
    }

    func forgetChanges(of learners: [Int64]) throws {
        for learner in learners {
            let partition = try writing(learner)
            state.parts[partition].shadow?.derived[learner] = nil
            state.parts[partition].shadow?.changed.remove(learner)
        }
    }

    func forgetShadow() {
        for number in state.parts.indices { state.parts[number].shadow = nil }
    }

    func adoptShadow(_ extent: ShadowExtent) throws {
        guard state.parts.contains(where: { $0.shadow != nil }) else { return }
        touchAllLearners()
        if extent == .everything { changeAllLearners { $0 = MemoryState.Derived() } }
        for (learner, derived) in state.parts.flatMap({ $0.shadow?.derived ?? [:] }) {
            try change(learner) { learner in
                let old = learner.derived.projection
                learner.derived = derived
                guard extent == .listedLearnersWithoutDays, let old else { return }
                learner.derived.projection?.addDays(of: old) { _ in true }
            }
        }
        forgetShadow()
    }

    func forEachOverview(
        language: String?,
        of selection: OverviewSelection,
        _ body: (OverviewRecord) throws -> Void
    ) throws {
        var left = Int.max
        if case .page(_, let limit) = selection { left = limit }
        try forEachLearner { learner in
            switch selection {
            case .allLearners: break
            case .learner(let wanted): if wanted != learner.id { return }
            case .page(let id, _): if left == 0 || !id.lexicographicallyPrecedes(learner.subject) { return }
            }
            if let language, !languages(of: learner.id).contains(where: { $0.utf8.elementsEqual(language.utf8) }) {
                return
            }
            left -= 1
            try body(try overview(learner, language: language))
        }
    }

    func forEachLanguage(_ body: (_ learner: Int64, _ language: String) throws -> Void) throws {
        for id in state.learners.map(\.record.id) {
            for language in languages(of: id) { try body(id, language) }
        }
    }

    private func languages(of learner: Int64) -> [String] {
        projection(of: learner, withDays: false)?.tracks.compactMap(\.language) ?? []
    }

    private func overview(_ record: LearnerRecord, language: String?) throws -> OverviewRecord {
        var row = OverviewRecord(learner: record)
        if let projection = projection(of: record.id, withDays: false) {
            row.displayName = projection.displayName
            row.cohort = projection.cohort
            let tag = language.map { Array($0.utf8) }
            if let track = projection.tracks.first(where: { $0.language.map { Array($0.utf8) } == tag }) {
                row.numbers = try track.numbers.only(OverviewRecord.fields, TrackNumbers())
            }
        }
        return row
    }

    func forEachAchievement(_ body: (AchievementRecord) throws -> Void) rethrows {
        for learner in state.learners {
            try learner.derived.projection?.forEachAchievement(of: learner.record.id, body)
        }
    }

    func forEachXP(
        language: String?,
        days: ClosedRange<LocalDay>?,
        cohort: String?,
        _ body: (_ learner: Int64, _ xp: Double) throws -> Void
    ) throws {
        try forEachTrack(language: language, cohort: cohort) { learner, track in
            let ofDays = days.map { days in
                track.days.reduce(0) { days.contains($1.day) ? $0 + $1.xp - $1.flaggedXP : $0 }
            }
            try body(learner, ofDays ?? track.numbers.xp - track.numbers.flaggedXP)
        }
    }

    func forEachDay(
        language: String?,
        days: ClosedRange<LocalDay>,
        cohort: String?,
        _ body: (_ learner: Int64, _ day: LocalDay, _ totals: DayTotals) throws -> Void
    ) throws {
        try forEachTrack(language: language, cohort: cohort) { learner, track in
            for day in track.days where days.contains(day.day) { try body(learner, day.day, DayTotals(day)) }
        }
    }

    private func forEachTrack(
        language: String?,
        cohort: String?,
        _ body: (_ learner: Int64, _ track: TrackProjection) throws -> Void
    ) throws {
        let tag = language.map { Array($0.utf8) }
        for learner in state.learners {
            guard let projection = learner.derived.projection else { continue }
            if let cohort, projection.cohort.map({ !$0.utf8.elementsEqual(cohort.utf8) }) ?? true { continue }
            guard let track = projection.tracks.first(where: { $0.language.map { Array($0.utf8) } == tag }) else {
                continue
            }
            try body(learner.record.id, track)
        }
    }

    // MARK: Rules

    func rules() -> [RulesRecord] { state.rules }
    func rulesHistory() -> [RulesRecord] { state.rulesHistory }
    func rulesKey() -> String? { state.rules.isEmpty ? nil : RulesKey.key(state.rules) }

    func setRules(_ rules: RulesRecord) {
        touchAllLearners()
        state.rulesHistory.append(rules)
        state.rules.removeAll { version in
            guard let from = rules.from else { return true }
            return version.from.map { $0 >= from } ?? false
        }
        state.rules.append(rules)
    }

    func withdrawRules(from day: LocalDay) {
        touchAllLearners()
        state.rules.removeAll { $0.from == day }
    }

    // MARK: Settings

    func timeZones() -> String? { state.timeZones }
    func setTimeZones(_ version: String) { state.timeZones = version }
    func foldVersion() -> UInt64 { state.foldVersion }
    func setFoldVersion(_ version: UInt64) { state.foldVersion = version }

    func numberCommits(above last: Int64) {
        lastCommits = lastCommits.map { max($0, last) }
        touchAllLearners()
    }

    // MARK: Whole store

    func statistics() -> StoreStatistics {
        var result = StoreStatistics()
        for part in state.parts {
            result.learners += part.learners.count
            result.events += part.learners.values.reduce(0) { $0 + $1.events.count }
            result.quarantined += part.quarantine.count
        }
        return result
    }

    func examine(_ progress: (_ done: Int, _ total: Int) -> Void) -> StoreExamination { StoreExamination() }

    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) rethrows -> Salvage {
        var salvage = Salvage()
        for ids in learnerRanges() {
            try forEachLearner(ids: ids, fields: .all, upTo: .max) { learner, runs in
                for run in runs { try body(learner, run) }
                salvage.events += learner.eventCount
            }
        }
        return salvage
    }
}

extension MemoryState.Derived {
    fileprivate mutating func apply(_ change: LearnerWrites.StateChange) {
        switch change {
        case .snapshot(let snapshot): self.snapshot = snapshot
        case .checkpoint(let checkpoint): insert(checkpoint)
        case .snapshotAsCheckpoint(let point):
            if let snapshot { insert(Checkpoint(point: point, snapshot: snapshot)) }
        case .noCheckpoints(let points): checkpoints.removeAll { points?.contains($0.point) ?? true }
        }
    }

    private mutating func insert(_ checkpoint: Checkpoint) {
        checkpoints.removeAll { $0.point.milliseconds == checkpoint.point.milliseconds }
        checkpoints.append(checkpoint)
        checkpoints.sort { $0.point.milliseconds < $1.point.milliseconds }
    }
}

extension LearnerProjection {
    /// Adds the days of another projection to the tracks with the same language.
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

/// Collects projections until they are written.
final class MemoryProjections: ProjectionBatch, @unchecked Sendable {
    private(set) var projections: [(learner: Int64, projection: LearnerProjection, days: ReplacedDays)] = []

    func append(_ projection: LearnerProjection, days: ReplacedDays, of learner: Int64) {
        projections.append((learner, projection, days))
    }

    func append(_ projection: LearnerProjection, replacing _: LearnerProjection, of learner: Int64) {
        projections.append((learner, projection, .listed))
    }

    func removeAll() { projections.removeAll() }
}
