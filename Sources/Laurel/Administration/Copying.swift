// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LaurelResults
import LaurelStore

/// Copies a store into another store of any kind.
extension ProgressEngine {
    /// Copies a store's events, all versions of the rules, refused lines and stored copies of other apps' stores into
    /// another store. The service's keys, signing keys and webhooks are copied on request, with the webhooks turned
    /// off. The source may store events meanwhile. The copy is the source's state at one moment near the end of the
    /// call. After an interruption, call it again to continue.
    /// - Parameters:
    ///   - destination: an empty store, or the result of an earlier copy of this store.
    ///   - erasing: true to delete the destination's learners and refused lines if this store no longer has them. If
    ///     false, such lines stay, and such a learner makes the call throw an error.
    ///   - withKeys: true to copy keys, signing keys and webhooks. Sessions are never copied.
    ///   - actor: the actor for the audit log of the destination; nil for no entry.
    ///   - observe: called repeatedly, on the calling thread.
    /// - Throws: ``EngineError``. The code is ``EngineError/Code/invalidRequest`` if the destination is this store, or
    ///   has rules or events that this store does not have. It is ``EngineError/Code/corrupt`` if the copied data does
    ///   not give the same progress.
    public func copy(
        into destination: ProgressEngine,
        erasing: Bool = false,
        withKeys: Bool = false,
        by actor: AuditActor? = nil,
        observe: (CopyProgress) -> Void = { _ in }
    ) throws(EngineError) -> CopyReport {
        try EngineError.translating {
            let transfer = StoreTransfer(
                from: self,
                to: destination,
                erasing: erasing,
                records: withKeys ? .withSecrets : .withoutSecrets,
                now: Date()
            )
            let report = try transfer.run(observe)
            if let actor {
                let details = ["learners": "\(report.learners)", "events": "\(report.events)"]
                try destination.note(AuditNote(.storeCopied, by: actor, details: details))
            }
            return report
        }
    }
}
