// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
import LaurelProgress
import LaurelResults
import LaurelStore

/// The record that marks a store's file as a backup. It is written last, so an incomplete file has no mark.
struct BackupMark: Codable, Equatable {
    /// The instant of the backed-up state.
    var takenAt: Date
    var content: BackupContent
    var fingerprint: String
    /// The version of the fold that the fingerprint was computed with.
    var fold: String
    /// The version of the time zone data that the fingerprint was computed with.
    var timeZones: String

    init(takenAt: Date, content: BackupContent, fingerprint: String) {
        (self.takenAt, self.content, self.fingerprint) = (takenAt, content, fingerprint)
        (fold, timeZones) = (Self.fold, TimeZoneDatabase.shared.version)
    }

    /// The time and the fingerprint, which together identify the backup.
    var id: String { "\(takenAt.milliseconds) \(fingerprint)" }

    /// True if this program computes the same fingerprint from the same events.
    var isComparable: Bool { fold == Self.fold && timeZones == TimeZoneDatabase.shared.version }

    private static var fold: String { "\(StateFormat.version)" }

    /// Reads the mark of a store; nil if the store is not a backup.
    static func read(_ reader: any StoreReader) throws -> BackupMark? {
        try reader.serviceRecord(ServiceRecordName.backup).map {
            try LaurelJSON.decode(BackupMark.self, from: Data($0.utf8))
        }
    }

    func record() throws -> [String: String] {
        [ServiceRecordName.backup: String(decoding: try LaurelJSON.encode(self), as: UTF8.self)]
    }
}

extension BackupContent {
    init(_ reader: any StoreReader) throws {
        let size = try reader.statistics()
        self.init(
            learners: size.learners,
            events: size.events,
            rules: try reader.rulesHistory().count,
            refusedLines: size.quarantined,
            keys: try reader.serviceRecords(prefix: ServiceRecordName.keys).count,
            webhooks: try reader.serviceRecords(prefix: ProgressEngine.webhooks).count
        )
    }
}

extension StoreOptions {
    /// The options for opening a backup file, which no process changes.
    static var unchanging: StoreOptions {
        var options = StoreOptions()
        options.isUnchanging = true
        return options
    }
}

/// A backup opened for reading.
struct BackupFile {
    let engine: ProgressEngine
    let mark: BackupMark
    private let name: String

    /// Opens a backup. No file is created next to it.
    /// - Throws: ``EngineError``, with code `invalidRequest` if the file is not a backup.
    init(_ name: String) throws {
        self.name = name
        do {
            (engine, mark) = try Self.open(name)
        } catch let error as StoreError where error.code == .notFound {
            throw EngineError(.notFound, "there is no backup at \(name)")
        } catch let error as StoreError where error.code == .notAStore {
            throw EngineError(.invalidRequest, "\(name) is no backup: \(error.message)")
        } catch let error as StoreError where error.isDamage {
            throw EngineError(.corrupt, "\(name) is damaged: \(error.message); take another backup")
        }
    }

    private static func open(_ name: String) throws -> (ProgressEngine, BackupMark) {
        let store = try SQLiteStore(path: name, mode: .readOnly, options: .unchanging)
        guard !store.hasLog else {
            throw EngineError(
                .invalidRequest,
                "\(name) has a write-ahead log beside it: it is a store in use, or a backup that was written to."
                    + " `laurel copy` copies a store"
            )
        }
        guard let mark = try store.read(BackupMark.read) else {
            throw EngineError(
                .invalidRequest,
                "\(name) is a store, but no backup: `laurel backup` did not write it, or did not finish."
                    + " `laurel copy` copies a store"
            )
        }
        return (try ProgressEngine(store: store, rules: nil, clock: 0), mark)
    }

    /// Checks every page and block. Then checks that the backup's progress equals the progress recorded when it was
    /// taken.
    /// - Throws: ``EngineError``, with code `corrupt`; the message has the first problem and its position.
    func check() throws {
        let problems = try engine.verify().problems
        guard problems.isEmpty else {
            let more = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
            throw EngineError(
                .corrupt,
                "\(name) is damaged: \(problems[0])\(more); take another backup."
                    + " `laurel verify --store \(name)` lists the damage"
            )
        }
        guard mark.isComparable else { return }
        let fingerprint = try engine.fingerprint()
        guard fingerprint == mark.fingerprint else {
            throw EngineError(
                .corrupt,
                "\(name) is not what it was when it was taken: its fingerprint is \(fingerprint), and was"
                    + " \(mark.fingerprint); take another backup"
            )
        }
    }
}
