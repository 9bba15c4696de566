// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// The contents of a memory store.
struct MemoryState {
    /// A partition, which has one writer at a time.
    struct Part {
        var version: StoreVersion
        var learners: [Int64: Learner] = [:]
        /// The merges by the merged id.
        var merges: [[UInt8]: MergeRecord] = [:]
        var nextLearner: Int64 = 1
        var shadow: Shadow?
        /// The number of the last commit that changed some of the learners.
        var commit: Int64 = 0
        var allLearners: Int64 = 0
        var quarantine: [(line: QuarantineRecord, bytes: [UInt8])] = []
        var nextLine: Int64 = 1
    }

    struct Learner {
        var record: LearnerRecord
        /// The number of the last commit that changed the learner.
        var changed: Int64 = 0
        /// The events in the order of arrival.
        var events = EventTable()
        /// The row of each event, by the event's identity.
        var positions: [Identity: Int] = [:]
        var derived = Derived()
        var copies: [String: [UInt8]] = [:]
        /// The notes by id.
        var notes: [String: NoteRecord] = [:]
        /// The groups that the learner ever joined.
        var groups: Set<String> = []
    }

    /// The parts of an event's identity besides the learner.
    struct Identity: Hashable {
        let source: [UInt8]
        let id: [UInt8]

        init(_ table: EventTable, _ row: Int) {
            source = Array(table.texts[table.source[row]])
            id = table.identifier(row)
        }
    }

    struct Derived {
        var snapshot: [UInt8]?
        /// The checkpoints, ascending.
        var checkpoints: [Checkpoint] = []
        var projection: LearnerProjection?
    }

    struct Shadow {
        var derived: [Int64: Derived] = [:]
        var changed: Set<Int64> = []
    }

    var parts: [Part]
    /// The rules in force, ascending by their first days, and all rules that were ever applied.
    var rules: [RulesRecord] = []
    var rulesHistory: [RulesRecord] = []
    var timeZones: String?
    var serviceRecords: [String: String] = [:]
    var foldVersion: UInt64 = 0

    init(partitions: Int) { parts = (0..<partitions).map { Part(version: StoreVersion(partition: $0)) } }

    /// The learner with an id. Setting nil removes the learner.
    subscript(learner id: Int64) -> Learner? {
        get { parts.indices.contains(Partition.of(learner: id)) ? parts[Partition.of(learner: id)].learners[id] : nil }
        set { parts[Partition.of(learner: id)].learners[id] = newValue }
    }

    var learners: some Sequence<Learner> { parts.lazy.flatMap(\.learners.values) }
    /// The quarantined lines of all partitions, by ascending ids.
    var quarantine: some Sequence<(line: QuarantineRecord, bytes: [UInt8])> { parts.lazy.flatMap(\.quarantine) }

    /// Replaces the partitions that a write has changed.
    /// - Parameter records: the service's records that the write has changed.
    mutating func take(_ other: MemoryState, _ own: [Int], _ records: [String: String?]) {
        for number in own { parts[number] = other.parts[number] }
        for (name, value) in records { serviceRecords[name] = value }
        guard own.count == parts.count else { return }
        (rules, rulesHistory) = (other.rules, other.rulesHistory)
        (timeZones, foldVersion) = (other.timeZones, other.foldVersion)
    }
}
