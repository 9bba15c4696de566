// SPDX-License-Identifier: Apache-2.0

/// An argument that is not an option: its name in help, and how often it may be given.
struct Operand: Sendable {
    enum Count: Sendable {
        case one, two, atMostOne, any, oneOrMore
        /// An argument, and the words of a command after `--`.
        case oneAndCommand
    }

    /// The name, in capitals.
    let name: String
    /// The name of the second of two arguments.
    private let second: String
    let count: Count
    /// The meaning, in one line.
    let summary: String
    /// The values that a shell may suggest.
    let completion: Completion

    /// - Parameter second: the name of the second of two arguments; nil to use the name of the first.
    init(_ name: String, _ count: Count, _ summary: String, second: String? = nil, completes: Completion? = nil) {
        self.name = name
        self.second = second ?? name
        self.count = count
        self.summary = summary
        completion = completes ?? Completion(placeholder: name)
    }

    static let learner = Operand("LEARNER", .one, "the learner's id: the `subject` of their events")

    var usage: String {
        switch count {
        case .one: name
        case .two: "\(name) \(second)"
        case .atMostOne: "[\(name)]"
        case .any: "[\(name)…]"
        case .oneOrMore: "\(name)…"
        case .oneAndCommand: "\(name) [-- \(second)…]"
        }
    }

    /// The name of the argument that follows `given` arguments.
    func name(after given: Int) -> String { given == 0 ? name : second }

    /// The minimum and the maximum number of arguments.
    var bounds: ClosedRange<Int> {
        switch count {
        case .one: 1...1
        case .two: 2...2
        case .atMostOne: 0...1
        case .any: 0...Int.max
        case .oneOrMore, .oneAndCommand: 1...Int.max
        }
    }
}
