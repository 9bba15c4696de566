// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// One read or write of a ``MemoryStore``.
final class MemorySession: StoreAdministration {
    var state: MemoryState
    /// The partitions that the session may write.
    private let own: [Int]
    let versions: [VersionStep]
    /// For each partition, the number of the last commit.
    var lastCommits: [Int64]
    /// The service's records that the session has written, by name; nil for a removed record.
    private(set) var newRecords: [String: String?] = [:]

    init(_ state: MemoryState, writing own: [Int] = []) {
        (self.state, self.own) = (state, own)
        lastCommits = state.parts.map(\.commit)
        versions = own.map { VersionStep(before: state.parts[$0].version, after: StoreVersion(partition: $0)) }
    }

    func finish() {
        for step in versions { state.parts[step.after.partition].version = step.after }
    }

    /// Checks that the session may write to a partition.
    /// - Returns: the partition.
    @discardableResult
    private func writing(_ partition: Int) throws -> Int {
        guard own.contains(partition) else {
            throw StoreError(.misuse, "partition \(partition) is written by who has \(own)")
        }
        return partition
    }

    @discardableResult
    func writing(_ learner: Int64) throws -> Int { try writing(Partition.of(learner: learner)) }

    private func partition(of subject: [UInt8]) -> Int { Partition.of(subject, among: state.parts.count) }

    func change(_ learner: Int64, _ body: (inout MemoryState.Learner) -> Void) throws {
        try writing(learner)
        if var changed = state[learner: learner] {
            body(&changed)
            state[learner: learner] = changed
        }
    }

    // MARK: Changes

    /// Counts a commit that changes some learners of a partition.
    /// - Returns: the commit's number.
    private func touch(in partition: Int) -> Int64 {
        state.parts[partition].commit = lastCommits[partition] + 1
        return state.parts[partition].commit
    }

    func touchAllLearners() {
        for number in own { state.parts[number].allLearners = touch(in: number) }
    }

    func changes(since commits: [Int64], limit: Int) -> StoreChanges {
        let present = state.parts.map(\.commit)
        let since = commits + Array(repeating: 0, count: max(0, present.count - commits.count))
        let touched = zip(state.parts, since).flatMap { part, commit in
            part.learners.values.filter { $0.changed > commit }
        }
        let isKnown = zip(state.parts, since).allSatisfy { ($0.allLearners...$0.commit).contains($1) }
        guard isKnown, since.count == present.count, touched.count <= limit else {
            return StoreChanges(commits: present, allLearners: true)
        }
        return StoreChanges(commits: present, learners: touched.map(\.record.subject))
    }

    func version(ofLearner subject: [UInt8]) -> LearnerVersion? {
        guard let id = learner(named: subject)?.id, let learner = state[learner: id] else { return nil }
        return LearnerVersion(learner: learner.changed, allLearners: state.parts[Partition.of(learner: id)].allLearners)
    }

    func serviceRecords(prefix: String, before end: String?, limit: Int, side: RecordSide) -> [String: String] {
        let found = state.serviceRecords.filter { name, _ in
            name.utf8.starts(with: prefix.utf8) && end.map { name.utf8.lexicographicallyPrecedes($0.utf8) } ?? true
        }.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return Dictionary((side == .first ? found.prefix(limit) : found.suffix(limit)).map { ($0.key, $0.value) }) {
            first,
            _ in first
        }
    }

    func setServiceRecord(_ name: String, _ value: String?) {
        state.serviceRecords[name] = value
        newRecords[name] = .some(value)
    }

    // MARK: Learners

    func learners(_ names: LearnerNames) -> [LearnerRecord?] {
        switch names {
        case .subjects(let subjects): subjects.map(learner(named:))
        case .ids(let ids): ids.map { state[learner: $0]?.record }
        }
    }

    func learner(named subject: [UInt8]) -> LearnerRecord? {
        var name = subject
        while let merge = state.parts[partition(of: name)].merges[name] { name = merge.target }
        return learner(ofExactly: name)
    }

    private func learner(ofExactly subject: [UInt8]) -> LearnerRecord? {
        state.parts[partition(of: subject)].learners.values.first { $0.record.subject == subject }?.record
    }

    func learners(where condition: LearnerCondition) -> [Int64] {
        switch condition {
        case .eventsAfter(let instant):
            state.learners.filter { $0.events.milliseconds.contains { $0 > instant } }.map(\.record.id).sorted()
        case .snapshotOrProgress(let achievements):
            state.learners.filter { learner in
                let rows = learner.derived.projection?.tracks.flatMap(\.achievements) ?? []
                return learner.derived.snapshot != nil || rows.contains { achievements.contains($0.id) }
            }.map(\.record.id).sorted()
        case .offLeaderboards:
            state.learners.filter { $0.derived.projection?.isOnLeaderboards == false }.map(\.record.id).sorted()
        case .mayBeIn(let group): state.learners.filter { $0.groups.contains(group) }.map(\.record.id).sorted()
        case .changedBesideShadow: state.parts.flatMap { $0.shadow?.changed ?? [] }.sorted()
        }
    }

