// SPDX-License-Identifier: Apache-2.0

import Foundation
public import LaurelResults
import LaurelStore

/// Copying a store into another, of whichever kind.
extension ProgressEngine {
    /// Copies everything into another store: events, all versions of the rules, refused lines and what is remembered of apps'
    /// stores. The service's keys, signing keys and webhooks are copied if asked for, the webhooks turned off. The source may take events meanwhile; the
    /// copy is what it was at one moment near the end. Whatever interrupts it, called again it goes on.
    /// - Parameters:
    ///   - destination: an empty store, or one that an earlier copy of this one has left.
    ///   - erasing: whether the destination loses learners and refused lines that this store has no more. Else such learners
    ///     are an error, and such lines stay.
    ///   - withKeys: whether keys, signing keys and webhooks are copied. Sessions never are.
    ///   - actor: noted in the audit log of the destination; nil for no entry.
    ///   - observe: called now and then, on the calling thread.
    /// - Throws: ``EngineError``; with code ``EngineError/Code/invalidRequest`` where the destination is this store, or has rules
    ///   or events that this store has not, with ``EngineError/Code/corrupt`` where what has been copied does not give the same progress.
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
                withKeys: withKeys,
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
