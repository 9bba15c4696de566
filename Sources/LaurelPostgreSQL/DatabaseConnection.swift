// SPDX-License-Identifier: Apache-2.0

internal import CPostgreSQL

/// A connection to a server, used by one thread at a time.
///
/// Statements without rows are sent without waiting for an answer. Their answers are read with the next statement
/// that returns rows.
///
/// A transaction leaves nothing in the session except prepared statements. A pooler may run each transaction in
/// another session. So statements are prepared only without a pooler.
package final class DatabaseConnection: @unchecked Sendable {
    private let handle: OpaquePointer
    private let notices = Notices()
    /// The number of statements sent since answers were last read.
    private var sent = 0
    private var sentBytes = 0
    /// The number of bytes sent since the last synchronisation. `syncs` counts the synchronisations whose answers are
    /// not read yet.
    private var unsynchronised = 0
    private var syncs = 0
    /// True if libpq no longer waits for outstanding answers, as after a failed write.
    private var isOutOfStep = false
    /// True if repeated statements are prepared, so that the server parses and plans them once. This requires that all
    /// transactions use the same session.
    package var preparesStatements = false
    private var prepared = PreparedStatements()
    /// The number of times that the connection waited for an answer.
    package private(set) var roundTrips = 0

    /// The maximum numbers of statements and bytes that are sent before answers are read.
    private static let most = (statements: 256, bytes: 8 << 20)
    /// The maximum number of bytes sent without a synchronisation. The server's timeout for idle transactions starts
    /// only at a synchronisation. libpq itself flushes larger amounts.
    private static let mostUnsynchronised = 1 << 15
    /// The maximum number of empty answers in a row. After more of them, no further answer is expected.
    private static let mostGaps = 8

    /// Opens a connection.
    /// - Parameter settings: keywords of libpq with values. Later settings override earlier ones. The value of `dbname`
    ///   may be an address.
    /// - Throws: ``DatabaseError``.
    package init(_ settings: [(keyword: String, value: String)]) throws {
        let keywords = CStrings(settings.map(\.keyword))
        let values = CStrings(settings.map(\.value))
        guard let handle = PQconnectdbParams(keywords.pointers, values.pointers, 1) else {
            throw DatabaseError(sqlState: "", message: "out of memory", isConnectionLost: true)
        }
        guard PQstatus(handle) == CONNECTION_OK else {
            let message = oneLine(String(cString: PQerrorMessage(handle)))
            PQfinish(handle)
            throw DatabaseError(sqlState: "", message: message, isConnectionLost: true)
        }
        self.handle = handle
        PQsetNoticeReceiver(handle, Notices.receive, Unmanaged.passUnretained(notices).toOpaque())
        guard PQenterPipelineMode(handle) == 1 else { throw lastError() }
    }

    deinit { PQfinish(handle) }

    /// True if libpq can parse an address.
    package static func canRead(_ address: String) -> Bool {
        guard let options = PQconninfoParse(address, nil) else { return false }
        PQconninfoFree(options)
        return true
    }

    /// The server's version, 150004 for 15.4.
    package var serverVersion: Int { Int(PQserverVersion(handle)) }
    /// The id of the server process, as announced when the connection was opened. A pooler may announce another id.
    package var announcedProcess: Int64 { Int64(PQbackendPID(handle)) }
    package var isLost: Bool { isOutOfStep || PQstatus(handle) != CONNECTION_OK }
    /// True if no statement or transaction is in progress.
    package var isIdle: Bool { !isLost && sent == 0 && PQtransactionStatus(handle) == PQTRANS_IDLE }

    /// The notices of the server since the last call.
    package func drainNotices() -> [DatabaseNotice] { notices.take() }

    // MARK: Statements

    /// Sends a statement. Its errors are reported by a later call.
    package func send(_ sql: String, _ parameters: [Parameter] = []) throws {
        let bytes = parameters.reduce(sql.utf8.count) { $0 + $1.size }
        if sent >= Self.most.statements || sent > 0 && sentBytes + bytes > Self.most.bytes { try settle() }
        try put(sql, parameters)
        sent += 1
        sentBytes += bytes
        unsynchronised += bytes
        guard unsynchronised > Self.mostUnsynchronised else { return }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        (unsynchronised, syncs) = (0, syncs + 1)
    }

    /// Waits for the answers to all sent statements.
    package func settle() throws {
        guard sent > 0 else { return }
        _ = try synchronise()
    }

    /// Runs a statement after all statements sent before.
    package func rows(_ sql: String, _ parameters: [Parameter] = []) throws -> Rows {
        try put(sql, parameters)
        sent += 1
        return try synchronise()!
    }

    /// Runs a statement. Each row is passed to `body` as it arrives, and then released.
    /// - Parameter body: must not use the connection.
    package func forEachRow(_ sql: String, _ parameters: [Parameter] = [], _ body: (Row) throws -> Void) throws {
        try settle()
        // libpq returns rows one by one only for a statement whose answer is the next one. All earlier answers were
        // read above.
        try put(sql, parameters, mayPrepare: false)
        sent = 1
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        PQsetSingleRowMode(handle)
        var failure: (any Error)?
        // After a failure, the remaining rows are still read, because later answers follow them.
        try readUntilSync { rows in
            guard failure == nil else { return }
            do {
                for row in rows { try body(row) }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Runs statements in one round trip, after all statements sent before.
    package func rows(of statements: [(sql: String, parameters: [Parameter])]) throws -> [Rows] {
        for (sql, parameters) in statements {
            try put(sql, parameters)
            sent += 1
        }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        var all: [Rows] = []
        try readUntilSync { all.append($0) }
        return Array(all.suffix(statements.count))
    }

    /// Runs `COMMIT` after all statements sent before.
    /// - Returns: `COMMIT`, or `ROLLBACK` if a statement had failed.
    package func commit() throws -> String { try rows("COMMIT").tag }

    /// Ends a transaction in any state.
    /// - Returns: true if the connection can be used further.
    package func rollBack() -> Bool {
        guard !isLost else { return false }
        _ = try? settle()
        if PQtransactionStatus(handle) != PQTRANS_IDLE { _ = try? rows("ROLLBACK") }
        return isIdle
    }

    private func put(_ sql: String, _ parameters: [Parameter], mayPrepare: Bool = true) throws {
        let types = parameters.map(\.type)
        let values = parameters.map(\.bytes)
        let lengths = try values.map { try length(of: $0) }
        let formats = [Int32](repeating: 1, count: parameters.count)
        let count = Int32(parameters.count)
        let way = preparesStatements ? prepared.way(sql, types, mayPrepare: mayPrepare) : .unnamed
        if case .prepare(let name) = way, PQsendPrepare(handle, name, sql, count, types) != 1 {
            throw isLost ? lost() : lastError()
        }
        let sent = withPointers(values) { values in
            switch way {
            case .unnamed: PQsendQueryParams(handle, sql, count, types, values, lengths, formats, 1)
            case .prepare(let name), .execute(let name):
                PQsendQueryPrepared(handle, name, count, values, lengths, formats, 1)
            }
        }
        guard sent == 1 else { throw isLost ? lost() : lastError() }
    }

    /// The length of a value in bytes.
    /// - Throws: ``DatabaseError`` if the length does not fit into libpq's 31 bits. The server itself accepts at most
    ///   half of this length.
    private func length(of value: [UInt8]?) throws -> Int32 {
        let count = value?.count ?? 0
        guard let length = Int32(exactly: count) else {
            throw DatabaseError(sqlState: "54000", message: "\(count) bytes are too many for a statement's value")
        }
        return length
    }

    private func withPointers<T>(
        _ values: [[UInt8]?],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T
    ) -> T {
        // One block of memory contains the values of all parameters.
        let size = values.reduce(1) { $0 + ($1?.count ?? 0) + 1 }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { memory in
            var pointers: [UnsafePointer<CChar>?] = []
            var end = memory.baseAddress!
            for bytes in values {
                guard let bytes else {
                    pointers.append(nil)
                    continue
                }
                pointers.append(end)
                bytes.withUnsafeBytes {
                    UnsafeMutableRawPointer(end).copyMemory(
                        from: $0.baseAddress ?? UnsafeRawPointer(end),
                        byteCount: $0.count
                    )
                }
                // Texts also have an explicit length, so they need no terminator.
                end += bytes.count
            }
            return pointers.isEmpty ? body([nil]) : body(pointers)
        }
    }

    // MARK: Answers

    /// Reads the answers to all sent statements.
    /// - Returns: the rows of the last statement.
    private func synchronise() throws -> Rows? {
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        var last: Rows?
        try readUntilSync { last = $0 }
        return last
    }

    private func readUntilSync(_ body: (Rows) -> Void) throws {
        roundTrips += 1
        var failure: DatabaseError?
        defer { didAnswer(failure) }
        var gaps = 0
        while true {
            // A null result separates the answers of two statements. Two null results in a row mean that no answer is
            // available.
            guard let result = PQgetResult(handle) else {
                gaps += 1
                isOutOfStep = isOutOfStep || gaps > Self.mostGaps
                guard isLost else { continue }
                var failure = failure ?? lost()
                failure.isConnectionLost = true
                throw failure
            }
            gaps = 0
            switch PQresultStatus(result) {
            case PGRES_PIPELINE_SYNC:
                PQclear(result)
                if syncs > 0 {
                    syncs -= 1
                    continue
                }
                if let failure { throw failure }
                return
            // An empty tag is the answer to preparing a statement.
            case PGRES_COMMAND_OK where PQcmdStatus(result).pointee == 0, PGRES_PIPELINE_ABORTED:
                PQclear(result)
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE:
                body(Rows(result))
            default:
                if failure == nil { failure = DatabaseError(result, isConnectionLost: isLost) }
                PQclear(result)
            }
            if isLost, var failure {
                failure.isConnectionLost = true
                throw failure
            }
        }
    }

    private func didAnswer(_ failure: DatabaseError?) {
        (sent, sentBytes, unsynchronised, syncs) = (0, 0, 0, 0)
        prepared.didAnswer(hasFailed: failure != nil)
        // Other clients of a pooler have used the session, and may use it again. So statements are no longer prepared.
        if failure?.isPreparedStatementError == true { (preparesStatements, prepared) = (false, PreparedStatements()) }
    }

    private func lost() -> DatabaseError {
        DatabaseError(sqlState: "", message: lastError().message, isConnectionLost: true)
    }

    private func lastError() -> DatabaseError {
        let message = oneLine(String(cString: PQerrorMessage(handle)))
        let isEmpty = message.isEmpty
        return DatabaseError(
            sqlState: "",
            message: isEmpty ? "the connection is lost" : message,
            isConnectionLost: isLost
        )
    }
}

/// The server's notices. The object exists as long as the connection.
private final class Notices {
    private var list: [DatabaseNotice] = []

    /// The maximum number of kept notices.
    private static let most = 64

    static let receive: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?) -> Void = { context, result in
        guard let context, let result else { return }
        let notices = Unmanaged<Notices>.fromOpaque(context).takeUnretainedValue()
        if notices.list.count < most { notices.list.append(DatabaseNotice(result)) }
    }

    func take() -> [DatabaseNotice] {
        defer { list = [] }
        return list
    }
}

/// Texts for C, followed by a null pointer.
private final class CStrings {
    private let texts: [UnsafeMutablePointer<CChar>]
    let pointers: [UnsafePointer<CChar>?]

    init(_ strings: [String]) {
        texts = strings.map { string in
            let text = string.utf8CString
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: text.count)
            copy.initialize(from: Array(text), count: text.count)
            return copy
        }
        pointers = texts.map { UnsafePointer($0) } + [nil]
    }

    deinit { texts.forEach { $0.deallocate() } }
}
