import Laurel
import LaurelStore

extension Command {
    static let verify = Command(
        "verify",
        "Checks every block's checksum, and that indexes and counts agree",
        options: [.store, .json],
        example: "laurel verify --store school.db"
    ) { try VerifyCommand(arguments: $0, console: $1).run() }
}

private struct VerifyCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let engine = try arguments.openForReading()
        let problems = try console.withProgress("blocks") { line in
            try engine.verify { done, total in line.show(done, share: Double(done) / Double(max(total, 1))) }
        }
        let statistics = try engine.statistics()
        if arguments.has(.json) {
            try console.output.writeJSON { json in
                json.member("learners", statistics.learners)
                json.member("events", statistics.events)
                json.member("blocks", statistics.blocks)
                json.strings("problems", problems)
            }
        } else if problems.isEmpty {
            let size = [
                Numbers.count(statistics.events, "event"), Numbers.count(statistics.learners, "learner"),
                Numbers.count(statistics.blocks, "block"),
            ]
            try console.output.writeLine("ok: \(size.joined(separator: ", "))")
        } else {
            for problem in problems { try console.output.writeLine(Visible.text(problem)) }
        }
        return problems.isEmpty ? .done : .incomplete
    }
}
