// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelProgress

/// A transaction that has several partitions. What is one learner's goes to the session of the learner's partition.
protocol PartitionsTransaction: StoreTransaction {
    /// How many partitions the store has.
    var partitionCount: Int { get }
    /// A session that reads all partitions. What those of the parts keep back is not there.
    var everybody: StoreSession { get throws }
    /// The session of a partition.
    /// - Throws: ``StoreError`` where the transaction has not got it.
    func part(_ partition: Int) throws -> StoreSession
    /// The session of a partition, if there is one.
    func partAtHand(_ partition: Int) -> StoreSession?
    /// The session that reads all of them, once all that the parts keep back is written.
    func settled() throws -> StoreSession
    /// To be told that something was written that is no learner's and that no number follows from.
    func noteNewSettings()
}

extension PartitionsTransaction {
    func partition(of subject: [UInt8]) -> Int { Partition.of(subject, among: partitionCount) }

    func part(named subject: [UInt8]) throws -> StoreSession { try part(partition(of: subject)) }

    /// Where to read what one learner's is.
    func reader(of learner: Int64) throws -> StoreSession {
        try partAtHand(Partition.of(learner: learner)) ?? everybody
    }

    func reader(named subject: [UInt8]) throws -> StoreSession {
        try partAtHand(partition(of: subject)) ?? everybody
    }

    /// Asks for what is of some learners: the session of their partition, or, where they are of several, one session for all of them.
    /// - Parameter ask: asks the session for what there is of each.
    func read<Item, Answer>(
        _ items: [Item],
        _ partition: (Item) -> Int,
        _ ask: (StoreSession, [Item]) throws -> [Answer]
    ) throws -> [Answer] {
        guard let first = items.first.map(partition) else { return [] }
        let isOfOnePart = items.allSatisfy { partition($0) == first }
        return try ask(isOfOnePart ? partAtHand(first) ?? everybody : settled(), items)
    }

    /// Asks the sessions of some partitions, each for what is theirs.
    /// - Returns: what they answer, in the order of the items.
    func forEachPart<Item, Answer>(
        of items: [Item],
        _ partition: (Item) -> Int,
        by session: (Int) throws -> StoreSession,
        _ ask: (StoreSession, [Item]) throws -> [Answer]
    ) throws -> [Answer] {
        var answers = [Answer?](repeating: nil, count: items.count)
        let places = Dictionary(grouping: items.indices) { partition(items[$0]) }
        for (number, places) in places.sorted(by: { $0.key < $1.key }) {
            let found = try ask(session(number), places.map { items[$0] })
            for (place, answer) in zip(places, found) { answers[place] = answer }
        }
        return answers.map { $0! }
    }
}

// MARK: Writing

extension PartitionsTransaction {
    func learnerIDs(for subjects: [[UInt8]]) throws -> [Int64] {
        // One question for all of them.
        let unknown = try subjects.filter { try !part(named: $0).knows($0) }
        var known: [[UInt8]: LearnerRecord] = [:]
        if !unknown.isEmpty {
            for record in try everybody.tables.learners(.subjects(unknown)) {
                if let record { known[record.subject] = record }
            }
        }
        return try forEachPart(of: subjects, partition, by: part) { session, subjects in
            try session.learnerIDs(for: subjects) { $0.map { known[$0] } }
        }
    }

    func append(_ table: EventTable, groups: [LearnerRows]) throws -> AppendResult {
        var outcomes = [AppendResult.Outcome](repeating: .skipped, count: table.count)
        var stored: [Int64: LearnerRows] = [:]
        let shares = Dictionary(grouping: groups) { Partition.of(learner: $0.learner) }.sorted { $0.key < $1.key }
        let prepared = try shares.map { try part($0.key).prepareAppend(table, $0.value) }
        let places = prepared.flatMap(\.places)
        var runs = places.isEmpty ? [] : try everybody.tables.identityRuns(places)[...]
        for ((partition, groups), prepared) in zip(shares, prepared) {
            let result = try part(partition).append(prepared, lastRuns: Array(runs.prefix(prepared.places.count)))
            runs = runs.dropFirst(prepared.places.count)
            for group in groups { for row in group.rows { outcomes[row] = result.outcomes[row] } }
            for rows in result.stored { stored[rows.learner] = rows }
        }
        return AppendResult(outcomes: outcomes, stored: groups.compactMap { stored[$0.learner] })
    }

    func remember(_ copies: [String: [UInt8]?], of learner: Int64) throws {
        try part(Partition.of(learner: learner)).remember(copies, of: learner)
    }

    func erase(subject: [UInt8]) throws -> Bool { try part(named: subject).erase(subject: subject) }

    /// Drops quarantined lines of some partitions.
    func dropQuarantined(_ ids: [Int64]) throws {
        let shares = Dictionary(grouping: ids, by: Partition.of(learner:)).sorted { $0.key < $1.key }
        for (partition, ids) in shares where 0..<partitionCount ~= partition {
            try part(partition).dropQuarantined(ids: ids)
        }
    }

    func setServiceRecord(_ name: String, _ value: String?) throws {
        noteNewSettings()
        try everybody.setServiceRecord(name, value)
    }
}

extension LearnerWrites {
    /// Whose learners it is about.
    var partitions: Set<Int> {
        let learners = (batch as? PreparedProjections)?.learners
        var some = Set([learners?.first?.id, learners?.last?.id].compactMap { $0 })
        some.formUnion(projections.map(\.learner))
        some.formUnion(states.map(\.learner))
        return Set(some.map(Partition.of(learner:)))
    }

    /// The partition of all of them; nil where there are none.
    func onlyPartition() throws -> Int? {
        let partitions = partitions
        guard partitions.count > 1 else { return partitions.first }
        throw StoreError(.misuse, "what is written of learners of several partitions at one go replaces nothing")
    }
}
