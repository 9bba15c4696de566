// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LaurelResults
import LaurelStore

/// Backing up a store.
extension ProgressEngine {
    /// Writes a store's complete content into a backup file. The content includes events, all versions of the rules,
    /// refused lines, copies of other apps' stores, keys and signing keys. It also includes the audit log, and webhooks
    /// with their waiting messages. Sessions of the dashboard and jobs are left out. Other processes may write to the
    /// store during the backup. The backup is the store's state at one moment near the end of the call.
    ///
    /// The file gets its final name when it is complete, checked and durable, with permissions 600. An older backup
    /// with that name is replaced.
    /// - Parameters:
    ///   - file: the path of the backup.
    ///   - observe: called repeatedly, on the calling thread.
    /// - Throws: ``EngineError``. The code is ``EngineError/Code/alreadyExists`` if the file exists and is not a
    ///   backup. It is ``EngineError/Code/corrupt`` if the file does not give the same progress as the store.
    public func backUp(
        to file: String,
        observe: (CopyProgress) -> Void = { _ in }
    ) throws(EngineError) -> BackupReport {
        try EngineError.translating {
            try checkMayBeReplaced(file)
            let unfinished = try UnfinishedFile(file, mode: 0o600)
            var options = StoreOptions()
            // The store accepted its quarantined lines within its limit, so the backup needs no limit.
            options.quarantineLimit = .max
            let mark = try writeBackup(to: unfinished.path, options, observe)
            let written = try BackupFile(unfinished.path)
            let problems = try written.engine.verify().problems
            guard problems.isEmpty, written.mark == mark else {
                throw EngineError(
                    .corrupt,
                    "\(unfinished.path) is not what was written: \(problems.first ?? "its mark differs");"
                        + " check the disk"
                )
            }
            let bytes = try written.engine.store.read { try $0.statistics() }.fileBytes
            written.engine.close()
            try unfinished.publish()
            return BackupReport(
                takenAt: mark.takenAt,
                content: mark.content,
                bytes: bytes,
                fingerprint: mark.fingerprint
            )
        }
    }

    private func writeBackup(
        to path: String,
        _ options: StoreOptions,
        _ observe: (CopyProgress) -> Void
    ) throws -> BackupMark {
        let backup = try Self.openForWriting(path, rules: nil, clock: Date().milliseconds, options: options)
        defer { backup.close() }
        let transfer = StoreTransfer(
            from: self,
            to: backup,
            erasing: true,
            records: .all(turningWebhooksOff: false),
            now: Date()
        )
        let report = try transfer.run(observe)
        let mark = BackupMark(
            takenAt: transfer.stateTakenAt,
            content: try backup.store.read { try BackupContent($0) },
            fingerprint: report.fingerprint
        )
        try backup.setServiceRecords(mark.record())
        return mark
    }

    /// Checks that the file does not exist, or is a backup.
    private func checkMayBeReplaced(_ file: String) throws {
        do {
            let old = try BackupFile(file)
            guard (store as? SQLiteStore)?.path != (old.engine.store as? SQLiteStore)?.path else {
                throw EngineError(.invalidRequest, "\(file) is the store itself")
            }
            guard try old.engine.store.read({ try BackupContent($0) }) == old.mark.content else {
                throw EngineError(.invalidRequest, "\(file) was a backup, and was written to since")
            }
        } catch let error as EngineError {
            guard error.code != .notFound else { return }
            throw EngineError(
                .alreadyExists,
                "\(file) exists, and only a backup is replaced: \(error.message). Name another file"
            )
        } catch let error as StoreError where error.code != .notFound {
            throw EngineError(.alreadyExists, "\(file) cannot be replaced: \(error.message)")
        }
    }
}
