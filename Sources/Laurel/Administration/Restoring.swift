// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelEvents
public import LaurelResults
import LaurelStore

/// Restoring a backup.
extension StoreManagement {
    /// Settings of a restore.
    public struct RestoreSettings: Sendable, Hashable {
        /// The store used until now, if it is still readable. Its erasures since the backup was taken are repeated in
        /// the restored store.
        public var erasuresFrom: StoreLocation?
        /// True to turn all webhooks off, because another store still sends their messages.
        public var turnsWebhooksOff = false
        /// The permissions of a new file.
        public var fileMode: UInt32 = 0o600

        /// Creates the default settings.
        public init() {}
    }

    /// Creates the store from a backup that `backUp(to:observe:)` of ``ProgressEngine`` has written.
    ///
    /// A new file gets its name when it is complete. A database must contain a store without learners and refused
    /// lines. While a restore is unfinished, no command uses the store. Running the same restore again finishes it.
    /// - Parameters:
    ///   - backup: the path of the backup.
    ///   - settings: the settings.
    ///   - actor: the actor for the audit log of the restored store; nil for no entry.
    ///   - observe: called repeatedly, on the calling thread.
    /// - Throws: ``EngineError``. The code is ``EngineError/Code/alreadyExists`` if the store is not empty,
    ///   ``EngineError/Code/invalidRequest`` if the file is not a backup, and ``EngineError/Code/corrupt`` if it is
    ///   damaged.
    public func restore(
        from backup: String,
        settings: RestoreSettings = RestoreSettings(),
        by actor: AuditActor? = nil,
        observe: (CopyProgress) -> Void = { _ in }
    ) throws(EngineError) -> RestoreReport {
        try EngineError.translating {
            let backup = try BackupFile(backup)
            try backup.check()
            var erasures = try ErasureHistory(backup.engine)
            if let former = settings.erasuresFrom {
                try erasures.add(ProgressEngine.openForMaintenance(former.text, mode: .readOnly))
            }
            let run = RestoreRun(backup: backup, settings: settings, actor: actor, erasures: erasures)
            guard case .file(let path) = StoreBackend(location.text), try !Self.exists(path) else {
                return try run.run(into: location.text, inPlace: true, observe)
            }
            let unfinished = try UnfinishedFile(path, mode: settings.fileMode)
            let report = try run.run(into: unfinished.path, inPlace: false, observe)
            guard try !Self.exists(path) else {
                throw EngineError(.alreadyExists, "another process has made \(path) meanwhile")
            }
            try unfinished.publish()
            return report
        }
    }

    private static func exists(_ path: String) throws -> Bool {
        do {
            _ = try SQLiteStore(path: path, mode: .readOnly)
            return true
        } catch let error as StoreError where error.code == .notFound {
            return false
        }
    }
}

/// The work of restoring a backup into one store.
private struct RestoreRun {
    let backup: BackupFile
    let settings: StoreManagement.RestoreSettings
    let actor: AuditActor?
    let erasures: ErasureHistory

    /// - Parameters:
    ///   - location: the location of the store.
    ///   - inPlace: true if the store is one that other processes may open, not a new file.
    func run(
        into location: String,
        inPlace: Bool,
        _ observe: (CopyProgress) -> Void
    ) throws -> RestoreReport {
        var options = StoreOptions()
        options.quarantineLimit = .max
        let store = try StoreBackend(location).open(mode: .readWrite, options: options)
        defer { store.close() }
        var erasures = erasures
        if inPlace {
            try claim(store, location)
            try erasures.add(store)
        }
        let engine = try ProgressEngine(store: store, rules: nil, clock: 0, mayBeUnfinished: true)
        defer { engine.close() }
        let transfer = StoreTransfer(
            from: backup.engine,
            to: engine,
            records: .all(turningWebhooksOff: settings.turnsWebhooksOff),
            now: Date()
        )
        // Commit numbers of the lost store, which clients may remember, must not be valid in this store.
        transfer.lastForeignCommit = Date().milliseconds
        let copied = try transfer.run(observe)
        return try finish(engine, copied, erasures)
    }

    private func finish(
        _ engine: ProgressEngine,
        _ copied: CopyReport,
        _ erasures: ErasureHistory
    ) throws -> RestoreReport {
        let erased = try erasures.repeatErasures(in: engine)
        var report = RestoreReport(takenAt: backup.mark.takenAt)
        report.erasedAgain = erased
        report.unknownErasures = erasures.unknown
        report.isRecomputed = copied.fingerprint != backup.mark.fingerprint
        report.fingerprint = erased.isEmpty ? copied.fingerprint : try engine.computeFingerprint { _ in }
        report.content = try engine.store.read { try BackupContent($0) }
        var records: [String: String?] = note(report)?.records() ?? [:]
        records.updateValue(nil, forKey: ServiceRecordName.restoring)
        try engine.setServiceRecords(records)
        return report
    }

    private func note(_ report: RestoreReport) -> AuditNote? {
        let details = [
            "takenAt": "\(Timestamp(report.takenAt))", "learners": "\(report.content.learners)",
            "events": "\(report.content.events)",
        ]
        return actor.map { AuditNote(.storeRestored, by: $0, details: details) }
    }

    /// Marks an existing store as being restored. If a restore of the same backup was interrupted, the mark is there
    /// already.
    private func claim(_ store: any EventStore, _ location: String) throws {
        let name = StoreBackend(location).name
        try store.writeAll { transaction in
            if let other = try transaction.serviceRecord(ServiceRecordName.restoring) {
                guard other == backup.mark.id else {
                    throw EngineError(
                        .alreadyExists,
                        "\(name) has the unfinished restore of another backup; restore that one again, or use a new store"
                    )
                }
                return
            }
            let size = try transaction.statistics()
            guard size.learners == 0, size.events == 0, size.quarantined == 0 else {
                throw EngineError(
                    .alreadyExists,
                    "\(name) holds \(size.events) events of \(size.learners) learners, and a restore does not replace"
                        + " them; \(Self.advice(location))"
                )
            }
            let rules = try backup.engine.store.read { try $0.rulesHistory() }
            guard rules.starts(with: try transaction.rulesHistory()) else {
                throw EngineError(.alreadyExists, "\(name) has rules of its own; \(Self.advice(location))")
            }
            try transaction.setServiceRecord(ServiceRecordName.restoring, backup.mark.id)
        }
    }

    private static func advice(_ location: String) -> String {
        switch StoreBackend(location) {
        case .file(let path): "move \(path) away with all files beside it, or name another file"
        case .database: "name another schema, and make the store in it with `laurel store create`"
        }
    }
}
