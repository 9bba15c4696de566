// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents
internal import LaurelPostgreSQL

/// The tables of a store in PostgreSQL, by whichever connection a transaction has: statements and nothing else. For writing
/// it has one partition, for reading all.
final class PostgreSQLTables: PartitionTables {
    let place: PostgreSQLLocation
    /// How many partitions the store has.
    let partitionCount: Int
    /// Those that it sees.
    let partitions: ClosedRange<Int64>
    var isWriter: Bool { names != nil }
    /// Set for the time of a transaction.
    private(set) var connection: DatabaseConnection?
    /// Of a transaction that others write by, too: what is sent with theirs.
    private var merged: MergedStatements?
    var isMerging: Bool { merged != nil }
    /// That of the only partition, or of the first.
    var row = PartitionRow()
    /// Of whoever may build a shadow now; nil where nobody may.
    var shadowToken: Int64?
    /// As ``StoreOptions/leaseTimeout``.
    var leaseTimeout = StoreOptions().leaseTimeout
    /// Whether the transaction has renewed the lease.
    var hasRenewedLease = false
    /// Whether the transaction has written anything but the partition's row.
    var hasWritten = false
    /// Codes of names that rows had which the transaction has deleted: perhaps nobody's rows have them any more.
    var bereftNames: (languages: Set<Int64>, achievements: Set<Int64>) = ([], [])
    private(set) var learnersRead = LearnerRowCache()
    /// Whether the transaction has erased somebody.
    var hasErased = false
    /// Of names, where the session writes.
    let names: StoredNames?
    private(set) var facts = StoreFacts()
    /// What the row was when the transaction began.
    private(set) var found = PartitionRow()
    /// Events in the tail that the row counts in memory and not yet in the database.
    var uncountedTailEvents: Int { Int(row.tailEvents - found.tailEvents) }
    private var cursors = 0

    /// Rows of a cursor that are fetched at once, the first time and later.
    private static let fetched = (first: 256, later: 4096)

    init(_ place: PostgreSQLLocation, partitionCount: Int, partitions: ClosedRange<Int64>, names: StoredNames?) {
        self.place = place
        self.partitionCount = partitionCount
        self.partitions = partitions
        self.names = names
    }

    /// To be called when a transaction has begun.
    /// - Parameter learnersRead: of the whole transaction.
    func begin(
        _ connection: DatabaseConnection,
        _ row: PartitionRow,
        _ facts: StoreFacts,
        merging merged: MergedStatements? = nil,
        sharing learnersRead: LearnerRowCache = LearnerRowCache()
    ) {
        (self.connection, self.merged, self.learnersRead) = (connection, merged, learnersRead)
        (self.row, found, self.facts) = (row, row, facts)
        (hasWritten, hasRenewedLease, hasErased, cursors, bereftNames) = (false, false, false, 0, ([], []))
    }

    func end() { (connection, merged) = (nil, nil) }

    /// Those of all partitions, in the transaction that these take part in.
    func ofAllPartitions() -> PostgreSQLTables {
        let all = PostgreSQLTables(
            place,
            partitionCount: partitionCount,
            partitions: 0...Int64(partitionCount - 1),
            names: names
        )
        all.begin(connection!, row, facts, sharing: learnersRead)
        return all
    }

    var name: String { place.name }
    func freeBytes() -> Int64? { nil }
    /// What deletions leave, the server's vacuuming makes free for others.
    func giveBackFreePages(above share: Int64) throws {}

    /// A reader's transaction that has failed is begun anew, so that a check may go on behind damage.
    func resetStatements() {
        guard let connection, connection.hasFailed, !isWriter, connection.rollBack() else { return }
        learnersRead = LearnerRowCache()
        try? TransactionSQL.read(connection, place)
    }

    // MARK: Statements

    var bounds: [Parameter] { [.integer(partitions.lowerBound), .integer(partitions.upperBound)] }
    /// Who writes to one partition, too, reads all of them.
    var allBounds: [Parameter] { [.integer(0), .count(partitionCount - 1)] }
    var nameState: StoredNames.State { StoredNames.State(generation: facts.nameGeneration, server: facts.server) }

