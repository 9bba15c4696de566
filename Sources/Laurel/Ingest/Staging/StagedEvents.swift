// SPDX-License-Identifier: Apache-2.0

import LaurelEvents
import LaurelStore

/// Events and lines that wait to be stored in transactions of several partitions. They were read and checked without a
/// lock.
final class StagedEvents: IngestTarget {
    let stock: EventStock
    private let session: IngestSession
    private var store: any EventStore { session.store }
    /// The inputs of the events. `first` is the position of the input's first event in the order of arrival.
    private var files: [(first: Int, name: String)] = []
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

    init(for session: IngestSession) {
        self.session = session
        let store = session.store
        stock = EventStock { store.partition(of: $0) }
        let most = store.eventsPerTransaction.multipliedReportingOverflow(by: StagedEvents.mostTransactions)
        self.most = most.overflow ? .max : most.partialValue
    }

    /// True if the staged events should now be stored.
    var isFull: Bool { stock.count >= most || stock.byteCount + otherBytes >= StagedEvents.mostBytes }

    /// - Parameter events: events of one input; not empty.
    func append(_ events: PendingEvents) throws {
        // The subject decides the partition. If a learner is merged later, that is noticed when the events are stored.
        events.renameSubjects(try store.read { try $0.currentNames(of: events.table.subjects) })
        let file = events.file(0)
        if files.last?.name != file { files.append((stock.count, file)) }
        try stock.append(events.table, original: events.original)
        guard events.adapted(0) != nil else { return }
        let newlyAdapted = (0..<events.count).compactMap(events.adapted)
        adapted += newlyAdapted
        otherBytes += newlyAdapted.count * StagedEvents.adaptedBytes
    }

    func append(_ line: RefusedLine) throws {
        refused.append(line)
        otherBytes += line.bytes.count + StagedEvents.refusedBytes
    }

    /// Stores an oversized line at once, in a separate transaction.
    func append(_ line: OversizedLine, _ record: QuarantineRecord) throws {
        try store.write(in: store.partition(of: line.head)) { session.noteKept(try line.quarantine(record, in: $0)) }
    }

    /// The name of the input that contained an event.
    /// - Parameter arrival: the event's position in the order of arrival.
    func file(_ arrival: Int) -> String {
        files[files.indices.partitioningIndex { files[$0].first > arrival } - 1].name
    }

    /// All staged data by partition, in shares that are each small enough for a transaction.
    var shares: [StagedShare] {
        var division = ShareDivision(ofAtMost: store.eventsPerTransaction)
        for subject in stock.subjects {
            division.append(subject.subject, subject.rows, in: subject.partition, size: stock.size)
        }
        for line in refused { division.append(line, in: store) }
        return division.shares
    }

    /// Fills a transaction with shares of different partitions.
    func fill(_ writer: IngestWriter, with shares: [StagedShare]) throws {
        try Cancellation.check()
        for line in shares.flatMap(\.refused) { try writer.append(line) }
        let subjects = shares.flatMap(\.subjects)
        if !subjects.isEmpty { try writer.append(PendingEvents(StagedRows(self, of: subjects))) }
    }
}
