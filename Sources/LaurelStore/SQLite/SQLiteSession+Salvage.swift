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
        for block in run.ids("SELECT block FROM blocks ORDER BY block", "SELECT block FROM runs ORDER BY learner") {
            guard let decoded = try sound({ try decodeBlock(block, .all, namingBy: run.subject) }) else { continue }
            for (learner, rows) in decoded.runs {
                guard let record = run.found(rows.count, of: learner) else { continue }
                try body(record, EventRun(decoded.shared, rows: rows))
            }
        }
        for learner in run.ids("SELECT learner FROM tail ORDER BY learner", "SELECT learner FROM runs ORDER BY learner")
        {
            for tail in salvagedTail(of: learner) {
                guard let record = run.found(tail.table.count, of: learner) else { continue }
                try body(record, EventRun(tail.shared, rows: 0..<tail.table.count))
            }
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

    /// The tail's events of a learner, as one table or, where some are damaged, one for each.
    private func salvagedTail(of learner: Int64) -> [DecodedBlock] {
        let all = Int64.min...Int64.max
        if let tail = try? self.tail(learners: learner...learner, times: all) {
            return tail.table.count > 0 ? [tail] : []
        }
        let times = rows("SELECT ms FROM tail WHERE learner = \(learner) ORDER BY ms") { $0.integer(0) }
        return Set(times).sorted().compactMap { time in
            (try? self.tail(learners: learner...learner, times: time...time)).flatMap { $0.table.count > 0 ? $0 : nil }
        }
    }

    /// What a table gives from its beginning and from its end, as far as it can be read; rows in the middle come twice.
    /// - Parameter sql: ends in `ORDER BY` one column, by which it is read without sorting.
    fileprivate func rows<T>(_ sql: String, _ row: (Statement) -> T) -> [T] {
        var result: [T] = []
        for sql in [sql, sql + " DESC"] {
            guard let statement = try? connection.newStatement(sql) else { continue }
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
        let index = "SELECT learner, subject FROM learners INDEXED BY sqlite_autoindex_learners_1 ORDER BY subject"
        for (id, subject) in session.rows(index, { ($0.integer(0), $0.array(1)) }) {
            learners[id] = Learner(subject: subject)
        }
        let table = "SELECT learner, subject, events FROM learners NOT INDEXED ORDER BY learner"
        for (id, subject, events) in session.rows(table, { ($0.integer(0), $0.array(1), $0.count(2)) }) {
            learners[id] = Learner(subject: subject, counted: events)
        }
    }

    /// Ascending, of two places where they stand.
    func ids(_ one: String, _ other: String) -> [Int64] {
        Set([one, other].flatMap { session.rows($0) { $0.integer(0) } }).sorted()
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
