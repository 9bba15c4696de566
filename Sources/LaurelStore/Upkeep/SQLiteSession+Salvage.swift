// SPDX-License-Identifier: Apache-2.0

internal import LaurelEvents

/// Reading what is sound of a damaged store.
///
/// Events say whose they are and carry checksums, in blocks as in the tail. So they are read from there one by one, without
/// the tables that say where a learner's are; what cannot be read is left out, and counted.
extension SQLiteSession {
    func salvage(_ body: (LearnerRecord, EventRun) throws -> Void) throws -> Salvage {
        try endAppending()
        var run = SalvageRun(session: self)
        try run.findLearners()
        for block in run.blocks() {
            guard let decoded = try sound({ try decodeBlock(block, .all, namingBy: run.subject) }) else { continue }
            for (learner, rows) in decoded.runs {
                guard let record = run.found(rows.count, of: learner) else { continue }
                try body(record, EventRun(decoded.shared, rows: rows))
            }
        }
        for learner in run.learnersOfTail() {
            let tail = salvagedTail(of: learner, run.subject(of: learner))
            guard tail.count > 0, let record = run.found(tail.count, of: learner) else { continue }
            try body(record, EventRun(SharedTable(tail), rows: 0..<tail.count))
        }
        return run.salvage
    }

    /// nil where what is read is damaged.
    fileprivate func sound<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as StoreError where error.code == .corrupt || error.code == .ioError {
            return nil
        }
    }

    private func decodeBlock(_ id: Int64, _ fields: FieldSelection, namingBy name: (Int64) -> [UInt8]) throws
        -> DecodedBlock
    {
        try withData(ofBlock: id) { data in
            try corruption(ofBlock: id) { try decoder.decode(data, fields: fields, of: nil) { name($0) } }
        }
    }

    /// The tail's events of a learner: those before the first of the learner's pages that is damaged and those after the last,
    /// without records that are damaged themselves.
    private func salvagedTail(of learner: Int64, _ subject: [UInt8]) -> EventTable {
        var table = EventTable()
        let subject = subject.withUnsafeBufferPointer { table.intern(text: $0) }
        var known: Set<TailPlace> = []
        // By `=`, so that only the learner's own pages are read.
        let sql = "SELECT ms, sequence, data FROM tail WHERE learner = \(learner)"
        let found = rows(sql, by: ["ms", "sequence"]) { (TailPlace($0.integer(0), $0.integer(1)), $0.array(2)) }
        for (place, data) in found where known.insert(place).inserted {
            let key = TailRecord.Key(learner: learner, milliseconds: place.milliseconds, sequence: place.sequence)
            data.withUnsafeBytes { data in
                // One that fails may leave something of itself behind.
                var trial = EventTable()
                guard (try? TailRecord.decode(data, key: key, subject: 0, into: &trial)) != nil else { return }
                try? TailRecord.decode(data, key: key, subject: subject, into: &table)
            }
        }
        var order = Array(0..<table.count)
        table.sortIntoLearnerOrder(&order)
        return EventTable(gathering: order, of: table)
    }

    /// What a table gives from its beginning and from its end, as far as it can be read; rows in the middle come twice.
    /// - Parameter columns: those by which it is read without sorting.
    fileprivate func rows<T>(_ sql: String, by columns: [String], _ row: (Statement) -> T) -> [T] {
        var result: [T] = []
        for direction in ["ASC", "DESC"] {
            let order = columns.map { "\($0) \(direction)" }.joined(separator: ", ")
            guard let statement = try? connection.newStatement("\(sql) ORDER BY \(order)") else { continue }
            var isWhole = false
            while let isThere = try? statement.step() {
                if !isThere {
                    isWhole = true
                    break
                }
                result.append(row(statement))
            }
            if isWhole { break }
        }
        return result
    }
}

/// Where a record of one learner's stands in the tail.
private struct TailPlace: Hashable {
    let milliseconds: Int64
    let sequence: Int64

    init(_ milliseconds: Int64, _ sequence: Int64) {
        (self.milliseconds, self.sequence) = (milliseconds, sequence)
    }
}

/// What has been found so far.
private struct SalvageRun {
    private struct Learner {
        var subject: [UInt8]
        /// nil where that cannot be read.
        var counted: Int?
        var found = 0
    }

    let session: SQLiteSession
    private var learners: [Int64: Learner] = [:]
    private var nameless: [Int64: Int] = [:]

    init(session: SQLiteSession) { self.session = session }

    /// From the table, and from its index, which has the names once more.
    mutating func findLearners() throws {
        let index = "SELECT learner, subject FROM learners INDEXED BY sqlite_autoindex_learners_1"
        for (id, subject) in session.rows(index, by: ["subject"], { ($0.integer(0), $0.array(1)) }) {
            learners[id] = Learner(subject: subject)
        }
        let table = "SELECT learner, subject, events FROM learners NOT INDEXED"
        for (id, subject, events) in session.rows(
            table,
            by: ["learner"],
            { ($0.integer(0), $0.array(1), $0.count(2)) }
        ) {
            learners[id] = Learner(subject: subject, counted: events)
        }
    }

    /// Every block that is named somewhere, ascending.
    func blocks() -> [Int64] { ids([("block", "blocks", "block"), ("block", "runs", "learner")]).sorted() }

    /// Everyone who is named somewhere, ascending.
    func learnersOfTail() -> [Int64] {
        ids([("learner", "tail", "learner"), ("learner", "runs", "learner")]).union(learners.keys).sorted()
    }

    private func ids(_ places: [(id: String, table: String, order: String)]) -> Set<Int64> {
        Set(places.flatMap { session.rows("SELECT \($0.id) FROM \($0.table)", by: [$0.order]) { $0.integer(0) } })
    }

    func subject(of learner: Int64) -> [UInt8] { learners[learner]?.subject ?? [] }

    /// - Returns: the learner; nil where there is no name for them.
    mutating func found(_ events: Int, of learner: Int64) -> LearnerRecord? {
        guard let known = learners[learner] else {
            nameless[learner, default: 0] += events
            return nil
        }
        learners[learner]!.found += events
        return LearnerRecord(id: learner, subject: known.subject, eventCount: known.counted ?? 0)
    }

    var salvage: Salvage {
        var result = Salvage(events: learners.values.reduce(0) { $0 + $1.found })
        let known = learners.values.sorted { $0.subject.lexicographicallyPrecedes($1.subject) }
        for learner in known where learner.counted != learner.found {
            result.losses.append(
                Salvage.Loss(subject: learner.subject, counted: learner.counted, found: learner.found)
            )
        }
        for (learner, events) in nameless.sorted(by: { $0.key < $1.key }) {
            result.losses.append(Salvage.Loss(subject: nil, counted: events, found: 0, id: learner))
        }
        return result
    }
}
