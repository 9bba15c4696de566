// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LaurelResults
import LaurelStore

/// Backing up a store.
extension ProgressEngine {
    /// Writes everything into a backup file: events, all versions of the rules, refused lines, what is remembered of
    /// other apps' stores, keys, signing keys, webhooks with their waiting messages, and the audit log. Sessions of the
    /// dashboard and jobs are left out. The store may be written meanwhile. The backup is the store at one moment near
    /// the end.
    ///
    /// The file gets its name when it is whole, checked and durable, with permissions 600. A backup of that name is
    /// replaced then.
    /// - Parameters:
    ///   - file: the path of the backup.
    ///   - observe: called now and then, on the calling thread.
    /// - Throws: ``EngineError``. The code is ``EngineError/Code/alreadyExists`` if the file exists and is no backup,
    ///   and ``EngineError/Code/corrupt`` if the file does not give the same progress as the store.
    public func backUp(
        to file: String,
        observe: (CopyProgress) -> Void = { _ in }
    ) throws(EngineError) -> BackupReport {
        try EngineError.translating {
            try checkMayBeReplaced(file)
            let unfinished = try UnfinishedFile(file, mode: 0o600)
            var options = StoreOptions()
            // The lines fitted into the store, so they fit into the backup.
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

    /// Checks that there is no file of that name, or only a backup.
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
