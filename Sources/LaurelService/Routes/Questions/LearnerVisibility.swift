// SPDX-License-Identifier: Apache-2.0

import Laurel

/// The limits of answers that contain learners besides the caller's own.
extension ServiceRequest {
    /// Refuses a question about another instant for a key for some cohorts. Call it before the look-up, so that the
    /// refusal does not tell what exists.
    func requireToday() throws {
        guard at == nil || CohortLimit(caller) == nil else { throw Problem.onlyToday }
    }
}

extension Caller {
    /// The learners whose ids the caller may know. A learner's token knows only that learner. A key for some cohorts
    /// knows the learners of these cohorts.
    /// - Parameter learners: the ids in an answer.
    func known(among learners: [String], _ engine: ProgressEngine) throws -> Set<String> {
        if let learner {
            let id = try engine.currentID(of: learner)
            return Set(learners.filter { $0.utf8.elementsEqual(id.utf8) })
        }
        guard let limit = CohortLimit(self) else { return Set(learners) }
        return Set(zip(learners, try engine.cohorts(of: learners)).filter { limit.admits($0.1) }.map(\.0))
    }
}
