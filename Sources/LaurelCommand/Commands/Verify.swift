import Laurel
import LaurelStore

extension Command {
    static let verify = Command(
        "verify",
        "Checks every page and block, and that indexes and counts agree",
        options: [.store, .json],
        example: "laurel verify --store school.db"
    ) { try VerifyCommand(arguments: $0, console: $1).run() }
}

private struct VerifyCommand {
    let arguments: Arguments
    let console: Console

    func run() throws -> ExitStatus {
        let engine = try arguments.openForMaintenance()
        let (problems, remarks) = try console.withProgress("blocks") { line in
            try engine.verify { done, total in line.show(done, share: Double(done) / Double(max(total, 1))) }
        }
        // Of a damaged store they may be unknown.
        let statistics = problems.isEmpty ? try engine.statistics() : try? engine.statistics()
        if arguments.has(.json) {
            try console.output.writeJSON { json in
                if let statistics {
                    json.member("learners", statistics.learners)
                    json.member("events", statistics.events)
                    json.member("blocks", statistics.blocks)
                }
                json.strings("problems", problems)
                json.strings("remarks", remarks)
            }
        } else if problems.isEmpty, let statistics {
            let size = [
                Numbers.count(statistics.events, "event"), Numbers.count(statistics.learners, "learner"),
                Numbers.count(statistics.blocks, "block"),
            ]
            try console.output.writeLine("ok: \(size.joined(separator: ", "))")
        } else {
            for problem in problems { try console.output.writeLine(Visible.text(problem)) }
        }
        try console.output.flush()
        for remark in remarks { console.message(Visible.text(remark)) }
        guard !problems.isEmpty else { return .done }
        console.message(
            "restore the store from a backup; or save what is sound with `laurel export --salvage --out FILE`, and"
                + " ingest it into a new store"
        )
        return .incomplete
    }
}
