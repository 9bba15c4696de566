// SPDX-License-Identifier: Apache-2.0

import CSQLite
import LaurelEvents
import LaurelProgress
import LaurelStore

@testable import LaurelStore

/// Reads a store from the disk repeatedly.
protocol StoreLook {
    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T
}

/// Opens the store for each reading.
struct OpeningLook: StoreLook {
    let path: String

    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        let store = try SQLiteStore(path: path, mode: .readOnly)
        defer { store.close() }
        return try store.read(body)
    }
}

/// Keeps the connection, and forgets cached pages before each reading. This is several times as fast as opening the
/// store.
final class LastingLook: StoreLook {
    private let connection: Connection

    init(_ path: String) throws {
        connection = try Connection(path: path, flags: SQLITE_OPEN_READONLY)
        try connection.execute("PRAGMA wal_autocheckpoint = 0; PRAGMA query_only = 1")
        _ = laurel_sqlite3_keep_log_on_close(connection.handle, 1)
    }

    func read<T>(_ body: (any StoreReader) throws -> T) throws -> T {
        // Frees cached pages.
        sqlite3_db_release_memory(connection.handle)
        let session = SQLiteSession(connection, StoreOptions(), isWriter: false)
        try session.beginReading()
        defer { session.endReading() }
        return try body(session.store)
    }
}

/// The whole content of a store, in pieces, each of which reads only some pages.
struct StoreReading {
    /// Reads a piece. Returns true if the content is the same as at first.
    typealias Piece = (any StoreReader) throws -> Bool

    private(set) var pieces: [Piece] = []
    private static let learnersOfPiece: Int64 = 6

    /// - Parameter look: reads an undamaged store.
    init(_ look: any StoreLook) throws {
        try add(look) { [try $0.timeZones(), "\(try $0.foldVersion())", "\(try $0.quarantinedWithoutSubject())"] }
        try add(look) { [try $0.rules(), try $0.rulesHistory()] }
        try add(look) { reader in
            var learners: [LearnerRecord] = []
            try reader.forEachLearner { learners.append($0) }
            return learners
        }
        try add(look) { reader in
            var overviews: [OverviewRecord] = []
            try reader.forEachOverview { overviews.append($0) }
            return overviews
        }
        try add(look) { reader in
            var standings: [Double] = []
            try reader.forEachXP(language: nil, days: nil, cohort: nil) { standings += [Double($0), $1] }
            return standings
        }
        try addQuarantine(look)
        for ids in try look.read({ try $0.learnerRanges() }) {
            for first in stride(from: ids.lowerBound, to: ids.upperBound, by: Int(StoreReading.learnersOfPiece)) {
                try addLearners(first..<min(first + StoreReading.learnersOfPiece, ids.upperBound), look)
            }
        }
    }

    private mutating func add<T: Equatable>(_ look: any StoreLook, _ body: @escaping (any StoreReader) throws -> T)
        throws
    {
        let said = try look.read(body)
        pieces.append { try body($0) == said }
    }

    /// For each piece: true if the content is the same as at first; nil if it cannot be read.
    func answers(_ reader: any StoreReader, of wanted: [Int]) -> [Bool?] {
        wanted.map { piece in
            defer { (reader as? StoreSession)?.tables.resetStatements() }
            return try? pieces[piece](reader)
        }
    }

    private mutating func addQuarantine(_ look: any StoreLook) throws {
        try add(look) { try $0.quarantineCounts() }
        try add(look) { try $0.quarantined(after: 0, limit: 100) }
        try add(look) { reader in
            var pieces: [[UInt8]] = []
            for line in try reader.quarantined(after: 0, limit: 100) {
                try reader.forEachPiece(ofQuarantined: line.id) { pieces.append(Array($0)) }
            }
            return pieces
        }
    }

    private mutating func addLearners(_ ids: Range<Int64>, _ look: any StoreLook) throws {
        try add(look) { reader in
            var events: [UInt8] = []
            try reader.forEachLearner(ids: ids) { learner, runs in
                for run in runs {
                    for row in run.rows { run.table.encode(row, subject: learner.subject, into: &events) }
                }
            }
            return events
        }
        try add(look) { reader in try ids.map { try reader.projection(of: $0) } }
        try add(look) { reader in try ids.map { try reader.snapshot(of: $0) } }
        try add(look) { reader in try ids.map { try reader.copies(of: $0) } }
        try add(look) { reader in
            try ids.flatMap { id in
                try reader.checkpoints(of: id).map { try reader.checkpoint(of: id, before: $0.milliseconds + 1) }
            }
        }
    }
}
