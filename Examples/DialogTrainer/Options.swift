// SPDX-License-Identifier: Apache-2.0

import Foundation
import LaurelClient

/// The command line.
struct Options {
    var learner = "me"
    var folder = URL(fileURLWithPath: "dialog-trainer", isDirectory: true)
    /// When the lesson takes place; now where not given.
    var start: Date?

    static let usage = """
        dialog-trainer [--learner ID] [--folder DIR] [--clock TIME]

          --learner ID  who is practising (default: me)
          --folder DIR  where progress is kept (default: dialog-trainer)
          --clock TIME  pretend that it is this time, RFC 3339
        """

    struct Problem: Error { var message: String }

    init(_ words: [String]) throws(Problem) {
        var rest = words[...]
        while let option = rest.popFirst() {
            guard ["--learner", "--folder", "--clock"].contains(option) else {
                throw Problem(message: "unknown option \(option)")
            }
            guard let value = rest.popFirst(), !value.isEmpty else { throw Problem(message: "\(option) needs a value") }
            switch option {
            case "--learner": learner = value
            case "--folder": folder = URL(fileURLWithPath: value, isDirectory: true)
            default:
                guard let time = try? Timestamp(value) else {
                    throw Problem(message: "--clock: “\(value)” is not a time such as 2026-02-05T18:00:00+01:00")
                }
                start = Date(timeIntervalSince1970: Double(time.milliseconds) / 1000)
            }
        }
    }
}
