// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Laurel
import LaurelHTTP
import LaurelResults
import Synchronization

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
        (request.learner, request.source) = (caller.learner, caller.source)
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

    /// Feeds a quarantined line again, as it was mended. Once it is stored, it leaves quarantine; where it is refused again, what is
    /// in quarantine stays, and nothing is added, for the line that is there says it already.
    func feed(_ line: Int, _ bytes: [UInt8]) throws -> RequestReport {
        guard try engine.quarantinedLines(after: line - 1, limit: 1).first?.id == line else {
            throw Problem.notFound("there is no such line")
        }
        let report = try store(bytes, name: "quarantine \(line)", for: .anyone, quarantines: false)
        if report.problems.isEmpty { _ = try engine.dropQuarantined([line]) }
        return report
    }
}
