// SPDX-License-Identifier: Apache-2.0

import Laurel

/// A job that needs the engine alone, whoever asks for it: a route, or a button of the dashboard.
enum EngineJob: String, CaseIterable {
    case replay, verify

    /// - Returns: the job's id.
    func begin(_ service: LaurelService) throws -> String {
        let engine = service.engine
        return try service.jobs.begin(rawValue) { progress in
            switch self {
            case .replay: try JSONAnswer.encode(engine.replay { progress($0.share) })
            case .verify: try JSONAnswer.encode(engine.verify { progress(Double($0) / Double(max($1, 1))) })
            }
        }
    }
}

extension ReplayProgress {
    var share: Double { Double(learnersDone) / Double(max(learnersTotal, 1)) }
}
