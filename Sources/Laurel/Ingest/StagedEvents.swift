// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// What waits for the transactions of several partitions. Reading and checking it took no lock.
struct StagedEvents {
    let stock: EventStock
    /// What an adapter said of each event, in the order of arrival; empty if there was none.
    private(set) var adapted: [AdaptedRow] = []
    /// Lines for quarantine.
    private(set) var refused: [RefusedLine] = []
    private var otherBytes = 0

    /// So many bytes are staged, about: all of them are in memory.
    private static let mostBytes = 176 << 20
    /// So many full transactions are staged.
    private static let mostTransactions = 160
    /// What an adapter said of an event takes, about, where it names others; and what goes with a refused line.
    private static let adaptedBytes = 256
    private static let refusedBytes = 512

    private let most: Int

    init(for store: any EventStore) {
        stock = EventStock { store.partition(of: $0) }
        let most = store.eventsPerTransaction.multipliedReportingOverflow(by: StagedEvents.mostTransactions)
        self.most = most.overflow ? .max : most.partialValue
    }

    /// Whether it is time to store them.
    var isFull: Bool { stock.count >= most || stock.byteCount + otherBytes >= StagedEvents.mostBytes }

    mutating func append(_ events: PendingEvents) throws {
        try stock.append(events.table, original: events.original)
        guard events.count > 0, events.adapted(0) != nil else { return }
        let said = (0..<events.count).compactMap(events.adapted)
        adapted += said
        otherBytes += said.count * StagedEvents.adaptedBytes
    }

    mutating func append(_ line: RefusedLine) {
        refused.append(line)
        otherBytes += line.bytes.count + StagedEvents.refusedBytes
    }

    /// All that is staged, by partitions; no share has more than a transaction should.
    func shares(in store: any EventStore) -> [StagedShare] {
        var division = ShareDivision(ofAtMost: store.eventsPerTransaction)
        for subject in stock.subjects {
            division.append(subject.subject, subject.rows, in: subject.partition, size: stock.size)
        }
        for line in refused { division.append(line, in: store) }
        return division.shares
    }
}
