// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// Events and lines that wait to be stored in transactions of several partitions. They were read and checked without a
/// lock.
struct StagedEvents {
    let stock: EventStock
    /// An adapter's result for each event, in the order of arrival; empty for CloudEvents.
    private(set) var adapted: [AdaptedRow] = []
    /// Lines for quarantine.
    private(set) var refused: [RefusedLine] = []
    private var otherBytes = 0

    /// The approximate maximum of staged bytes. All of them are in memory.
    private static let mostBytes = 176 << 20
    /// The maximum number of full transactions to stage.
    private static let mostTransactions = 160
    /// The approximate memory of an adapter's result with its names, in bytes.
    private static let adaptedBytes = 256
    /// The approximate memory of a refused line in bytes, without the line itself.
    private static let refusedBytes = 512

    private let most: Int

    init(for store: any EventStore) {
        stock = EventStock { store.partition(of: $0) }
        let most = store.eventsPerTransaction.multipliedReportingOverflow(by: StagedEvents.mostTransactions)
        self.most = most.overflow ? .max : most.partialValue
    }

    /// True if the staged events should now be stored.
    var isFull: Bool { stock.count >= most || stock.byteCount + otherBytes >= StagedEvents.mostBytes }

    mutating func append(_ events: PendingEvents) throws {
        try stock.append(events.table, original: events.original)
        guard events.count > 0, events.adapted(0) != nil else { return }
        let newlyAdapted = (0..<events.count).compactMap(events.adapted)
        adapted += newlyAdapted
        otherBytes += newlyAdapted.count * StagedEvents.adaptedBytes
    }

    mutating func append(_ line: RefusedLine) {
        refused.append(line)
        otherBytes += line.bytes.count + StagedEvents.refusedBytes
    }

    /// All staged data by partition, in shares that are each small enough for a transaction.
    func shares(in store: any EventStore) -> [StagedShare] {
        var division = ShareDivision(ofAtMost: store.eventsPerTransaction)
        for subject in stock.subjects {
            division.append(subject.subject, subject.rows, in: subject.partition, size: stock.size)
        }
        for line in refused { division.append(line, in: store) }
        return division.shares
    }
}
