// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelHTTP
import LaurelResults
import Synchronization

extension IngestRequest {
    /// Limits the events to those that a caller may send.
    mutating func limit(to caller: Caller) {
        (learner, source) = (caller.learner, caller.source)
        actor = caller.actor
        rights = caller.may(.decree) ? .administrator : .limited(types: caller.types)
    }
}

/// Events that are no upload: from a box of a page, or out of quarantine.
extension LaurelService {
    /// Stores one event with whatever else waits; the thread waits, too.
    /// - Parameter quarantines: whether quarantine keeps it where it is refused.
    func store(
        _ bytes: [UInt8],
        name: String,
        for caller: Caller,
        quarantines: Bool = true
    ) throws -> RequestReport {
        var request = IngestRequest(.event, bytes)
        // What comes to nothing goes nowhere.
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
        case .success(let other): throw Intake.problem(other) ?? Problem(500, "internal", "nothing came of the event")
        case .failure(let problem): throw problem
        case nil: throw Problem(500, "internal", "nothing came of the event")
        }
    }

    /// Stores a repaired line, which then leaves quarantine. If it is refused again, the line in quarantine stays as it is. The
    /// event has to keep to the limits of the caller who repairs it.
    func feed(_ line: Int, _ bytes: [UInt8], for caller: Caller) throws -> RequestReport {
        guard try engine.quarantinedLines(after: line - 1, limit: 1).first?.id == line else {
            throw Problem.notFound("there is no such line")
        }
        let report = try store(bytes, name: "quarantine \(line)", for: caller, quarantines: false)
        if report.problems.isEmpty { _ = try engine.dropQuarantined([line], by: caller.actor) }
        return report
    }
}
