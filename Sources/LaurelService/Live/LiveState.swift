// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

/// The subject of a stream's messages. Ids are bytes, because all ids are compared by their bytes.
enum LiveTopic: Hashable, Sendable {
    /// A learner's progress, in one language or in all languages together.
    case learner([UInt8], language: String?)
    /// A group with its members.
    case group([UInt8])

    /// The id of the learner or the group.
    var id: String {
        switch self {
        case .learner(let id, _), .group(let id): String(decoding: id, as: UTF8.self)
        }
    }

    var language: String? {
        if case .learner(_, let language) = self { language } else { nil }
    }

    var isGroup: Bool {
        if case .group = self { true } else { false }
    }

    /// The learners whose changes may change the state before the first reading.
    var learners: Set<[UInt8]> {
        if case .learner(let id, _) = self { [id] } else { [] }
    }

    /// The name of the server-sent events with the state.
    var eventName: String { isGroup ? "group" : "progress" }
}

/// The state of a topic at one reading.
struct LiveState: Sendable {
    /// The state as one caller may see it.
    struct Answer: Sendable {
        /// The state; `null` for an unknown learner or group, and for a caller that may not see it.
        let json: [UInt8]
        /// True if the caller may see the state.
        let isVisible: Bool
    }

    private enum Content {
        case progress(LearnerProgress?)
        case group(LearnerGroup?)
    }

    /// The rights that decide what a caller sees. Callers with the same rights get the same answer.
    private struct Rights: Hashable {
        let learner: [UInt8]?
        let cohorts: [[UInt8]]?

        init(_ caller: Caller) {
            learner = caller.learner.map { Array($0.utf8) }
            cohorts = caller.cohorts.map { $0.map { Array($0.utf8) } }
        }
    }

    private let content: Content
    /// The learners whose changes may change the state: the members of a group, or the learner that the topic's id
    /// belongs to. After a merge, that learner has another id than the topic.
    let learners: Set<[UInt8]>

    init(_ topic: LiveTopic, _ engine: ProgressEngine) throws {
        switch topic {
        case .learner(let id, let language):
            let progress = try engine.learner(topic.id, timeZone: nil).progress(language: language)
            content = .progress(progress)
            learners = [progress.map { Array($0.learner.utf8) } ?? id]
        case .group:
            let group = try engine.group(topic.id)
            content = .group(group)
            learners = Set((group?.members ?? []).compactMap { $0.learner.map { Array($0.utf8) } })
        }
    }

    /// The achievements that the learner has begun.
    var achievements: [LearnerProgress.Achievement] {
        if case .progress(let progress) = content { progress?.achievements ?? [] } else { [] }
    }

    /// The answer to each caller.
    /// - Parameter callers: the callers, each with the number of its stream.
    func answers(to callers: [(Int, Caller)], _ engine: ProgressEngine) throws -> [Int: Answer] {
        var (answers, known) = ([Int: Answer](), [Rights: Answer]())
        for (number, caller) in callers {
            let rights = Rights(caller)
            let answer = try known[rights] ?? answer(to: caller, engine)
            (known[rights], answers[number]) = (answer, answer)
        }
        return answers
    }

    private func answer(to caller: Caller, _ engine: ProgressEngine) throws -> Answer {
        switch content {
        case .progress(let progress):
            let limit = CohortLimit(caller)
            let cohort = limit == nil ? nil : try progress.flatMap { try engine.cohorts(of: [$0.learner])[0] }
            let isVisible = limit?.admits(cohort) ?? true
            return Answer(json: try Self.json(isVisible ? progress : nil), isVisible: isVisible)
        case .group(let group):
            let visible = try group?.visible(to: caller, engine)
            return Answer(json: try Self.json(visible), isVisible: visible != nil)
        }
    }

    private static func json(_ state: (some Encodable)?) throws -> [UInt8] {
        try state.map { Array(try LaurelJSON.encode($0)) } ?? Array("null".utf8)
    }
}
