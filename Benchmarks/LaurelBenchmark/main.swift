// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The arguments of each benchmark.
private let usage = """
    usage: LaurelBenchmark unpack STORE           reads and unpacks every block, and does nothing with it
           LaurelBenchmark floor STORE            folds every learner by rules written out by hand
           LaurelBenchmark scan STORE             decodes every event, and counts them
           LaurelBenchmark append STORE BATCH COUNT SCRATCH
                                                  small durable appends, and as many bare writes to SCRATCH
           LaurelBenchmark class STORE LEARNERS COUNT QUESTIONS
                                                  batches of an event of each of some learners, and their progress
           LaurelBenchmark joined STORE LEARNERS TOGETHER ROUNDS
                                                  requests of an event of each of some learners, so many stored together
           LaurelBenchmark late STORE COUNT       events a year before the learner's last
           LaurelBenchmark read STORE COUNT       opening, progress, words, everyone, leaderboard
    Prints one JSON object. Stores that are appended to should be copies.
    """

private func complain(_ text: String) {
    let bytes = Array(text.utf8) + [UInt8(ascii: "\n")]
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

private func number(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

private func perform(_ arguments: [String]) throws -> Report? {
    switch (arguments.first, arguments.count) {
    case ("unpack", 2): return try Unpacking(path: arguments[1]).run()
    case ("floor", 2): return try HandWritten(path: arguments[1]).run()
    case ("scan", 2): return try Scanning(location: arguments[1]).run()
    case ("append", 5):
        guard let batch = number(arguments[2]), let count = number(arguments[3]) else { return nil }
        return try Appending(path: arguments[1], batch: batch, count: count, scratch: arguments[4]).run()
    case ("class", 5):
        guard let learners = number(arguments[2]), let count = number(arguments[3]),
            let questions = number(arguments[4])
        else { return nil }
        return try ClassAppends(path: arguments[1], learners: learners, count: count, questions: questions).run()
    case ("joined", 5):
        guard let learners = number(arguments[2]), let together = number(arguments[3]),
            let rounds = number(arguments[4])
        else { return nil }
        return try JoinedAppends(path: arguments[1], learners: learners, together: together, rounds: rounds).run()
    case ("late", 3):
        guard let count = number(arguments[2]) else { return nil }
        return try LateEvents(path: arguments[1], count: count).run()
    case ("read", 3):
        guard let count = number(arguments[2]) else { return nil }
        return try Reading(path: arguments[1], count: count).run()
    default: return nil
    }
}

do {
    guard let report = try perform(Array(CommandLine.arguments.dropFirst())) else {
        complain(usage)
        exit(2)
    }
    print(report.json)
} catch {
    complain("LaurelBenchmark: \(error)")
    exit(3)
}
