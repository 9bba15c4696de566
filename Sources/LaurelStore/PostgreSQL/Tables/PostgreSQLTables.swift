// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelPostgreSQL

/// The tables of a store in PostgreSQL. The methods only send statements, over the transaction's connection. A
/// transaction may read all partitions. It may write only to the partitions that it holds: it has locked their rows.
final class PostgreSQLTables: PartitionTables {
    let location: PostgreSQLLocation
    /// The number of partitions of the store.
    let partitionCount: Int
    /// True if the partitions are on several servers. Then each statement on rows concerns only one partition.
    let isDistributed: Bool
    /// The codes of names; nil if the session only reads.
    let names: StoredNames?
    /// The lease token of the process that may build a shadow now; nil if no process may.
    let shadowToken: Int64?
    /// The value of ``StoreOptions/leaseTimeout``.
    let leaseTimeout: Double
    /// The connection of the current transaction; nil outside of a transaction.
    private(set) var connection: DatabaseConnection?
    private(set) var facts = StoreFacts()
    /// The edition of the derived tables that is read.
    var edition: Int64 = 1
    /// The edition that is being built as a shadow; 0 if there is none.
    var builtEdition: Int64 = 0
    private(set) var learnersRead = LearnerRowCache()
    private var cursors = 0

    // MARK: Writing transactions

    /// The partitions that the transaction holds, ascending.
    private(set) var held: [HeldPartition] = []
    /// The codes of names in rows that the transaction has deleted. Other rows may or may not use these names.
    var unreferencedNames: (languages: Set<Int64>, achievements: Set<Int64>) = ([], [])
    /// True if the transaction has renewed the lease.
    var hasRenewedLease = false

    /// The number of rows that are fetched from a cursor in the first step, and in each later step.
    private static let fetched = (first: 256, later: 4096)

    init(
        _ location: PostgreSQLLocation,
        partitionCount: Int,
        isDistributed: Bool,
        names: StoredNames? = nil,
        shadowToken: Int64? = nil,
        leaseTimeout: Double = StoreOptions().leaseTimeout
    ) {
        (self.location, self.partitionCount, self.isDistributed) = (location, partitionCount, isDistributed)
        self.names = names
        (self.shadowToken, self.leaseTimeout) = (shadowToken, leaseTimeout)
    }

    /// Prepares the tables for a transaction that has begun.
    /// - Parameters:
    ///   - rows: the rows of partitions; at least one.
    ///   - partitions: the partitions of these rows, ascending, if the transaction writes; empty if it only reads. A
    ///     writing transaction holds these partitions.
    func begin(
        _ connection: DatabaseConnection,
        _ facts: StoreFacts,
        _ rows: [PartitionRow],
        holding partitions: [Int] = []
    ) {
        (self.connection, self.facts, learnersRead, cursors) = (connection, facts, LearnerRowCache(), 0)
        (edition, builtEdition) = (rows[0].edition, rows[0].builtEdition)
        held = zip(partitions, rows).map { HeldPartition(partition: Int64($0), found: $1) }
    }

    func end() { connection = nil }

    var name: String { location.name }
    func freeBytes() -> Int64? { nil }
    /// Does nothing, because the server's vacuuming frees the space of deleted rows.
    func releaseFreePages(above share: Int64) throws {}

    /// Does nothing: ``ifReadable(_:)`` has rolled the transaction back to its savepoint.
    func resetStatements() {}

    // MARK: Partitions

    /// The first and the last partition.
    var bounds: [Parameter] { [.integer(0), .count(partitionCount - 1)] }
    var nameState: StoredNames.State { StoredNames.State(generation: facts.nameGeneration, server: facts.server) }

    func partition(of subject: [UInt8]) -> Int64 { Int64(Partition.of(subject, among: partitionCount)) }

    /// The position of a partition in `held`.
    /// - Throws: ``StoreError`` if the transaction does not hold the partition, and so must not write to it.
    func location(ofHeld partition: Int64) throws -> Int {
        let guess = Int(clamping: partition)
        if held.indices.contains(guess), held[guess].partition == partition { return guess }
        if let location = held.firstIndex(where: { $0.partition == partition }) { return location }
        throw StoreError(.misuse, "partition \(partition) is none of those that this transaction writes")
    }

