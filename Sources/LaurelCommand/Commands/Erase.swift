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
        if !arguments.has(.yes) {
            guard console.isInteractive else {
                throw UsageError(
                    "erase asks first, and nobody is there to answer; --yes erases without asking",
                    command: arguments.command
                )
            }
            guard console.confirms("Erase all there is of “\(name)” from \(arguments.store), for good?") else {
                console.message("nothing was erased")
                return .incomplete
            }
        }
        // A store that is not there is not made for this; no reader stands in the way of what leaves no trace.
        guard try arguments.openForRewriting().erase(subject: learner) else {
            throw try arguments.openForReading().unknownLearner(learner)
        }
        try console.output.writeLine("“\(name)” is erased")
        return .done
    }
}
