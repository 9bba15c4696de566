// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A long history of one learner, generated quickly: lines, words and reviews in two languages over some years.
struct LongHistory {
    static let learner = "ana"
    private static let start = try! Timestamp("2020-01-06T06:00:00Z").milliseconds

    /// The lines, in the learner's order.
    let lines: [String]
    private let step: Int64

    /// - Parameter seed: the seed of all random choices.
    init(events: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let step = Int64(6_000_000)
        self.step = step
        lines = (0..<events).map { number in
            LongHistory.event("e\(number)", at: LongHistory.start + Int64(number) * step, &random)
        }
    }

    /// The instant of an event by its number.
    func instant(_ number: Int) -> Int64 { LongHistory.start + Int64(number) * step }

    static func event(
        _ id: String,
        at milliseconds: Int64,
        source: String = "app",
        _ random: inout SeededGenerator
    ) -> String {
        let language = Bool.random(using: &random) ? "es" : "de"
        let word = #""word":"w\#(Int.random(in: 0..<400, using: &random))""#
        let (type, data) =
            switch Int.random(in: 0..<4, using: &random) {
            case 0: ("word.encountered", "{\(word)}")
            case 1: ("review.graded", #"{\#(word),"grade":"good"}"#)
            default: ("line.spoken", #"{"accuracy":0.9,"words":\#(Int.random(in: 1..<9, using: &random))}"#)
            }
        return line(
            id,
            type,
            at: Timestamp.utc(milliseconds),
            by: learner,
            source: source,
            data: data + #","language":"\#(language)""#
        )
    }
}
