// SPDX-License-Identifier: Apache-2.0

import Laurel
import LaurelEvents
import LaurelProgress
import LaurelStore
import Testing

extension Comparison {
    /// Compares all learners' progress at some instants with the oracle's answer.
    mutating func compare(_ bench: Bench, _ answer: JSONValue) throws {
        for reading in answer["readings"].elements {
            let at = try Timestamp(reading["at"].text)
            let learners = reading["learners"].elements
            #expect(try learners.count == bench.engine.statistics().learners)
            for learner in learners { try compare(learner, bench, at) }
        }
    }

    private mutating func compare(_ learner: JSONValue, _ bench: Bench, _ at: Timestamp) throws {
        let name = learner["name"].text
        let tracks = try #require(try bench.engine.allProgress(of: name, at: at), "\(name) is unknown")
        compare(
            .array(tracks.map { .array([.string($0.language ?? "*"), fields(of: $0.progress)]) }),
            learner["tracks"],
            "\(at) \(name)"
        )
        let words = try #require(try bench.engine.words(of: name, language: nil, at: at)).sorted { one, other in
            let languages = (Array((one.language ?? "").utf8), Array((other.language ?? "").utf8))
            return languages.0 == languages.1
                ? one.id.utf8.lexicographicallyPrecedes(other.id.utf8)
                : languages.0.lexicographicallyPrecedes(languages.1)
        }
        let keys = learner["words"].elements.first?.members.keys.sorted() ?? []
        compare(
            .array(words.map { json($0, keys: keys) }),
            learner["words"],
            "\(at) \(name) words"
        )
    }

    /// The public JSON without names, which the oracle does not compute.
    private func fields(of progress: FoldedProgress) -> JSONValue {
        var fields = (JSONValue(validated: LearnerProgress(progress).json) ?? .null).members
        fields["achievements"] = .array(
            fields["achievements"]?.elements.map { .object($0.members.filter { $0.key != "name" }) } ?? []
        )
        return .object(fields)
    }

    private func json(_ word: Word, keys: [String]) -> JSONValue {
        var members: [String: JSONValue] = [
            "word": .string(word.id), "language": .string(word.language ?? ""), "mastery": .count(word.mastery),
            "reviews": .count(word.reviews), "correct": .count(word.correctReviews),
            "intervalDays": .count(word.intervalDays), "nextReviewAt": .string("\(Timestamp(word.nextReviewAt))"),
            "learned": .boolean(word.isLearned), "due": .boolean(word.isDue),
        ]
        if keys.contains("easeFactor") { members["easeFactor"] = word.easeFactor.map(JSONValue.double) ?? .null }
        if keys.contains("stability") {
            members["stability"] = word.stability.map(JSONValue.double) ?? .null
            members["difficulty"] = word.difficulty.map(JSONValue.double) ?? .null
        }
        return .object(members)
    }
}
