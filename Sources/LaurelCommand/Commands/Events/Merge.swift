// SPDX-License-Identifier: Apache-2.0

import Foundation
import Laurel

extension Command {
    static let merge = Command(
        "merge",
        "Merges a learner into another for good",
        details: """
            Use it if two ids belong to one person, such as an id from before and an id from after
            signing in. All events of FROM become INTO's, also events that come later. From then on,
            FROM means INTO in every command. Tokens of FROM end. A merge cannot be undone.
            If both have an event of the same source and id with different content, one of the two
            goes to quarantine: the event that is known to have arrived later, or else FROM's.
            """,
        operand: Operand(
            "FROM",
            .two,
            "the id of the learner to merge, and the id of the learner that stays",
            second: "INTO",
            completes: Operand.learner.completion
        ),
        options: [.store, .yes, .json],
        example: "laurel merge phone-7 anna --yes"
    ) { try MergeCommand(arguments: $0, console: $1).run() }
}

private struct MergeCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let (from, into) = (arguments.operands[0], arguments.operands[1])
        let (name, other) = (Visible.text(from), Visible.text(into))
        try arguments.expectAnswer(console, "merges")
        let question = "Merge “\(name)” into “\(other)” in \(arguments.shownStore), for good?"
        if !arguments.has(.yes), !console.confirms(question) {
            console.message("nothing was merged")
            return .incomplete
        }
        let engine = try arguments.openForRewriting()
        let outcome = try merge(from, into, engine)
        if arguments.has(.json) {
            try console.output.writeJSON(outcome)
        } else {
            try console.output.writeLine(text(outcome))
        }
        return .done
    }

    private func merge(_ from: String, _ into: String, _ engine: ProgressEngine) throws -> MergeOutcome {
        do throws(EngineError) {
            return try engine.merge(from, into: into, by: System.actor)
        } catch {
            guard error.code == .sameLearner else { throw error }
            throw CommandFailure.wrongRequest(error.message)
        }
    }

    private func text(_ outcome: MergeOutcome) -> String {
        let (name, other) = (Visible.text(outcome.merged), Visible.text(outcome.learner))
        if outcome.isRepeated { return "“\(name)” was merged into “\(other)” before; nothing changed" }
        var text = "“\(name)” is merged into “\(other)”: \(Numbers.count(outcome.events, "event"))"
        if outcome.duplicates > 0 { text += ", \(Numbers.count(outcome.duplicates, "duplicate"))" }
        if outcome.conflicts > 0 { text += ", \(Numbers.count(outcome.conflicts, "conflict")) in quarantine" }
        return text
    }
}