    /// Whoever has not got a partition's row writes nothing there.
    func expectOwn(_ learners: some Sequence<Int64>) throws {
        guard let other = learners.first(where: { !partitions.contains($0 >> 32) }) else { return }
        throw StoreError(
            .misuse,
            "learner \(other) is not in partition \(partitions.lowerBound), which this transaction writes"
        )
    }

    func expectOwn(_ subject: [UInt8]) throws {
        guard !partitions.contains(partition(of: subject)) else { return }
        throw StoreError(
            .misuse,
            "partition \(partition(of: subject)) is not \(partitions.lowerBound), which this transaction writes"
        )
    }

    func partition(of subject: [UInt8]) -> Int64 { Int64(Partition.of(subject, among: partitionCount)) }

    /// Sends what gives no rows; an error of it comes with a later statement.
    func send(_ statement: some SQLStatement, _ parameters: [Parameter]) throws {
        try send(statement.rawValue, parameters)
    }

    /// As ``send(_:_:)``, of a form of a statement.
    func send(_ sql: String, _ parameters: [Parameter]) throws {
        hasWritten = true
        guard let merged else { return try translating { try $0.send(sql, parameters) } }
        merged.add(sql, parameters, of: partitions.lowerBound)
        if merged.isFull { try translating(merged.send) }
    }

    /// Sends what is kept back before something of it may be read.
    private func sendMerged() throws {
        if let merged, merged.concern(partitions.lowerBound) { try translating(merged.send) }
    }

    /// Sends what is put together, as statements that make tables.
    func sendAlone(_ sql: String, _ parameters: [Parameter] = []) throws {
        hasWritten = true
        if let merged { try translating(merged.send) }
        try translating { try $0.send(sql, parameters) }
    }

    func rows(_ statement: some SQLStatement, _ parameters: [Parameter]) throws -> Rows {
        try sendMerged()
        return try translating { try $0.rows(statement.rawValue, parameters) }
    }

    /// Of two statements at one go.
    func rows(
        _ first: (statement: some SQLStatement, parameters: [Parameter]),
        _ second: (statement: some SQLStatement, parameters: [Parameter])
    ) throws -> (Rows, Rows) {
        try sendMerged()
        return try translating {
            try $0.rows(
                (first.statement.rawValue, first.parameters),
                (second.statement.rawValue, second.parameters)
            )
        }
    }

    /// The first column of all rows.
    func numbers(_ statement: some SQLStatement, _ parameters: [Parameter]) throws -> [Int64] {
        var numbers: [Int64] = []
        try sendMerged()
        try translating { connection in
            try connection.forEachRow(statement.rawValue, parameters) { numbers.append($0.integer(0)) }
        }
        return numbers
    }

    func number(_ statement: some SQLStatement, _ parameters: [Parameter]) throws -> Int64? {
        try rows(statement, parameters).first.flatMap { $0.isNull(0) ? nil : $0.integer(0) }
    }

    /// Hands over rows some at a time; the body may ask for others in between.
    /// - Parameter body: returns whether to go on.
    func forEachRowUntil(
        _ statement: some SQLStatement,
        _ parameters: [Parameter],
        _ body: (Row) throws -> Bool
    ) throws {
        cursors += 1
        try sendMerged()
        // Those of other partitions may be open on the same connection.
        let cursor = "rows_\(partitions.lowerBound)_\(partitions.upperBound)_\(cursors)"
        try translating { try $0.send("DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.rawValue)", parameters) }
        var wanted = Self.fetched.first
        var isOver = false
        while !isOver {
            try sendMerged()
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
            throw StoreError(error, place)
        }
    }

    func damage(_ what: String) -> StoreError {
        StoreError(.corrupt, "\(name) is damaged (\(what)); \(StoreError.advice)")
    }
}

/// What a row may hold, whatever damage has made of it.
extension PostgreSQLTables {
    /// How many there are of something: a number that can have been counted.
    func amount(_ row: Row, _ column: Int) throws -> Int {
        let value = row.integer(column)
        guard (0...1 << 48).contains(value) else { throw damage("a count of \(value)") }
        return Int(value)
    }

    /// Milliseconds since 1970, of a time that an event may have.
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
