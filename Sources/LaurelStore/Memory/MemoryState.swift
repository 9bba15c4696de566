// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// All there is in a store.
struct MemoryState {
    /// What is written by one at a time.
    struct Part {
        var version: StoreVersion
        var learners: [Int64: Learner] = [:]
        var nextLearner: Int64 = 1
        var shadow: Shadow?
        /// The numbers of the last commit that touched anybody, and of the last one that touched everybody.
        var commit: Int64 = 0
        var everybody: Int64 = 0
        var quarantine: [(line: QuarantineRecord, bytes: [UInt8])] = []
        var nextLine: Int64 = 1
    }

    struct Learner {
        var record: LearnerRecord
        /// The number of the commit that touched them last.
        var changed: Int64 = 0
        /// In the order of arrival.
        var events = EventTable()
        /// Where each of them is.
        var places: [Identity: Int] = [:]
        var derived = Derived()
        var copies: [String: [UInt8]] = [:]
    }

    /// What tells a learner's events apart.
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
        /// Ascending.
        var checkpoints: [Checkpoint] = []
        var projection: LearnerProjection?
    }

    struct Shadow {
        var derived: [Int64: Derived] = [:]
        var changed: Set<Int64> = []
    }

    var parts: [Part]
    /// Those in force, ascending by their days, and all that were applied.
    var rules: [RulesRecord] = []
    var rulesHistory: [RulesRecord] = []
    var timeZones: String?
    var serviceRecords: [String: String] = [:]
    var foldVersion: UInt64 = 0

    init(partitions: Int) { parts = (0..<partitions).map { Part(version: StoreVersion(partition: $0)) } }

    /// nil removes one.
    subscript(learner id: Int64) -> Learner? {
        get { parts.indices.contains(Partition.of(learner: id)) ? parts[Partition.of(learner: id)].learners[id] : nil }
        set { parts[Partition.of(learner: id)].learners[id] = newValue }
    }

    var learners: some Sequence<Learner> { parts.lazy.flatMap(\.learners.values) }
    /// By ascending ids.
    var quarantine: some Sequence<(line: QuarantineRecord, bytes: [UInt8])> { parts.lazy.flatMap(\.quarantine) }

    /// Takes over what a write has left of its partitions.
    /// - Parameter records: what it has made of records of a service.
    mutating func take(_ other: MemoryState, _ own: [Int], _ records: [String: String?]) {
        for number in own { parts[number] = other.parts[number] }
        for (name, value) in records { serviceRecords[name] = value }
        guard own.count == parts.count else { return }
        (rules, rulesHistory) = (other.rules, other.rulesHistory)
        (timeZones, foldVersion) = (other.timeZones, other.foldVersion)
    }
}