    func lastEventTime(of learner: Int64) -> Int64? { state[learner: learner]?.events.milliseconds.max() }

    func learnerRanges() -> [Range<Int64>] {
        state.parts.compactMap { part in
            guard let first = part.learners.keys.min(), let last = part.learners.keys.max() else { return nil }
            return first..<last + 1
        }
    }

    func forEachLearner(_ body: (LearnerRecord) throws -> Void) rethrows {
        let bySubject = state.learners.map(\.record).sorted { $0.subject.lexicographicallyPrecedes($1.subject) }
        for learner in bySubject { try body(learner) }
    }

    func learnerIDs(for subjects: [[UInt8]]) throws -> [Int64] { try subjects.map(learnerID) }

    private func learnerID(for subject: [UInt8]) throws -> Int64 {
        if let learner = learner(ofExactly: subject) { return learner.id }
        try checkAreNotMerged([subject])
        let partition = try writing(partition(of: subject))
        let id = Partition.id(state.parts[partition].nextLearner, in: partition)
        state.parts[partition].nextLearner += 1
        state[learner: id] = MemoryState.Learner(record: LearnerRecord(id: id, subject: subject, eventCount: 0))
        return id
    }

    func forEachCopy(of learner: Int64?, _ body: (Int64, RememberedCopy) throws -> Void) rethrows {
        for id in learner.map({ [$0] }) ?? state.learners.map(\.record.id).sorted() {
            let copies = (state[learner: id]?.copies ?? [:]).map { RememberedCopy(name: $0.key, data: $0.value) }
            for copy in copies.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }) {
                try body(id, copy)
            }
        }
    }

    func forEachNote(of learner: Int64?, _ body: (Int64, NoteRecord) throws -> Void) rethrows {
        for id in learner.map({ [$0] }) ?? state.learners.map(\.record.id).sorted() {
            let notes = (state[learner: id]?.notes ?? [:]).values
            for note in notes.sorted(by: { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }) { try body(id, note) }
        }
    }

    // MARK: Events

    func events(of spans: [EventSpan], fields: FieldSelection) -> [[EventRun]] { spans.map(events(of:)) }

    private func events(of span: EventSpan) -> [EventRun] {
        guard let table = state[learner: span.learner]?.events, table.count > 0 else { return [] }
        let rows = Array(0..<table.count)
            .filter { table.milliseconds[$0] >= span.since ?? .min && table.milliseconds[$0] <= span.until ?? .max }
            .sorted { table.isBefore($0, table, $1) }
        guard !rows.isEmpty else { return [] }
        return [EventRun(table: EventTable(gathering: rows, of: table), rows: 0..<rows.count)]
    }

    func forEachLearner(
        ids: Range<Int64>,
        fields: FieldSelection,
        upTo limit: Int,
        _ body: (LearnerRecord, [EventRun]) throws -> Void
    ) rethrows {
        for record in state.learners.map(\.record).sorted(by: { $0.id < $1.id }) where ids.contains(record.id) {
            let isGiven = record.eventCount <= limit
            try body(record, isGiven ? events(of: EventSpan(of: record.id)) : [])
        }
    }

    func forEachStretch(
        of learner: Int64,
        fields: FieldSelection,
        types: [String]?,
        _ body: ([EventRun]) throws -> Void
    ) rethrows {
        try body(events(of: EventSpan(of: learner)))
    }

    func append(_ table: EventTable, groups: [LearnerRows]) throws -> AppendResult {
        var result = AppendResult(outcomes: Array(repeating: .skipped, count: table.count), stored: [])
        for group in groups {
            let partition = try writing(group.learner)
            // The learner is removed from the dictionary during the change. A second reference to the learner would
            // make each changed row copy everything.
            guard var learner = state.parts[partition].learners.removeValue(forKey: group.learner) else {
                throw StoreError(.misuse, "learner \(group.learner) does not exist")
            }
            let copier = TableAppender(learner.events)
            learner.events = EventTable()
            copier.begin(table)
            var kept: [Int] = []
            for row in group.rows {
                let identity = MemoryState.Identity(table, row)
                if let position = learner.positions[identity] {
                    let isSame = copier.table.hasSameContent(position, table, row)
                    result.outcomes[row] = isSame ? .duplicate : .conflict
                    continue
                }
                learner.positions[identity] = copier.table.count
                copier.append(row, of: table)
                result.outcomes[row] = .stored
                kept.append(row)
            }
            learner.events = copier.table
            learner.record.eventCount = learner.events.count
            if !kept.isEmpty {
                state.parts[partition].shadow?.changed.insert(group.learner)
                learner.changed = touch(in: partition)
            }
            state.parts[partition].learners[group.learner] = learner
            kept.sort { table.isBefore($0, table, $1) }
            result.stored.append(LearnerRows(learner: group.learner, rows: kept))
        }
        return result
    }

    func erase(subject: [UInt8]) throws -> Bool {
        let partition = try writing(partition(of: subject))
        let learner = learner(ofExactly: subject)
        if let learner { remove(learner.id, of: partition) }
        let isMerged = state.parts[partition].merges.removeValue(forKey: subject) != nil
        let lines = state.parts[partition].quarantine.count
        state.parts[partition].quarantine.removeAll { $0.line.subject == subject }
        return learner != nil || isMerged || state.parts[partition].quarantine.count != lines
    }

    private func remove(_ learner: Int64, of partition: Int) {
        state.parts[partition].allLearners = touch(in: partition)
        state[learner: learner] = nil
        state.parts[partition].shadow?.derived[learner] = nil
        state.parts[partition].shadow?.changed.insert(learner)
    }

    // MARK: Merges

    func merges(of subjects: [[UInt8]]) -> [MergeRecord] {
        subjects.compactMap { state.parts[partition(of: $0)].merges[$0] }
    }

    func merges(into subjects: [[UInt8]]) -> [MergeRecord] { merges.filter { subjects.contains($0.target) } }

    func forEachMerge(_ body: (MergeRecord) throws -> Void) rethrows { try merges.forEach(body) }

    private var merges: [MergeRecord] { state.parts.flatMap(\.merges.values).sorted(by: MergeRecord.isBefore) }

    /// Replaces nothing, because a memory store does not know the order in which events of two learners arrived.
    func replaceLaterArrivals(
        of learner: Int64,
        by rows: [Int],
        of table: EventTable,
        from merged: Int64
    ) -> (rows: Set<Int>, replaced: EventTable) { ([], EventTable()) }

    func merge(_ merge: MergeRecord) throws {
        let partition = try writing(partition(of: merge.subject))
        if let id = learner(ofExactly: merge.subject)?.id, let old = state[learner: id] {
            try change(try learner(named: merge.target)?.id ?? learnerID(for: merge.target)) { learner in
                learner.copies.merge(old.copies) { known, _ in known }
                learner.notes.merge(old.notes) { known, _ in known }
            }
            remove(id, of: partition)
        } else {
            state.parts[partition].allLearners = touch(in: partition)
        }
        state.parts[partition].merges[merge.subject] = merge
    }

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

    func countQuarantined() -> [(count: ReasonCount, withoutSubject: Int)] {
        Dictionary(grouping: state.quarantine, by: { Array($0.line.reason.utf8) })
            .sorted { $0.key.lexicographicallyPrecedes($1.key) }
            .map { _, lines in
                let count = ReasonCount(reason: lines[0].line.reason, lines: lines.count)
                return (count, lines.count { $0.line.subject == nil })
            }
    }

    func quarantineMessages(for reason: String, limit: Int) -> [MessageCount] {
        let lines = state.quarantine.map(\.line).filter { $0.reason.utf8.elementsEqual(reason.utf8) }
        let counts = Dictionary(grouping: lines, by: { Array($0.message.utf8) }).values.map { lines in
            MessageCount(
                message: lines[0].message,
                lines: lines.count,
                lastAt: lines.map(\.receivedAt).max() ?? 0,
                lastLine: lines.map(\.id).max() ?? 0
            )
        }
        func isBefore(_ one: MessageCount, _ other: MessageCount) -> Bool {
            guard one.lines == other.lines else { return one.lines > other.lines }
            return one.message.utf8.lexicographicallyPrecedes(other.message.utf8)
        }
        return Array(counts.sorted(by: isBefore).prefix(limit))
    }

    func quarantine(_ line: QuarantineRecord, nextPiece: () throws -> [UInt8]?) throws -> Int64? {
        // A line without a subject may be in any partition.
        let partition = try writing(line.subject.map(partition) ?? own[0])
        var line = line
        var bytes: [UInt8] = []
        while let piece = try nextPiece() { bytes += piece }
        line.id = Partition.id(state.parts[partition].nextLine, in: partition)
        line.byteCount = bytes.count
        state.parts[partition].nextLine += 1
        state.parts[partition].quarantine.append((line, bytes))
        return line.id
    }

    func dropQuarantined(ids: [Int64]?) throws {
        guard let ids else {
            for number in state.parts.indices { state.parts[try writing(number)].quarantine.removeAll() }
            return
        }
        for id in ids {
            let partition = Partition.of(learner: id)
            guard state.parts.indices.contains(partition) else { continue }
            state.parts[try writing(partition)].quarantine.removeAll { $0.line.id == id }
        }
    }
}
