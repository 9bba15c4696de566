// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelReports

/// Names to suggest, from the store or from the tool itself.
struct StoredNames {
    /// The maximum number of learners that are searched. A search of more learners would take too long after a key
    /// press.
    private static let mostLearners = 100_000
    /// The maximum number of suggestions.
    private static let mostCandidates = 500

    let store: String

    /// - Parameter learner: the learner that the command is about; nil if the line does not name one yet.
    func candidates(_ completion: Completion, _ typed: String, of learner: String?) throws -> [Candidate] {
        switch completion {
        case .learners: try learners(typed)
        case .cohorts: try cohorts()
        case .languages: try learner.map { try languages($0) } ?? []
        case .rulesVersions: try versions()
        case .reports: try ReportLibrary(folder: nil).all().map { Candidate(text: $0.name, summary: $0.title) }
        case .formats: InputFormat.all.map { Candidate(text: $0.name, summary: $0.summary) }
        default: []
        }
    }

    private func learners(_ typed: String) throws -> [Candidate] {
        let engine = try ProgressEngine.open(path: store, for: .inspection)
        guard try engine.size().learners <= Self.mostLearners else { return [] }
        return try engine.learnerIDs().lazy.filter { $0.hasPrefix(typed) }.prefix(Self.mostCandidates)
            .map { Candidate(text: $0) }
    }

    private func cohorts() throws -> [Candidate] {
        let engine = try ProgressEngine.open(path: store, for: .reading)
        guard try engine.size().learners <= Self.mostLearners else { return [] }
        var sizes: [String: Int] = [:]
        try engine.forEachLearner(at: nil) { learner in
            if let cohort = learner.cohort { sizes[cohort, default: 0] += 1 }
        }
        return sizes.sorted { $0.key < $1.key }.map {
            Candidate(text: $0.key, summary: Numbers.count($0.value, "learner"))
        }
    }

    private func languages(_ learner: String) throws -> [Candidate] {
        let engine = try ProgressEngine.open(path: store, for: .reading)
        return try engine.learner(learner).languages().map { Candidate(text: $0) }
    }

    private func versions() throws -> [Candidate] {
        try ProgressEngine.open(path: store, for: .reading).rulesHistory().map { applied in
            Candidate(text: "\(applied.version)", summary: applied.name + (applied.isInForce ? ", in force" : ""))
        }
    }
}
