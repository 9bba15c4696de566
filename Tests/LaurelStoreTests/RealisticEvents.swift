// SPDX-License-Identifier: Apache-2.0

import LaurelEvents

/// A stream of events as apps send it. Every learner practises in sessions on most days; ids are counters per device.
struct RealisticEvents {
    private var random: SeededGenerator
    private let learners: Int
    private var counters: [Int]
    private var sessions: [Int]
    private var day = 0
    private let words: [String]

    init(learners: Int, seed: UInt64 = 1) {
        random = SeededGenerator(seed: seed)
        self.learners = learners
        counters = Array(repeating: 0, count: learners)
        sessions = Array(repeating: 0, count: learners)
        words = (0..<4000).map { "es-\(["casa", "perro", "comer", "verde", "mesa"][$0 % 5])-\($0)" }
    }

    /// The next day's events of all learners, learner by learner.
    mutating func nextDay(into table: inout EventTable) {
        for learner in 0..<learners where Int.random(in: 0..<10, using: &random) < 6 { session(learner, &table) }
        day += 1
    }

    private mutating func session(_ learner: Int, _ table: inout EventTable) {
        sessions[learner] += 1
        let session = "s\(sessions[learner])"
        var time =
            1_735_689_600_000 + Int64(day) * 86_400_000 + Int64.random(in: 25_000_000..<75_000_000, using: &random)
        func event(_ type: String, _ data: [(String, Datum)]) -> TestEvent {
            var event = TestEvent(
                subject: "learner-\(learner)",
                source: "app/ios/\(learner &* 7_919)",
                id: "e\(counters[learner])",
                type: type,
                milliseconds: time,
                flags: 32 | 16 | 3
            )
            event.language = "es"
            event.session = session
            event.data = data
            return event
        }
        func put(_ type: String, _ data: [(String, Datum)]) {
            counters[learner] += 1
            table.append(event(type, data))
        }
        put("session.started", [("mode", .text("solo")), ("scenario", .text("market"))])
        for _ in 0..<Int.random(in: 10...50, using: &random) {
            let duration = duration()
            time += duration + Int64.random(in: 300..<2500, using: &random)
            let word = words[min(rank(), rank()) % words.count]
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                put(
                    "review.graded",
                    [("word", .text(word)), ("grade", .text(grade())), ("durationMs", .integer(duration))]
                )
            case 4..<8:
                put(
                    "line.spoken",
                    [
                        ("line", .text("l\(rank() % 60)")), ("accuracy", accuracy()),
                        ("words", .integer(Int64.random(in: 2..<14, using: &random))),
                        ("durationMs", .integer(duration)),
                    ]
                )
            case 8: put("word.encountered", [("word", .text(word))])
            default: put("hint.used", [])
            }
        }
        put("session.ended", [("mode", .text("solo"))])
    }

    private mutating func rank() -> Int { Int.random(in: 0..<4000, using: &random) }

    private mutating func grade() -> String {
        ["again", "hard", "good", "good", "good", "good", "easy", "easy"].randomElement(using: &random)!
    }

    private mutating func accuracy() -> Datum {
        let percent = max(Int.random(in: 40...100, using: &random), Int.random(in: 40...100, using: &random))
        return percent == 100 ? .integer(1) : .double(Double(percent) / 100)
    }

    /// A skewed duration, as a product of factors.
    private mutating func duration() -> Int64 {
        Int64(
            600 * Double.random(in: 1...2, using: &random) * Double.random(in: 1...3, using: &random)
                * Double.random(in: 1...2, using: &random)
        )
    }
}

extension EventTable {
    /// The rows of each subject, in order of arrival.
    func rowsBySubject() -> [(subject: [UInt8], rows: [Int])] {
        var places: [UInt32: Int] = [:]
        var groups: [(subject: [UInt8], rows: [Int])] = []
        for (row, index) in subject.enumerated() {
            if let place = places[index] {
                groups[place].rows.append(row)
            } else {
                places[index] = groups.count
                groups.append((Array(texts[index]), [row]))
            }
        }
        return groups
    }
}