    /// The row of a partition that is held.
    subscript(partition: Int) -> PartitionRow {
        get throws { held[try location(ofHeld: Int64(partition))].row }
    }

    func change<T>(_ partition: Int, _ body: (inout HeldPartition) throws -> T) throws -> T {
        try body(&held[location(ofHeld: Int64(partition))])
    }

    /// Divides a range of ids by partition.
    func shares(_ ids: ClosedRange<Int64>) -> [(partition: Int64, ids: ClosedRange<Int64>)] {
        let first = max(0, Partition.of(learner: ids.lowerBound))
        let last = min(partitionCount - 1, Partition.of(learner: ids.upperBound))
        return first > last ? [] : (first...last).map { (Int64($0), ids.clamped(to: Partition.learners(of: $0))) }
    }

    /// The held partitions with the rows that the transaction will write.
    var finished: [HeldPartition] {
        for location in held.indices {
            (held[location].row.edition, held[location].row.builtEdition) = (edition, builtEdition)
        }
        return held
    }

    /// Marks partitions as written.
    /// - Throws: ``StoreError`` if the transaction does not hold one of the partitions.
    func noteWriting(to partitions: some Sequence<Int64>) throws {
        var last: Int64?
        for partition in partitions where partition != last {
            held[try location(ofHeld: partition)].hasWritten = true
            last = partition
        }
    }

    // MARK: Statements that write

    /// Sends a statement that returns no rows. If the statement fails, a later statement throws its error.
    /// - Parameter partition: the held partition to which the statement writes; nil for data of the whole store. For
    ///   nil, the first held partition is marked as written.
    func send(_ statement: some SQLStatement, _ parameters: [Parameter], of partition: Int? = nil) throws {
        if let partition { try change(partition) { $0.hasWritten = true } } else { held[0].hasWritten = true }
        try translating { try $0.send(statement.rawValue, parameters) }
    }

    /// Sends a statement that writes to all partitions.
    func sendToAll(_ sql: String, _ parameters: [Parameter] = []) throws {
        guard held.count == partitionCount else {
            throw StoreError(.misuse, "this is written by who has all partitions")
        }
        for location in held.indices { held[location].hasWritten = true }
        try translating { try $0.send(sql, parameters) }
    }

    /// Writes rows. One or two rows are sent as separate statements.
    func send(_ statement: RowStatement, _ rows: TableRows, in target: DerivedTarget = .stored) throws {
        guard !rows.isEmpty else { return }
        try noteWriting(to: (0..<rows.count).lazy.map { statement.partition(rows, $0) })
        let edition = statement.isOfEdition ? try edition(target) : 0
        let calls = statement.calls(rows, edition, separatesPartitions: isDistributed, mostSingle: 2)
        try translating { connection in for call in calls { try connection.send(call.sql, call.parameters) } }
    }

    // MARK: Statements that read

    func rows(_ statement: some SQLStatement, _ parameters: [Parameter]) throws -> Rows {
        try translating { try $0.rows(statement.rawValue, parameters) }
    }

    /// A result row, whose second column and the following ones are the selected columns.
    typealias Found = (index: Int, row: Row)

    /// Runs statements for the passed rows in one round trip. Each result row has the index of its passed row.
    func found(
        _ asked: [(statement: RowStatement, rows: TableRows)],
        in target: DerivedTarget = .stored
    ) throws -> [[Found]] {
        let edition = try edition(target)
        let calls = asked.map {
            $0.statement.calls($0.rows, edition, separatesPartitions: isDistributed, mostSingle: 1)
        }
        guard calls.contains(where: { !$0.isEmpty }) else { return asked.map { _ in [] } }
        var answers = try translating { try $0.rows(of: calls.joined().map { ($0.sql, $0.parameters) }) }[...]
        return try zip(asked, calls).map { asked, calls in
            var found: [Found] = []
            for (call, rows) in zip(calls, answers) {
                for row in rows {
                    found.append((call.first + (try inputIndex(row, of: asked.rows.count - call.first)), row))
                }
            }
            answers = answers.dropFirst(calls.count)
            return found
        }
    }

    /// Runs a statement for the passed rows.
    func found(_ statement: RowStatement, _ rows: TableRows, in target: DerivedTarget = .stored) throws -> [Found] {
        try found([(statement, rows)], in: target)[0]
    }

