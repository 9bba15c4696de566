// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelHTTP
import LaurelResults
import Synchronization

extension IngestRequest {
    /// Limits the request to events that the caller may send.
    mutating func limit(to caller: Caller) {
        (learner, source) = (caller.learner, caller.source)
        actor = caller.actor
        rights = caller.may(.decree) ? .administrator : .limited(types: caller.types)
    }
}

/// Stores events that do not come from uploads, but from a page's form or from quarantine.
extension LaurelService {
    /// Stores one event in a transaction with other waiting events, and blocks the thread until the event is stored.
    /// - Parameter quarantines: true if a refused event goes to quarantine.
    func store(
        _ bytes: [UInt8],
        name: String,
        for caller: Caller,
        quarantines: Bool = true
    ) throws -> RequestReport {
        var request = IngestRequest(.event, bytes)
        // A refused event in an atomic request is not quarantined.
        request.isAtomic = !quarantines
        request.name = name
        request.limit(to: caller)
        let result = Mutex<Result<IngestOutcome, Problem>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        commit.add(
            GroupCommit.Item(request: request) { outcome in
                result.withLock { $0 = outcome }
                isDone.signal()
            }
        )
        isDone.wait()
        switch result.withLock({ $0 }) {
        case .success(.done(let report)), .success(.nothingStored(let report)): return report
        case .success(let other): throw Intake.problem(other) ?? Problem(500, "internal", "the event has no result")
        case .failure(let problem): throw problem
        case nil: throw Problem(500, "internal", "the event has no result")
        }
    }

    /// Stores a corrected line, and removes the original line from quarantine. If the corrected line is refused, the
    /// original line stays. The event must be within the rights of the caller that sends the correction.
    func feed(_ line: Int, _ bytes: [UInt8], for caller: Caller) throws -> RequestReport {
        guard try engine.quarantinedLines(after: line - 1, limit: 1).first?.id == line else {
            throw Problem.notFound("there is no such line")
        }
        let report = try store(bytes, name: "quarantine \(line)", for: caller, quarantines: false)
        if report.problems.isEmpty { _ = try engine.dropQuarantined([line], by: caller.actor) }
        return report
    }
}
