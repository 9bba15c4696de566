// SPDX-License-Identifier: Apache-2.0

import Laurel

extension Command {
    static let erase = Command(
        "erase",
        "Removes a learner's events, progress and quarantined lines for good",
        operand: .learner,
        options: [.store, .yes],
        example: "laurel erase anna --yes"
    ) { try EraseCommand(arguments: $0, console: $1).run() }
}

private struct EraseCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let learner = arguments.operands[0]
        let name = Visible.text(learner)
        try arguments.expectAnswer(console, "erases")
        let question = "Erase all there is of “\(name)” from \(arguments.shownStore), for good?"
        if !arguments.has(.yes), !console.confirms(question) {
            console.message("nothing was erased")
            return .incomplete
        }
        // The command does not create a missing store. Open readers do not prevent the removal.
        let engine = try arguments.openForRemoval()
        guard try engine.erase(learner: learner, by: System.actor) else {
            throw try arguments.openForInspection().unknownLearner(learner)
        }
        try console.output.writeLine("“\(name)” is erased")
        try console.output.flush()
        let unread = try engine.unreadableQuarantinedLines()
        if unread > 0 {
            console.message(
                "\(Numbers.count(unread, "line")) in quarantine cannot be read and may still name them;"
                    + " `laurel quarantine export` shows what they say, `laurel quarantine drop` removes them"
            )
        }
        return .done
    }
}