    /// Calls `body` for each row of the result, with its position among the requested rows.
    func forEachRow(
        _ statement: RowStatement,
        _ rows: TableRows,
        in target: DerivedTarget = .stored,
        _ body: (Int, Row) throws -> Void
    ) throws {
        for found in try found(statement, rows, in: target) { try body(found.index, found.row) }
    }

    /// The index of the passed row that a result row belongs to. The result's first column has the index plus 1.
    func inputIndex(_ row: Row, of count: Int) throws -> Int {
        let location = Int(row.integer(0)) - 1
        guard 0..<count ~= location else { throw damage("an answer to what was not asked") }
        return location
    }

    /// The integers in the first column of a statement's rows.
    func numbers(_ statement: some SQLStatement, _ parameters: [Parameter]) throws -> [Int64] {
        var numbers: [Int64] = []
        try translating { connection in
            try connection.forEachRow(statement.rawValue, parameters) { numbers.append($0.integer(0)) }
        }
        return numbers
    }

    func number(_ statement: some SQLStatement, _ parameters: [Parameter]) throws -> Int64? {
        try rows(statement, parameters).first.flatMap { $0.isNull(0) ? nil : $0.integer(0) }
    }

    /// Calls `body` for each row, and fetches rows in batches. `body` may send other queries.
    /// - Parameter body: returns false to stop.
    func forEachRowUntil(
        _ statement: some SQLStatement,
        _ parameters: [Parameter],
        _ body: (Row) throws -> Bool
    ) throws {
        cursors += 1
        let cursor = "rows_\(cursors)"
        try translating { try $0.send("DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.rawValue)", parameters) }
        var wanted = Self.fetched.first
        var isOver = false
        while !isOver {
            let rows = try translating { try $0.rows("FETCH \(wanted) FROM \(cursor)") }
            isOver = rows.count < wanted
            for row in rows {
                guard try body(row) else {
                    isOver = true
                    break
                }
            }
            wanted = Self.fetched.later
        }
        try translating { try $0.send("CLOSE \(cursor)") }
    }

    func forEachRow(_ statement: some SQLStatement, _ parameters: [Parameter], _ body: (Row) throws -> Void) throws {
        try forEachRowUntil(statement, parameters) { row in
            try body(row)
            return true
        }
    }

    func translating<T>(_ body: (DatabaseConnection) throws -> T) throws -> T {
        guard let connection else { throw StoreError(.misuse, "a store is read outside of a transaction") }
        do {
            return try body(connection)
        } catch let error as DatabaseError {
            throw StoreError(error, location)
        }
    }

    func damage(_ what: String) -> StoreError {
        StoreError(.corrupt, "\(name) is damaged (\(what)); \(StoreError.advice)")
    }
}

/// Reads values from rows, and throws ``StoreError`` where damage has made a value impossible.
extension PostgreSQLTables {
    /// A count, which must be at least 0 and at most 2⁴⁸.
    func amount(_ row: Row, _ column: Int) throws -> Int {
        let value = row.integer(column)
        guard (0...1 << 48).contains(value) else { throw damage("a count of \(value)") }
        return Int(value)
    }

    /// A time in milliseconds since 1970, within the range of event times.
    func instant(_ row: Row, _ column: Int) throws -> Int64 {
        let value = row.integer(column)
        guard Timestamp.range.contains(value) else { throw damage("\(value) is no time") }
        return value
    }
}

extension Row {
    func text(_ column: Int) -> [UInt8] { StoredText.read(array(column)) }
    func optionalText(_ column: Int) -> [UInt8]? { isNull(column) ? nil : text(column) }
    func string(stored column: Int) -> String { String(decoding: text(column), as: UTF8.self) }
    func optionalString(_ column: Int) -> String? { isNull(column) ? nil : string(stored: column) }
    func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }
}

extension Parameter {
    static func stored(_ text: [UInt8]?) -> Parameter { .text(text.map(StoredText.stored)) }
    static func stored(_ text: String?) -> Parameter { .text(text.map { StoredText.stored($0) }) }
    static func stored(_ texts: some Sequence<[UInt8]>) -> Parameter { .texts(texts.map { StoredText.stored($0) }) }
}
